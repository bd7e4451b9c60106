"""A component holds targets that meet in the same blocks, and computes these blocks' numbers from values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...blocks.contract.block import STREAM
from ...diagrams.compiler.filling import fill
from ...diagrams.compiler.plan.layout import scales_of_unit
from ...diagrams.values.change import Change
from ...diagrams.values.target import Overrides
from ...solvers.events.timer import Timer
from ...solvers.layout import Floats, Integers, Memory
from .base import REFUSALS, reason_of

REMEMBERED = 4096  # combinations of values whose numbers are kept


@dataclass(frozen=True)
class Combination:
    """Result of one combination of values.

    `numbers` belong at the component's places. The values also determine timers by unit, clocks
    (sample time, offset) of sampled units, scales of states, and the longest step that the sources allow.
    `recompiled` is true if the blocks require other code; `refused` is the reason of a rejected combination.
    """

    numbers: Floats | None = None
    timers: tuple[tuple[int, Timer], ...] = ()
    clocks: tuple[tuple[int, tuple[float, float]], ...] = ()
    scales: tuple[tuple[int, tuple[tuple[float, ...], ...]], ...] = ()
    longest: float | None = None
    recompiled: bool = False
    refused: str = ""


@dataclass
class Component:
    """Targets by path, their change, and the places of the numbers of the units that they reach."""

    paths: tuple[str, ...]
    change: Change
    overrides: Callable[[Mapping[str, Any]], Overrides]
    room: Memory
    places: list[tuple[str, Integers]] = field(default_factory=list)
    combinations: dict[Any, Combination] = field(default_factory=dict)

    def __post_init__(self) -> None:
        at: dict[str, list[int]] = {name: [] for name in ("p", "x", "z", "w")}
        for unit in self.change.units:
            for place in unit.number_places:
                if place.number != STREAM or not unit.block.random:
                    at[place.array] += range(place.words.start, place.words.stop)
        self.places = [(name, np.array(indices, np.int64)) for name, indices in at.items() if indices]

    def combination(self, values: tuple[Any, ...]) -> Combination:
        """The numbers for one combination of values, in the order of `paths`."""
        key = tuple(map(_key, values))
        combination = self.combinations.get(key)
        if combination is None:
            combination = self._make(dict(zip(self.paths, values, strict=True)))
            if len(self.combinations) >= REMEMBERED:
                self.combinations.clear()
            self.combinations[key] = combination
        return combination

    def _make(self, values: dict[str, Any]) -> Combination:
        try:
            timers, clocks, scales, longest = [], [], [], np.inf
            for unit, block, numbers, alike in self.change.numbers(self.overrides(values)):
                if not alike:
                    return Combination(recompiled=True)
                fill(self.room, unit, numbers)
                longest = min(longest, block.longest_step())
                timer = block.timers()
                if timer is not None:
                    timers.append((unit.index, timer))
                if any(state.scale for state in block.states):
                    scales.append((unit.index, scales_of_unit(unit, numbers)))
                if block.sampled:
                    clocks.append((unit.index, (float(numbers["sample_time"]), float(numbers["offset"]))))
        except REFUSALS as error:
            return Combination(refused=reason_of(error))
        parts = [getattr(self.room, name)[at] for name, at in self.places]
        flat = np.concatenate(parts) if parts else np.zeros(0)
        return Combination(
            flat, tuple(timers), tuple(clocks), tuple(scales),
            float(longest) if np.isfinite(longest) else None,
        )  # fmt: skip


def _key(value: object) -> Any:
    """Something to find a value by: numbers unchanged, other values as text."""
    return value if isinstance(value, (float, int, str)) else repr(value)
