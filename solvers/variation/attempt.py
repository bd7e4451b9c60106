"""Attempt steps whose stages serve the derivatives too, so that none is taken twice."""

from __future__ import annotations

import numpy as np

from ..backend import Attempt, Code
from ..layout import Memory, Work
from ..program import evaluate
from .fields import Variation
from .parts import once
from .program import variation
from .sums import start


def make_followed(attempt: Attempt) -> Attempt:
    """`attempt` with derivatives, where the method has an error and nothing a history."""

    def followed(code: Code, m: Memory, s: Work, t_new: float, h: float) -> int:
        v: Variation = variation(code)
        v.tried = np.nan
        if s.adaptive == 0 or s.delays.shape[0] > 0:
            return int(attempt(code, m, s, t_new, h))
        last = s.stages - 1
        s.h_taken, s.dense, s.back_used = h, 0, 0
        start(m, v, m.x, v.x_row)
        s.evaluations += last
        if once(code, m, s, s.t, h, True) != 0:
            return -1
        for i in range(m.x.size):
            s.x_new[i] = v.x[i]
            for j in range(1, last):
                s.K[j, i] = v.slopes[j, i]
        failed = evaluate(code, t_new, s.x_new, s.K[last], m)
        for q in range(m.g.size):
            s.G[last, q] = m.g[q]
        if failed < 0:
            s.detail = failed
            return -1
        if failed == 0:
            v.tried = t_new
        return int(failed)

    return followed
