"""Differences: the table of backward differences that belongs to steps of one length, and its polynomial.

Source: Shampine and Reichelt, The MATLAB ODE Suite, SIAM Journal on Scientific Computing 18(1) (1997), 1-22,
doi:10.1137/S1064827594276424, section 2.
"""

from __future__ import annotations

from ..fields import Floats
from ..layout import Backward, Memory


def interpolate(m: Memory, s: Backward, theta: float, out: Floats) -> None:
    """x(t + theta h) by Newton's polynomial through the states of the steps before."""
    n, order, table = m.x.size, s.bdf_order, s.differences
    u = (s.t - s.end_dense + theta * s.h_taken) / s.h_dense  # from the end, in steps
    for i in range(n):
        out[i] = table[order, i]
    for j in range(order, 0, -1):
        part = (u + j - 1.0) / j
        for i in range(n):
            out[i] = table[j - 1, i] + part * out[i]


def restart(m: Memory, s: Backward) -> None:
    """The table of order 1 at (t, x), whose slope is K[0]."""
    table = s.differences
    s.bdf_order = s.next_order = 1
    s.equal_steps = 0
    s.h_dense = s.h
    for i in range(m.x.size):
        table[0, i] = m.x[i]
        table[1, i] = s.h * s.K[0, i]
        table[2, i] = table[3, i] = 0.0


def rescale(m: Memory, s: Backward, h: float) -> None:
    """The table for steps of another length: differences of its polynomial at their ends."""
    n, order, table, values = m.x.size, s.bdf_order, s.differences, s.U
    for k in range(1, order + 1):
        u = -k * h / s.h_dense
        for i in range(n):
            values[k, i] = table[order, i]
        for j in range(order, 0, -1):
            part = (u + j - 1.0) / j
            for i in range(n):
                values[k, i] = table[j - 1, i] + part * values[k, i]
    for k in range(1, order + 1):
        for i in range(n):
            table[k, i] = values[k, i]
    for j in range(1, order + 1):
        for k in range(order, j - 1, -1):
            for i in range(n):
                table[k, i] = table[k - 1, i] - table[k, i]
    s.h_dense = h
    s.equal_steps = 0


def undo(m: Memory, s: Backward) -> None:
    """The table before the last step; its two highest rows lose the terms of the next order."""
    table = s.differences
    for j in range(s.bdf_order + 1):
        for i in range(m.x.size):
            table[j, i] -= table[j + 1, i]
    for i in range(m.x.size):
        table[0, i] = m.x[i]
    s.next_order = s.bdf_order
    s.equal_steps = 0
