"""Closed-form inverse kinematics: eight solutions, their names, and what happens at the borders."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import Robot, from_dh, load
from blockdyn.robots.inverse import (
    InvalidTask,
    InverseKinematicsError,
    NoClosedForm,
    form_of,
    ikine_all,
    ikine_closed,
)
from blockdyn.robots.inverse.analytic import Branch, Eight, closed_ikine
from blockdyn.robots.inverse.closed import ROWS
from blockdyn.robots.mechanics.bodies import work_shape
from blockdyn.robots.mechanics.kinematics import link_poses, tool_pose

SPHERICAL = [
    "puma560",
    "puma560akb",
    "kr5",
    "irb140",
    "irb140_mdh",
    "m16",
    "fanuc10l",
    "motomanhp6",
    "s4abb2p8",
    "offset6",
    "simple6",
]
SLIDING = ["stanford", "stanford_mdh"]
THREE_PARALLEL = ["ur3", "ur5", "ur10"]
NAMES = ["run", "ruf", "rdn", "rdf", "lun", "luf", "ldn", "ldf"]


def tool(robot: Robot, q: object) -> np.ndarray:
    T = np.empty((4, 4))
    tool_pose(robot.table(), np.array(q, dtype=float), np.empty(work_shape(robot.n)), T)
    return T


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference of angles, whole turns aside."""
    return float(np.abs(np.angle(np.exp(1j * (a - b)))).max())


@pytest.mark.parametrize("name", [*SPHERICAL, *THREE_PARALLEL, *SLIDING])
def test_every_solution_reaches_the_pose_and_the_given_one_is_among_them(name: str) -> None:
    robot = load(name)
    moved = robot.with_base("Tz(0.7) Rx(30deg)").with_tool("Tx(0.1) Ry(50deg)")
    for seed in range(25):
        for arm in (robot, moved):
            q = np.random.default_rng(seed).uniform(-np.pi, np.pi, 6)
            goal = tool(arm, q)
            found = ikine_all(arm, goal, limits=False)
            assert [solution.configuration for solution in found] == NAMES
            for solution in found:
                if solution.success:
                    np.testing.assert_allclose(tool(arm, solution.q), goal, atol=1e-13)
            assert min(apart(solution.q, q) for solution in found) < 1e-9


def test_puma_as_in_the_book() -> None:
    """Corke, Robotics, Vision and Control (2011), section 7.3.1: p560.ikine6s for the pose qn."""
    robot = load("puma560")
    goal = tool(robot, robot.named["qn"])
    left = ikine_closed(robot, goal, configuration="lun").q
    assert apart(left, np.array([2.6486, -3.9270, 0.0940, 2.5326, 0.9743, 0.3734])) < 1e-4
    assert apart(ikine_closed(robot, goal, configuration="ru").q, robot.named["qn"]) < 1e-12


def test_up_and_down_and_flip_are_what_they_say() -> None:
    robot = load("puma560")
    poses = np.empty((6, 4, 4))
    work = np.empty(work_shape(6))
    for seed in range(20):
        q = np.random.default_rng(seed).uniform(-np.pi, np.pi, 6)
        found = {s.configuration: s.q for s in ikine_all(robot, tool(robot, q), limits=False)}
        for shoulder in "rl":
            heights = {}
            for elbow in "ud":
                link_poses(robot.table(), found[f"{shoulder}{elbow}n"], work, poses)
                wrist = poses[3, :2, 3]
                line = poses[3, 2, 3] / np.linalg.norm(poses[3, :3, 3])  # slope of the line shoulder to wrist
                heights[elbow] = poses[1, 2, 3] - line * poses[1, :3, 3] @ poses[3, :3, 3] / np.linalg.norm(
                    poses[3, :3, 3]
                )
            assert heights["u"] > heights["d"]
            offset = poses[2, :2, 3] - poses[1, :2, 3]  # of link 3, across the arm
            left = wrist[0] * offset[1] - wrist[1] * offset[0]
            assert (left > 0) == (shoulder == "l") or abs(left) < 0.02
        for arm in ("ru", "rd", "lu", "ld"):
            straight, flipped = found[f"{arm}n"], found[f"{arm}f"]
            np.testing.assert_allclose(straight[4], -flipped[4], atol=1e-9)
            assert straight[4] > 0
            assert abs(abs(straight[3] - flipped[3]) - np.pi) < 1e-9


def test_angles_that_a_singular_pose_leaves_free_stay() -> None:
    robot = load("puma560")
    straight = np.array([0.3, 0.5, -1.8, 0.7, 0.0, -0.2])
    assert apart(ikine_closed(robot, tool(robot, straight), q0=straight).q, straight) < 1e-7


@pytest.mark.parametrize("bend", [-2.5, -1.0, 0.3, 2.0])
def test_the_first_joint_stays_where_the_wrist_is_on_its_axis(bend: float) -> None:
    robot = load("simple6")  # two links of 1 m, no offsets
    q = np.array([0.8, np.pi / 2 - bend / 2, bend, 0.3, 0.9, 0.1])
    found = ikine_all(robot, tool(robot, q), q, limits=False)
    assert all(solution.success for solution in found)
    assert min(apart(solution.q, q) for solution in found) < 1e-9


def test_a_pose_out_of_reach_is_refused_with_the_distance() -> None:
    robot = load("puma560")
    d3, a2, forearm = 0.15005, 0.4318, np.hypot(0.0203, 0.4318)
    goal = np.eye(4)
    goal[0, 3] = 1.2  # the wrist's centre is the tool
    missing = np.sqrt(1.2**2 - d3**2) - a2 - forearm
    with pytest.raises(InverseKinematicsError, match="m out of reach of every configuration") as caught:
        ikine_closed(robot, goal)
    assert caught.value.solution.distance == pytest.approx(missing, abs=1e-12)
    assert caught.value.residual >= missing - 1e-12
    goal[:3, 3] = 0.1, 0.0, 0.4  # within d3 of axis 1
    assert ikine_closed(robot, goal, check=False).distance == pytest.approx(0.05005, abs=1e-12)


def test_the_arm_stretched_to_its_limit_is_reached() -> None:
    robot = load("puma560")
    q = np.array(
        [0.2, 0.4, -np.pi / 2 - np.arctan2(0.0203, 0.4318) + 2 * np.arctan2(0.0203, 0.4318), 0.1, 0.3, 0.2]
    )
    goal = tool(robot, q)
    np.testing.assert_allclose(tool(robot, ikine_closed(robot, goal).q), goal, atol=1e-7)


def test_limits_decide_among_the_solutions() -> None:
    robot = load("puma560")
    goal = tool(robot, robot.named["qn"])
    with pytest.raises(
        InverseKinematicsError, match=r"`ruf` breaks limits with joint 4 at 3\.142 rad"
    ) as caught:
        ikine_closed(robot, goal, configuration="ruf")
    assert caught.value.residual < 1e-12
    assert ikine_closed(robot, goal, configuration="ruf", limits=False).success
    for solution in ikine_all(robot, goal):
        inside = (solution.q >= robot.lower - 1e-9).all() and (solution.q <= robot.upper + 1e-9).all()
        assert solution.success == inside


def test_the_solution_nearest_to_the_start_is_taken() -> None:
    robot = load("ur5")
    for seed in range(30):
        q = np.random.default_rng(seed).uniform(-2 * np.pi, 2 * np.pi, 6)
        np.testing.assert_allclose(ikine_closed(robot, tool(robot, q), q0=q + 0.01).q, q, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("panda", "it has 7 moving joints, not 6"),
        ("p8", "it has 8 moving joints, not 6"),
        ("nao_left_leg", "axes 2 and 3 are 90 deg apart, not parallel"),
        ("jaco", "axis 4 passes the point where axes 5 and 6 meet at 0.0743 m"),
    ],
)
def test_other_arms_are_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(NoClosedForm) as caught:
        form_of(load(name))
    assert caught.value.reason.startswith(reason)


def test_an_offset_wrist_is_refused_with_its_size() -> None:
    rows = [{"alpha": np.pi / 2}, {"a": 0.4}, {"alpha": -np.pi / 2}, {"d": 0.4, "alpha": np.pi / 2}]
    robot = from_dh([*rows, {"alpha": -np.pi / 2, "a": 0.01}, {}])
    with pytest.raises(NoClosedForm, match=r"axes 5 and 6 do not meet: they pass each other at 0\.01 m"):
        form_of(robot)


@pytest.mark.parametrize("text", ["rl", "x", "run!", "uu"])
def test_configurations_that_mean_nothing_are_refused(text: str) -> None:
    with pytest.raises(InvalidTask, match="at most one letter of each pair"):
        ikine_closed(load("puma560"), np.eye(4), configuration=text)


def test_poses_copied_with_few_digits_are_taken_for_what_they_mean() -> None:
    robot = load("puma560")
    q = robot.named["qn"]
    assert apart(ikine_closed(robot, tool(robot, q).round(7), configuration="run").q, q) < 1e-5


@pytest.mark.parametrize("name", ["puma560", "ur10"])
def test_machine_code_and_python_agree(name: str) -> None:
    robot = load(name)
    goal, form = tool(robot, [0.1, 0.2, -0.3, 0.4, 0.5, 0.6]), form_of(robot)
    assert form.numbers.shape == (ROWS, 6)
    every = np.zeros((8, 6))
    eight = Eight(
        every, np.zeros(8), np.zeros(8), np.zeros(8), np.zeros(work_shape(6)), np.zeros((4, 4)),
        np.zeros((4, 4)), np.zeros(6),
    )  # fmt: skip
    any_branch, zero = Branch(-1, -1, -1), np.zeros(6)
    closed_ikine(
        robot.table(), form.numbers, form.kind, goal, np.ones(6), any_branch, 0, zero, np.zeros(6), eight
    )
    for row, solution in zip(every, ikine_all(robot, goal, np.zeros(6), limits=False), strict=True):
        assert apart(row, solution.q) < 1e-9
