"""Keep the histories of delay blocks with their derivatives.

A step is carried in two halves, and S within it is the polynomial of degree 5 through S and S' at its begin,
middle and end.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from .. import layout
from ..backend import Code
from ..events.dip import PARTS
from ..events.timer import announce
from ..layout import Memory, Work
from ..program import remember_instant
from .fields import NOWHERE, Variation, part, slopes_tangent, start, state_at, variation


@mark_cold
def note(code: Code, m: Memory, s: Work, time: float, k: int) -> int:
    """S and S' at a time within the step, from S in x_d."""
    v: Variation = variation(code)
    n, lanes, nodes = m.x.size, v.lanes, v.nodes_d
    failed = state_at(code, m, s, time)
    if failed != 0:
        return int(failed)
    failed = slopes_tangent(
        code, time, v.time_d, s.x_trial, v.x_d, s.scratch, v.slopes_d, m, v.shadows, v.w_d
    )
    if failed < 0:
        s.detail = failed
        return layout.KERNEL_FAILED
    v.first_stage = NOWHERE
    start(m, v, s.x_trial, v.x_row)
    for i in range(n):
        for d in range(lanes):
            nodes[2 * k, i, d] = v.x_d[i, d]
            nodes[2 * k + 1, i, d] = v.slopes_d[i, d]
    return 0


@mark_cold
def both(code: Code, m: Memory, s: Work) -> int:
    """Both halves of the step."""
    half = 0.5 * (s.t_new - s.t)
    middle = s.t + half
    for i in range(m.x.size):
        s.x_trial[i] = m.x[i]
    failed = note(code, m, s, s.t, 0)
    if failed == 0:
        failed = part(code, m, s, s.t, half, False)
    if failed == 0:
        failed = note(code, m, s, middle, 1)
    if failed == 0:
        failed = part(code, m, s, middle, s.t_new - middle, False)
    if failed == 0:
        failed = note(code, m, s, s.t_new, 2)
    return int(failed)


@mark_cold
def within(code: Code, m: Memory, s: Work, u: float) -> None:
    """S at u from -1 to 1 of the step, into x_d."""
    v: Variation = variation(code)
    nodes, h = v.nodes_d, 0.5 * (s.t_new - s.t)
    q = 1.0 - u * u
    value0 = u * u * (4.0 - 5.0 * u - 2.0 * u * u + 3.0 * u * u * u) / 4.0
    slope0 = u * u * (1.0 - u - u * u + u * u * u) / 4.0
    value2 = u * u * (4.0 + 5.0 * u - 2.0 * u * u - 3.0 * u * u * u) / 4.0
    slope2 = u * u * (-1.0 - u + u * u + u * u * u) / 4.0
    value1, slope1 = q * q, u * q * q
    for i in range(m.x.size):
        for d in range(v.lanes):
            v.x_d[i, d] = (
                value0 * nodes[0, i, d] + value1 * nodes[2, i, d] + value2 * nodes[4, i, d]
                + h * (slope0 * nodes[1, i, d] + slope1 * nodes[3, i, d] + slope2 * nodes[5, i, d])
            )  # fmt: skip


@mark_cold
def along(code: Code, m: Memory, s: Work) -> int:
    """`along` of `loop.delays` with derivatives; it carries S to the step's end as well."""
    v: Variation = variation(code)
    failed = both(code, m, s)
    if failed != 0:
        return int(failed)
    n, lanes, h = m.x.size, v.lanes, s.t_new - s.t
    last = s.t if v.behind == 1 else -np.inf  # the value after an event begins with its own derivatives
    v.behind = 0
    for k in range(PARTS + 1):
        time = s.t_new if k == PARTS else s.t + h * s.nodes[k]
        if time <= last or (time >= s.t_new and k < PARTS):
            continue
        last = time
        failed = state_at(code, m, s, time)
        if failed != 0:
            return int(failed)
        within(code, m, s, 2.0 * (time - s.t) / h - 1.0)
        failed = remember_instant(code, time, s.x_trial, s.scratch, m)
        if failed != 0:
            s.t_bad = time
            s.detail = failed
            return layout.KERNEL_FAILED
    for i in range(n):
        for d in range(lanes):
            v.x_d[i, d] = v.nodes_d[4, i, d]
    v.carried = 1
    announce(s, m)
    return 0
