"""Delays: what the solver has to know of the blocks that have a history."""

from __future__ import annotations

from math import prod

from .unit import Unit


def delays(units: list[Unit]) -> list[tuple[int, ...]]:
    """A row for each block with a history, see solvers.layout."""
    return [
        (
            *(unit.states_at[name][1] for name in ("passed", "levels")), prod(unit.state_shapes["levels"]),
            unit.states_at["mark"][1], unit.crossing_at, int(_behind_a_delay(units, unit)),
        )
        for unit in units
        if "remember" in unit.functions
    ]  # fmt: skip


def _behind_a_delay(units: list[Unit], unit: Unit) -> bool:
    """Whether what a delay shows reaches the input of this one, on whatever way."""
    reached: set[int] = set()
    stack = [source.unit for source in unit.inputs.values() if source is not None]
    while stack:
        feeder = units[stack.pop()]
        if "remember" in feeder.functions:
            return True
        if feeder.index not in reached:
            reached.add(feeder.index)
            stack += [source.unit for source in feeder.inputs.values() if source is not None]
            stack += [*feeder.enables, *(() if feeder.trigger < 0 else (feeder.trigger,))]
    return False
