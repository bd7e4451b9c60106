"""The lattice planner: shortest among all drives of lines and quarter circles, and free along its arcs."""

from __future__ import annotations

from math import pi
from typing import Any

import networkx as nx
import numpy as np
import pytest

from blockdyn.robots.planning import OccupancyMap, PlanningError, astar, dubins, lattice


def drives(of: OccupancyMap, r: int, penalty: float) -> Any:
    """The graph of all poses (row, column, heading), with arcs looked at in 2000 points."""
    graph: Any = nx.DiGraph()
    angles = np.linspace(0.0, pi / 2, 2001)
    for row, column in np.argwhere(~of.occupied).tolist():
        for heading in range(4):
            turn = np.array([[0, -1], [1, 0]])
            ahead = np.linalg.matrix_power(turn, heading) @ [1, 0]
            end = np.array([column, row]) + ahead
            if of.is_free(of.centre(end[::-1])):
                graph.add_edge((row, column, heading), (*end[::-1].tolist(), heading), weight=of.resolution)
            for side in (1, -1):
                left = side * (turn @ ahead)
                places = np.outer(np.sin(angles), ahead) + np.outer(1 - np.cos(angles), left)
                places = r * of.resolution * places + of.centre([row, column])
                if of.is_free(places).all():
                    end = np.array([column, row]) + r * (ahead + left)
                    length = 0.5 * pi * r * of.resolution + penalty
                    after = (*end[::-1].tolist(), (heading + side) % 4)
                    graph.add_edge((row, column, heading), after, weight=length)
    return graph


@pytest.mark.parametrize(("r", "penalty"), [(1, 0.0), (2, 0.0), (3, 0.0), (3, 2.0)])
def test_no_drive_is_cheaper(r: int, penalty: float) -> None:
    """Against Dijkstra's algorithm of networkx, for every goal, reached or not."""
    rng = np.random.default_rng(r)
    cells = rng.random((13, 16)) < 0.1
    cells[1, 1] = False
    of = OccupancyMap(cells, 0.5, [2.0, -1.0])
    graph = drives(of, r, penalty)
    costs = nx.single_source_dijkstra_path_length(graph, (1, 1, 0))
    start = [*of.centre([1, 1]), 0.0]
    reached = 0
    for pose in graph.nodes:
        goal = [*of.centre(pose[:2]), pose[2] * pi / 2]
        if pose in costs:
            plan = lattice(of, start, goal, 0.5 * r, penalty=penalty)
            assert plan.cost == pytest.approx(costs[pose], rel=1e-9)
            np.testing.assert_allclose(plan.path.end[:2], goal[:2], rtol=0, atol=1e-9)
            assert np.cos(plan.path.end[2] - goal[2]) == pytest.approx(1.0)
            reached += 1
        else:
            with pytest.raises(PlanningError, match="no path"):
                lattice(of, start, goal, 0.5 * r, penalty=penalty)
    assert reached > 50


def test_a_path_is_free_at_a_hundredth_of_a_cell_and_turns_no_tighter() -> None:
    rng = np.random.default_rng(4)
    cells = np.zeros((60, 60), bool)
    for i, j in rng.integers(5, 50, (12, 2)):
        cells[i : i + 5, j : j + 7] = True
    of = OccupancyMap(cells, 0.2)
    plan = lattice(of, [0.3, 0.3, 0.0], [11.5, 11.5, pi / 2], 0.9)
    assert of.is_free(plan.path.points(0.002)[:, :2]).all()
    assert np.abs(plan.path.curvatures).max() == pytest.approx(1.0)  # 5 cells, the first multiple above 0.9 m
    assert plan.path.length == plan.cost
    assert plan.cost >= dubins(plan.path.start, plan.path.end, 1.0).length
    assert plan.cost >= astar(of, [0.3, 0.3], [11.5, 11.5]).cost * 0.9


def test_a_dearer_arc_is_taken_less_often() -> None:
    rng = np.random.default_rng(1)
    of = OccupancyMap(rng.random((50, 50)) < 0.05)
    of = of.changed([[0, 0], [49, 49]], occupied=False)
    plans = [lattice(of, [0.5, 0.5, 0.0], [49.5, 49.5, 0.0], 2.0, penalty=p) for p in (0.0, 20.0)]
    arcs = [np.count_nonzero(plan.path.curvatures) for plan in plans]
    assert arcs[0] > arcs[1]
    assert plans[1].cost == pytest.approx(plans[1].path.length + 20.0 * arcs[1])
    assert plans[0].path.length <= plans[1].path.length


def test_from_a_pose_to_itself_there_is_nothing_to_drive() -> None:
    plan = lattice(OccupancyMap(np.zeros((5, 5))), [2.5, 2.5, pi], [2.5, 2.5, -pi], 1.0)
    assert plan.cost == 0.0
    assert plan.path.end.tolist() == [2.5, 2.5, pi]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.5, 0.5, 0.3], [4.5, 4.5, 0.0], 1.0), "multiple of pi/2"),
        (([0.5, 0.5], [4.5, 4.5, 0.0], 1.0), "start"),
        (([0.5, 0.5, 0.0], [2.5, 2.5, 0.0], 1.0), "goal .*in an obstacle"),
        (([0.5, 0.5, 0.0], [9.0, 2.5, 0.0], 1.0), "goal .*outside"),
        (([0.5, 0.5, 0.0], [4.5, 4.5, 0.0], 0.0), "radius"),
        (([0.5, 0.5, 0.0], [4.5, 4.5, 0.0], 1e300), "no path"),
        (([0.5, 0.5, 0.0], [4.5, 4.5, 0.0], 1.0, -1.0), "penalty"),
        (([0.5, 0.5, 0.0], [4.5, 4.5, 0.0], 1.0, np.inf), "penalty"),
    ],
)
def test_what_cannot_be_driven(arguments: Any, message: str) -> None:
    cells = np.zeros((5, 5))
    cells[2, 2] = 1
    start, goal, radius, *penalty = arguments
    with pytest.raises(PlanningError, match=f"(?s){message}"):
        lattice(OccupancyMap(cells), start, goal, radius, **({"penalty": penalty[0]} if penalty else {}))
