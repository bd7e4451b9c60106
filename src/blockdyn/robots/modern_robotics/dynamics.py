"""Chapter 8: dynamics of open chains and simulation along trajectories, by the book's names.

tau = M(theta) ddtheta + c(theta, dtheta) + g(theta) + J^T(theta) Ftip

    thetalist, dthetalist, ddthetalist, taulist   (n,): rad or m and their rates, N m or N
    g              (3,): gravitational acceleration, m/s2
    Ftip           (6,): wrench (moment, force) applied by the end-effector, in frame {n+1}
    Mlist          (n + 1, 4, 4): frame {i} in {i-1} at home; link frames are at the centres of mass
    Glist, Slist   (n, 6, 6): spatial inertias, (angular, linear); (6, n): screw axes in space

All functions raise GroupError, InvalidRobot; a screw axis of another length than 1 is used
unchanged, with a NonUnitScrew warning. Source: Modern Robotics (Lynch, Park 2017), section 8.3; the
algorithms are in robots.mechanics.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ..lie import checks
from ..lie.checks import WrongShape
from .machine import Machine, machine

Array = NDArray[np.float64]
NOTHING, NOWHERE = np.zeros(6), np.zeros(3)  # no wrench, no gravity


@checked_numbers(WrongShape)
def InverseDynamics(
    thetalist: ArrayLike,
    dthetalist: ArrayLike,
    ddthetalist: ArrayLike,
    g: ArrayLike,
    Ftip: ArrayLike,
    Mlist: ArrayLike,
    Glist: ArrayLike,
    Slist: ArrayLike,
) -> Array:
    """taulist = M(theta) ddtheta + c + g + J^T Ftip, in O(n) (Newton-Euler)."""
    made = machine(Mlist, Glist, Slist)
    made.load(thetalist, dthetalist, ddthetalist, g, Ftip)
    made.run_inverse()
    return made.y.copy()


@checked_numbers(WrongShape)
def MassMatrix(thetalist: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike) -> Array:
    """M(theta) (n, n), symmetric (composite rigid bodies)."""
    made = machine(Mlist, Glist, Slist)
    made.load(thetalist, made.at_rest, made.at_rest, NOWHERE, NOTHING)
    made.run_mass()
    return made.matrix.copy()


@checked_numbers(WrongShape)
def VelQuadraticForces(
    thetalist: ArrayLike, dthetalist: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike
) -> Array:
    """c(theta, dtheta): Coriolis and centripetal terms."""
    zeros = machine(Mlist, Glist, Slist).at_rest
    return InverseDynamics(thetalist, dthetalist, zeros, NOWHERE, NOTHING, Mlist, Glist, Slist)


@checked_numbers(WrongShape)
def GravityForces(
    thetalist: ArrayLike, g: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike
) -> Array:
    """g(theta): the torques that balance gravity."""
    zeros = machine(Mlist, Glist, Slist).at_rest
    return InverseDynamics(thetalist, zeros, zeros, g, NOTHING, Mlist, Glist, Slist)


@checked_numbers(WrongShape)
def EndEffectorForces(
    thetalist: ArrayLike, Ftip: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike
) -> Array:
    """J^T(theta) Ftip: the torques that apply Ftip."""
    zeros = machine(Mlist, Glist, Slist).at_rest
    return InverseDynamics(thetalist, zeros, zeros, NOWHERE, Ftip, Mlist, Glist, Slist)


@checked_numbers(WrongShape)
def ForwardDynamics(
    thetalist: ArrayLike,
    dthetalist: ArrayLike,
    taulist: ArrayLike,
    g: ArrayLike,
    Ftip: ArrayLike,
    Mlist: ArrayLike,
    Glist: ArrayLike,
    Slist: ArrayLike,
) -> Array:
    """ddthetalist from M(theta) ddtheta = tau - c - g - J^T Ftip.

    Raises numpy.linalg.LinAlgError if M is singular.
    """
    made = machine(Mlist, Glist, Slist)
    made.load(thetalist, dthetalist, taulist, g, Ftip)
    if made.run_forward() >= 0:
        return _by_elimination(made)
    return made.y.copy()


def _by_elimination(machine: Machine) -> Array:
    """The accelerations for an M that is not positive definite, as with unphysical inertias."""
    tau = machine.x[2 * machine.n : 3 * machine.n].copy()
    machine.x[2 * machine.n : 3 * machine.n] = 0.0
    machine.run_inverse()
    machine.run_mass()
    return np.asarray(np.linalg.solve(machine.matrix, tau - machine.y), dtype=np.float64)


@checked_numbers(WrongShape)
def EulerStep(
    thetalist: ArrayLike, dthetalist: ArrayLike, ddthetalist: ArrayLike, dt: float
) -> tuple[Array, Array]:
    """(theta + dt dtheta, dtheta + dt ddtheta): one step of Euler's method."""
    theta, rate = real_numbers(thetalist), real_numbers(dthetalist)
    return theta + dt * rate, rate + dt * real_numbers(ddthetalist)


@checked_numbers(WrongShape)
def InverseDynamicsTrajectory(
    thetamat: ArrayLike,
    dthetamat: ArrayLike,
    ddthetamat: ArrayLike,
    g: ArrayLike,
    Ftipmat: ArrayLike,
    Mlist: ArrayLike,
    Glist: ArrayLike,
    Slist: ArrayLike,
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


@checked_numbers(WrongShape)
def ForwardDynamicsTrajectory(
    thetalist: ArrayLike,
    dthetalist: ArrayLike,
    taumat: ArrayLike,
    g: ArrayLike,
    Ftipmat: ArrayLike,
    Mlist: ArrayLike,
    Glist: ArrayLike,
    Slist: ArrayLike,
    dt: float,
    intRes: float,
    *,
    rtol: float | None = None,
) -> tuple[Array, Array]:
    """(thetamat, dthetamat), both (N, n): the motion under torques (N, n) that are held for dt s each.

    The motion is integrated by Euler's method with intRes steps per dt, as in the book, or by DOP853 to
    rtol if it is given; row 0 is the start. Raises as ForwardDynamics.
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
            theta, dtheta = advance_state(theta, dtheta, torques[i], g, tips[i], model, dt, intRes, rtol)
    return motion, rates


def advance_state(
    theta: Array, dtheta: Array, tau: Array, g: ArrayLike, tip: Array, model: tuple[Any, Any, Any],
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
    theta: Array, dtheta: Array, tau: Array, g: ArrayLike, tip: Array, model: tuple[Any, Any, Any],
    dt: float, rtol: float,
) -> tuple[Array, Array]:  # fmt: skip
    """The state after dt s, from a differential equation solved to a tolerance."""
    from scipy.integrate import solve_ivp

    n = len(theta)

    def derivative(_: float, state: Array) -> Array:
        acceleration = ForwardDynamics(state[:n], state[n:], tau, g, tip, *model)
        return np.concatenate([state[n:], acceleration])

    start = np.concatenate([theta, dtheta])
    solved = solve_ivp(derivative, (0.0, dt), start, "DOP853", (dt,), rtol=rtol, atol=rtol)
    return solved.y[:n, -1], solved.y[n:, -1]


def rows(values: ArrayLike, shape: tuple[int, ...] | None, name: str) -> Array:
    """A matrix with one row for each instant. Raises WrongShape."""
    table = real_numbers(values)
    if table.ndim != 2 or not table.size:
        raise WrongShape(name, f"found shape {table.shape}", "(N, n), a row for each instant")
    return checks.array(table, shape or table.shape, name)


def tip_rows(Ftipmat: ArrayLike, count: int) -> Array:
    """The tip wrenches (N, 6); a 0 means no wrench."""
    if np.ndim(Ftipmat) == 0 and Ftipmat == 0:
        return np.zeros((count, 6))
    return checks.array(Ftipmat, (count, 6), "Ftipmat")
