"""Timing: a scenario's span, tolerances, longest step and timers, as the solver holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...solvers import layout
from ...solvers.events.timer import Timer, pack
from ...solvers.layout import Floats, Integers
from ...solvers.loop.run import Run
from .base import Base
from .component import Found
from .reasons import reason_of

REMEMBERED = 4096


@dataclass(frozen=True)
class Timed:
    """What belongs at the places of `Timing`; see Found for `odd` and `refused`."""

    floats: Floats | None = None
    integers: Integers | None = None
    odd: bool = False
    refused: str = ""


class Timing:
    """Makes F, atol and the timers of a scenario from its settings and from what its blocks ask for.

    `longest` is the longest step that the blocks no target reaches allow.
    """

    def __init__(self, base: Base, longest: float) -> None:
        self._base, self._longest = base, longest
        run = base.template
        self._floats = ("F", "atol", "timer_floats")
        self._integers = ("timers", "timer_integers")
        self.float_at = np.concatenate([_range(run, getattr(run.work, name)) for name in self._floats])
        counts = run.place(run.memory.modes) + run.work.timers[:, layout.MODE]
        own = [_range(run, getattr(run.work, name)) for name in self._integers]
        most = np.array([run.place(run.work.I) + layout.MOST_STEPS])
        self.integer_at = np.concatenate([*own, counts, most])
        self._known: dict[Any, Timed] = {}

    def timed(self, settings: Mapping[str, Any], found: Sequence[Found]) -> Timed:
        """The numbers for these settings and the blocks found."""
        timers = tuple(item for part in found for item in part.timers)
        clocks = tuple(item for part in found for item in part.clocks)
        longest = min((part.longest for part in found if part.longest is not None), default=np.inf)
        key = (repr(sorted(settings.items())), timers, clocks, longest)
        made = self._known.get(key)
        if made is None:
            made = self._make(settings, dict(timers), dict(clocks), min(longest, self._longest))
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = made
        return made

    def _make(
        self, changes: Mapping[str, Any], timers: dict[int, Timer], clocks: dict[int, tuple[float, float]],
        longest: float,
    ) -> Timed:  # fmt: skip
        base = self._base
        plan = base.program.plan
        try:
            settings = base.other(changes, allowed=longest)
        except BlockdynError as error:
            return Timed(refused=reason_of(error))
        problem = base.problem
        if timers or clocks:
            again = _clocks(plan, clocks)
            if again is None:
                return Timed(odd=True)
            listed = []
            for (timer, mode, clock), owner in zip(plan.timers, plan.timer_owner, strict=True):
                if clock >= 0:
                    timer = Timer(period=again[clock][0], offset=again[clock][1])
                listed.append((timers.get(owner, timer) if owner >= 0 else timer, mode, clock))
            problem = replace(problem, timers=pack(listed))
        if settings.method is not base.settings.method:
            return Timed(odd=True)
        run = base.run(settings, problem, base.program.room())
        if run.floats.size != base.template.floats.size or run.integers.size != base.template.integers.size:
            return Timed(odd=True)
        shapes = [
            (getattr(r.work, n).shape) for r in (run, base.template) for n in (*self._floats, *self._integers)
        ]
        half = len(shapes) // 2
        if shapes[:half] != shapes[half:]:
            return Timed(odd=True)
        return Timed(run.floats[self.float_at], run.integers[self.integer_at])


def _range(run: Run, view: Any) -> Integers:
    start = run.place(view)
    return np.arange(start, start + view.size)


def _clocks(plan: Any, changed: dict[int, tuple[float, float]]) -> list[tuple[float, float]] | None:
    """Period and offset of every clock, or None where sampled blocks share clocks otherwise than before."""
    clocks: dict[int, tuple[float, float]] = {}
    for unit in plan.units:
        if unit.clock < 0:
            continue
        own = changed.get(unit.index) or (float(unit.numbers["sample_time"]), float(unit.numbers["offset"]))
        if clocks.setdefault(unit.clock, own) != own:
            return None
    periods = [clocks[i] for i in range(len(plan.clocks))]
    return periods if len({*periods}) == len(periods) else None
