"""Events of a block: the numbers of its zero crossings and of its timer in a plan."""

from __future__ import annotations

from typing import NamedTuple

from ...base.article import article
from ...base.nearest import nearest
from ...diagrams.compiler.plan.layout import Plan
from ...diagrams.model.diagram_error import listed
from ..errors import SweepError, UnknownPath
from .declaration import Measure


class Events(NamedTuple):
    """Crossings first, first + stride ... below stop; a timer's number, or -1."""

    first: int
    stop: int
    stride: int
    timer: int


def find_events(measure: Measure, plan: Plan) -> Events:
    """The events of `block` or `block.crossing`. Raises UnknownPath, BadMeasure."""
    text = measure.of
    units = {unit.path: unit for unit in plan.units}
    path = next((path for path in units if text == path or text.startswith(f"{path}.")), "")
    unit, crossing = units.get(path), text[len(path) + 1 :]
    if unit is None:
        raise _unknown(measure, list(units))
    slots = [slot for slots_of_kind in unit.crossing_slots.values() for slot in slots_of_kind]
    timers = [i for i, owner in enumerate(plan.timer_owner) if owner == unit.index]
    if crossing:
        if crossing not in unit.crossing_slots:
            names = list(unit.crossing_slots)
            problem = f"{unit.path}, {article(unit.block.kind())}, has no zero crossing `{crossing}`"
            hint = "for the value of a signal say `above: 1.0` or `below: 1.0`"
            near = nearest(crossing, names)
            raise measure.wrong(problem + near, f"expected: one of {listed(names)}; {hint}")
        slots_of_kind = unit.crossing_slots[crossing]
        return Events(slots_of_kind.start, slots_of_kind.stop, slots_of_kind.step, -1)
    if not slots and not timers:
        problem = f"{unit.path}, {article(unit.block.kind())}, has no events"
        expected = "expected: a block with zero crossings or time events of its own, or a signal with"
        raise measure.wrong(problem, f"{expected} `above: 1.0` or `below: 1.0`")
    first, stop = (min(slots), max(slots) + 1) if slots else (0, 0)
    return Events(first, stop, 1, timers[0] if timers else -1)


def _unknown(measure: Measure, names: list[str]) -> SweepError:
    path = measure.of
    problem = f"measure `{measure.name}`: `{path}` is no block of the diagram{nearest(path, names)}"
    expected = (
        f"expected: a block whose events are meant, one of {listed(names)}; or a signal with `above: 1.0`"
    )
    return UnknownPath(problem, expected, path=path, location=measure.location)
