"""A scenario has its own span, tolerances, longest step and timers, as the solver holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...diagrams.compiler.plan.layout import Scales
from ...solvers import layout
from ...solvers.events.timer import Timer, pack
from ...solvers.fields import Real
from ...solvers.layout import Floats, Integers, Work
from ...solvers.loop.run import Run
from .base import Base, reason_of
from .component import Combination

REMEMBERED = 4096
FLOATS, INTEGERS = ("atol", "rtol", "timer_floats"), ("timers", "timer_integers")  # arrays, besides numbers


@dataclass(frozen=True)
class TimingValues:
    """The numbers at the places of `Timing`; see `Combination` for `recompiled` and `refused`."""

    floats: Floats | None = None
    integers: Integers | None = None
    recompiled: bool = False
    refused: str = ""


class Timing:
    """Computes the solver's numbers for a scenario from its settings and the requirements of its blocks.

    `longest` is the longest step that the blocks no target reaches allow.
    """

    def __init__(self, base: Base, longest: float) -> None:
        self._base, self._longest = base, longest
        run = base.template
        self.float_at = run.places(*Work.names(Real), *FLOATS)
        counts = run.place("modes") + run.work.timers[:, layout.MODE]
        self.integer_at = np.concatenate([run.places(*INTEGERS), counts, run.places("most_steps")])
        self._timings: dict[Any, TimingValues] = {}

    def timed(self, settings: Mapping[str, Any], combinations: Sequence[Combination]) -> TimingValues:
        """The numbers for these settings and the blocks found."""
        timers = tuple(item for part in combinations for item in part.timers)
        clocks = tuple(item for part in combinations for item in part.clocks)
        scales = tuple(item for part in combinations for item in part.scales)
        longest = min((part.longest for part in combinations if part.longest is not None), default=np.inf)
        key = (repr(sorted(settings.items())), timers, clocks, scales, longest)
        timed = self._timings.get(key)
        if timed is None:
            timed = self._make(
                settings, dict(timers), dict(clocks), dict(scales), min(longest, self._longest)
            )
            if len(self._timings) >= REMEMBERED:
                self._timings.clear()
            self._timings[key] = timed
        return timed

    def _make(
        self, changes: Mapping[str, Any], timers: dict[int, Timer], clocks: dict[int, tuple[float, float]],
        scales: Scales, longest: float,
    ) -> TimingValues:  # fmt: skip
        base = self._base
        plan = base.program.plan
        try:
            settings = base.settings_with(changes, allowed=longest, scales=scales)
        except BlockdynError as error:
            return TimingValues(refused=reason_of(error))
        problem = base.problem
        if timers or clocks:
            again = _clocks(plan, clocks)
            if again is None:
                return TimingValues(recompiled=True)
            listed = []
            for placed, owner in zip(plan.timers, plan.timer_owner, strict=True):
                if placed.clock >= 0:
                    period, offset = again[placed.clock]
                    timer = Timer(period=period, offset=offset)
                else:
                    timer = timers.get(owner, placed.timer)
                listed.append(placed._replace(timer=timer, reads=placed.reads and not base.ticks))
            problem = replace(problem, timers=pack(listed))
        if settings.method is not base.settings.method:
            return TimingValues(recompiled=True)
        run = base.run(settings, problem, base.program.room())
        if run.words.size != base.template.words.size or _shapes(run) != _shapes(base.template):
            return TimingValues(recompiled=True)
        return TimingValues(run.floats[self.float_at], run.words[self.integer_at])


def _shapes(run: Run) -> list[tuple[int, ...]]:
    return [getattr(run.work, name).shape for name in FLOATS + INTEGERS]


def _clocks(plan: Any, changed: dict[int, tuple[float, float]]) -> list[tuple[float, float]] | None:
    """Period and offset of every clock, or None where sampled blocks share clocks otherwise than before."""
    clocks: dict[int, tuple[float, float]] = {}
    for unit in plan.units:
        if unit.clock < 0:
            continue
        clock = changed.get(unit.index) or (float(unit.numbers["sample_time"]), float(unit.numbers["offset"]))
        if clocks.setdefault(unit.clock, clock) != clock:
            return None
    periods = [clocks[i] for i in range(len(plan.clocks))]
    return periods if len({*periods}) == len(periods) else None
