"""The stages of a Runge-Kutta method by its tableau: states from weighed slopes, and the slopes there.

Weighed slopes are summed up relative to the first one, sum_k a_jk K_k = c_j K_0 + sum_k a_jk (K_k - K_0), for
the weights sum to c_j. What a slope keeps over a step is then free of the rounding of large weights that
cancel; it would add up, being the same at every step.
"""

from __future__ import annotations

from typing import Any

from ..backend import Code, Function, Jit
from ..fields import Floats
from ..layout import Explicit, Memory


def make_stages(hot: Jit, derivative: Function) -> tuple[Any, Any]:
    """`move` and `stages`: inlined, so that each of their callers has them for its own constants."""

    @hot
    def move(s: Explicit, x: Floats, base: int, j: int, h: float, out: Floats) -> None:
        """The state of stage j from x, by the slopes from row `base` of K on; the last is x(t + h)."""
        A, C, K = s.A, s.C, s.K
        for i in range(x.size):
            total = C[j] * K[base, i]
            for k in range(1, j):
                total += A[j, k] * (K[base + k, i] - K[base, i])
            out[i] = x[i] + h * total

    @hot
    def stages(
        code: Code,
        m: Memory,
        s: Explicit,
        x: Floats,
        t: float,
        h: float,
        base: int,
        first: int,
        end: int,
        watched: bool,
    ) -> int:
        """The slopes of stages `first` to `end` - 1 of a step of size h from (t, x): 0, or what the program
        returned. Those of the step itself are `watched`: zero crossings are kept, and the caller counts them.
        """
        x_trial, G, g = s.x_trial, s.G, m.g
        for j in range(first, end):
            move(s, x, base, j, h, x_trial)
            failed = derivative(code, t + s.C[j] * h, x_trial, s.K[base + j], m)
            if not watched:
                s.evaluations += 1
            if failed != 0:
                return int(failed)
            if watched:
                for q in range(g.size):
                    G[j, q] = g[q]
        return 0

    return move, stages
