"""Controlled: derivatives carried over a part of a step by as many steps as their own error asks for.

A state at rest has no error however long the steps. Its derivatives have one, and beyond an explicit method's
bound of stability they would grow without end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import layout
from ..backend import Backend
from ..steps.control import GROW, LEAST_ERROR, SAFETY, SHRINK
from ..steps.step import NEARLY

LEAST_RTOL = 1e-12  # of derivatives: below it their error is rounding
UNSEEN = 1e-6  # of the state's tolerance: an error of S below, by a number that changes by 1
MOST_PARTS = 100_000  # of one step
MOST_REFUSED = 8  # parts in a row: then slopes are infinite, as that of a root at 0


def make_size(jit: Callable[[Any], Any]) -> Any:
    """`size(m, s, x_d, d)`: of S in direction d, in units of the state's tolerance."""

    @jit
    def size(m: Any, s: Any, x_d: Any, d: int) -> float:
        total = 0.0
        for i in range(m.x.size):
            total += (x_d[i, d] / (s.atol[i] + s.rtol * abs(m.x[i]))) ** 2
        return float(np.sqrt(total))

    return size


def make_share(jit: Callable[[Any], Any]) -> Any:
    """`share(m, s, v, d, error)`: a size of S's error over rtol of the largest S so far."""
    size = make_size(jit)

    @jit
    def share(m: Any, s: Any, v: Any, d: int, error: float) -> float:
        most = max(v.most_d[d], size(m, s, v.x_d, d))
        return float(error / max(max(s.rtol, LEAST_RTOL) * most, UNSEEN))

    return share


def make_part(backend: Backend, once: Any, largest: Any) -> Any:
    """`part` by as many steps `once` as leave a share below 1 in each.

    largest  (code, m, s, t, h): whether it failed, the largest share of the directions, and with which power
             of h it grows
    """
    jit, variation = backend.jit, backend.variation
    size = make_size(jit)

    @jit
    def keep(m: Any, s: Any, v: Any) -> None:
        """The end of a step is the begin of the next one."""
        for d in range(v.lanes - 1):
            v.most_d[d] = max(v.most_d[d], size(m, s, v.x_d, d))
            for i in range(m.x.size):
                v.begin_d[i, d] = v.x_d[i, d]
        for i in range(m.x.size):
            v.begin[i] = v.x[i]

    @jit
    def part(code: Any, m: Any, s: Any, t: float, h: float) -> int:
        v = variation(code)
        if s.adaptive == 0:
            return int(once(code, m, s, t, h))
        begin, end, refused, parts = t, t + h, 0, 0
        while begin < end:
            parts += 1
            if parts > MOST_PARTS:
                v.endless = 1
                return layout.KERNEL_FAILED
            whole = refused == MOST_REFUSED or not 0.0 < v.length < NEARLY * (end - begin)
            length = end - begin if whole else v.length
            failed = once(code, m, s, begin, length)
            if failed != 0:
                return int(failed)
            failed, error, order = largest(code, m, s, begin, length)
            if failed != 0:
                return int(failed)
            factor = SAFETY * max(error, LEAST_ERROR) ** (-1.0 / order)
            following = length * min(GROW, max(SHRINK, factor))
            if error > 1.0 and refused < MOST_REFUSED:
                refused += 1
                v.length = following
                continue
            refused = 0
            begin = end if whole else begin + length
            v.length = max(v.length, following) if whole else following  # the step's end says nothing
            keep(m, s, v)
        return 0

    return part
