"""Report parts of a diagram that are allowed and yet may not be meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...blocks.contract.block import Block
from ...blocks.contract.parameter_expression import Parameter
from .branches import branch_notices
from .program import Program
from .remembering import memory_notices

if TYPE_CHECKING:
    from ..model.diagram import Diagram


def find_notices(program: Program) -> Iterator[str]:
    """One sentence each: place, fact, remedy."""
    flat, units = program.flat, program.plan.units
    if "stop" not in flat.simulation and "times" not in flat.simulation:
        yield "the diagram has no stop time: give one for each run (`stop` under `simulate`, or --stop)"
    if not flat.taps:
        yield "nothing is logged: name signals under `log`, or add a Scope"
    for path, names in _unused_parameters(program.source, ""):
        owner = f"subsystem {path}" if path else "the diagram"
        listed = ", ".join(f"`{name}`" for name in names)
        yield f"{owner} declares {listed} and does not use it: remove it, or write `=name` where it belongs"
    for text in program.plan.signal_units.contradictions:
        yield f"{text}: one of them is wrong, or a Gain with a `unit` is missing between them"
    read = {source[0] for block in flat.blocks for source in block.sources.values() if source is not None}
    read |= {tap.path for tap in flat.taps}
    for unit in units:
        if unit.output_ports and unit.path not in read:
            yield f"{unit.path} is unused: no block reads it and nothing logs it"
        for port, source in unit.inputs.items():
            default = unit.input_ports[port].default
            if source is None and default is not None:
                yield f"input {unit.path}.{port} is open and takes {default:g}"
    yield from branch_notices(program)
    yield from memory_notices(program)


def _unused_parameters(diagram: Diagram, path: str) -> Iterator[tuple[str, list[str]]]:
    used: set[str] = set()
    inner: list[tuple[str, Diagram]] = []
    for name, block in diagram.blocks.items():
        if isinstance(block, Block):
            values = [getattr(block, key) for key in block.rules()]
        else:
            values = list(block.overrides.values())
            inner.append((f"{path}/{name}" if path else name, block.diagram))
        used.update(_names(values))
    used.update(_names(diagram.parameters.values()))
    unused = [name for name in diagram.parameters if name not in used]
    if unused:
        yield path, unused
    for where, below in inner:
        yield from _unused_parameters(below, where)


def _names(values: object) -> Iterator[str]:
    for value in values:  # type: ignore[attr-defined]
        if isinstance(value, Parameter):
            yield from value.formula.names
