"""Dynamics of a robot: M(q) qdd + C(q, qd) qd + g(q) + f(qd) = tau + J(q)^T wrench."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..calls.kernel import FLAG, WORK, Array, Input, Kernel, Output, Scratch, as_robot, bound
from ..mechanics import (
    coriolis_matrix,
    energy as gravity_kernel,
    inverse_dynamics as friction_kernels,
    inverse_dynamics as newton_euler,
    kinematics as geometric,
    mass_matrix,
    regressor as linear,
)
from ..mechanics.bodies import ARMATURE, FRICTION, GRAVITY
from ..mechanics.errors import WrongSize, singular_mass_matrix, singular_pose
from ..mechanics.forward_dynamics import MOST, articulated_body_algorithm, composite
from ..mechanics.kinematics import FRAMES
from ..model.robot import Robot
from .kinematics import Frame, choice

NONE = np.zeros(6)
FLAGS = False, True
TERMS: dict[tuple[bool, ...], int] = {  # by gravity, friction, armature
    (g, f, a): GRAVITY * g | FRICTION * f | ARMATURE * a for g in FLAGS for f in FLAGS for a in FLAGS
}
DIRECTIONS = ("velocity x", "velocity y", "velocity z", "rotation x", "rotation y", "rotation z")

STATE = (Input("q"), Input("qd"))
TOUCHED, FREE = Input("wrench", (6,)), Scratch((6,))  # an omitted wrench stays 0
RNE = Kernel(newton_euler.rnea, (*STATE, Input("qdd"), TOUCHED, FLAG, WORK, Output()), weighs=True)
RNE_FREE = Kernel(newton_euler.rnea, (*STATE, Input("qdd"), FREE, FLAG, WORK, Output()), weighs=True)
REGRESSOR = Kernel(
    linear.torque_regressor, (*STATE, Input("qdd"), FLAG, WORK, Output(("n", "p"))), weighs=False
)
INERTIA = Kernel(mass_matrix.mass_matrix, (Input("q"), WORK, Output(("n", "n"))), weighs=True)
CORIOLIS = Kernel(coriolis_matrix.coriolis_matrix, (*STATE, WORK, Output(("n", "n"))), weighs=True)
GRAVLOAD = Kernel(gravity_kernel.gravity_load, (Input("q"), WORK, Output()), weighs=True)
FRICTION_TORQUE = Kernel(friction_kernels.friction, (Input("qd"), Output()))
WRENCH = Kernel(geometric.wrench_torque, (Input("q"), Input("wrench", (6,)), WORK, Output()))


def _singular(robot: Robot, status: int) -> None:
    if status >= robot.n:
        raise singular_pose(robot.name, DIRECTIONS[status - robot.n])
    raise singular_mass_matrix(robot.name, robot.moving[status].name)


CINERTIA = Kernel(
    mass_matrix.cartesian_inertia,
    (Input("q"), FLAG, WORK, Scratch((6, "n")), Output((6, 6))),
    failed=_singular,
)
METHODS = {
    name: (
        Kernel(function, (*STATE, Input("tau"), FREE, FLAG, WORK, Output()), failed=_singular),
        Kernel(function, (*STATE, Input("tau"), TOUCHED, FLAG, WORK, Output()), failed=_singular),
    )
    for name, function in (("composite", composite), ("articulated", articulated_body_algorithm))
}


def rne(
    robot: Robot | str,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    wrench: ArrayLike | None = None,
    *,
    gravity: bool = True,
    friction: bool = True,
    armature: bool = True,
) -> Array:
    """Inverse dynamics: tau = M(q) qdd + C(q, qd) qd + g(q) + f(qd) - J(q)^T wrench, (n,) in N m or N.

    q, qd, qdd: (n,), or (k, n) for k torques. wrench (6,): force and moment that the environment
    applies to the tool, in world axes at the tool's origin, N and N m. gravity, friction, armature: whether
    these are included. Luh, Walker, Paul, J. Dyn. Sys. Meas. Control 102(2), 1980. Warns (RobotWarning) once
    about a robot without masses, like all functions that need them. Raises WrongSize.
    """
    terms = (
        TERMS[gravity, friction, armature]
        if type(gravity) is type(friction) is type(armature) is bool
        else sum_terms(gravity=gravity, friction=friction, armature=armature)
    )
    if wrench is None:
        return bound(RNE_FREE, robot, "tool", (terms,)).call(q, qd, qdd)
    return bound(RNE, robot, "tool", (terms,)).call(q, qd, qdd, wrench)


def regressor(
    robot: Robot | str,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    *,
    gravity: bool = True,
    friction: bool = True,
    armature: bool = True,
) -> Array:
    """The regressor Y of inverse dynamics, (n, p): tau = Y(q, qd, qdd) theta.

    theta are the values of `robots.standard_parameters`, for each moving joint i, counted from 1:

        mi                                 mass of the body, kg
        mxi myi mzi                        first moment, mass times centre of mass, kg m
        Ixxi Iyyi Izzi Ixyi Ixzi Iyzi      inertia about the origin of the body, kg m2 (Ixy = -sum m x y)
        Iai                                armature: inertia of the motor seen at the joint, kg m2 or kg
        fvi fcpi fcmi                      viscous friction; Coulomb friction against positive, negative qd

    The frame of a body has its origin on the joint's axis, and its z axis along it; bodies fixed to it
    belong to it. friction=False omits the columns of friction, armature=False the columns of the motors;
    gravity=False computes Y without weight. q, qd, qdd: (n,), or (k, n) for (k, n,
    p). Bodies are numbered as the joints that move, drives as the coordinates of q: if joints mimic others,
    there are more bodies than drives. Coulomb columns are 0 at rest. A wrench on the tool is not part of Y.
    Atkeson, An, Hollerbach, Int. J. Robotics Research 5(3), 1986. Raises WrongSize.
    """
    robot = as_robot(robot)
    terms = sum_terms(gravity=gravity, friction=friction, armature=armature)
    sizes = (("p", linear.parameter_count(robot.table(), terms)),)
    return bound(REGRESSOR, robot, "tool", (terms,), sizes).call(q, qd, qdd)


def accel(
    robot: Robot | str,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    wrench: ArrayLike | None = None,
    *,
    gravity: bool = True,
    friction: bool = True,
    method: Literal["auto", "composite", "articulated"] = "auto",
) -> Array:
    """Forward dynamics: qdd of M(q) qdd = tau + J(q)^T wrench - C(q, qd) qd - g(q) - f(qd), (n,).

    Arguments as in `rne`. method: composite inertias with a Cholesky factor, articulated bodies, or the
    faster of the two; always the former if joints mimic others. Featherstone, Rigid Body Dynamics
    Algorithms, 2008, chapters 6 and 7.
    Raises WrongSize, MechanicsError.
    """
    robot = as_robot(robot)
    if choice("method", method, ("auto", *METHODS)) == "auto":
        method = "composite" if robot.n <= MOST else "articulated"
    if len(robot.shares) > robot.n:
        method = "composite"
    free, touched = METHODS[method]
    terms = (
        TERMS[gravity, friction, True]
        if type(gravity) is type(friction) is bool
        else sum_terms(gravity=gravity, friction=friction)
    )
    if wrench is None:
        return bound(free, robot, "tool", (terms,)).call(q, qd, tau)
    return bound(touched, robot, "tool", (terms,)).call(q, qd, tau, wrench)


def inertia(robot: Robot | str, q: ArrayLike) -> Array:
    """Mass matrix M(q), (n, n), with the motors' inertia on its diagonal, kg m2, kg m, kg. Raises WrongSize.

    Walker, Orin, J. Dyn. Sys. Meas. Control 104(3), 1982.
    """
    return bound(INERTIA, robot).call(q)


def itorque(robot: Robot | str, q: ArrayLike, qdd: ArrayLike) -> Array:
    """M(q) qdd, (n,): the torque needed for acceleration. Raises like `rne`."""
    robot = as_robot(robot)
    at_rest = np.zeros(robot.n)
    return rne(robot, q, at_rest, qdd, gravity=False, friction=False)


def coriolis(robot: Robot | str, q: ArrayLike, qd: ArrayLike) -> Array:
    """Coriolis matrix C(q, qd), (n, n), of the Christoffel symbols: dM/dt = C + C^T, so dM/dt - 2 C is skew.

    Echeandia, Wensing, J. Comput. Nonlinear Dynam. 16(9), 2021. Raises WrongSize.
    """
    return bound(CORIOLIS, robot).call(q, qd)


def coriolis_torque(robot: Robot | str, q: ArrayLike, qd: ArrayLike) -> Array:
    """C(q, qd) qd, (n,): Coriolis and centripetal torque, in O(n). Raises WrongSize."""
    robot = as_robot(robot)
    at_rest = np.zeros(robot.n)
    return rne(robot, q, qd, at_rest, gravity=False, friction=False)


def gravload(robot: Robot | str, q: ArrayLike) -> Array:
    """Gravity load g(q), (n,): the torque that holds the arm still. Raises WrongSize."""
    return bound(GRAVLOAD, robot).call(q)


def friction(robot: Robot | str, qd: ArrayLike) -> Array:
    """f(qd), (n,): the viscous and Coulomb friction torques at these rates; Coulomb friction is 0 at rest.

        f = |G| (viscous |G| qd + coulomb[0] [qd > 0] - coulomb[1] [qd < 0])

    It has the sign of qd (Robotics Toolbox returns its negative). Raises WrongSize.
    """
    return bound(FRICTION_TORQUE, robot).call(qd)


def wrench_torque(robot: Robot | str, q: ArrayLike, wrench: ArrayLike) -> Array:
    """J(q)^T wrench, (n,): joint torques of a wrench (6,) on the tool. Raises WrongSize."""
    return bound(WRENCH, robot).call(q, wrench)


def cinertia(robot: Robot | str, q: ArrayLike, *, frame: Frame = "world", of: str = "tool") -> Array:
    """Cartesian inertia (J M^-1 J^T)^-1, (6, 6), with the Jacobian J of the same frame; see `jacobian`.

    Khatib, IEEE J. Robotics and Automation 3(1), 1987. Raises WrongSize, MechanicsError.
    """
    return bound(CINERTIA, robot, of, (FRAMES[choice("frame", frame, FRAMES)],)).call(q)


def sum_terms(*, gravity: ArrayLike, friction: ArrayLike, armature: ArrayLike = True) -> int:
    """The sum of the included terms, from Python's or NumPy's booleans. Raises WrongSize for others."""
    flags = {"gravity": gravity, "friction": friction, "armature": armature}
    for name, value in flags.items():
        if not isinstance(value, (bool, np.bool_)):
            raise WrongSize(name, f"found {value!r:.80}", "true or false")
    return TERMS[tuple(map(bool, flags.values()))]
