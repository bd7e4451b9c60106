"""Probabilistic roadmaps join random free points that see each other, for many plans on one map."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ...base.shown import NotebookText
from .arguments import Array, PlanningError, refusal
from .grid_planners import Plan, Searched, place
from .grid_search import frame_map
from .occupancy_map import OccupancyMap
from .random_trees import at_least_one, generator, sight_of_pairs


@dataclass(frozen=True, eq=False)
class Roadmap(NotebookText):
    """Points (n, 2) of a map, m, and `edges` (k, 2), pairs of points with a free line between them.

    `seconds` is the time of its construction.
    """

    map: OccupancyMap
    points: Array
    edges: NDArray[np.int64]
    neighbours: int
    seconds: float

    def __repr__(self) -> str:
        rows, columns = self.map.shape
        return f"<Roadmap: {len(self.points)} points, {len(self.edges)} edges on {rows} by {columns} cells>"

    @checked_numbers(refusal)
    def plan(self, start: ArrayLike, goal: ArrayLike) -> Plan:
        """The shortest path along edges between two points (2,), m, each joined to its nearest points
        if they are visible.

        `searched.expanded` counts the points connected to the start by edges. Raises PlanningError for
        points that are not free, and if the roadmap does not join them, although another path may
        exist.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import dijkstra

        begun = perf_counter()
        a, b = place(self.map, "start", start), place(self.map, "goal", goal)
        points = np.vstack([self.points, a, b])
        n = len(self.points)
        edges = np.vstack(
            [self.edges, _join_neighbours(self.map, points, np.array([n, n + 1]), self.neighbours)]
        )
        lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
        graph = coo_array((lengths, edges.T), shape=(n + 2, n + 2)).tocsr()
        solve: Any = dijkstra
        cost, via = solve(graph, directed=False, indices=n, return_predecessors=True)
        reached = int(np.isfinite(cost).sum())
        if not np.isfinite(cost[n + 1]):
            raise PlanningError(
                "goal", f"{b.tolist()}, which the roadmap does not join to {a.tolist()}",
                "more samples or neighbours; `astar` finds a path if there is one",
            )  # fmt: skip
        numbers = [n + 1]
        while numbers[-1] != n:
            numbers.append(int(via[numbers[-1]]))
        return Plan(points[numbers[::-1]], float(cost[n + 1]), Searched(reached, perf_counter() - begun))


@checked_numbers(refusal)
def roadmap(map: OccupancyMap, *, samples: int = 500, neighbours: int = 10, seed: int = 0) -> Roadmap:
    """A probabilistic roadmap: `samples` random free points, each joined to its nearest points
    if they are visible.

    The points are uniform over the free cells, and equal for equal seeds. Raises PlanningError for a map
    without a free cell.

    Source: Kavraki, Svestka, Latombe, Overmars, IEEE Transactions on Robotics and Automation 12(4), 1996,
    566-580, doi:10.1109/70.508439; a fixed number of neighbours: Karaman, Frazzoli (2011), algorithm 2.
    """
    begun = perf_counter()
    random = generator(seed)
    count, near = at_least_one("samples", samples), at_least_one("neighbours", neighbours)
    free = np.argwhere(~map.occupied)
    if not len(free):
        raise PlanningError("map", "occupied everywhere", "a map with a free cell")
    cells = free[random.integers(len(free), size=count)]
    corners = map.centre(cells) - 0.5 * map.resolution
    points = corners + random.random((count, 2)) * map.resolution
    edges = _join_neighbours(map, points, np.arange(count), near)
    return Roadmap(map, points, edges, near, perf_counter() - begun)


def _join_neighbours(of: OccupancyMap, points: Array, which: Any, neighbours: int) -> NDArray[np.int64]:
    """Mutually visible pairs of some of the points with their nearest neighbours, each pair once."""
    from scipy.spatial import cKDTree

    near = min(neighbours + 1, len(points))  # the nearest point of a point is itself
    _, others = cKDTree(points).query(points[which], near)
    pairs = np.column_stack([np.repeat(which, near), np.reshape(others, -1)])
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    # SciPy's graphs cannot hold an edge of length 0: points that coincide share their neighbours' edges
    pairs = pairs[(points[pairs[:, 0]] != points[pairs[:, 1]]).any(axis=1)]
    cells = frame_map(of.occupied)
    return np.asarray(
        pairs[sight_of_pairs((cells.blocked, cells.width), (points - of.origin) / of.resolution, pairs)],
        np.int64,
    )
