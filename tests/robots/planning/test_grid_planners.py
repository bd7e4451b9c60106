"""Planners on cells: what they find is shortest, they agree as maps change, and Bug2 finds what there is."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from blockdyn.robots.planning import (
    DStarLite,
    OccupancyMap,
    Plan,
    PlanningError,
    astar,
    bug2,
    distance_transform,
)

Planner = Callable[[OccupancyMap, Any, Any], Plan]

PLANNERS: dict[str, Planner] = {
    "astar": astar,
    "distance_transform": lambda of, start, goal: distance_transform(of, goal).plan(start),
    "d_star_lite": lambda of, start, goal: DStarLite(of, goal).plan(start),
    "bug2": bug2,
}
EACH = pytest.mark.parametrize("plan", PLANNERS.values(), ids=list(PLANNERS))


def graph_distances(of: OccupancyMap, goal: Any) -> Any:
    """Costs to a cell from all cells by SciPy, on the graph of moves."""
    rows, columns = of.shape
    free = ~of.occupied
    number = np.arange(free.size).reshape(free.shape)
    ends, weights = [], []
    for i, j in ((0, 1), (1, 0), (1, 1), (1, -1)):
        a = np.s_[: rows - i, max(-j, 0) : columns - max(j, 0)]
        b = np.s_[i:, max(j, 0) : columns - max(-j, 0)]
        beside = (
            np.s_[: rows - i, max(j, 0) : columns - max(-j, 0)],
            np.s_[i:, max(-j, 0) : columns - max(j, 0)],
        )
        open_ = free[a] & free[b] & free[beside[0]] & free[beside[1]]
        ends.append(np.column_stack([number[a][open_], number[b][open_]]))
        weights.append(np.full(open_.sum(), of.resolution * sqrt(i * i + j * j)))
    (u, v), w = np.vstack(ends).T, np.concatenate(weights)
    graph = coo_array((w, (u, v)), shape=(free.size, free.size)).tocsr()
    row, column = of.cell(goal)
    return dijkstra(graph, directed=False, indices=number[row, column]).reshape(free.shape)


def two_free_cells(of: OccupancyMap, rng: Any) -> Any:
    return of.centre(rng.choice(np.argwhere(~of.occupied), 2, replace=False))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.45])
def test_costs_are_those_of_the_graph(share: float) -> None:
    rng = np.random.default_rng(int(share * 100))
    of = OccupancyMap(rng.random((60, 45)) < share, 0.25, [1.0, -4.0])
    _, goal = two_free_cells(of, rng)
    expected = graph_distances(of, goal)
    expected[of.occupied] = np.inf
    np.testing.assert_allclose(distance_transform(of, goal).distances, expected, rtol=4e-12)
    lite = DStarLite(of, goal)
    for cell in rng.choice(np.argwhere(np.isfinite(expected)), 20):
        start = of.centre(cell)
        for path in (astar(of, start, goal), lite.plan(start)):
            assert path.cost == pytest.approx(expected[tuple(cell)], rel=1e-13, abs=0)
            assert path.length == pytest.approx(path.cost, rel=1e-13)


def test_all_agree_while_cells_change_and_the_vehicle_moves() -> None:
    """400 changes; 10 000 of them were tried once, with the same outcome."""
    rng = np.random.default_rng(5)
    ways = 0
    for _ in range(20):
        shape = rng.integers(4, 24, 2)
        of = OccupancyMap(rng.random(shape) < rng.uniform(0.1, 0.4), 0.5, [-3.0, 2.0])
        start, goal = two_free_cells(of, rng)
        lite = DStarLite(of, goal)
        for _ in range(20):
            changed = rng.integers(0, shape, (rng.integers(1, 4), 2))
            ends = of.cell([start, goal])
            changed = [cell for cell in changed if not (cell == ends).all(axis=1).any()]
            for cell in changed:
                lite.change(cell, bool(~lite.map.occupied[tuple(cell)]))
            plans = [outcome(lambda *_, lite=lite, start=start: lite.plan(start), of, start, goal)]
            plans += [outcome(plan, lite.map, start, goal) for plan in PLANNERS.values()]
            assert plans[0] is not None or plans == [None] * 5
            if plans[0] is not None:
                ways += 1
                assert plans[0].cost == plans[1].cost == plans[2].cost == plans[3].cost <= plans[4].cost
                for path in plans:
                    check_free(lite.map, path)
                start = of.centre(of.cell(plans[0].points[min(1, len(plans[0].points) - 1)]))
    assert 100 < ways < 400


def outcome(plan: Planner, of: OccupancyMap, start: Any, goal: Any) -> Any:
    """The plan, or None where there is no path."""
    try:
        return plan(of, start, goal)
    except PlanningError as error:
        if "no path" not in str(error):
            raise
        return None


def check_free(of: OccupancyMap, path: Plan) -> None:
    assert all(of.in_sight(a, b) for a, b in zip(path.points, path.points[1:]))


def test_bug2_finds_a_way_wherever_there_is_one_turning_left_or_right() -> None:
    rng = np.random.default_rng(6)
    for _ in range(150):
        of = OccupancyMap(rng.random((20, 20)) < rng.uniform(0.2, 0.5))
        start, goal = two_free_cells(of, rng)
        there = np.isfinite(distance_transform(of, goal).distances[tuple(of.cell(start))])
        for turn in ("left", "right"):
            path = outcome(lambda *a, turn=turn: bug2(*a, turn=turn), of, start, goal)
            assert (path is not None) == there
            if path is not None:
                check_free(of, path)


def test_bug2_goes_straight_where_nothing_is_in_the_way_and_around_a_wall_by_hand() -> None:
    of = OccupancyMap(np.zeros((9, 9)))
    assert bug2(of, [0.5, 4.5], [8.5, 4.5]).cost == 8.0
    wall = of.changed([[i, 4] for i in range(2, 9)])  # open below
    left, right = (bug2(wall, [0.5, 4.5], [8.5, 4.5], turn=turn) for turn in ("left", "right"))
    # right: 3 cells to the wall, 3 down, 2 across, 3 up, 3 on
    assert right.cost == 3 + 3 + 2 + 3 + 3
    # left: 3, up the wall to the edge of the map, along that on three sides below the wall, up to the goal
    assert left.cost == 3 + 4 + 3 + 8 + 8 + 4


def test_d_star_lite_repairs_with_fewer_cells_than_searches_from_scratch() -> None:
    """On the way of a vehicle that looks a few cells ahead, as in Koenig and Likhachev (2002), section 6."""
    rng = np.random.default_rng(8)
    cells = rng.random((100, 100)) < 0.15
    cells[[2, 97], [2, 97]] = False
    of = OccupancyMap(cells)
    start, goal = of.centre([[2, 2], [97, 97]])
    lite = DStarLite(of, goal)
    lite.plan(start)
    repaired = scratch = 0
    for _ in range(40):
        near = of.cell(start) + rng.integers(-4, 5, (3, 2))
        near = np.clip(near[np.abs(near - of.cell(start)).max(axis=1) > 1], 0, 99)
        for cell in near:
            lite.change(cell, bool(~lite.map.occupied[tuple(cell)]))
        path = lite.plan(start)
        assert path.cost == astar(lite.map, start, goal).cost
        repaired += path.searched.expanded
        scratch += astar(lite.map, start, goal).searched.expanded
        start = path.points[1]
    assert repaired < scratch / 2


def test_a_door_closes_and_opens_again() -> None:
    walls = np.zeros((20, 20))
    walls[:, 10] = 1
    walls[[3, 16], 10] = 0
    lite = DStarLite(OccupancyMap(walls), [18.5, 3.5])
    near = lite.plan([1.5, 3.5])
    lite.change([3, 10])
    far = lite.plan([1.5, 3.5])
    assert near.cost == 17.0 < far.cost
    lite.change([16, 10])
    with pytest.raises(PlanningError, match="no path"):
        lite.plan([1.5, 3.5])
    lite.change([[3, 10], [16, 10]], occupied=False)
    assert lite.plan([1.5, 3.5]).cost == 17.0
    lite.change([3, 18])  # the goal itself
    with pytest.raises(PlanningError, match="no path"):
        lite.plan([1.5, 3.5])


@EACH
def test_points_that_are_not_free_say_which_and_why(plan: Planner) -> None:
    of = OccupancyMap([[0, 1], [0, 0]], 2.0)
    with pytest.raises(PlanningError, match=r"start is \[3.0, 1.0\], in an obstacle"):
        plan(of, [3, 1], [1, 1])
    with pytest.raises(PlanningError, match=r"goal is \[1.0, 4.0\], outside the map, 0 to 4 by 0 to 4 m"):
        plan(of, [1, 1], [1, 4])
    with pytest.raises(PlanningError, match="goal"):
        plan(of, [1, 1], [1, np.nan])
    with pytest.raises(PlanningError, match="start"):
        plan(of, [1, 1, 0], [1, 1])


@EACH
def test_a_path_begins_and_ends_at_the_points_themselves(plan: Planner) -> None:
    of = OccupancyMap(np.zeros((5, 5)), 0.1)
    path = plan(of, [0.01, 0.02], [0.43, 0.49])
    assert path.points[[0, -1]].tolist() == [[0.01, 0.02], [0.43, 0.49]]
    assert path.cost == pytest.approx(0.4 * sqrt(2.0))
    assert path.searched.expanded > 0
    assert path.searched.seconds > 0.0
    here = plan(of, [0.01, 0.02], [0.03, 0.02])
    assert here.cost == 0.0
    assert here.points.tolist() == [[0.01, 0.02], [0.03, 0.02]]


@EACH
def test_no_path_goes_between_cells_that_touch_at_a_corner(plan: Planner) -> None:
    with pytest.raises(PlanningError, match="no path"):
        plan(OccupancyMap([[0, 1], [1, 0]]), [0.5, 0.5], [1.5, 1.5])
