"""Errors in names of blocks, signals, ports and parameters."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ...base.location import Location
from ...base.words import article, nearest, short
from ...blocks.contract.errors import nearest_parameter
from ...blocks.contract.formula import CONSTANTS
from .diagram_error import DiagramError, listed


class BadName(DiagramError):
    """A name that is not valid in paths."""

    def __init__(
        self,
        name: object,
        what: str,
        expected: str = "letters, digits and _, not beginning with a digit (paths use / . [ ])",
        *,
        location: Location | None = None,
    ) -> None:
        self.name = name
        super().__init__(
            f"{short(name)} cannot be the name of a {what}",
            f"expected: {expected}",
            path=name if isinstance(name, str) else "",
            location=location,
        )


class DuplicateName(DiagramError):
    """Two parts of a diagram with the same name."""

    def __init__(
        self, name: str, what: str, *, first: Location | None = None, location: Location | None = None
    ) -> None:
        self.name, self.first = name, first
        super().__init__(
            f"`{name}` is already the name of a {what}" + (f", declared at {first}" if first else ""),
            "names are unique in a diagram: choose another one",
            path=name,
            location=location,
        )


class UnknownBlock(DiagramError):
    """A name that is neither a block of the diagram nor a named signal in its scope."""

    def __init__(
        self, name: str, choices: Sequence[str], *, inside: str = "", location: Location | None = None
    ) -> None:
        self.name, self.choices = name, tuple(choices)
        place = f"in subsystem {inside}" if inside else "in this diagram"
        super().__init__(
            f"there is no block or signal `{name}` {place}{nearest(name, list(choices))}",
            f"expected one of: {listed(choices)}" if choices else "",
            path=f"{inside}/{name}" if inside else name,
            location=location,
        )


def _counts(kind: str) -> bool:
    """True if a library block has its number of ports as the parameter `count`."""
    return "count" in _options(kind)


def _options(kind: str) -> Collection[str]:
    """The parameters of a library block with rules for their values."""
    from ...blocks.contract.registry import library_type  # late: for errors alone

    found = library_type(kind)
    return () if found is None else found.rules()


class UnknownPort(DiagramError):
    """A port that a block does not have."""

    def __init__(
        self,
        path: str,
        kind: str,
        port: str | int | None,
        direction: str,
        choices: Sequence[str],
        *,
        location: Location | None = None,
        states: Sequence[str] = (),
    ) -> None:
        """`states` are the block's states, for an output that was to be logged."""
        self.kind, self.direction, self.choices = kind, direction, tuple(choices)
        place = f"{path}[{port}]" if isinstance(port, int) else f"{path}.{port}"
        hint = nearest(port, list(choices)) if isinstance(port, str) else ""
        if kind == "Expression" and port in CONSTANTS:
            hint = f": in formulas `{port}` is the number {CONSTANTS[port]:.6g}; call the input another name"
        if kind == "Expression" and port == "t":
            hint = ": in formulas `t` is the time of the run, and needs no wire"
        if port == "u" and direction == "input" and "inputs_count" in _options(kind):
            hint = "; with `inputs_count`, the elements of u, it is one"
        numbered = re.fullmatch(r"([a-z]+)\d+", port) if isinstance(port, str) else None
        if numbered and any(re.fullmatch(rf"{numbered[1]}\d+", choice) for choice in choices):
            hint = "; their number is the parameter `count`" if _counts(kind) else hint
        if port in states:
            hint = "; it is a state, which every result has without `log`"
        problem = f"{place} is not an {direction} of {path}, {article(kind)}{hint}"
        none = f"{article(kind)} has no {direction}s"
        if kind == "Expression" and direction == "input":
            constants = " and ".join(f"`{name}`" for name in CONSTANTS)
            none += (
                f": they are the names in its formula, in which {constants} are numbers and `t` is the time"
            )
        ports = listed(f"{name} [{i}]" for i, name in enumerate(choices))
        if direction == "output" and len(choices) == 1 and (isinstance(port, int) or "[" in str(port)):
            ports += f"\na Selector gives an element of a vector signal, in Python {path}.element(1)"
        super().__init__(
            problem
            if port is not None
            else f"{path}, {article(kind)}, is used where an {direction} is needed",
            f"expected one of its {direction}s: {ports}" if choices else none,
            path=path,
            port="" if port is None else str(port),
            location=location,
        )


def called(name: str) -> str:
    """A diagram in a sentence, with its name if it has one."""
    return "diagram" if name in ("", "diagram") else f"diagram {name}"


class UnknownParameter(DiagramError):
    """A parameter that a block, subsystem or diagram does not have."""

    def __init__(
        self,
        path: str,
        kind: str,
        parameter: str,
        choices: Sequence[str],
        *,
        location: Location | None = None,
    ) -> None:
        self.parameter, self.choices = parameter, tuple(choices)
        owner = f"{path}, {article(kind)}," if path else f"the {kind}"
        expected = f"expected one of: {listed(choices)}" if choices else f"{kind} has no parameters"
        super().__init__(
            f"{owner} has no parameter `{parameter}`{nearest_parameter(parameter, choices, kind)}",
            expected,
            path=path,
            location=location,
        )


class UnknownName(DiagramError):
    """An undefined name in an expression or a path."""

    def __init__(
        self,
        name: str,
        where: str,
        choices: Sequence[str],
        *,
        hint: str = "",
        path: str = "",
        location: Location | None = None,
    ) -> None:
        self.name, self.choices = name, tuple(choices)
        super().__init__(
            f"`{name}` in {where} is not known{nearest(name, list(choices))}",
            f"expected one of: {listed(choices)}" if choices else "",
            hint,
            path=path,
            location=location,
        )


class UnknownPath(DiagramError):
    """A path that names no parameter, state or setting of the diagram, or no element of its value."""
