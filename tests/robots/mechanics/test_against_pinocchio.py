"""Random trees and states: the same numbers as pinocchio's, to 1e-10 of their size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn.robots import functions as of

pin = pytest.importorskip("pinocchio")
CASES = [(seed, 1 + seed % 9) for seed in range(60)]
FRAMES = {"world": "LOCAL_WORLD_ALIGNED", "body": "LOCAL", "space": "WORLD"}


class Twin:
    """The tree in pinocchio, with a random state for both."""

    def __init__(self, tree: Any, seed: int) -> None:
        self.model = pin.Model()
        self.model.gravity.linear = tree.gravity
        seats, armature, offset = {-1: (0, np.eye(4))}, [], []
        for k, part in enumerate(tree.parts):
            parent, seat = seats[part.parent]
            place = seat @ part.place
            if part.kind == "fixed":
                seats[k] = parent, place @ part.frame
            else:
                revolute = part.kind == "revolute"
                joint = (pin.JointModelRevoluteUnaligned if revolute else pin.JointModelPrismaticUnaligned)(
                    part.axis
                )
                number = self.model.addJoint(parent, joint, pin.SE3(place), f"joint{k}")
                armature.append(part.armature)
                offset.append(part.offset)
                seats[k] = number, part.frame
            body, seat = seats[k]
            if body > 0:
                inertia = pin.Inertia(part.mass, part.com, part.inertia)
                self.model.appendBodyToJoint(body, inertia, pin.SE3(seat))
        self.model.armature = np.array(armature)
        body, seat = seats[len(tree.parts) - 1]
        tool = pin.Frame("tool", body, 0, pin.SE3(seat @ tree.tool), pin.FrameType.OP_FRAME)
        self.tool = self.model.addFrame(tool)
        self.data = self.model.createData()
        rng = np.random.default_rng(1000 + seed)
        self.q, self.qd, self.qdd = rng.normal(size=(3, len(armature)))
        self.wrench = rng.normal(size=6)
        self.shifted = self.q + offset

    def jacobian(self, name: str) -> np.ndarray:
        frame = getattr(pin, FRAMES[name])
        found = pin.computeFrameJacobian(self.model, self.data, self.shifted, self.tool, frame)
        return np.reshape(found, (6, len(self.q)))

    def jacobian_rate(self, name: str) -> np.ndarray:
        pin.computeJointJacobiansTimeVariation(self.model, self.data, self.shifted, self.qd)
        pin.updateFramePlacements(self.model, self.data)
        frame = getattr(pin, FRAMES[name])
        found = pin.getFrameJacobianTimeVariation(self.model, self.data, self.tool, frame)
        return np.reshape(found, (6, len(self.q)))

    def mass(self) -> np.ndarray:
        upper = np.triu(pin.crba(self.model, self.data, self.shifted))
        return upper + np.triu(upper, 1).T


def same(found: Any, expected: Any, tolerance: float = 1e-10) -> None:
    assert np.abs(found - expected).max() <= tolerance * (1 + np.abs(expected).max())


@pytest.fixture(params=CASES, ids=lambda case: f"seed{case[0]}-n{case[1]}")
def both(request: Any, tree: Any) -> tuple[Any, Twin]:
    seed, n = request.param
    made = tree(seed, n, serial=seed % 3 == 0)
    return made.robot, Twin(made, seed)


def test_kinematics(both: tuple[Any, Twin]) -> None:
    robot, twin = both
    pin.framesForwardKinematics(twin.model, twin.data, twin.shifted)
    same(of.fkine(robot, twin.q), twin.data.oMf[twin.tool].homogeneous)
    for frame in FRAMES:
        same(of.jacobian(robot, twin.q, frame=frame), twin.jacobian(frame))
    for frame in FRAMES:
        if frame != "world":
            same(of.jacobian_dot(robot, twin.q, twin.qd, frame=frame), twin.jacobian_rate(frame))
        rate = of.jacobian_dot(robot, twin.q, twin.qd, frame=frame)
        same(of.jacobian_dot_qd(robot, twin.q, twin.qd, frame=frame), rate @ twin.qd)


def test_acceleration_of_the_tool(both: tuple[Any, Twin]) -> None:
    """The world frame of dJ/dt: the classical acceleration of the tool's origin."""
    robot, twin = both
    pin.forwardKinematics(twin.model, twin.data, twin.shifted, twin.qd, 0 * twin.qd)
    found = pin.getFrameClassicalAcceleration(twin.model, twin.data, twin.tool, pin.LOCAL_WORLD_ALIGNED)
    same(of.jacobian_dot_qd(robot, twin.q, twin.qd), found.vector)


def test_dynamics(both: tuple[Any, Twin]) -> None:
    robot, twin = both
    model, data, q = twin.model, twin.data, twin.shifted
    pushed = twin.jacobian("world").T @ twin.wrench
    same(of.wrench_torque(robot, twin.q, twin.wrench), pushed)
    same(
        of.rne(robot, twin.q, twin.qd, twin.qdd, twin.wrench),
        pin.rnea(model, data, q, twin.qd, twin.qdd) - pushed,
    )
    same(of.inertia(robot, twin.q), twin.mass())
    same(of.gravload(robot, twin.q), pin.computeGeneralizedGravity(model, data, q))
    same(of.coriolis(robot, twin.q, twin.qd), pin.computeCoriolisMatrix(model, data, q, twin.qd))
    expected = pin.aba(model, data, q, twin.qd, twin.qdd + pushed)
    for method in ("composite", "articulated"):
        same(of.accel(robot, twin.q, twin.qd, twin.qdd, twin.wrench, method=method), expected)


PIN_ORDER = [0, 1, 2, 3, 4, 6, 9, 5, 7, 8]  # m, mc, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, in the order used here


def test_regressor(both: tuple[Any, Twin]) -> None:
    """Joints along z from the robot's own table, so that both mean the same body frames."""
    robot, twin = both
    arm, model = robot.table(), pin.Model()
    model.gravity.linear = arm[-1, 16:19]
    for i, row in enumerate(arm[:-1]):
        joint = pin.JointModelPZ() if row[1] else pin.JointModelRZ()
        model.addJoint(int(row[0]) + 1, joint, pin.SE3(row[3:12].reshape(3, 3), row[12:15]), f"joint{i}")
    expected = pin.computeJointTorqueRegressor(model, model.createData(), twin.shifted, twin.qd, twin.qdd)
    order = np.concatenate([10 * i + np.array(PIN_ORDER) for i in range(robot.n)])
    found = of.regressor(robot, twin.q, twin.qd, twin.qdd, friction=False, armature=False)
    same(found, np.reshape(expected, (robot.n, -1))[:, order], 1e-12)


def test_whole_arm(both: tuple[Any, Twin]) -> None:
    robot, twin = both
    model, data, q = twin.model, twin.data, twin.shifted
    motors = 0.5 * twin.qd @ (model.armature * twin.qd)
    model.armature = 0 * twin.qd
    same(
        of.kinetic_energy(robot, twin.q, twin.qd), pin.computeKineticEnergy(model, data, q, twin.qd) + motors
    )
    same(of.potential_energy(robot, twin.q), pin.computePotentialEnergy(model, data, q))
    same(of.centre_of_mass(robot, twin.q), pin.centerOfMass(model, data, q))
    same(of.momentum(robot, twin.q, twin.qd), pin.computeCentroidalMomentum(model, data, q, twin.qd).vector)


def test_cartesian_inertia(tree: Any) -> None:
    made = tree(3, 8, serial=True)
    twin = Twin(made, 3)
    for frame in FRAMES:
        J = twin.jacobian(frame)
        expected = np.linalg.inv(J @ np.linalg.solve(twin.mass(), J.T))
        same(of.cinertia(made.robot, twin.q, frame=frame), expected, 1e-9)


def test_long_chain(tree: Any) -> None:
    """Forty joints, where articulated bodies are the default."""
    made = tree(5, 40, serial=True, slides=False)
    twin = Twin(made, 5)
    expected = pin.aba(twin.model, twin.data, twin.shifted, twin.qd, twin.qdd)
    same(of.accel(made.robot, twin.q, twin.qd, twin.qdd), expected, 1e-9)
