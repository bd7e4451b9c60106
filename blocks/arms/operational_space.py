"""OperationalSpace: motion control of the tool in some directions, force control in the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.friction import add_friction
from ...robots.lie.kernels.motion import pose_error
from ...robots.mechanics.bodies import ARMATURE, GRAVITY
from ...robots.mechanics.inverse_dynamics import rnea
from ...robots.mechanics.jacobian_rate import jacobian_and_drift
from ...robots.mechanics.kinematics import WORLD, tool_pose
from ...robots.mechanics.mass_matrix import cartesian_inertia
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port, Size
from .arm import FramedBlock
from .gains import add_error, add_product, gain_matrix
from .inverse_jacobian import multiply
from .sliding import at_qd, turns


class OperationalSpace(FramedBlock):
    """Khatib's hybrid control of a tool's motion and force.

        F = Lambda (Omega (acceleration_ref + Kp d + Kv (twist_ref - v)) - Omega~ Kvf v - (dJ/dt) qd)
            + Omega~ (force_ref + Kf (force_ref - force))
        tau = J^T F + c(q, qd) + g(q) + f(qd)

    The controller's model is `robot`. d is the motion from the tool to T_ref: the difference of the origins,
    and the rotation vector; v = J qd; Lambda is the Cartesian inertia. Omega = blockdiag(R S R^T, R S' R^T),
    with the six numbers of `motion`, 1 or 0, on the diagonals of S and S', and R = `axes`, selects the
    directions of motion, Omega~ = 1 - Omega the directions of force. All six-vectors are linear before
    angular, in world axes. In free directions a perfect model gives d'' + Kv d' + Kp d = 0 for positions.
    `force` is measured: force and moment that the tool applies to the environment. Gains are one number, six
    numbers, or a 6 x 6 matrix: Kp 1/s2, Kv and Kvf 1/s, Kf 1. Raises ParameterError for a robot of fewer than
    six joints; the run ends with BlockFailed if the tool cannot move in all six directions.
    Source: Khatib, A Unified Approach for Motion and Force Control of Robot Manipulators, IEEE J. Robotics
    and Automation 3(1), 1987.

    Example:
        {type: OperationalSpace, robot: puma560, Kp: 100.0, Kv: 20.0, Kf: 2.0, motion: [1, 1, 0, 1, 1, 1]}
    """

    icon = "Operational\nspace"
    weighs: ClassVar = True

    Kp: Real = parameter(doc="gain of the pose error", unit="1/s2")
    Kv: Real = parameter(doc="gain of the velocity error", unit="1/s")
    Kf: Real = parameter(default=0.0, unit="1", doc="gain of the force error")
    Kvf: Real = parameter(default=0.0, doc="damping in the directions of force", unit="1/s")
    motion: Real = parameter(
        default=[1, 1, 1, 1, 1, 1], unit="1", doc="1: direction of motion, 0: of force", dimensions=(1,)
    )
    axes: Real = parameter(
        default=[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        unit="1",
        doc="the directions' axes in the world",
        dimensions=(2,),
    )

    def check(self) -> None:
        super().check()
        if self.model.n < 6:
            robot = f"{self.model.name}, {self.model.n} joints"
            raise ParameterError(self.kind(), "robot", robot, "six joints or more")
        self._gains()
        self._selection()

    def _gains(self) -> dict[str, Array]:
        names = {"Kp": "P", "Kv": "D", "Kf": "G", "Kvf": "H"}
        return {x: gain_matrix(self.kind(), name, getattr(self, name), 6) for name, x in names.items()}

    def _selection(self) -> Array:
        chosen, R = np.asarray(self.motion, np.float64), np.asarray(self.axes, np.float64)
        if chosen.shape != (6,) or not np.all((chosen == 0) | (chosen == 1)):
            raise ParameterError(self.kind(), "motion", self.motion, "six numbers, 0 or 1")
        if R.shape != (3, 3) or not np.allclose(R @ R.T, np.eye(3), atol=1e-9):
            raise ParameterError(self.kind(), "axes", self.axes, "a 3 x 3 rotation matrix")
        omega = np.zeros((6, 6))
        omega[:3, :3] = R @ np.diag(chosen[:3]) @ R.T
        omega[3:, 3:] = R @ np.diag(chosen[3:]) @ R.T
        return omega

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m", "measured"),
            self.joint_port("qd", "rad/s or m/s", "measured"),
            Port("T_ref", Size((4, 4)), "m", "desired pose of the tool"),
            Port("twist_ref", 6, "m/s, rad/s", "reference velocity", 0.0),
            Port("acceleration_ref", 6, "m/s2, rad/s2", "reference acceleration", 0.0),
            Port("force_ref", 6, "N, N m", "wrench that the tool is to apply to the environment", 0.0),
            Port("force", 6, "N, N m", "measured wrench of the tool on the environment", 0.0),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("tau", "N m or N"),)

    def constants(self) -> Mapping[str, Any]:
        omega = self._selection()
        zeros = {"still": np.zeros(self.model.n), "free": np.zeros(6)}
        selection = {"omega": omega, "complement": np.eye(6) - omega}
        return {**super().constants(), **self._gains(), **zeros, **selection}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        six = dict.fromkeys(("d", "v", "a", "x", "F"), (6,))
        return {**super().scratch(), **six, "J": (6, self.model.n), "Lambda": (6, 6), "T": (4, 4)}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return turns(self.kind(), self.robot, self.table())

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": law, **at_qd(bool(self.zero_crossings()))}


class Reference(NamedTuple):
    """The desired motion and force."""

    T_ref: Array
    twist_ref: Array
    acceleration_ref: Array
    force_ref: Array


class Gains(NamedTuple):
    """Gain matrices (6, 6) of pose, velocity, force, damping; the directions of motion and of force."""

    P: Array
    D: Array
    G: Array
    H: Array
    omega: Array
    complement: Array


class Model(NamedTuple):
    """The controller's model of the arm, and workspace."""

    arm: Array
    still: Array  # (n,), zeros: no accelerations of the joints
    free: Array  # (6,), zeros: nothing touches the tool
    work: Array
    J: Array  # (6, n)
    Lambda: Array  # (6, 6)
    T: Array  # (4, 4)
    d: Array  # (6,): pose error
    v: Array  # (6,): velocity of the tool
    a: Array  # (6,): desired accelerations
    x: Array  # (6,)
    F: Array  # (6,): commanded force


def law(
    mode: int, q: Array, qd: Array, reference: Reference, force: Array, gains: Gains, model: Model, tau: Array
) -> None:
    arm, work, J, a, x, F = model.arm, model.work, model.J, model.a, model.x, model.F
    if cartesian_inertia(arm, q, WORLD, work, J, model.Lambda) >= 0:
        raise Refusal("the Cartesian inertia is undefined here: the tool cannot move in all six directions")
    tool_pose(arm, q, work, model.T)
    pose_error(model.T, reference.T_ref, model.d)
    drift = jacobian_and_drift(arm, q, qd, work, J)
    multiply(J, qd, model.v)
    # The control law from the inside out; x is reused four times. Motion: a = Omega (acceleration_ref + Kp d
    # + Kv ...).
    for i in range(6):
        x[i] = reference.acceleration_ref[i]
        F[i] = reference.force_ref[i]
    add_product(gains.P, model.d, x)
    add_error(gains.D, reference.twist_ref, model.v, x)
    multiply(gains.omega, x, a)
    # Damping in the directions of force: a -= Omega~ Kvf v.
    multiply(gains.H, model.v, x)
    for i in range(6):
        x[i] = -x[i]
    add_product(gains.complement, x, a)
    # Force on top of motion: x = Omega~ (force_ref + Kf ...) + Lambda (a - (dJ/dt) qd).
    add_error(gains.G, reference.force_ref, force, F)
    multiply(gains.complement, F, x)
    for k in range(6):
        a[k] -= drift[k]
    add_product(model.Lambda, a, x)
    # c + g, by Newton-Euler without accelerations: Khatib's mu and p, in joint coordinates.
    rnea(arm, q, qd, model.still, model.free, GRAVITY + ARMATURE, work, tau)
    add_friction(arm, qd, mode, tau)
    for i in range(tau.shape[0]):
        for k in range(6):
            tau[i] += J[k, i] * x[k]
