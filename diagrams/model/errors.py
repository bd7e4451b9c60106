"""Errors of a diagram and of the arguments of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ...base.errors import BlockdynError
from ...base.location import Location
from ...base.words import short
from .diagram_error import DiagramError, listed
from .name_errors import (
    BadName,
    DuplicateName,
    UnknownBlock,
    UnknownName,
    UnknownParameter,
    UnknownPath,
    UnknownPort,
)
from .run_errors import (
    AssertionFailed,
    BlockFailed,
    Chattering,
    InstanceFailed,
    LoopNotSolved,
    NotFinite,
    RunError,
    StepCollapse,
    TimeLimit,
    TooManySteps,
    Unsettled,
    Zeno,
)

__all__ = [
    "AlgebraicLoop", "AssertionFailed", "BadExpression", "BadName", "BadParameter", "BadWire",
    "BlockFailed", "Chattering", "DiagramError", "DuplicateName", "InstanceFailed", "Location",
    "LoopNotSolved", "MissingInput", "NotFinite", "RunArgumentError", "RunError", "SizeMismatch",
    "StepCollapse", "TimeLimit", "TooManySteps", "Undetermined", "UnknownBlock", "UnknownName",
    "UnknownParameter", "UnknownPath", "UnknownPort", "Unsettled", "Zeno", "doubly_driven",
    "input_not_given", "listed", "several_arguments",
]  # fmt: skip


class BadWire(DiagramError):
    """An end of a wire that cannot be read, or is not allowed there.

    For an input that two wires drive, `sources` holds both, `first` is the place of the first one.
    """

    sources: tuple[str, ...] = ()
    first: Location | None = None

    def __init__(
        self, actual: str, expected: str, *, path: str = "", location: Location | None = None
    ) -> None:
        self.actual, self.expected = actual, expected
        super().__init__(actual, f"expected: {expected}", path=path, location=location)


class MissingInput(DiagramError):
    """An input that nothing drives."""

    def __init__(
        self,
        path: str,
        port: str,
        also_open: Sequence[str] = (),
        *,
        places: Sequence[Location | None] = (),
        hint: str = "",
        location: Location | None = None,
    ) -> None:
        self.also_open = tuple(also_open)
        declared = [f"{name} ({at})" if at else name for name, at in zip_longest(also_open, places)]
        super().__init__(
            f"nothing drives input {path}.{port}",
            f"also unconnected: {listed(declared)}" if also_open else "",
            hint or "every input needs a wire: connect a source, a Constant if it is meant to be fixed",
            path=path,
            port=port,
            location=location,
        )


def doubly_driven(
    path: str,
    port: str,
    sources: tuple[str, str],
    *,
    first: Location | None = None,
    location: Location | None = None,
) -> BadWire:
    """Return the error for an input that two wires drive, the first one declared at `first`."""
    declared = f" ({first})" if first else ""
    error = BadWire(
        f"two wires drive input {path}.{port}: from {sources[0]}{declared} and from {sources[1]}",
        "one wire: remove one, or put a Sum or a Switch in between",
        path=path,
        location=location,
    )
    error.port, error.sources, error.first = port, sources, first
    return error


_BUS = (
    "take the fields that are needed out of a bus with a BusSelector, or make a vector of all of them"
    " with a Reshape; put signals into a bus with a BusCreator"
)


class SizeMismatch(DiagramError):
    """A signal whose size its input does not take, or a `bus` at an input that takes none or another one."""

    def __init__(
        self,
        path: str,
        port: str,
        actual: str,
        expected: str,
        *,
        source: str = "",
        bus: bool = False,
        location: Location | None = None,
    ) -> None:
        self.actual, self.expected, self.source = actual, expected, source
        super().__init__(
            (f"input {path}.{port} gets {actual}" if port else f"the sizes at {path} do not fit: {actual}")
            + (f" from {source}" if source else ""),
            f"expected: {expected}",
            _BUS if bus else "change the source, or put a Selector, Mux or Gain of the right size in between",
            path=path,
            port=port,
            location=location,
        )


class AlgebraicLoop(DiagramError):
    """Outputs that depend on themselves at the same instant."""

    def __init__(
        self,
        cycle: Sequence[str],
        *,
        places: Sequence[Location | None] = (),
        location: Location | None = None,
    ) -> None:
        self.cycle, self.places = tuple(cycle), tuple(places)
        path, _, port = self.cycle[0].rpartition(".")
        declared = [f"{name} {place}" for name, place in zip(self.cycle, self.places, strict=False) if place]
        super().__init__(
            f"algebraic loop through {len(self.cycle)} ports: {' -> '.join([*self.cycle, self.cycle[0]])}",
            f"declared at: {listed(declared)}" if declared else "",
            "every block on it has direct feedthrough: put a block with state (integrator, delay, filter) on"
            " one of these wires",
            "or have the loop solved at every evaluation: simulate(loops='solve'), in YAML `simulate: {loops:"
            " solve}`",
            path=path,
            port=port,
            location=location,
        )


class Undetermined(DiagramError):
    """An unknown of a block on which its equation does not depend."""

    def __init__(self, path: str, inputs: Sequence[str], *, location: Location | None = None) -> None:
        names = " or ".join(f"{path}.{name}" for name in inputs)
        super().__init__(
            f"nothing determines the output of {path}: its input does not depend on it at once",
            f"expected: wires that lead from the output to {names} through blocks without states or ticks",
            path=path,
            location=location,
        )


class BadParameter(DiagramError):
    """A value that a parameter does not take; `reason` is the block's explanation."""

    of_value = True

    def __init__(
        self, path: str, parameter: str, reason: object, *, location: Location | None = None
    ) -> None:
        self.parameter, self.reason = parameter, reason
        super().__init__(f"{path or 'the diagram'}: {reason}", path=path, location=location)


class BadExpression(DiagramError):
    """An expression that cannot be evaluated."""

    def __init__(self, path: str, text: str, reason: object, *, location: Location | None = None) -> None:
        self.text = text
        where = f" of {path}" if path else ""
        super().__init__(f"expression `={text}`{where}: {reason}", path=path, location=location)


def contains_itself(cycle: Sequence[str], *, location: Location | None = None) -> DiagramError:
    """Return the error for a diagram that contains itself."""
    return DiagramError(
        f"a diagram contains itself: {' -> '.join(cycle)}",
        "a subsystem holds other diagrams only: take it out of itself",
        path="/".join(cycle[1:]),
        location=location,
    )


def nested_too_deep(path: str, deepest: int, *, location: Location | None = None) -> DiagramError:
    """Return the error for subsystems nested too deeply."""
    start = "/".join(path.split("/", 4)[:4])
    return DiagramError(
        f"subsystems are nested deeper than {deepest} levels: {start}/...",
        "flatten some of them into their parents",
        path=path,
        location=location,
    )


class RunArgumentError(BlockdynError):
    """An invalid argument of a run: `name` is an input without a value, `path` a touched place."""

    name = path = ""
    location: Location | None = None

    def __init__(self, argument: str, actual: object, expected: str, *, problem: str = "") -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        found = "not given" if actual is None else short(actual)
        super().__init__(f"{problem or f'{argument} is {found}'}\nexpected: {expected}")


def input_not_given(name: str, location: Location | None) -> RunArgumentError:
    """Return the error for an input of the diagram without a value in the run, and without a default."""
    at = f"{location}: " if location is not None else ""
    error = RunArgumentError(
        f"inputs[{name!r}]",
        None,
        f"simulate(inputs={{{name!r}: 1.0}}), linearize(at={{{name!r}: 1.0}}), --set {name}=1.0,"
        f" in YAML `simulate: {{inputs: {{{name}: 1.0}}}}`, or a `default` of the Inport;"
        " a subsystem's Inport is wired in the diagram around it",
        problem=f"{at}no signal is given for input `{name}` of the diagram",
    )
    error.name, error.location = name, location
    return error


def several_arguments(errors: Sequence[BlockdynError]) -> RunArgumentError:
    """Return one error for several invalid arguments, and for names that `log` does not find.

    Its attributes come from the first invalid argument.
    """
    first = next(error for error in errors if isinstance(error, RunArgumentError))
    return RunArgumentError(first.argument, first.actual, first.expected).gathering(errors)
