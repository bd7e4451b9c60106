"""Sum over the derivatives of all states in all directions, in long loops over contiguous memory."""

from __future__ import annotations

import numpy as np

from ..fields import Floats
from ..layout import Memory, Work
from .fields import Variation


def add(into: Floats, weights: Floats, parts: Floats, count: int, h: float, length: int) -> None:
    """Four parts at a time, so that `into` is read and written a quarter as often."""
    for k in range(0, count, 4):
        k1, k2, k3 = min(k + 1, count - 1), min(k + 2, count - 1), min(k + 3, count - 1)
        w = h * weights[k]
        w1 = h * weights[k1] if k + 1 < count else 0.0
        w2 = h * weights[k2] if k + 2 < count else 0.0
        w3 = h * weights[k3] if k + 3 < count else 0.0
        for e in range(length):
            into[e] += w * parts[k, e] + w1 * parts[k1, e] + w2 * parts[k2, e] + w3 * parts[k3, e]


def sizes(m: Memory, s: Work, x_d: Floats, into: Floats) -> None:
    lanes = into.size
    for d in range(lanes):
        into[d] = 0.0
    for i in range(m.x.size):
        inverse = 1.0 / (s.atol[i] + s.rtol[i] * abs(m.x[i]))
        for d in range(lanes):
            into[d] += (x_d[i, d] * inverse) ** 2
    for d in range(lanes):
        into[d] = np.sqrt(into[d])


def start(m: Memory, v: Variation, x: Floats, x_row: Floats) -> None:
    for e in range(m.x.size * v.lanes):
        v.begin_row[e] = x_row[e]
    for i in range(m.x.size):
        v.begin[i] = x[i]
