"""Suspicion: whether a zero crossing may fire within a step, judged by its values at the stages alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import layout
from .dip import BEFORE

BEYOND = 0.25  # of a step: a minimum that parabolas see further outside than that is not inside


def make_suspicious(jit: Callable[[Any], Any], margin: Any) -> tuple[Any, Any]:
    @jit
    def height(s: Any, g: Any, q: int) -> float:
        """The margin, or, where the crossing waits on its far side, how far it is from coming back."""
        if s.side[q] != 0:
            return float(s.side[q] * (g[q] - s.shift[q]))
        return float(margin(s, g, q))

    @jit
    def lowest(c0: float, v0: float, c1: float, v1: float, c2: float, v2: float) -> float:
        """Where the parabola through three heights has its minimum; infinity where it has none."""
        d0 = (v1 - v0) / (c1 - c0)
        d1 = (v2 - v1) / (c2 - c1)
        if d1 <= d0:
            return np.inf
        return 0.5 * (c0 + c1) - 0.5 * d0 * (c2 - c0) / (d1 - d0)

    @jit
    def passing(s: Any, q: int) -> bool:
        """Whether a height falls or rises all along the step, its minimum well outside."""
        last = s.I[layout.STAGES] - 1
        c0 = c1 = 0.0
        v0 = v1 = height(s, s.G[0], q)
        falls = rises = True
        points = 1
        first = latest = 0.0
        for j in range(1, last + 1):
            c = 1.0 if j == last else s.C[j]
            if c <= c1 or (c >= 1.0 and j < last):
                continue
            v = height(s, s.G[j], q)
            falls = falls and v < v1
            rises = rises and v > v1
            points += 1
            if points > 2:
                latest = lowest(c0, v0, c1, v1, c, v)
                if points == 3:
                    first = latest
            c0, v0, c1, v1 = c1, v1, c, v
        if points < 3 or s.I[layout.BACK_USED] == 1:
            return False
        return (falls and latest > 1.0 + BEYOND) or (rises and not -BEYOND <= first < np.inf)

    @jit
    def suspicious(s: Any, guards: int) -> bool:
        """Whether a height is negative at a stage, or less than the stages differ and not just passing by.

        The dense output swings no further beyond its values at the stages than these differ. Methods of
        fixed steps have few stages, or none: the value a step before counts with theirs.
        """
        last = s.I[layout.STAGES] - 1
        inner = last if s.I[layout.BACK_USED] == 0 else 1
        fixed = s.I[layout.ADAPTIVE] == 0
        for q in range(guards):
            low = height(s, s.G[0], q)
            high = low
            for j in range(1, last + 1):
                if j < inner or j == last:
                    v = height(s, s.G[j], q)
                    low = min(low, v)
                    high = max(high, v)
            if fixed:
                v = height(s, s.samples[BEFORE], q)
                low = min(low, v)
                high = max(high, v)
            if low < 0.0 or (low < high - low and not passing(s, q)):
                return True
        return False

    return height, suspicious
