"""Derivatives of crossings and signals by time."""

from __future__ import annotations

from ..backend import Backend, Code, Phase, Tangent
from ..layout import Memory, Work
from .closed import make_closed
from .fields import EVALUATE, Variation


def make_flow(backend: Backend, signals_tangent: Tangent) -> Phase:
    """`flow(code, m, s)`: how crossings and signals move along time, where the state moves with v.x: bare_g
    and w_rate.
    """
    variation = backend.variation

    @backend.apart
    def flow(code: Code, m: Memory, s: Work) -> int:
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

    return flow


def make_look(backend: Backend) -> Phase:
    """`look(code, m, s)`: the signals of the run at its time with their derivatives and, where it is `rated`,
    those along time; the slopes in v.x.
    """
    from ..calls import caller

    variation, derivative = backend.variation, backend.derivative
    signals_tangent = make_closed(backend)(caller(EVALUATE), backend.evaluate)
    flow = make_flow(backend, signals_tangent)

    @backend.jit
    def look(code: Code, m: Memory, s: Work) -> int:
        v: Variation = variation(code)
        failed = derivative(code, s.t, m.x, v.x, m)
        if failed >= 0 and v.rated == 1:
            failed = flow(code, m, s)
        if failed >= 0:
            failed = signals_tangent(
                code, s.t, v.time_d, m.x, v.x_d, s.scratch, v.slopes_d, m, v.shadows, v.w_d
            )
        return int(failed)

    return look
