"""Compare the arguments of a block class's functions with the names that its blocks have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...base.words import nearest
from ...native.groups import Group, parts_of
from .block import STREAM, Block
from .declared_parts import Wrong
from .equations import argument_paths
from .port import Port
from .wiring import Wiring

if TYPE_CHECKING:
    from .port import Crossing

PREFIXES = {"derivative": "d_", "update": "next_", "jump": "next_"}


def check_asked(block: Block, numbers: Iterable[str]) -> None:
    """Raise Wrong for an argument that this block lacks; `numbers`: parameters and constants."""
    if isinstance(block, Wiring):
        return
    unknowns = [Port(name) for each in block.unknowns() for name in (each.name, each.solved)]
    ports = (*block.input_ports(), *block.output_ports(), *unknowns)
    functions = {role: function for role, function in block.functions().items() if callable(function)}
    numbers = [*numbers, *block.scratch(), *block.memory()]
    read = {*numbers, *(port.name for port in block.input_ports()), *(state.name for state in block.states)}
    for crossing in block.zero_crossings():
        if crossing.count and crossing.name in read:  # `crossing` writes its values under that name
            mistake = (
                f"`{crossing.name}`, which has a count, is also an input, a state, a parameter or a constant"
            )
            raise Wrong("crossings", mistake, "another name for one of them")
    check_arguments(type(block), functions, ports, block.zero_crossings(), numbers)


def check_arguments(
    kind: type[Block],
    functions: Mapping[str, Any],
    ports: Iterable[Port],
    crossings: tuple[Crossing, ...],
    numbers: Iterable[str],
) -> None:
    """Raise Wrong if an argument of a function is unknown, or occurs twice.

    `numbers` are the names of parameters, and of constants and workspace.
    """
    states = [state.name for state in kind.states]
    shared = [
        "t", "mode", *(port.name for port in ports), *states, *numbers, *([STREAM] if kind.random else []),
        *(f"crossed_{crossing.name}" for crossing in crossings),
    ]  # fmt: skip
    for role, function in functions.items():
        offered = [*shared, *(PREFIXES[role] + name for name in states if role in PREFIXES)]
        offered += [crossing.name for crossing in crossings if crossing.count] if role == "crossing" else []
        paths: dict[str, str] = {}
        for path, name in argument_paths(function):
            place = _place(function, path)
            if name not in offered:
                expected = f"one of: {', '.join(offered)}"
                if name in kind.rules():
                    expected = f"a number: declare `{name}` with bd.parameter(...)"
                close = nearest(name, offered)
                mistake = f"its argument `{name}`{place} is not a name of this block{close}"
                raise Wrong(role, mistake, expected)
            if name in paths:
                raise Wrong(
                    role, f"its argument `{name}` occurs twice: `{paths[name]}`, `{path}`", "one of them"
                )
            paths[name] = path


def _place(function: Any, path: str) -> str:
    """The group of a name in a sentence: ' in group `Workspace`', or ''."""
    *outer, _ = path.split(".")
    parts: Any = parts_of(function)
    place = ""
    for name in outer:
        group = next(part for part in parts if isinstance(part, Group) and part.name == name)
        parts, place = group.fields, f" in group `{group.kind.__name__}`"
    return place
