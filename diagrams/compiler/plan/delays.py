"""Delays: what the solver has to know of the blocks that have a history."""

from __future__ import annotations

from math import prod

import numpy as np

from .unit import Source, Unit


def delays(units: list[Unit]) -> list[tuple[int, ...]]:
    """A row for each block with a history, see solvers.layout."""
    return [
        (
            *(unit.states_at[name][1] for name in ("passed", "levels")), prod(unit.state_shapes["levels"]),
            unit.states_at["mark"][1], unit.crossing_at, int(_behind_a_delay(units, unit)),
            int(float(np.min(unit.numbers.get("minimum", 1.0))) == 0.0),
        )
        for unit in units
        if "remember" in unit.functions
    ]  # fmt: skip


def _behind_a_delay(units: list[Unit], unit: Unit) -> bool:
    """Whether what a delay shows reaches the input of this one, on whatever way."""
    reached: set[Source] = set()
    stack = [source for source, _ in unit.all_wires()]
    while stack:
        source = stack.pop()
        feeder = units[source.unit]
        if "remember" in feeder.functions:
            return True
        if source not in reached:
            reached.add(source)
            wires = feeder.wires(feeder.role_of(source.port)) if feeder.wiring else feeder.all_wires()
            stack += [before for before, _ in wires]
            conditions = [*feeder.enables, *(() if feeder.trigger < 0 else (feeder.trigger,))]
            stack += [Source(condition, "y") for condition in conditions]
    return False
