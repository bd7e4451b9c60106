"""Motion of a tool: the toolbox' FDYN_X, an arm moved by a wrench, and POSEINTEGRATOR."""

from __future__ import annotations

from math import cos, sin
from typing import ClassVar

import numpy as np

from ...blocks.arms.fdyn import FDyn
from ...blocks.arms.fkine import FKine
from ...blocks.arms.gravload import Gravload
from ...blocks.arms.jacobian import Jacobian
from ...blocks.arms.jacobian_dot import JacobianDot
from ...blocks.arms.rne import RNE
from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Array
from ...blocks.contract.port import Port
from ...blocks.mathematics.sum import Sum
from ...blocks.matrices.matrix_product import MatrixProduct
from ...blocks.poses.pose_to_rpy import PoseToRPY
from ...blocks.poses.pose_to_xyz import PoseToXYZ
from ...blocks.poses.sizes import POSE
from ...blocks.routing.mux import Mux
from ...blocks.routing.selector import Selector
from ...blocks.sources.constant import Constant
from ...robots.lie.kernels.pose import exp6
from ...robots.model.robot import Robot
from .operational import jacobian_of, robot_of
from .values import Maker, Place


class TwistToPose(Block):
    """T = exp [x] of a twist x = (v, w). Source: Lynch, Park, Modern Robotics (2017), section 3.3.3."""

    inputs: ClassVar = (Port("x", 6),)
    outputs: ClassVar = (Port("T", POSE, "m"),)

    @staticmethod
    def output(x: Array, T: Array) -> None:
        exp6(x, T)


def pose_integrator(make: Maker) -> Place:
    """Its twist is integrated element by element, as bdsim does; PoseIntegral integrates the motion."""
    place = make.integral(np.asarray(make.block.getstate0(), float), "twist")
    name = make.add(TwistToPose())
    make.wire(place.outputs[0], f"{name}.x")
    place.outputs = [f"{name}.T"]
    return place


TWISTS = {"bdsim.PoseIntegrator": pose_integrator}


RPY = "rpy/xyz"
"""The representation of x, whatever that of xd; the first angle is the turn about z."""


class RPYAcceleration(Block):
    """Second derivatives of the toolbox' x = (p, gamma, beta, alpha), R = Rx(alpha) Ry(beta) Rz(gamma).

        alpha'' e1 + beta'' e2 + gamma'' e3 = dw/dt - alpha' beta' (e1 x e2)
            - alpha' gamma' (e1 x e3) - beta' gamma' (e2 x e3)

    e1, e2, e3 are the axes about which alpha, beta, gamma turn, in world axes. a: acceleration of the tool
    and dw/dt, m/s2, rad/s2. Not finite where cos beta = 0.
    Source: Siciliano et al., Robotics (2009), section 3.6.
    """

    inputs: ClassVar = (Port("x", 6), Port("xd", 6), Port("a", 6))
    outputs: ClassVar = (Port("xdd", 6),)

    @staticmethod
    def output(x: Array, xd: Array, a: Array, xdd: Array) -> None:
        sa, ca, sb, cb = sin(x[5]), cos(x[5]), sin(x[4]), cos(x[4])
        ab, ag, bg = xd[5] * xd[4], xd[5] * xd[3], xd[4] * xd[3]
        w0 = a[3] - bg * cb
        w1 = a[4] + ab * sa + ag * ca * cb - bg * sa * sb
        w2 = a[5] - ab * ca + ag * sa * cb + bg * ca * sb
        for i in range(3):
            xdd[i] = a[i]
        xdd[3] = (ca * w2 - sa * w1) / cb
        xdd[4] = ca * w1 + sa * w2
        xdd[5] = w0 - sb * xdd[3]


def forward_dynamics_x(make: Maker) -> Place | None:
    """tau = Ja^T w, plus the torques of gravity and speeds. xdd is of the same instant."""
    b, robot = make.block, robot_of(make.block.robot)
    if robot is None or b.representation != RPY:
        return None
    x0 = np.asarray(b.getstate0(), float)
    arm = make.add(FDyn(robot, q0=x0[: robot.n], qd0=x0[robot.n :]))
    q, qd, qdd = (f"{arm}.{port}" for port in ("q", "qd", "qdd"))
    reads, jacobian = jacobian_of(make, robot, RPY, "jacobian")
    make.wire(q, reads)
    effort = make.add(MatrixProduct(transposed=True), "effort")
    make.wire(jacobian, f"{effort}.A")
    tau = f"{effort}.y"
    if b.gravcomp or b.velcomp:
        total = make.add(Sum("++"), "tau")
        make.wire(tau, f"{total}.u0")
        make.wire(_compensation(make, robot, q, qd), f"{total}.u1")
        tau = f"{total}.y"
    make.wire(tau, f"{arm}.tau")
    x, xd = _place(make, robot, q), _times(make, jacobian, qd, "xd")
    return Place(
        [[f"{effort}.u"]], [q, qd, x, xd, _acceleration(make, robot, x, xd, q, qd, qdd)],
        [f"{arm}.position", f"{arm}.velocity"], [q, qd],
    )  # fmt: skip


def _compensation(make: Maker, robot: Robot, q: str, qd: str) -> str:
    """The torques that hold the arm, at its speeds or at rest."""
    if not make.block.velcomp:
        name = make.add(Gravload(robot), "held")
        make.wire(q, f"{name}.q")
        return f"{name}.g"
    name, standstill = make.add(RNE(robot), "held"), make.add(Constant(np.zeros(robot.n)), "rest")
    for signal, port in ((q, "q"), (qd, "qd"), (f"{standstill}.y", "qdd")):
        make.wire(signal, f"{name}.{port}")
    return f"{name}.tau"


def _times(make: Maker, matrix: str, vector: str, part: str) -> str:
    name = make.add(MatrixProduct(), part)
    make.wire(matrix, f"{name}.A")
    make.wire(vector, f"{name}.u")
    return f"{name}.y"


def _place(make: Maker, robot: Robot, q: str) -> str:
    """x, of the tool's pose."""
    pose, x = make.add(FKine(robot), "pose"), make.add(Mux(2), "x")
    xyz, rpy = make.add(PoseToXYZ(), "xyz"), make.add(PoseToRPY(order="xyz"), "rpy")
    turned = make.add(Selector(indices=[2, 1, 0]), "turned")
    make.wire(q, f"{pose}.q")
    make.wire(f"{pose}.T", f"{xyz}.T")
    make.wire(f"{pose}.T", f"{rpy}.T")
    make.wire(f"{rpy}.rpy", f"{turned}.u")
    make.wire(f"{xyz}.xyz", f"{x}.u0")
    make.wire(f"{turned}.y", f"{x}.u1")
    return f"{x}.y"


def _acceleration(make: Maker, robot: Robot, x: str, xd: str, q: str, qd: str, qdd: str) -> str:
    """xdd = d/dt (Ja qd)."""
    geometric, drift = make.add(Jacobian(robot), "geometric"), make.add(JacobianDot(robot), "drift")
    total, angles = make.add(Sum("++"), "a"), make.add(RPYAcceleration(), "xdd")
    make.wire(q, f"{geometric}.q")
    make.wire(q, f"{drift}.q")
    make.wire(qd, f"{drift}.qd")
    make.wire(_times(make, f"{geometric}.J", qdd, "slope"), f"{total}.u0")
    make.wire(f"{drift}.Jdqd", f"{total}.u1")
    for signal, port in ((x, "x"), (xd, "xd"), (f"{total}.y", "a")):
        make.wire(signal, f"{angles}.{port}")
    return f"{angles}.xdd"


TOOL_MOTION = {"roboticstoolbox.FDyn_X": forward_dynamics_x}
