"""Numerical inverse kinematics: it finds what is there, keeps limits and masks, and says what is missing."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import Robot, from_tree, load
from blockdyn.robots.inverse import InvalidTask, InverseKinematicsError, ikine, ikine_path, search
from blockdyn.robots.inverse.numeric import RULES
from blockdyn.robots.inverse.search import ranges, starts
from blockdyn.robots.inverse.task import SearchArrays, Task
from blockdyn.robots.mechanics.bodies import work_shape
from blockdyn.robots.mechanics.kinematics import tool_pose

ALL = np.ones(6)


def tool(robot: Robot, q: object) -> np.ndarray:
    T = np.empty((4, 4))
    tool_pose(robot.table(), np.array(q, dtype=float), np.empty(work_shape(robot.n)), T)
    return T


def reachable(robot: Robot, seed: int) -> np.ndarray:
    """The tool's pose somewhere within the joint limits."""
    low, high = ranges(robot, True)
    return tool(robot, np.random.default_rng(seed).uniform(low, high))


@pytest.mark.parametrize("method", ["lm", "newton", "sugihara"])
@pytest.mark.parametrize("name", ["puma560", "ur5"])
def test_more_than_99_of_100_random_reachable_poses_are_solved(name: str, method: str) -> None:
    robot = load(name)
    solved = 0
    for seed in range(1000):
        goal = reachable(robot, seed)
        found = ikine(robot, goal, method=method, check=False)
        if found.success:
            solved += 1
            np.testing.assert_allclose(tool(robot, found.q), goal, atol=2e-9)
            assert (found.q >= robot.lower).all()
            assert (found.q <= robot.upper).all()
    assert solved > 990


@pytest.mark.parametrize("name", ["panda", "lwr4", "hyper3d", "stanford", "p8", "cobra600", "nao_left_leg"])
def test_arms_of_any_kind_are_solved(name: str) -> None:
    robot = load(name)
    for seed in range(20):
        goal = reachable(robot, seed)
        np.testing.assert_allclose(tool(robot, ikine(robot, goal).q), goal, atol=2e-9)


def test_the_planar_arm_bends_as_the_law_of_cosines_says() -> None:
    robot, planar = load("planar2"), (1, 1, 0, 0, 0, 0)
    r = 1.3
    for side in (1.0, -1.0):
        found = ikine(robot, [[1, 0, 0, r], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], [0, side], mask=planar)
        assert np.cos(found.q[1]) == pytest.approx(r * r / 2 - 1, abs=1e-8)
        assert found.q[1] * side > 0


def test_a_pose_out_of_reach_is_missed_by_the_distance() -> None:
    robot = load("planar2")  # two links of 1 m
    goal = np.eye(4)
    goal[:2, 3] = 3.0 * np.cos(0.4), 3.0 * np.sin(0.4)
    with pytest.raises(
        InverseKinematicsError, match=r"planar2: no joint(.|\n)*expected: a pose within reach"
    ) as caught:
        ikine(robot, goal, mask=(1, 1, 0, 0, 0, 0))
    assert caught.value.residual == pytest.approx(1.0, abs=1e-6)
    assert not ikine(robot, goal, mask=(1, 1, 0, 0, 0, 0), check=False).success


def test_limits_may_be_left_out() -> None:
    robot = load("panda")
    q = np.array([0.1, 0.2, -0.3, 1.5, 0.2, 1.0, 0.4])  # joint 4 bends backwards only
    goal = tool(robot, q)
    assert np.linalg.norm(ikine(robot, goal, q, limits=False).q - q) < 1e-6
    kept = ikine(robot, goal, q, check=False).q
    assert (kept >= robot.lower).all()
    assert (kept <= robot.upper).all()


def test_a_tool_that_is_free_to_turn_about_its_own_axis() -> None:
    robot = load("ur5")
    goal = reachable(robot, 3)
    q = ikine(robot, goal, mask=(1, 1, 1, 1, 1, 0), frame="body").q
    np.testing.assert_allclose(tool(robot, q)[:, 2:], goal[:, 2:], atol=1e-8)


def test_a_tool_that_is_free_to_slide_along_its_own_axis() -> None:
    robot = load("ur5")
    goal = reachable(robot, 4)
    q = ikine(robot, goal, mask=(1, 1, 0, 1, 1, 1), frame="body").q
    found = tool(robot, q)
    np.testing.assert_allclose(found[:3, :3], goal[:3, :3], atol=1e-8)
    np.testing.assert_allclose(np.cross(goal[:3, 2], found[:3, 3] - goal[:3, 3]), 0.0, atol=1e-8)


@pytest.mark.parametrize("axes", [0, 1])
def test_the_task_jacobian_is_the_derivative_of_the_error(axes: int) -> None:
    from blockdyn.robots.inverse.task import task_error, task_jacobian

    robot = load("puma560")
    arm, work, T, e = robot.table(), np.empty(work_shape(6)), np.empty((4, 4)), np.empty(6)
    goal, q, J, h = reachable(robot, 1), np.linspace(-1.0, 1.0, 6), np.empty((6, 6)), 1e-6
    task_error(arm, q, goal, ALL, axes, work, T, e)
    task_jacobian(arm, ALL, axes, work, e, J)
    for i in range(6):
        ahead, behind = np.empty(6), np.empty(6)
        task_error(arm, q + h * np.eye(6)[i], goal, ALL, axes, work, T, ahead)
        task_error(arm, q - h * np.eye(6)[i], goal, ALL, axes, work, T, behind)
        np.testing.assert_allclose(-(ahead - behind) / (2 * h), J[:, i], atol=1e-8)


@pytest.mark.parametrize("pose", ["qz", "qr", "qs"])
def test_singular_poses_are_reached(pose: str) -> None:
    robot = load("puma560")
    goal = tool(robot, robot.named[pose])
    np.testing.assert_allclose(tool(robot, ikine(robot, goal).q), goal, atol=1e-8)


def test_whole_turns_follow_the_start() -> None:
    robot = load("ur5")
    q = np.array([0.3, -1.0, 1.2, 0.4, 0.8, 0.2]) + 2 * np.pi * np.array([1, 0, 0, -1, 0, 3])
    np.testing.assert_allclose(ikine(robot, tool(robot, q), q + 0.05).q, q, atol=1e-6)


@pytest.mark.parametrize("bound", [1000.0, 999999.0, 1e16, np.inf])
def test_limits_that_stand_for_none_hide_no_solution(bound: float) -> None:
    """A base that turns and slides, as public files of mobile manipulators describe it."""
    wide = {"lower": -bound, "upper": bound}
    base = [{"name": "turn", **wide}, {"name": "slide", "kind": "prismatic", "axis": [1, 0, 0], **wide}]
    arm = [
        {"name": "lift", "kind": "prismatic", "place": [-0.1, 0, 0.4], "lower": 0.0, "upper": 0.4},
        {"name": "pan", "place": [0.05, 0, 0.6], "lower": -1.5, "upper": 1.5},
        {"name": "tilt", "place": [0.14, 0, 0.06], "axis": [0, 1, 0], "lower": -0.7, "upper": 1.4},
    ]
    robot = from_tree(base + arm)
    rng = np.random.default_rng(4)
    for _ in range(30):
        goal = tool(robot, rng.uniform([-3, -2, 0, -1.5, -0.7], [3, 2, 0.4, 1.5, 1.4]))
        found = ikine(robot, goal)
        assert np.all(found.q >= robot.lower)
        assert np.all(found.q <= robot.upper)
        assert np.abs(found.q).max() < 10.0


def test_a_range_far_from_zero_is_searched_at_its_near_end() -> None:
    robot = from_tree([{"name": "slide", "kind": "prismatic", "axis": [1, 0, 0], "lower": 50, "upper": 1e6}])
    low, high = ranges(robot, True)
    assert (low[0], high[0]) == (50.0, 51.0)


def test_a_path_is_followed_without_jumps() -> None:
    robot = load("puma560")
    qs = np.linspace(robot.named["qn"], robot.named["qn"] + 0.5, 20)
    found = ikine_path(robot, [tool(robot, q) for q in qs], "qn", limits=False)
    np.testing.assert_allclose([solution.q for solution in found], qs, atol=1e-6)


def test_the_seed_decides_alone() -> None:
    robot = load("puma560")
    goal = reachable(robot, 8)
    np.random.seed(1)
    state = np.random.get_state()[1].copy()  # type: ignore[index, union-attr]
    first = ikine(robot, goal, np.zeros(6), seed=5, iterations=4, check=False)
    assert (np.random.get_state()[1] == state).all()  # type: ignore[index]
    np.random.seed(2)
    again = ikine(robot, goal, np.zeros(6), seed=5, iterations=4, check=False)
    assert first.q.tobytes() == again.q.tobytes()
    assert not (starts(robot, 9, 5, True) == starts(robot, 9, 6, True)).any()


def test_starts_fill_the_joint_space_evenly() -> None:
    robot = load("puma560")
    share = (starts(robot, 100, 3, True) - robot.lower) / (robot.upper - robot.lower)
    for i in range(5):  # joint 6 turns by more than once: one turn of it is searched
        assert (np.sort(np.floor(100 * share[:, i])) == np.arange(100)).all()


def test_machine_code_and_python_agree() -> None:
    robot = load("puma560")
    goal = reachable(robot, 2)
    q, report = np.zeros(6), np.zeros(3)
    task = Task(goal, ALL, 0, np.array([*RULES["lm"], 1e-9]), 1, 50)
    room = SearchArrays(
        np.empty(work_shape(6)), np.empty((4, 4)), np.empty((6, 6)), np.empty(6), np.empty((6, 6)),
        np.empty(6), np.empty(6),
    )  # fmt: skip
    points, middle = starts(robot, 100, 0, True), 0.5 * sum(ranges(robot, True))
    done = search.ikine(robot.table(), task, points, middle, q, room, report)
    found = ikine(robot, goal)
    assert (bool(done), int(report[1]), int(report[2])) == (found.success, found.iterations, found.searches)
    np.testing.assert_allclose(q, found.q, atol=1e-7)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"q0": "qq"}, "puma560 has no pose `qq`, did you mean"),
        ({"mask": (0, 0, 0, 0, 0, 0)}, "six weights, at least 0, one of them above 0"),
        ({"frame": "hand"}, "world or body"),
        ({"method": "ML"}, "one of newton, lm, sugihara"),
        ({"tolerance": 0.0}, "above 0"),
    ],
)
def test_bad_tasks_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidTask, match=words):
        ikine(load("puma560"), np.eye(4), **change)  # type: ignore[arg-type]
