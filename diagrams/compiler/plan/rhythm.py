"""Each signal changes continuously, at the ticks of a clock, at events, or never.

Some inputs require sources that tick with the block, so that it takes in each value once.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from ....blocks.contract.errors import ParameterError
from ...model.errors import BadParameter
from .unit import CONTINUOUS, Unit

if TYPE_CHECKING:
    from .layout import Plan

ROUNDING = 1e-9  # of a period
_EVENTS = -1  # among the numbers of clocks: any instant except ticks


def find_rhythms(plan: Plan) -> dict[tuple[int, str], str]:
    """In words, by unit and output port."""
    causes: dict[tuple[int, str], frozenset[int]] = {}
    again = True
    while again:
        before = dict(causes)
        for number, role in plan.order:
            of_output = _causes(plan.units, plan.units[number], role, causes)
            for port in plan.units[number].output_roles[role]:
                causes[number, port] = of_output
        again = bool(plan.loops) and causes != before
    units = plan.units
    return {
        (n, port): _words(plan, units[n].rate[port], of_output) for (n, port), of_output in causes.items()
    }


def _causes(
    units: list[Unit], unit: Unit, role: str, causes: dict[tuple[int, str], frozenset[int]]
) -> frozenset[int]:
    """The clocks, and events, after which an output can have another value; held outputs only."""
    if unit.block.sampled:
        return frozenset({unit.clock})
    jumps = any(state.held for state in unit.block.states)
    if unit.trigger >= 0:
        return frozenset({units[unit.trigger].clock if unit.trigger == unit.iteration else _EVENTS})
    of_unit = {_EVENTS} if jumps or (unit.mode_count and not unit.inline_mode) else set()
    wires = [*unit.wires(role), *(unit.wires("mode") if unit.inline_mode else ())]
    for source, _ in wires:
        of_unit |= causes.get((source.unit, source.port), frozenset())
    for condition in unit.enables[:1]:
        of_unit |= causes.get((condition, "y"), frozenset())
    return frozenset(of_unit)


def _words(plan: Plan, rate: str, causes: frozenset[int]) -> str:
    if rate == CONTINUOUS:
        return "continuously"
    if not causes:
        return "never"
    if _EVENTS in causes:
        return "at events"
    periods = sorted(plan.clocks[clock][0] for clock in causes)
    return "every " + " and ".join(f"{period:g}" for period in periods) + " s"


def check_pace(units: list[Unit]) -> None:
    """Raise BadParameter for a sampled source of an input with a `pace` that has another sample time."""
    for unit in units:
        for port in unit.block.input_ports():
            source = unit.inputs.get(port.name)
            if port.pace is None or source is None or not units[source.unit].block.sampled:
                continue
            maker, sample_time = units[source.unit], float(unit.numbers["sample_time"])
            period = float(maker.numbers["sample_time"])
            least, most = (inf if sample_time == inf else bound * sample_time for bound in port.pace)
            if least * (1.0 - ROUNDING) <= period <= most * (1.0 + ROUNDING):
                continue
            less = "" if least == most else " or less"
            expected = f"{most:g} s{less}, after which {unit.path} takes in its next {port.name}"
            error = ParameterError(maker.block.kind(), "sample_time", period, expected)
            raise BadParameter(maker.path, "sample_time", error, location=maker.flat.location)
