"""Reserve memory for Enable and Trigger blocks, and reject blocks that they cannot switch."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....base.words import article
from ....blocks.contract.errors import ParameterError
from ....blocks.routing.outport import Outport
from ....blocks.switching.enable import Enable
from ....blocks.switching.trigger import Trigger
from ...model.errors import BadParameter, DiagramError
from .unit import CONTINUOUS, Source, Unit, elements

if TYPE_CHECKING:
    from .layout import Plan


FALSE, TRUE = 1.0, 2.0  # state of an Enable block before an instant; 0 at the start of a run


class Copy(NamedTuple):
    """Initial numbers in p that are copied to an array."""

    base: str  # x, z, w or p
    at: int
    size: int
    source: int


def place_conditions(plan: Plan) -> None:
    """Reserve memory for conditions, and a place in `hit` for each trigger."""
    for unit in plan.units:
        if isinstance(unit.block, Enable):
            unit.settled_at = plan.signals
            plan.signals += 1
            for member in resets(plan.units, unit):
                for name in sorted(member.changing):
                    member.begun_at[name] = plan.numbers
                    plan.numbers += int(np.size(member.numbers[name]))
    units = plan.units
    triggers = dict.fromkeys(u.trigger for u in units if u.trigger >= 0 and u.trigger != u.iteration)
    plan.triggers = [*triggers]
    for unit in units:
        if unit.trigger in triggers:
            unit.ticks = len(plan.clocks) + plan.triggers.index(unit.trigger)


def check_clocks(units: list[Unit]) -> None:
    """Raise DiagramError for blocks that a trigger cannot make tick and for cyclic calls, BadParameter
    for a clock that never ticks.
    """
    _refuse_call_loops(units)
    for unit in units:
        block = unit.block
        if block.sampled and (unit.trigger < 0) == (float(unit.numbers["sample_time"]) == inf):
            _refuse_clock(unit)
        if unit.trigger < 0:
            if isinstance(block, Trigger):
                _require_held(units, unit)
            continue
        flowing = [state.name for state in block.states if not state.held]
        reason = "" if block.sampled else f"has a state that flows, `{flowing[0]}`" if flowing else ""
        if not reason and "jump" in unit.functions:
            reason = "has events of its own"
        if reason:
            raise make_trigger_error(unit, reason, units[unit.trigger].path)


def make_trigger_error(unit: Unit, reason: str, trigger: str) -> DiagramError:
    """Return the error for a block that a Trigger cannot run, since it also works between instants."""
    expected = "blocks whose outputs follow from their inputs, and sampled ones with `sample_time: .inf`"
    if isinstance(unit.block, Trigger):
        expected = "a signal that changes at events or ticks only"
    where = f" in the subsystem of `{trigger}`" if trigger else ""
    return DiagramError(
        f"{unit.path}, {article(unit.block.kind())}, {reason}{where}",
        f"expected: {expected}; a subsystem with an Enable takes all blocks",
        path=unit.path,
        location=unit.flat.location,
    )


def _refuse_call_loops(units: list[Unit]) -> None:
    """Raise DiagramError for a Trigger called by a block that it runs, directly or through others."""
    calling: dict[int, set[int]] = {}
    for unit in units:
        if isinstance(unit.block, Trigger) and not unit.block.zero_crossings():
            makers = _upstream(units, unit.reads("jump"))
            calling[unit.index] = {maker.trigger for maker in makers if maker.trigger >= 0}
    for start in calling:
        trail = [[start]]
        for way in trail:  # the list grows during the loop: breadth first
            for caller in sorted(calling.get(way[-1], ())):
                if caller == start:
                    paths = [units[i].path for i in reversed(way)]
                    raise DiagramError(
                        f"function calls in a loop: {' -> '.join([*paths, paths[0]])}",
                        "expected: calls that come from outside of what they call; FunctionCall calls again"
                        " and again",
                        path=paths[0],
                        location=units[start].flat.location,
                    )
                if caller not in way:
                    trail.append([*way, caller])


def _upstream(units: list[Unit], sources: list[Source]) -> list[Unit]:
    """The units that compute some signals, and the units that these read at the same instant."""
    stack, reached = list(sources), dict[Source, Unit]()
    while stack:
        source = stack.pop()
        if source not in reached:
            unit = reached[source] = units[source.unit]
            stack += unit.reads(unit.role_of(source.port))
    return list(reached.values())


def _refuse_clock(unit: Unit) -> None:
    """Raise BadParameter for a sample time in a triggered subsystem, or a missing one outside it."""
    sample_time = float(unit.numbers["sample_time"])
    expected = "greater than zero and finite; .inf is where a Trigger or While of the subsystem makes it tick"
    if unit.trigger >= 0:
        expected = ".inf: the Trigger or While of its subsystem makes it tick, not a clock of its own"
    error = ParameterError(unit.block.kind(), "sample_time", sample_time, expected)
    raise BadParameter(unit.path, "sample_time", error, location=unit.flat.location)


def _require_held(units: list[Unit], unit: Unit) -> None:
    """Raise DiagramError for a nested trigger whose signal changes between ticks of the outer one."""
    outer = [path for path in unit.flat.conditions if isinstance(_find_unit(units, path).block, Trigger)]
    source = unit.inputs["u"]
    if source is not None and units[source.unit].rate[source.port] == CONTINUOUS:
        signal = f"{units[source.unit].path}.{source.port}"
        if outer:
            reason = f"reads {signal}, which changes while the subsystem is inactive,"
            raise make_trigger_error(unit, reason, outer[0])
        if not unit.block.zero_crossings():
            reason = f"is called by {signal}, which changes continuously and is not a count,"
            raise make_trigger_error(unit, reason, "")


def _find_unit(units: list[Unit], path: str) -> Unit:
    return next(unit for unit in units if unit.path == path)


def members(units: list[Unit], enable: Unit) -> list[Unit]:
    """The units whose nearest Enable block is this one."""
    return [unit for unit in units if unit.enables[:1] == (enable.index,)]


def resets(units: list[Unit], enable: Unit) -> list[Unit]:
    """The units that are reset when an Enable block becomes true."""
    return members(units, enable) if getattr(enable.block, "reset_states", False) else []


def beginnings(plan: Plan, enable: Unit) -> Iterator[Copy]:
    """Copies that set the members of an Enable block as at the start of a run."""
    for unit in resets(plan.units, enable):
        yield from initial_states(unit)
        if unit.block.sampled:
            yield from _outputs(unit)
        for name, source in unit.begun_at.items():
            yield Copy("p", unit.numbers_at[name], int(np.size(unit.numbers[name])), source)


def initial_states(unit: Unit) -> Iterator[Copy]:
    """Copies that set the states of a block as at the start of a run."""
    for state in unit.block.states:
        base, at = unit.states_at[state.name]
        yield from _copies(base, at, unit, state.initial, unit.state_shapes[state.name])


def endings(plan: Plan, enable: Unit) -> Iterator[Copy]:
    """Copies that set the outputs of the subsystem when its Enable block becomes false."""
    if not getattr(enable.block, "reset_outputs", False):
        return
    inside = enable.path.rpartition("/")[0]
    for unit in members(plan.units, enable):
        if isinstance(unit.block, Outport) and unit.path.rpartition("/")[0] == inside:
            yield from _outputs(unit)


def _outputs(unit: Unit) -> Iterator[Copy]:
    for port, at in unit.signals_at.items() if unit.shown_first else ():
        yield from _copies("w", at, unit, unit.shown_first, unit.out_sizes[port].shape)


def _copies(base: str, at: int, unit: Unit, name: str, shape: tuple[int, ...]) -> Iterator[Copy]:
    """A unit's number, spread over a shape."""
    source, shape_there = unit.numbers_at[name], np.shape(unit.numbers[name])
    if shape_there == shape:
        yield Copy(base, at, prod(shape), source)
        return
    for place, element in enumerate(elements(shape_there, shape)):
        yield Copy(base, at + place, 1, source + int(element))
