"""From a diagram to a program: flatten, infer sizes, order, lay out; emitting and compiling follow on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..blocks.errors import BlockError
from .errors import BadParameter
from .flat import FlatDiagram, Tap
from .flatten import flatten
from .plan.layout import Plan, lay_out
from .plan.order import find_order, find_rates
from .plan.sizes import infer_sizes
from .plan.unit import make_units
from .program import Program

if TYPE_CHECKING:
    from .diagram import Diagram


def compile_diagram(
    diagram: Diagram,
    *,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    log: Sequence[str] | None = None,
) -> Program:
    """Check a diagram and turn it into a program.

    `parameters` replaces diagram parameters, `set` block parameters by path ("plant/arm.mass"), `log` the
    signals to keep. Raises DiagramError.
    """
    flat = flatten(diagram, parameters=parameters, set=set)
    return compile_flat(flat if log is None else flat.with_log(log), diagram)


def compile_flat(flat: FlatDiagram, source: Diagram) -> Program:
    """A program for a flat diagram; `source` is the diagram as declared. Raises DiagramError."""
    flat = replace(flat, taps=(*flat.taps, *shown(flat)))
    return Program(flat, make_plan(flat), source)


def shown(flat: FlatDiagram) -> list[Tap]:
    """The signals that sinks (Scope, Record) keep, under the names of their sources."""
    known = {(tap.path, tap.port) for tap in flat.taps}
    found: dict[tuple[str, str], Tap] = {}
    for block in flat.blocks:
        if getattr(block.block, "logs", False):
            for source in block.sources.values():
                if source is not None and source not in known:
                    found.setdefault(source, Tap(f"{source[0]}.{source[1]}", *source))
    return list(found.values())


def make_plan(flat: FlatDiagram) -> Plan:
    """Sizes, order, rates and memory of a flat diagram. Raises DiagramError."""
    try:
        units = make_units(flat.blocks)
        infer_sizes(units)
        order = find_rates(units, find_order(units))
        return lay_out(flat.name, units, order, list(flat.logged))
    except BlockError as error:
        raise BadParameter("", "", error) from error
