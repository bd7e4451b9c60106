"""Derivatives of crossings and signals with respect to time."""

from __future__ import annotations

from ...native.pieces import mark_cold
from ..backend import Code
from ..layout import Memory, Work
from ..program import derivative
from .fields import Variation
from .program import signals_tangent, variation


@mark_cold
def flow(code: Code, m: Memory, s: Work) -> int:
    """How crossings and signals move along time, where the state moves with v.x: bare_g and w_rate."""
    v: Variation = variation(code)
    v.flow_time[0] = 1.0
    for i in range(m.x.size):
        v.flow_x[i, 0] = v.x[i]
    failed = signals_tangent(
        code, s.t, v.flow_time, m.x, v.flow_x, s.scratch, v.slopes_d, m, v.bare, v.bare_w
    )
    for k in range(v.w_rate.size):
        v.w_rate[k] = v.bare_w[k, 0]
    v.bare_w[:, :] = 0.0  # constant signals are read from there
    return int(failed)


def look(code: Code, m: Memory, s: Work) -> int:
    """The signals of the run at its time with their derivatives and, where it is `rated`, those along time;
    the slopes in v.x.
    """
    v: Variation = variation(code)
    failed = derivative(code, s.t, m.x, v.x, m)
    if failed >= 0 and v.rated == 1:
        failed = flow(code, m, s)
    if failed >= 0:
        failed = signals_tangent(code, s.t, v.time_d, m.x, v.x_d, s.scratch, v.slopes_d, m, v.shadows, v.w_d)
    return int(failed)
