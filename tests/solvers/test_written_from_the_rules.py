"""A method written from the rules of `Steps` and `Control` alone: TR-BDF2.

    x_mid = x + d h (f(t, x) + f(t + gamma h, x_mid))
    x_new = x + h (w f(t, x) + w f(t + gamma h, x_mid) + d f(t + h, x_new))

Newton's method solves each equation with the matrix I - d h J.

Source: M. E. Hosea and L. F. Shampine, Analysis and implementation of TR-BDF2, Applied Numerical
Mathematics 20 (1996) 21-37, doi:10.1016/0168-9274(95)00115-8.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.solvers.backend import Backend
from blockdyn.solvers.methods.data import Nodes
from blockdyn.solvers.methods.method import Steps
from blockdyn.solvers.steps.control import Control, accept, fit_evenly, make_within_tolerance, shorten

GAMMA = 2.0 - np.sqrt(2.0)
D, W = GAMMA / 2.0, np.sqrt(2.0) / 4.0
ERROR = (4.0 * W - 1.0) / 3.0, -1.0 / 3.0, 2.0 * D / 3.0
NUDGE, ITERATIONS, EXACT = 1e-7, 10, 1e-2
MIDDLE, END = range(2)  # rows of s.U


def tr_bdf2(backend: Backend, margin: Any) -> Steps:
    """The steps of TR-BDF2, with a Jacobian by differences for each attempt."""

    def slope(code: Any, m: Any, s: Any, t: float, x: Any) -> Any:
        dx = np.empty(x.size)
        s.evaluations += 1
        return (
            dx
            if backend.derivative(code, t, np.ascontiguousarray(x), dx, m) == 0
            else np.full(x.size, np.nan)
        )

    def jacobian(code: Any, m: Any, s: Any) -> Any:
        columns = []
        for i in range(m.x.size):
            x = m.x.copy()
            x[i] += NUDGE * max(1.0, abs(x[i]))
            columns.append((slope(code, m, s, s.t, x) - s.K[0]) / (x[i] - m.x[i]))
        return np.transpose(columns)

    def attempt(code: Any, m: Any, s: Any, t_new: float, h: float) -> tuple[int, float]:
        if not m.x.size:
            return arrive(code, m, s, t_new, h), 0.0
        matrix = np.eye(m.x.size) - D * h * jacobian(code, m, s)
        scale = s.atol + s.rtol * np.abs(m.x)
        first, slopes = s.K[0].copy(), [s.K[0].copy()]
        for row, time, weight in ((MIDDLE, s.t + GAMMA * h, D), (END, t_new, W)):
            fixed = m.x + h * weight * sum(slopes)
            x, slopes = (s.U[MIDDLE] if row else m.x) + 0.0, [*slopes, first]
            for _ in range(ITERATIONS):
                slopes[-1] = slope(code, m, s, time, x)
                residual = fixed + D * h * slopes[-1] - x
                if not np.isfinite(residual).all():
                    return 1, 0.0
                change = np.linalg.solve(matrix, residual)
                x = x + change
                if np.abs(change / scale).max() < EXACT:
                    break
            else:
                return 1, 0.0
            s.U[row], slopes[-1] = x, (x - fixed) / (D * h)
        error = np.linalg.solve(matrix, h * sum(e * f for e, f in zip(ERROR, slopes, strict=True)))
        size = float(np.sqrt(np.mean((error / scale) ** 2)))
        return (arrive(code, m, s, t_new, h) if size <= 1.0 else 0), size

    def arrive(code: Any, m: Any, s: Any, t_new: float, h: float) -> int:
        s.t_new, s.h_taken, last = t_new, h, s.stages - 1
        s.x_new[:] = s.U[END]
        failed = backend.evaluate(code, t_new, s.x_new, s.K[last], m)
        s.evaluations += 1
        s.G[last] = m.g
        for j in range(1, last):
            interpolate(m, s, float(s.C[j]), s.x_trial)
            slope(code, m, s, s.t + s.C[j] * h, s.x_trial)
            s.G[j] = m.g
        m.g[:] = s.G[last]
        return int(failed)

    def interpolate(m: Any, s: Any, theta: float, out: Any) -> None:
        """The parabola through both ends and the middle stage: stiff parts stay small in it."""
        out[:] = (
            m.x * ((theta - GAMMA) * (theta - 1.0) / GAMMA)
            + s.U[MIDDLE] * (theta * (theta - 1.0) / (GAMMA * (GAMMA - 1.0)))
            + s.U[END] * (theta * (theta - GAMMA) / (1.0 - GAMMA))
        )

    within_tolerance = make_within_tolerance(Control(attempt, fit_evenly, accept, shorten))

    def take(code: Any, m: Any, s: Any, target: float) -> int:
        s.at_hand = 1
        return within_tolerance(code, m, s, target)

    return Steps(take, lambda code, m, s: 0, interpolate)


TR_BDF2 = bd.Method(
    "tr_bdf2", "TR-BDF2", "Hosea, Shampine (1996)", Nodes(2, places=5, increments=2), steps=tr_bdf2
)


def relaxation(rate: float) -> bd.Diagram:
    """x' = -rate (x - cos t) - sin t, whose solution from 1 is cos t; its passages through 0.3; and ticks."""
    d = bd.Diagram()
    x, f = d.add("x", bd.Integrator(1.0)), d.add("f", bd.Expression(f"-{rate} * (x - cos(t)) - sin(t)"))
    d.connect(x, f["x"])
    d.connect(f, x, d.add("hit", bd.HitCrossing(0.3)))
    d.connect(x, d.add("held", bd.ZeroOrderHold(0.25)))
    return d


def test_it_has_order_two() -> None:
    """Steps of one length, by a tolerance that never refuses one."""
    given: dict[str, Any] = {"stop": 2.0, "method": TR_BDF2, "rtol": 1.0, "atol": 1.0, "refine": 1}
    errors = [
        abs(relaxation(2.0).simulate(first_step=h, max_step=h, **given).final("x") - np.cos(2.0))
        for h in (0.05, 0.025)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_stiff_solution_with_events_and_ticks(compiled: bool) -> None:
    r = relaxation(1e4).simulate(stop=6.0, method=TR_BDF2, rtol=1e-5, atol=1e-7, compiled=compiled)
    times = [event.time for event in r.events if event.path == "hit"]
    assert times == pytest.approx([np.arccos(0.3), 2.0 * np.pi - np.arccos(0.3)], abs=1e-4)
    assert r.final("x") == pytest.approx(np.cos(6.0), abs=1e-4)
    assert r.final("held") == pytest.approx(np.cos(6.0), abs=1e-4)
    assert r.trace("x").values == pytest.approx(np.cos(r.trace("x").time), abs=1e-4)
    assert r.statistics["steps"] < 1000
