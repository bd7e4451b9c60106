"""Chapter 8: dynamics of open chains, by the book's names, on compiled kernels.

    tau = M(theta) ddtheta + c(theta, dtheta) + g(theta) + J^T(theta) Ftip

    thetalist, dthetalist, ddthetalist, taulist   (n,): rad or m and their rates, N m or N
    g              (3,): gravitational acceleration, m/s2
    Ftip           (6,): wrench (moment, force) applied by the end-effector, in frame {n+1}
    Mlist          (n + 1, 4, 4): frame {i} in {i-1} at home; link frames are at the centres of mass
    Glist, Slist   (n, 6, 6): spatial inertias, (angular, linear); (6, n): screw axes in space

All raise WrongShape, NotPose, InvalidRobot; a screw axis that is not unit is used as it is, with a
NonUnitScrew warning. Source: Modern Robotics (Lynch, Park 2017), section 8.3; the algorithms are those of
robots.mechanics.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import real_numbers
from ...base.checked import guarded
from ..lie.errors import WrongShape
from .machine import Machine, machine

Array = NDArray[np.float64]
NOTHING, NOWHERE = np.zeros(6), np.zeros(3)  # no wrench, no gravity


@guarded(WrongShape)
def InverseDynamics(
    thetalist: Any, dthetalist: Any, ddthetalist: Any, g: Any, Ftip: Any, Mlist: Any, Glist: Any, Slist: Any
) -> Array:
    """taulist = M(theta) ddtheta + c + g + J^T Ftip, in O(n) (Newton-Euler)."""
    made = machine(Mlist, Glist, Slist)
    made.load(thetalist, dthetalist, ddthetalist, g, Ftip)
    made.run_inverse()
    return made.y.copy()


@guarded(WrongShape)
def MassMatrix(thetalist: Any, Mlist: Any, Glist: Any, Slist: Any) -> Array:
    """M(theta) (n, n), symmetric (composite rigid bodies)."""
    made = machine(Mlist, Glist, Slist)
    made.load(thetalist, made.at_rest, made.at_rest, NOWHERE, NOTHING)
    made.run_mass()
    return made.matrix.copy()


@guarded(WrongShape)
def VelQuadraticForces(thetalist: Any, dthetalist: Any, Mlist: Any, Glist: Any, Slist: Any) -> Array:
    """c(theta, dtheta): Coriolis and centripetal terms."""
    zeros = machine(Mlist, Glist, Slist).at_rest
    return InverseDynamics(thetalist, dthetalist, zeros, NOWHERE, NOTHING, Mlist, Glist, Slist)


@guarded(WrongShape)
def GravityForces(thetalist: Any, g: Any, Mlist: Any, Glist: Any, Slist: Any) -> Array:
    """g(theta): what balances gravity."""
    zeros = machine(Mlist, Glist, Slist).at_rest
    return InverseDynamics(thetalist, zeros, zeros, g, NOTHING, Mlist, Glist, Slist)


@guarded(WrongShape)
def EndEffectorForces(thetalist: Any, Ftip: Any, Mlist: Any, Glist: Any, Slist: Any) -> Array:
    """J^T(theta) Ftip: what it takes to apply Ftip."""
    zeros = machine(Mlist, Glist, Slist).at_rest
    return InverseDynamics(thetalist, zeros, zeros, NOWHERE, Ftip, Mlist, Glist, Slist)


@guarded(WrongShape)
def ForwardDynamics(
    thetalist: Any, dthetalist: Any, taulist: Any, g: Any, Ftip: Any, Mlist: Any, Glist: Any, Slist: Any
) -> Array:
    """ddthetalist from M(theta) ddtheta = tau - c - g - J^T Ftip.

    Raises numpy.linalg.LinAlgError where M is singular.
    """
    made = machine(Mlist, Glist, Slist)
    made.load(thetalist, dthetalist, taulist, g, Ftip)
    if made.run_forward() >= 0:
        return _by_elimination(made)
    return made.y.copy()


def _by_elimination(machine: Machine) -> Array:
    """The accelerations where M is not positive definite, as with made-up inertias."""
    tau = machine.x[2 * machine.n : 3 * machine.n].copy()
    machine.x[2 * machine.n : 3 * machine.n] = 0.0
    machine.run_inverse()
    machine.run_mass()
    return np.asarray(np.linalg.solve(machine.matrix, tau - machine.y), dtype=np.float64)


@guarded(WrongShape)
def EulerStep(thetalist: Any, dthetalist: Any, ddthetalist: Any, dt: float) -> tuple[Array, Array]:
    """(theta + dt dtheta, dtheta + dt ddtheta): one step of Euler's method."""
    theta, rate = real_numbers(thetalist), real_numbers(dthetalist)
    return theta + dt * rate, rate + dt * real_numbers(ddthetalist)
