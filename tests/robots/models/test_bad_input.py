"""What no robot has is refused, what is odd is told, and the place is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import blockdyn.modern_robotics as mr
from blockdyn.robots import (
    InvalidRobot,
    Joint,
    Link,
    Robot,
    RobotWarning,
    from_dh,
    from_file,
    from_screws,
    functions,
    load,
)
from blockdyn.robots.lie import NonUnitScrew


def test_negative_mass() -> None:
    with pytest.raises(InvalidRobot, match=r"link `upper`: the mass is -1 kg\nexpected: at least 0 kg"):
        Link("upper", mass=-1)


def test_inertia_that_no_body_has_is_told_with_the_links_name_once() -> None:
    message = r"link `upper`: .* triangle inequality: 3 > 1 \+ 1 kg m2"
    with pytest.warns(RobotWarning, match=message):
        link = Link("upper", 1.0, inertia=[1, 1, 3])
    Robot("r", (Joint("j"),), (link,)).payload(1.0).perturb(0.1, 1)  # warnings are errors here
    Link("known", 1.0, inertia=[1, 1, 3], accepted=True)
    Link("plate", 1.0, inertia=[1, 1, 2])


def test_a_negative_moment_is_refused() -> None:
    with pytest.raises(InvalidRobot, match="the principal moments are -1, 1, 2"):
        Link("upper", 1.0, inertia=[-1, 1, 2])


@pytest.mark.parametrize(
    ("inertia", "message"),
    [
        ([1, 2, 3, 0, 0, 0], "the order of six numbers differs from book to book"),
        ([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], "not symmetric"),
        ({"xx": 1, "zy": 0}, "the keys zy"),
        ("heavy", "found 'heavy'"),
        ([1, 1, np.nan], "expected"),
    ],
)
def test_forms_of_an_inertia(inertia: Any, message: str) -> None:
    with pytest.raises(InvalidRobot, match=message):
        Link("upper", 1.0, inertia=inertia)


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        (np.diag([1, 1, 1.01, 1]), "not orthonormal"),
        (np.diag([1, 1, -1, 1]), "a reflection"),
        ([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]], "the last row of the pose"),
        (np.eye(3), "is not a pose"),
        ({"xyz": [0, 0, 1], "rpx": [0, 0, 0]}, "the keys rpx, xyz"),
        ({"quaternion": [1, 1, 0, 0]}, "a quaternion of length 1.41421"),
        ("Tz(q1)", "holds the joint coordinate q1"),
    ],
)
def test_forms_of_a_pose(pose: Any, message: str) -> None:
    with pytest.raises(InvalidRobot, match=message):
        load("puma560").with_tool(pose)


def test_the_forms_of_a_pose_agree() -> None:
    puma = load("puma560")
    matrix = [[0, -1, 0, 0.1], [1, 0, 0, 0.2], [0, 0, 1, 0.3], [0, 0, 0, 1]]
    half = np.sqrt(0.5)
    for form in (
        {"xyz": [0.1, 0.2, 0.3], "rpy": [0, 0, np.pi / 2]},
        {"xyz": [0.1, 0.2, 0.3], "quaternion": [half, 0, 0, half]},
        "Tx(0.1) Ty(0.2) Tz(0.3) Rz(pi/2)",
    ):
        np.testing.assert_allclose(puma.with_tool(form).tool, matrix, atol=1e-15)


def test_counts_that_do_not_fit() -> None:
    with pytest.raises(InvalidRobot, match="2 joints and 1 links"):
        Robot("r", (Joint("a"), Joint("b", parent="l")), (Link("l"),))
    with pytest.raises(
        InvalidRobot, match="pose `home` has 5 numbers\nexpected: 6, one for each moving joint"
    ):
        load("puma560").with_poses({"home": [0] * 5})
    with pytest.raises(InvalidRobot, match="3 screws and 2 inertias"):
        from_screws(S=np.eye(6)[:, :3], Mlist=[np.eye(4)] * 4, Glist=[np.eye(6)] * 2)
    with pytest.raises(InvalidRobot, match=r"the screws have the shape \(3, 6\)"):
        from_screws(np.eye(4), np.zeros((3, 6)))


def test_a_joint_on_nothing() -> None:
    with pytest.raises(
        InvalidRobot, match="joint `a` is attached to `arm`\nexpected: a link before it: base"
    ):
        Robot("r", (Joint("a", parent="arm"),), (Link("l"),))


def test_a_screw_that_is_not_of_unit_length_is_normalised_with_a_warning(mechanics: Any) -> None:
    """The first screw of the Modern Robotics examples: its robot turns sqrt 2 times as far."""
    S = np.array([[1, 0, 1, 0, 1, 0]]).T
    with pytest.warns(RobotWarning, match="screw 1: length 1.41421 instead of 1"):
        robot = from_screws(np.eye(4), S)
    with pytest.warns(RobotWarning, match="screw 1"):
        from_screws(np.eye(4), B=2 * S)
    turned = mechanics.tool(robot.table(), np.array([np.pi]))
    # half a turn about (1, 0, 1) / sqrt 2 swaps x and z, about the line through (-1/2, 0, 1/2)
    np.testing.assert_allclose(turned[:3, :3], [[0, 0, 1], [0, -1, 0], [1, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(turned @ [-0.5, 0, 0.5, 1], [-0.5, 0, 0.5, 1], atol=1e-12)


def test_long_screws_keep_poses_and_power(mechanics: Any) -> None:
    """q, qd and qdd are L times those of the screws, torques 1 / L times: tool and power are the same."""
    S = np.array([[0, 0, 2, 0, 0, 0], [0, 0.5, 0, -0.15, 0, 0.1], [0, 0, 0, 3, 0, 0]]).T
    L, q, qd, qdd = np.array([2, 0.5, 3]), [0.3, -0.8, 0.1], [0.5, 0.2, -0.4], [1.0, -2.0, 0.7]
    Mlist = np.array([np.eye(4)] * 4)
    Mlist[:, :3, 3] = [[0, 0, 0.3], [0.2, 0, 0], [0.3, 0.1, 0], [0, 0, 0.1]]
    M = Mlist[0] @ Mlist[1] @ Mlist[2] @ Mlist[3]
    Glist = [np.diag([0.02, 0.03, 0.04, m, m, m]) for m in (3.0, 2.0, 1.0)]
    with pytest.warns(RobotWarning) as seen:
        robot = from_screws(M, S, Mlist=Mlist, Glist=Glist, poses={"there": q})
    for warning, length in zip(seen, ("2", "0.5", "3"), strict=True):
        assert f"q and qd of the robot are {length} times the screw's" in str(warning.message)
    np.testing.assert_allclose(robot.named["there"], L * q, rtol=1e-15)
    there = M
    for axis, coordinate in zip(S.T[::-1], q[::-1], strict=True):
        (x, y, z), v = axis[:3], axis[3:]
        screw = np.array([[0, -z, y, v[0]], [z, 0, -x, v[1]], [-y, x, 0, v[2]], [0, 0, 0, 0]])
        there = expm(screw * coordinate) @ there
    np.testing.assert_allclose(mechanics.tool(robot.table(), L * q), there, atol=1e-14)
    with pytest.warns(NonUnitScrew):
        book = mr.InverseDynamics(q, qd, qdd, [0, 0, -9.81], np.zeros(6), Mlist, Glist, S)
    np.testing.assert_allclose(functions.rne(robot, L * q, L * qd, L * qdd) * L, book, rtol=1e-12)


def test_a_screw_with_a_pitch_is_no_joint_of_ours() -> None:
    with pytest.raises(InvalidRobot, match=r"screw 1: a pitch of 0\.1 m/rad"):
        from_screws(np.eye(4), np.array([[0, 0, 1, 0, 0, 0.1]]).T)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"d": 1, "mas": 2}, "the key `mas`, did you mean `mass`"),
        ({"kind": "helical"}, "the kind 'helical'"),
        ({"d": "1"}, "d is '1'"),
        ({"gear": 0}, "joint `joint1`, gear: found 0"),
        ({"lower": 2, "upper": 1}, "the lower limit 2 lies above"),
        ({"viscous": -1}, "viscous: found -1"),
        ({"coulomb": [0.1, -0.1]}, "two magnitudes"),
    ],
)
def test_wrong_rows(row: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRobot, match=message):
        from_dh([row])


def test_poses_beside_long_screws_in_a_file_are_the_screws(tmp_path: Any, mechanics: Any) -> None:
    """A quarter of a turn about an axis of length 2, which the file calls 45 degrees."""
    path = tmp_path / "long.yaml"
    path.write_text(
        "robot: long\nunits: {angle: deg}\nscrews: {M: Tx(1), S: [[0, 0, 2, 0, 0, 0]]}\nposes: {up: [45]}\n"
    )
    with pytest.warns(RobotWarning, match="2 times the screw's"):
        robot = from_file(path)
    np.testing.assert_allclose(robot.named["up"], [np.pi / 2], rtol=1e-15)
    np.testing.assert_allclose(mechanics.tool(robot.table(), robot.named["up"])[:3, 3], [0, 1, 0], atol=1e-15)
