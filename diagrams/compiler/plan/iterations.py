"""Reserve memory for While blocks, and find the blocks that each of them runs repeatedly."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from ....blocks.switching.enable import Enable
from ....blocks.switching.trigger import Trigger
from ....blocks.switching.while_loop import While
from .conditions import Copy, initial_states, make_trigger_error
from .unit import Source, Unit

if TYPE_CHECKING:
    from .layout import Plan


class Iteration(NamedTuple):
    """Work of a While block.

    states      places of the blocks' discrete states in z, with their sizes
    begin, end  in w: the states before and after the iterations of an instant, one after the other
    beginnings  their values before the first iteration
    before      whether the condition is evaluated before the updates
    most        updates at one instant
    """

    unit: Unit
    states: tuple[tuple[int, int], ...]
    begin: int
    end: int
    beginnings: tuple[Copy, ...]
    before: bool
    most: int


def place_iterations(plan: Plan) -> None:
    """Reserve memory for states before and after the iterations of an instant; set ticks of inner blocks."""
    for unit in plan.units:
        if not isinstance(unit.block, While):
            continue
        inside = members(plan.units, unit.index)
        for member in inside:
            member.ticks = unit.ticks
        states = tuple(
            (member.states_at[state.name][1], prod(member.state_shapes[state.name]))
            for member in inside
            for state in member.block.states
        )
        size = sum(count for _, count in states)
        resets = inside if unit.block.reset_states else [unit]
        beginnings = tuple(copy for member in resets for copy in initial_states(member))
        ends = unit.block.at_limit == "end"
        plan.iterations.append(
            Iteration(
                unit, states, plan.signals, plan.signals + size, beginnings,
                unit.block.test == "before", unit.block.limit if ends else 2 * unit.block.limit,
            )
        )  # fmt: skip
        plan.signals += 2 * size


def check_iterations(units: list[Unit]) -> None:
    """Raise DiagramError for blocks that cannot be iterated: they switch, or have their own memory."""
    for unit in units:
        if unit.iteration < 0:
            continue
        reason = "switches other blocks," if isinstance(unit.block, (Enable, Trigger)) else ""
        reason = "has memory that a While cannot restore," if unit.changing or unit.owned else reason
        if reason:
            path = units[unit.iteration].path
            raise make_trigger_error(unit, reason, path)


def members(units: list[Unit], iteration: int) -> list[Unit]:
    """The units that a While block activates, including itself."""
    return [unit for unit in units if unit.iteration == iteration]


def read_outside(units: list[Unit], iteration: int) -> list[tuple[Source, Unit, str]]:
    """The signals that an iteration reads from outside, with the reading unit and input."""
    return [
        (source, unit, port)
        for unit in members(units, iteration)
        for source, port in unit.all_wires()
        if units[source.unit].iteration != iteration
    ]
