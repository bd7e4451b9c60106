"""Follow: the derivatives of a run carried along its steps, and through its instants.

Along a step they are those of the explicit Runge-Kutta formula by its tableau, at the step's ends as the run
has them: S' = f_x S + f_p is solved with the run's own steps (internal differentiation). Through an instant T
at which a crossing g(t, x, p) = 0 is located,

    dT = -(g_x S + g_p) / (g_x f + g_t)        the derivative of the instant
    S <- S + f- dT                             the state at it
    S <- r_x S + r_t dT + r_p                  what happens there
    S <- S - f+ dT                             the state at a given time behind it

which is the saltation matrix where nothing but the state jumps. Instants of clocks and lists have the
derivative of their numbers; those that a state announces, that of the state.

Source: H. G. Bock, Springer Series in Chemical Physics 18 (1981) 102-125; Hairer, Norsett, Wanner, Solving
Ordinary Differential Equations I (1993), section II.6; Hiskens and Pai, IEEE Trans. Circuits and Systems I
47 (2000) 204-220.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import layout
from ..backend import Backend
from ..events.timer import DUE, HELD, LISTED, instant
from .fields import DERIVATIVE, EVALUATE, REACT, UPDATE


def make_alone(backend: Backend) -> Any:
    """What carries nothing along a step: that of runs without derivatives."""

    @backend.hot
    def carry(code: Any, m: Any, s: Any) -> int:
        return 0

    return carry


def make_follow(backend: Backend, settle: Any) -> tuple[Any, Any]:
    """`carry(code, m, s)` along the step that is about to be accepted, and `settle(code, m, s, first)` with
    the derivatives of what it does. `settle` is that of a backend whose functions are tangents.
    """
    from ..calls import caller

    jit, variation, derivative = backend.jit, backend.variation, backend.derivative
    slopes_tangent, signals_tangent = caller(DERIVATIVE), caller(EVALUATE)
    due_instant = make_due_instant(backend)

    @jit
    def carry(code: Any, m: Any, s: Any) -> int:
        """From S at the step's begin to S at its end; signals are then those of some stage."""
        v = variation(code)
        n, lanes, h, last = m.x.size, v.lanes - 1, s.t_new - s.t, s.stages - 1
        x, x_d, begin_d, stages_d, slopes, A = v.x, v.x_d, v.begin_d, v.stages_d, v.slopes, s.A
        for i in range(n):
            for d in range(lanes):
                begin_d[i, d] = x_d[i, d]
        for j in range(last + 1):
            for i in range(n):
                total = 0.0
                for k in range(j):
                    total += A[j, k] * slopes[k, i]
                x[i] = m.x[i] + h * total
                for d in range(lanes):
                    total = 0.0
                    for k in range(j):
                        total += A[j, k] * stages_d[k, i, d]
                    x_d[i, d] = begin_d[i, d] + h * total
            if j < last:
                failed = slopes_tangent(
                    code, s.t + s.C[j] * h, v.time_d, x, x_d, slopes[j], stages_d[j], m, v.shadows
                )
                if failed < 0:
                    s.detail = failed
                    return layout.KERNEL_FAILED
        s.stale = 1
        return 0

    @jit
    def move_instant(code: Any, m: Any, s: Any) -> int:
        """The derivative of the instant, and the state's at it."""
        v = variation(code)
        n, lanes, t, f = m.x.size, v.lanes - 1, s.t, v.x
        x_d, g_d, time_d, instant_d = v.x_d, v.g_d, v.time_d, v.instant_d
        failed = derivative(code, t, m.x, f, m)
        for i in range(n):
            x_d[i, lanes] = f[i]
        time_d[lanes] = 1.0
        if failed >= 0:
            failed = signals_tangent(code, t, time_d, m.x, x_d, v.slopes[0], v.slopes_d, m, v.shadows)
        time_d[lanes] = 0.0
        for i in range(n):
            x_d[i, lanes] = 0.0
        if failed < 0:
            s.detail = failed
            return layout.KERNEL_FAILED
        q = s.last_crossing
        if s.t_bad < np.inf and s.turns[q] == 0:
            rate = g_d[q, lanes]
            if rate == 0.0:
                v.grazed += 1
                v.crossing = q
            for d in range(lanes):
                instant_d[d] = -g_d[q, d] / rate
        elif s.t_bad == np.inf:
            due_instant(m, s, v)
        moved = 0
        for d in range(lanes):
            if instant_d[d] != 0.0:
                moved = 1
        if moved == 1:
            for i in range(n):
                for d in range(lanes):
                    x_d[i, d] += f[i] * instant_d[d]
            for d in range(lanes):
                time_d[d] = instant_d[d]
        if moved == 1 or s.previous.shape[0] > 0:
            signals_tangent(code, t, time_d, m.x, x_d, v.slopes[0], v.slopes_d, m, v.shadows)
        for k in range(s.previous.shape[0]):
            for d in range(lanes):
                v.z_d[s.previous[k, 1], d] = v.w_d[s.previous[k, 0], d]
        s.stale = 1
        return 0

    @backend.apart
    def settled(code: Any, m: Any, s: Any, first: int) -> int:
        """The instant T with the derivatives of what happens at it."""
        v = variation(code)
        lanes = v.lanes - 1
        for d in range(lanes + 1):
            v.instant_d[d] = 0.0
        if first == 0:
            failed = move_instant(code, m, s)
            if failed != 0:
                return int(failed)
        failed = settle(code, m, s, first)
        for d in range(lanes):
            v.time_d[d] = 0.0
            if v.instant_d[d] != 0.0:
                for i in range(m.x.size):
                    v.x_d[i, d] -= s.K[0, i] * v.instant_d[d]
        return int(failed)

    return carry, settled


def with_tangents(backend: Backend) -> Backend:
    """The backend whose signals, reactions and ticks have their derivatives, where the state is that of the
    run.
    """
    from ..calls import caller

    variation = backend.variation

    def tangent(number: int) -> Any:
        call = caller(number)

        @backend.jit
        def function(code: Any, t: float, x: Any, dx: Any, m: Any) -> int:
            v = variation(code)
            return int(call(code, t, v.time_d, x, v.x_d, dx, v.slopes_d, m, v.shadows))

        return function

    return backend._replace(evaluate=tangent(EVALUATE), react=tangent(REACT), update=tangent(UPDATE))


def make_due_instant(backend: Backend) -> Any:
    at = backend.jit(instant)

    def derivative(m: Any, s: Any, v: Any, i: int, d: int) -> float:
        """That of the instant of timer i by direction d."""
        number, count = m.modes[s.timers[i, layout.MODE]], s.timers[i, layout.COUNT]
        kind, row = s.timers[i, layout.RATIONAL], v.timers_at[i]
        if kind == HELD:
            due, value = s.timer_floats[s.timers[i, layout.DATA] + DUE], 0.0
            for k in range(s.timers[i, layout.OFFSET], s.timers[i, layout.OFFSET] + count):
                if m.z[k] == due:
                    value = v.z_d[k, d]
            return float(value)
        if kind == LISTED:
            return float(v.timers_d[row + number, d])
        cycle = number // count
        phase = v.timers_d[row + 2 + number - cycle * count, d]
        return float(v.timers_d[row, d] + cycle * v.timers_d[row + 1, d] + phase)

    of_timer = backend.jit(derivative)

    def due_instant(m: Any, s: Any, v: Any) -> None:
        """The derivative of the instant of the timers that are due, which have to have the same."""
        due = 0
        for i in range(s.timers.shape[0]):
            if at(s.timers, s.timer_integers, s.timer_floats, i, m.modes[s.timers[i, layout.MODE]]) <= s.t:
                for d in range(v.lanes - 1):
                    moves = of_timer(m, s, v, i, d)
                    if due == 1 and moves != v.instant_d[d]:
                        v.met += 1
                        v.met_at = s.t
                    v.instant_d[d] = moves
                due = 1

    return backend.jit(due_instant)
