"""A redundant arm that moves away from its limits: the tool stays, and no self-motion is left that gains."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import Robot, frames, functions as of, load
from blockdyn.robots.inverse import InvalidTask, InverseKinematicsError, qmincon

PANDA = load("panda")


def cost(robot: Robot, q: np.ndarray) -> float:
    middle, half = (robot.upper + robot.lower) / 2, (robot.upper - robot.lower) / 2
    return float(np.mean(((q - middle) / half) ** 2))


def limited_plane() -> Robot:
    robot = load("planar3")
    for joint in robot.joints:
        robot = robot.with_joint(joint.name, lower=-1.0, upper=2.0)
    return robot


@pytest.mark.parametrize("seed", range(6))
def test_the_best_self_motion(seed: int) -> None:
    """Kuhn and Tucker: along the null space of J, what still gains is stopped by a limit."""
    q = np.random.default_rng(seed).uniform(PANDA.lower, PANDA.upper)
    found = qmincon(PANDA, q)
    np.testing.assert_allclose(frames(PANDA, found.q)["tool"], frames(PANDA, q)["tool"], rtol=0, atol=1e-9)
    assert (found.q >= PANDA.lower - 1e-9).all()
    assert (found.q <= PANDA.upper + 1e-9).all()
    assert found.cost == pytest.approx(cost(PANDA, found.q), rel=1e-12)
    assert found.cost <= cost(PANDA, q)
    middle, half = (PANDA.upper + PANDA.lower) / 2, (PANDA.upper - PANDA.lower) / 2
    along = np.linalg.svd(of.jacobian(PANDA, found.q))[2][6]
    slope = float(along @ ((found.q - middle) / half**2))
    stopped = np.minimum(found.q - PANDA.lower, PANDA.upper - found.q).min() < 1e-6
    assert abs(slope) < 1e-6 or stopped


def test_a_plane_arm_that_may_turn_its_tool() -> None:
    arm, q = limited_plane(), np.array([0.9, -0.9, 1.9])
    found = qmincon(arm, q, mask=(1, 1, 0, 0, 0, 0))
    np.testing.assert_allclose(frames(arm, found.q)["tool"][:2, 3], frames(arm, q)["tool"][:2, 3], atol=1e-9)
    swept = []  # the whole family of solutions, by the angle of the last link
    goal = frames(arm, q)["tool"][:2, 3]
    for angle in np.linspace(-np.pi, np.pi, 20001):
        wrist = goal - [np.cos(angle), np.sin(angle)]
        reach = np.linalg.norm(wrist)
        if reach <= 2:
            bend = 2 * np.arccos(reach / 2)
            for b in (bend, -bend):
                first = np.arctan2(wrist[1], wrist[0]) - b / 2
                each = np.array([first, b, angle - first - b])
                each = (each + np.pi) % (2 * np.pi) - np.pi
                if (each >= -1).all() and (each <= 2).all():
                    swept.append(cost(arm, each))
    assert found.cost == pytest.approx(min(swept), rel=1e-6)


def test_an_arm_with_six_joints_has_one_to_spare_where_the_tool_may_spin() -> None:
    puma = load("puma560")
    q = puma.named["qn"]
    found = qmincon(puma, q, mask=(1, 1, 1, 1, 1, 0), frame="body")
    A, B = frames(puma, q)["tool"], frames(puma, found.q)["tool"]
    np.testing.assert_allclose(B[:3, 2:], A[:3, 2:], rtol=0, atol=1e-9)
    assert (of.islimit(puma, found.q) == 0).all()
    assert (of.islimit(puma, q) != 0).any()


def test_many_poses_and_a_start_at_a_singular_one() -> None:
    straight = PANDA.with_joint("joint4", lower=-2.0, upper=2.0)
    q = np.array([[0.3, 0, 0.4, 0, 0.5, 0, 0.6], [0.3, 0.2, 0.4, -1.0, 0.5, 1.0, 0.6]])
    assert np.linalg.matrix_rank(of.jacobian(straight, q[0]), tol=1e-12) == 5
    found = qmincon(straight, q)
    for before, after, value in zip(q, found.q, found.cost):
        expected = frames(straight, before)["tool"]
        np.testing.assert_allclose(frames(straight, after)["tool"], expected, rtol=0, atol=1e-9)
        assert value < cost(straight, before)
    turned = q[0].copy()  # axes 1, 3 and 5 are one line there: the sum of their angles leaves the tool
    turned[[0, 2, 4]] = 0.4
    assert found.cost[0] <= cost(straight, turned) + 1e-12


def test_refusals() -> None:
    with pytest.raises(InvalidTask, match="6 joints for 6 elements"):
        qmincon("puma560", np.zeros(6))
    with pytest.raises(InvalidTask, match="no joint of lwr4 has two limits"):
        qmincon("lwr4", np.zeros(7))
    arm = limited_plane().with_joint("joint2", lower=1.0, upper=1.1)
    with pytest.raises(InverseKinematicsError, match="within the limits"):
        qmincon(arm, [0.0, 0.0, 0.0], mask=(1, 1, 0, 0, 0, 0))
