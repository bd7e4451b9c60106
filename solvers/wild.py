"""Steps too long for what events depend on: zero crossings that move too fast from stage to stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import layout

MISFIT = 0.3  # of a crossing's largest value; a sine fits with five steps a period
CALM = 1e-6  # of the longest step tried so far: what does not fit a step that short jumps, and always will


def make_wild(jit: Callable[[Any], Any]) -> tuple[Any, Any]:
    @jit
    def calm(s: Any) -> bool:
        """Whether a step is too short to be cut for a crossing: by other steps, not by the run's length."""
        h = s.F[layout.H_TAKEN]
        s.F[layout.H_CALM] = max(s.F[layout.H_CALM], CALM * h)
        resolved = 64.0 * 2.220446049250313e-16 * abs(s.F[layout.T])
        return bool(s.I[layout.ADAPTIVE] == 0 or h <= max(s.F[layout.H_CALM], resolved))

    @jit
    def wild(s: Any, guards: int) -> bool:
        """Whether a crossing moves too fast for the step: a parabola through three stages misses another one.

        Functions of time alone have no error estimate that would keep the steps short; this does it for what
        events depend on. The early stages of a solution are of low order, hence the wide margin.
        """
        last = s.I[layout.STAGES] - 1
        i = 1
        for j in range(2, last):
            if abs(s.C[j] - 0.3) < abs(s.C[i] - 0.3):
                i = j
        a = s.C[i]
        for q in range(guards):
            largest = 0.0
            for j in range(last + 1):
                largest = max(largest, abs(s.G[j, q]))
            for j in range(1, last):
                c = s.C[j]
                if c >= 1.0:
                    continue
                value = s.G[0, q] * (c - a) * (c - 1.0) / a
                value += s.G[i, q] * c * (1.0 - c) / (a * (1.0 - a))
                value += s.G[last, q] * c * (c - a) / (1.0 - a)
                if abs(value - s.G[j, q]) > MISFIT * largest:
                    return True
        return False

    return calm, wild
