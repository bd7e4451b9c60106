"""Joints that mimic others: q = m q_other + c in all of mechanics, against pinocchio and closed forms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots import (
    InvalidRobot,
    Robot,
    RobotFileError,
    from_file,
    from_tree,
    from_urdf,
    functions as of,
)
from blockdyn.robots.inverse.numeric import ikine

LINK = """<link name="{}"><inertial><origin xyz="{}" rpy="0.1 0.2 0.3"/><mass value="{}"/>
  <inertia ixx="0.01" iyy="0.012" izz="0.015" ixy="0.001" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/>
  <origin xyz="0.2 0.1 0" rpy="0 0.3 0.2"/><axis xyz="{}"/>{}</joint>"""
LIMIT = '<limit lower="-1" upper="{}" effort="10" velocity="2"/>'
GRIPPER = "\n".join(
    (
        '<robot name="gripper">',
        LINK.format("palm", "0 0 0", 1.0),
        *(LINK.format(f"l{i}", f"0.1 {0.02 * i} 0.02", 0.2 + 0.1 * i) for i in range(1, 5)),
        JOINT.format("b", "revolute", "l1", "l2", "0 0 1", LIMIT.format(1)
                     + '<mimic joint="c" multiplier="-1.5" offset="0.2"/>'),
        JOINT.format("a", "revolute", "palm", "l1", "0 1 1", LIMIT.format(1)),
        JOINT.format("c", "prismatic", "palm", "l3", "0 1 1", LIMIT.format(0.4)
                     + '<mimic joint="a" multiplier="0.5" offset="0.1"/>'),
        JOINT.format("d", "continuous", "l3", "l4", "0 0 1", ""),
        "</robot>",
    )
)  # fmt: skip
RATIOS = {"a": (0, 1.0), "b": (0, -0.75), "c": (0, 0.5), "d": (1, 1.0)}
OFFSETS = {"b": 0.2 - 1.5 * 0.1, "c": 0.1}


@pytest.fixture
def gripper(tmp_path: Path) -> Robot:
    path = tmp_path / "gripper.urdf"
    path.write_text(GRIPPER, encoding="utf-8")
    return from_urdf(path)


def test_a_chain_of_mimics_is_one_coordinate_within_the_limits_of_all(gripper: Robot) -> None:
    """c = 0.5 a + 0.1 <= 0.4 allows a <= 0.6; b = -0.75 a + 0.05 in [-1, 1] allows a <= 1.4, a >= -1.27."""
    assert (gripper.n, gripper.structure) == (2, "2R")
    assert gripper.shares == RATIOS
    np.testing.assert_allclose(gripper.upper, [0.6, np.inf], rtol=1e-15)
    np.testing.assert_allclose(gripper.lower, [-1, -np.inf])
    assert gripper.moving[0].speed == 2 / 1.0


def test_mechanics_equals_pinocchios_with_the_same_reduction(gripper: Robot, tmp_path: Path) -> None:
    pinocchio: Any = pytest.importorskip("pinocchio")
    model = pinocchio.buildModelFromUrdf(str(tmp_path / "gripper.urdf"))
    model.gravity.linear = np.array([0, 0, -9.81])
    data, M, Q = model.createData(), np.zeros((model.nv, 2)), pinocchio.neutral(model)
    q, qd, qdd, wrench = (np.random.default_rng(3).normal(size=(6)) for _ in range(4))
    q, qd, qdd = q[:2], qd[2:4], qdd[4:]
    for i in range(1, model.njoints):
        (c, ratio), joint = RATIOS[model.names[i]], model.joints[i]
        x = ratio * q[c] + OFFSETS.get(model.names[i], 0.0)
        Q[joint.idx_q : joint.idx_q + joint.nq] = [x] if joint.nq == 1 else [np.cos(x), np.sin(x)]
        M[joint.idx_v, c] = ratio
    close = {"rtol": 1e-12, "atol": 1e-12}
    full = np.triu(pinocchio.crba(model, data, Q))
    full += np.triu(full, 1).T
    np.testing.assert_allclose(of.inertia(gripper, q), M.T @ full @ M, **close)
    torque = M.T @ pinocchio.rnea(model, data, Q, M @ qd, M @ qdd)
    np.testing.assert_allclose(of.rne(gripper, q, qd, qdd), torque, **close)
    np.testing.assert_allclose(of.accel(gripper, q, qd, torque), qdd, **close)
    gravity = pinocchio.computeGeneralizedGravity(model, data, Q)
    np.testing.assert_allclose(of.gravload(gripper, q), M.T @ gravity, **close)
    C = pinocchio.computeCoriolisMatrix(model, data, Q, M @ qd)
    np.testing.assert_allclose(of.coriolis(gripper, q, qd) @ qd, M.T @ (C @ M @ qd), **close)
    tip = model.getFrameId(gripper.tip)
    pinocchio.computeJointJacobiansTimeVariation(model, data, Q, M @ qd)
    pinocchio.updateFramePlacements(model, data)
    axes = pinocchio.LOCAL_WORLD_ALIGNED
    J = pinocchio.getFrameJacobian(model, data, tip, axes) @ M
    np.testing.assert_allclose(of.fkine(gripper, q), data.oMf[tip].homogeneous, **close)
    np.testing.assert_allclose(of.jacobian(gripper, q), J, **close)
    np.testing.assert_allclose(of.wrench_torque(gripper, q, wrench), J.T @ wrench, **close)


def test_derivatives_equal_differences(gripper: Robot) -> None:
    """dJ/dt and dM/dt = C + C^T along q + t qd; the tool's velocity is J qd in each frame."""
    q, qd, h = np.array([0.3, -0.4]), np.array([0.7, 1.1]), 1e-6
    for frame in ("world", "body", "space"):
        step = (
            of.jacobian(gripper, q + h * qd, frame=frame) - of.jacobian(gripper, q - h * qd, frame=frame)
        ) / (2 * h)
        rate = of.jacobian_dot(gripper, q, qd, frame=frame)
        np.testing.assert_allclose(rate, step, atol=1e-8)
        np.testing.assert_allclose(of.jacobian_dot_qd(gripper, q, qd, frame=frame), rate @ qd, atol=1e-13)
    grown = (of.inertia(gripper, q + h * qd) - of.inertia(gripper, q - h * qd)) / (2 * h)
    C = of.coriolis(gripper, q, qd)
    np.testing.assert_allclose(C + C.T, grown, atol=1e-8)
    assert of.kinetic_energy(gripper, q, qd) == pytest.approx(qd @ of.inertia(gripper, q) @ qd / 2, rel=1e-13)


def test_a_passive_gripper_keeps_its_energy(gripper: Robot) -> None:
    d = bd.Diagram("passive")
    d.add("arm", bd.FDyn(gripper, q0=[0.5, 0.2], qd0=[0.4, -1.0]))
    d.add("tau", bd.Constant([0.0, 0.0]))
    d.connect("tau", "arm.tau")
    r = d.simulate(stop=3.0, rtol=1e-11, atol=1e-12)
    energy = [
        of.kinetic_energy(gripper, q, qd) + of.potential_energy(gripper, q)
        for q, qd in zip(r["arm.q"].values[::20], r["arm.qd"].values[::20])
    ]
    assert np.ptp(energy) < 1e-8
    assert np.ptp(r["arm.q"].values) > 1.0


def test_inverse_kinematics_within_the_limits(gripper: Robot) -> None:
    q = np.array([0.4, 1.0])
    found = ikine(gripper, of.fkine(gripper, q), q0=[0.0, 0.5], mask=[1, 1, 1, 0, 0, 0])
    np.testing.assert_allclose(of.fkine(gripper, found.q)[:3, 3], of.fkine(gripper, q)[:3, 3], atol=1e-8)
    assert (found.q <= gripper.upper).all()


def test_friction_and_motors_of_all_joints_add_up_at_the_coordinate() -> None:
    """P = tau_f . qd: a mimic that turns at -2 qd takes 4 b qd, and its Coulomb friction in its own sense."""
    drive = {"viscous": 0.1, "coulomb": [0.3, 0.2], "motor_inertia": 1e-3}
    rows = [{"name": "x", "joint": "j"}, {"name": "y", "mimic": "j", "multiplier": -2.0, **drive}]
    robot = from_tree(rows)
    for qd in (0.5, -0.5):
        lost = 0.1 * (2 * qd) ** 2 + (0.2 if qd > 0 else 0.3) * abs(2 * qd)
        assert of.friction(robot, [qd])[0] * qd == pytest.approx(lost)
    assert of.inertia(robot.with_link("x", inertia=[1, 1, 1]), [0.0])[0, 0] == pytest.approx(1 + 4 * 1e-3)


def test_a_robot_with_mimics_is_saved_and_joined(gripper: Robot, tmp_path: Path) -> None:
    gripper.save(tmp_path / "gripper.yaml")
    again = from_file(tmp_path / "gripper.yaml")
    assert again == replace(gripper, name=again.name)
    np.testing.assert_array_equal(again.table(), gripper.table())
    both = bd.robots.join("twolink", gripper)
    assert both.n == 4
    T = of.fkine("twolink", [0.1, 0.2]) @ of.fkine(gripper, [0.3, 0.4])
    np.testing.assert_allclose(of.fkine(both, [0.1, 0.2, 0.3, 0.4]), T, atol=1e-14)
    assert "prismatic, 0.5 x a" in str(gripper)


def test_forms_without_mimics_refuse_them(gripper: Robot) -> None:
    with pytest.raises(bd.robots.ConversionError, match="it has joints that mimic others"):
        bd.robots.to_screws(gripper)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"name": "x", "joint": "j", "mimic": "j"}], "the name of another joint"),
        ([{"name": "x", "joint": "j", "mimic": "k"}], "a joint that moves: j"),
        (
            [{"name": "x", "joint": "j", "mimic": "k"}, {"name": "y", "joint": "k", "mimic": "j"}],
            "joints mimic each other: j -> k -> j",
        ),
        ([{"name": "x", "joint": "j"}, {"name": "y", "mimic": "j", "multiplier": 0.0}], "another number"),
        (
            [
                {"name": "x", "joint": "j", "lower": 0, "upper": 1},
                {"name": "y", "mimic": "j", "lower": 2, "upper": 3},
            ],
            "limits that overlap",
        ),
    ],
)
def test_mistakes_are_named(rows: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(InvalidRobot, match=message):
        from_tree(rows)


def test_limits_without_overlap_are_refused_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "gripper.urdf"
    path.write_text(
        GRIPPER.replace('multiplier="0.5" offset="0.1"', 'multiplier="0.5" offset="2"'), encoding="utf-8"
    )
    with pytest.raises(RobotFileError, match=r"(?s)<joint name=\"c\"> allows `a`.*limits=\"none\""):
        from_urdf(path)
    assert from_urdf(path, limits="none").upper[0] == 1.0
