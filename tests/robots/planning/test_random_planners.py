"""Random trees and roadmaps: paths free of collisions, repeatable, and shorter with more samples."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree

from blockdyn.robots.calls.kernel import machine_code
from blockdyn.robots.planning import (
    OccupancyMap,
    Plan,
    PlanningError,
    astar,
    roadmap,
    rrt,
    rrt_star,
)
from blockdyn.robots.planning.tree_growth import add_point, nearest_point, points_within

PLANNERS: dict[str, Callable[..., Plan]] = {
    "rrt": rrt,
    "rrt_star": lambda of, a, b, samples=3000, **options: rrt_star(of, a, b, samples=samples, **options),
    "roadmap": lambda of, a, b, samples=800, seed=0: roadmap(of, samples=samples, seed=seed).plan(a, b),
}
EACH = pytest.mark.parametrize("plan", PLANNERS.values(), ids=list(PLANNERS))


def boxes(seed: int) -> Any:
    """A map with boxes, two corners free."""
    rng = np.random.default_rng(seed)
    cells = np.zeros((120, 150), bool)
    for _ in range(20):
        (i, j), (h, w) = rng.integers(0, 110, 2), rng.integers(5, 25, 2)
        cells[i : i + h, j : j + w] = True
    cells[:12, :12] = cells[-12:, -12:] = False
    return OccupancyMap(cells, 0.2, [-5.0, 3.0])


START, GOAL = [-4.0, 4.0], [24.5, 26.5]


@EACH
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_paths_are_free_at_a_tenth_of_a_cell(plan: Callable[..., Plan], seed: int) -> None:
    """A tenth of what the planners look at, cells; and none is shorter than a straight line."""
    of = boxes(seed)
    path = plan(of, START, GOAL, seed=seed)
    assert path.points[[0, -1]].tolist() == [START, GOAL]
    for a, b in pairwise(path.points):
        count = int(np.linalg.norm(b - a) / (0.1 * of.resolution)) + 2
        assert of.is_free(a + np.linspace(0.0, 1.0, count)[:, np.newaxis] * (b - a)).all()
    assert path.length == pytest.approx(path.cost, rel=1e-12)
    assert path.cost >= np.linalg.norm(np.subtract(GOAL, START))


@EACH
def test_the_seed_decides_the_path(plan: Callable[..., Plan]) -> None:
    first, again, other = (plan(boxes(1), START, GOAL, seed=seed) for seed in (5, 5, 6))
    assert first.points.tolist() == again.points.tolist()
    assert first.points.tolist() != other.points.tolist()


def test_rrt_star_comes_near_the_shortest_path_around_a_wall() -> None:
    """From (0.5, 5) over the top of a wall at (5, 8) to (9.5, 5): two lines of sqrt(4.5^2 + 3^2) m."""
    cells = np.zeros((200, 200), bool)
    cells[:160, 99:101] = True
    of = OccupancyMap(cells, 0.05)
    around = 2 * np.hypot(4.45, 3.0) + 0.1
    costs = [rrt_star(of, [0.5, 5.0], [9.5, 5.0], samples=n, seed=2).cost for n in (1000, 10_000, 60_000)]
    assert costs[0] > costs[1] > costs[2] > around
    assert costs[2] < 1.005 * around
    assert rrt(of, [0.5, 5.0], [9.5, 5.0], seed=2).cost > costs[0]


def test_steps_are_no_longer_than_asked_for() -> None:
    for plan in (rrt, rrt_star):
        path = plan(boxes(1), START, GOAL, step=0.7, seed=3)
        assert np.linalg.norm(np.diff(path.points, axis=0), axis=1).max() <= 0.7 * (1.0 + 1e-12)


@pytest.mark.parametrize("goal", [[-4.0, 4.0], [-3.8, 4.3]])
def test_a_tree_whose_root_is_a_step_from_the_goal_is_a_line(goal: list[float]) -> None:
    way = rrt(boxes(3), START, goal, step=0.5)
    np.testing.assert_array_equal(way.points, [START, goal])
    assert way.cost == pytest.approx(np.hypot(*np.subtract(goal, START)), abs=1e-15)


def test_with_every_point_and_pair_a_roadmap_is_the_graph_of_visible_points() -> None:
    of = boxes(2)
    roads = roadmap(of, samples=60, neighbours=60, seed=1)
    pairs = {(i, j) for i in range(60) for j in range(i) if of.in_sight(roads.points[i], roads.points[j])}
    assert {(int(max(e)), int(min(e))) for e in roads.edges} == pairs


def test_the_tree_of_points_finds_what_scipy_finds() -> None:
    rng = np.random.default_rng(3)
    points = rng.uniform(0.0, 10.0, (2000, 2))
    points[500:700] = points[:200]  # points that coincide
    size = len(points)
    below, axis, stack, bounds = (
        np.empty((size, 2), np.int64), np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size)
    )  # fmt: skip
    add = machine_code(add_point, ("d2", "i2", "i1", "i"))
    for i in range(size):
        add(points, below, axis, i)
    nearest = machine_code(nearest_point, ("d2", "i2", "i1", "d", "d", "i1", "d1"))
    within = machine_code(points_within, ("d2", "i2", "i1", "d", "d", "d", "i1", "i1"))
    around, tree = np.empty(size, np.int64), cKDTree(points)
    for x, y in rng.uniform(-1.0, 11.0, (300, 2)):
        node = nearest(points, below, axis, x, y, stack, bounds)
        assert np.hypot(*(points[node] - [x, y])) == pytest.approx(tree.query([x, y])[0], rel=1e-14)
        count = within(points, below, axis, x, y, 1.5, stack, around)
        assert sorted(around[:count].tolist()) == sorted(tree.query_ball_point([x, y], 1.5))


@EACH
def test_points_that_are_not_free_and_goals_behind_walls(plan: Callable[..., Plan]) -> None:
    cells = np.zeros((20, 20), bool)
    cells[:, 10] = True
    of = OccupancyMap(cells)
    with pytest.raises(PlanningError, match=r"start is \[10.5, 1.0\], in an obstacle"):
        plan(of, [10.5, 1.0], [1.0, 1.0])
    with pytest.raises(PlanningError, match="outside the map"):
        plan(of, [1.0, 1.0], [20.0, 1.0])
    with pytest.raises(PlanningError, match="more samples"):
        plan(of, [1.0, 1.0], [15.0, 1.0], samples=500)
    with pytest.raises(PlanningError, match="no path"):
        astar(of, [1.0, 1.0], [15.0, 1.0])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda of: rrt(of, [1, 1], [2, 2], step=0.0),
        lambda of: rrt(of, [1, 1], [2, 2], step=np.nan),
        lambda of: rrt(of, [1, 1], [2, 2], bias=1.0),
        lambda of: rrt(of, [1, 1], [2, 2], samples=0),
        lambda of: rrt(of, [1, 1], [2, 2], samples=10**12),
        lambda of: rrt(of, [1, 1], [2, 2], seed=-1),
        lambda of: rrt_star(of, [1, 1], [2, 2], seed=0.5),
        lambda of: roadmap(of, samples=0),
        lambda of: roadmap(of, neighbours=0),
        lambda of: roadmap(OccupancyMap([[1]])),
        lambda of: roadmap([[0]]),
    ],
)
def test_arguments_that_mean_nothing(wrong: Any) -> None:
    with pytest.raises(PlanningError):
        wrong(OccupancyMap(np.zeros((5, 5))))
