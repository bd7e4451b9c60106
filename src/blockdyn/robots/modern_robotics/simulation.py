"""Chapter 8, trajectories: torques along a motion, and the motion under torques, by the book's names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import real_numbers
from ...base.checked import guarded
from ..lie import checks
from ..lie.errors import WrongShape
from .dynamics import EulerStep, ForwardDynamics, InverseDynamics

Array = NDArray[np.float64]


@guarded(WrongShape)
def InverseDynamicsTrajectory(
    thetamat: Any, dthetamat: Any, ddthetamat: Any, g: Any, Ftipmat: Any, Mlist: Any, Glist: Any, Slist: Any
) -> Array:
    """Torques (N, n) at each row of a motion (N, n); Ftipmat (N, 6), or 0. Raises as InverseDynamics."""
    theta = rows(thetamat, None, "thetamat")
    rates = rows(dthetamat, theta.shape, "dthetamat")
    accelerations = rows(ddthetamat, theta.shape, "ddthetamat")
    tips = tip_rows(Ftipmat, len(theta))
    torques = np.empty_like(theta)
    for i in range(len(theta)):
        torques[i] = InverseDynamics(theta[i], rates[i], accelerations[i], g, tips[i], Mlist, Glist, Slist)
    return torques


@guarded(WrongShape)
def ForwardDynamicsTrajectory(
    thetalist: Any, dthetalist: Any, taumat: Any, g: Any, Ftipmat: Any, Mlist: Any, Glist: Any, Slist: Any,
    dt: float, intRes: float, *, rtol: float | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """(thetamat, dthetamat), both (N, n): the motion under torques (N, n) that are held for dt s each.

    Integrated by Euler's method with intRes steps in each dt, as the book has it, or, where rtol is given, by
    DOP853 to that tolerance; row 0 is the start. Raises as ForwardDynamics.
    """
    model = Mlist, Glist, Slist
    torques = rows(taumat, None, "taumat")
    tips = tip_rows(Ftipmat, len(torques))
    motion, rates = np.empty_like(torques), np.empty_like(torques)
    theta = checks.array(thetalist, torques.shape[1:], "thetalist")
    dtheta = checks.array(dthetalist, torques.shape[1:], "dthetalist")
    for i in range(len(torques)):
        motion[i], rates[i] = theta, dtheta
        if i + 1 < len(torques):
            theta, dtheta = held(theta, dtheta, torques[i], g, tips[i], model, dt, intRes, rtol)
    return motion, rates


def held(
    theta: Array, dtheta: Array, tau: Array, g: Any, tip: Array, model: tuple[Any, Any, Any],
    dt: float, intRes: float, rtol: float | None,
) -> tuple[Array, Array]:  # fmt: skip
    """The state after dt s under a constant torque and tip wrench: intRes Euler steps, or DOP853 to rtol."""
    steps = int(intRes)
    if steps != intRes or steps < 1:
        raise WrongShape("intRes", f"found {intRes}", "a whole number of at least 1")
    if rtol is not None:
        return held_exactly(theta, dtheta, tau, g, tip, model, dt, rtol)
    for _ in range(steps):
        acceleration = ForwardDynamics(theta, dtheta, tau, g, tip, *model)
        theta, dtheta = EulerStep(theta, dtheta, acceleration, dt / steps)
    return theta, dtheta


def held_exactly(
    theta: Array, dtheta: Array, tau: Array, g: Any, tip: Array, model: tuple[Any, Any, Any],
    dt: float, rtol: float,
) -> tuple[Array, Array]:  # fmt: skip
    """The same as a differential equation, solved to a tolerance."""
    from scipy.integrate import solve_ivp

    n = len(theta)

    def derivative(_: float, state: Array) -> Array:
        acceleration = ForwardDynamics(state[:n], state[n:], tau, g, tip, *model)
        return np.concatenate([state[n:], acceleration])

    start = np.concatenate([theta, dtheta])
    solved = solve_ivp(derivative, (0.0, dt), start, "DOP853", (dt,), rtol=rtol, atol=rtol)
    return solved.y[:n, -1], solved.y[n:, -1]


def rows(values: Any, shape: tuple[int, ...] | None, name: str) -> Array:
    """A matrix with one row for each instant. Raises WrongShape."""
    table = real_numbers(values)
    if table.ndim != 2 or not table.size:
        raise WrongShape(name, f"found shape {table.shape}", "(N, n), a row for each instant")
    return checks.array(table, shape or table.shape, name)


def tip_rows(Ftipmat: Any, count: int) -> Array:
    """The tip wrenches (N, 6); a 0 stands for none."""
    if np.ndim(Ftipmat) == 0 and Ftipmat == 0:
        return np.zeros((count, 6))
    return checks.array(Ftipmat, (count, 6), "Ftipmat")
