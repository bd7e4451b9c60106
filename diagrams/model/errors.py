"""Errors of a diagram and of the arguments of its runs: one tree of exceptions, rooted in DiagramError.

BlockdynError
    DiagramError             path, port, location of the place; file, line, column of the location
        BadName              a name that paths cannot hold
        BadArgument          an argument of another kind than a method takes
        BadWire              an end of a wire that cannot be read, or cannot stand there
        DuplicateName        two things of one name
        UnknownBlock, UnknownPort, UnknownParameter, UnknownName
        UnknownPath, NoElement   a path in `set` that leads nowhere
        AmbiguousPort        a block with several ports, and none named
        EmptyDiagram         a diagram without blocks
        MissingInput         an input that nothing drives
        DoublyDriven         an input that two wires drive
        SizeMismatch         a signal of another size than its input takes
            BusMismatch      a bus where none is taken, or one of other fields
        AlgebraicLoop        outputs that depend on themselves at the same instant
        Undetermined         a number that its block's equation does not depend on
        CallLoop             subsystems that call themselves
        NotInTriggered       a block that a Trigger cannot make work
        BadParameter         a value that a parameter does not take
        BadExpression        an expression that cannot be evaluated
        RecursiveSubsystem   a diagram that contains itself
        NestingTooDeep, DiagramTooLarge, NotEnoughMemory
        SeveralErrors        several of these, told together
    RunError                 see run_errors
    RunArgumentError
        InputNotGiven        an input of the diagram that a run says nothing of
        SeveralArgumentErrors    several of these, told together
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import ClassVar

from ...base.errors import BlockdynError
from ...base.gathered import told_together
from ...base.location import Location
from ...base.words import article, short
from .diagram_error import DiagramError, listed
from .gathered import SeveralErrors
from .name_errors import (
    AmbiguousPort,
    BadName,
    CallLoop,
    DuplicateName,
    NoElement,
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
    "AlgebraicLoop", "AmbiguousPort", "AssertionFailed", "BadArgument", "BadExpression", "BadName",
    "BadParameter", "BadWire", "BlockFailed", "BusMismatch", "CallLoop", "Chattering", "DiagramError",
    "DiagramTooLarge", "DoublyDriven", "DuplicateName", "EmptyDiagram", "InputNotGiven", "InstanceFailed",
    "Location", "LoopNotSolved", "MissingInput", "NestingTooDeep", "NoElement",
    "NotEnoughMemory", "NotFinite", "NotInTriggered", "RecursiveSubsystem", "RunArgumentError", "RunError",
    "SeveralArgumentErrors",
    "SeveralErrors", "SizeMismatch", "StepCollapse", "TimeLimit", "TooManySteps", "Undetermined",
    "UnknownBlock", "UnknownName", "UnknownParameter", "UnknownPath", "UnknownPort", "Unsettled", "Zeno",
    "listed",
]  # fmt: skip


class BadArgument(DiagramError):
    """An argument of another kind than a method of a diagram takes."""

    def __init__(self, argument: str, actual: str, expected: str, location: Location | None = None) -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        super().__init__(f"{argument} is {actual}", f"expected: {expected}", location=location)


class BadWire(DiagramError):
    """An end of a wire that cannot be read, or cannot stand there."""

    def __init__(
        self, actual: str, expected: str, *, path: str = "", location: Location | None = None
    ) -> None:
        self.actual, self.expected = actual, expected
        super().__init__(actual, f"expected: {expected}", path=path, location=location)


class NotInTriggered(DiagramError):
    """A block that does not work at single instants only, in a subsystem that a Trigger makes work."""

    def __init__(
        self, path: str, kind: str, what: str, trigger: str, *, location: Location | None = None
    ) -> None:
        self.trigger = trigger
        expected = "blocks whose outputs follow from their inputs, and sampled ones with `sample_time: .inf`"
        if kind == "Trigger":
            expected = "a signal that changes at events or ticks only"
        where = f" in the subsystem of `{trigger}`" if trigger else ""
        super().__init__(
            f"{path}, {article(kind)}, {what}{where}",
            f"expected: {expected}; a subsystem with an Enable takes all blocks",
            path=path,
            location=location,
        )


class EmptyDiagram(DiagramError):
    """A diagram without blocks: nothing that could run."""

    def __init__(self, name: str, *, location: Location | None = None) -> None:
        super().__init__(
            f"diagram `{name}` has no blocks",
            'expected: at least one: add("x", Integrator()), in YAML `blocks: {x: {type: Integrator}}`',
            location=location,
        )


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
            f"also open: {listed(declared)}" if also_open else "",
            hint or "every input needs a wire: connect a source, a Constant if it is meant to be fixed",
            path=path,
            port=port,
            location=location,
        )


class DoublyDriven(DiagramError):
    """An input that two wires drive."""

    def __init__(
        self,
        path: str,
        port: str,
        sources: tuple[str, str],
        *,
        first: Location | None = None,
        location: Location | None = None,
    ) -> None:
        self.sources, self.first = sources, first
        super().__init__(
            f"two wires drive input {path}.{port}: from {sources[0]}" + (f" ({first})" if first else "")
            + f" and from {sources[1]}",
            "an input takes one wire: remove one, or put a Sum or a Switch between",
            path=path,
            port=port,
            location=location,
        )  # fmt: skip


class SizeMismatch(DiagramError):
    """A signal of another size than its input takes."""

    remedy: ClassVar[str] = "change the source, or put a Selector, Mux or Gain of fitting size between"

    def __init__(
        self,
        path: str,
        port: str,
        actual: str,
        expected: str,
        *,
        source: str = "",
        location: Location | None = None,
    ) -> None:
        self.actual, self.expected, self.source = actual, expected, source
        super().__init__(
            (f"input {path}.{port} gets {actual}" if port else f"the sizes at {path} do not fit: {actual}")
            + (f" from {source}" if source else ""),
            f"expected: {expected}",
            self.remedy,
            path=path,
            port=port,
            location=location,
        )


class BusMismatch(SizeMismatch):
    """A bus where its input takes none, or one of other fields than the block names."""

    remedy: ClassVar[str] = (
        "take the fields that are needed out of a bus with a BusSelector, or make a vector of all of them"
        " with a Reshape; put signals into a bus with a BusCreator"
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
            "every block on it is direct feedthrough: put a block with state (integrator, delay, filter) on"
            " one of these wires",
            "or have the loop solved at every evaluation: simulate(loops='solve'), in YAML `simulate: {loops:"
            " solve}`",
            path=path,
            port=port,
            location=location,
        )


class Undetermined(DiagramError):
    """A number of a block that an equation is to determine, but the equation does not depend on it."""

    def __init__(self, path: str, inputs: Sequence[str], *, location: Location | None = None) -> None:
        names = " or ".join(f"{path}.{name}" for name in inputs)
        super().__init__(
            f"nothing determines the output of {path}: its input does not depend on it at once",
            f"expected: wires that lead from the output to {names} through blocks without states or ticks",
            path=path,
            location=location,
        )


class BadParameter(DiagramError):
    """A value that a parameter does not take; `reason` is what the block says of it."""

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


class RecursiveSubsystem(DiagramError):
    """A diagram that contains itself."""

    def __init__(self, cycle: Sequence[str], *, location: Location | None = None) -> None:
        self.cycle = tuple(cycle)
        super().__init__(
            f"a diagram contains itself: {' -> '.join(self.cycle)}",
            "a subsystem holds other diagrams only: take it out of itself",
            path="/".join(self.cycle[1:]),
            location=location,
        )


class NestingTooDeep(DiagramError):
    """Subsystems in subsystems, more levels than anybody reads."""

    def __init__(self, path: str, deepest: int, *, location: Location | None = None) -> None:
        self.deepest = deepest
        start = "/".join(path.split("/", 4)[:4])
        super().__init__(
            f"subsystems are nested deeper than {deepest} levels: {start}/...",
            "flatten some of them into their parents",
            path=path,
            location=location,
        )


class DiagramTooLarge(DiagramError):
    """Subsystems of subsystems that multiply to more blocks than memory holds."""

    def __init__(self, blocks: int, most: int) -> None:
        self.blocks, self.most = blocks, most
        super().__init__(
            f"with all subsystems opened the diagram holds {blocks} blocks; at most {most} are accepted",
            "subsystems that hold one another several times multiply: use vector signals instead of copies",
        )


class NotEnoughMemory(DiagramError):
    """Signals and states that take more memory than this process may have."""

    def __init__(self, path: str, excess: str, *, location: Location | None = None) -> None:
        super().__init__(
            f"the signals and states of the diagram do not fit into memory, most of all those of {path}",
            f"expected: fewer numbers: {excess}",
            "take shorter vectors, a smaller `buffer` of a delay, fewer copies",
            path=path,
            location=location,
        )


class RunArgumentError(BlockdynError):
    """An argument of a run that no run can have."""

    def __init__(self, argument: str, actual: object, expected: str) -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        super().__init__(f"{argument} is {short(actual)}\nexpected: {expected}")


class InputNotGiven(RunArgumentError):
    """An input of the diagram that a run says nothing of, without a default."""

    def __init__(self, name: str, location: Location | None) -> None:
        self.name, self.location = name, location
        self.argument, self.actual = f"inputs[{name!r}]", None
        self.expected = (
            f"simulate(inputs={{{name!r}: 1.0}}), linearize(at={{{name!r}: 1.0}}), --set {name}=1.0,"
            f" in YAML `simulate: {{inputs: {{{name}: 1.0}}}}`, or a `default` of the Inport;"
            " a subsystem's Inport is wired in the diagram around it"
        )
        at = f"{location}: " if location is not None else ""
        BlockdynError.__init__(
            self, f"{at}nothing is given for input `{name}` of the diagram\nexpected: {self.expected}"
        )


class SeveralArgumentErrors(RunArgumentError):
    """Several arguments that no run can have, and names that `log` does not find; `errors` holds each.

    The first argument gives the facts.
    """

    def __init__(self, errors: Sequence[BlockdynError]) -> None:
        self.errors = tuple(errors)
        first = next(error for error in errors if isinstance(error, RunArgumentError))
        super().__init__(first.argument, first.actual, first.expected)
        self.args = (told_together(errors),)
