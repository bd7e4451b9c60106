"""Shortest paths over cells: A*, and the distance transform, with the paths from all cells to a goal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ...base.door import door
from ...base.shown import NotebookText
from ..calls.kernel import machine_code
from .arguments import Array, PlanningError, in_slices, refusal, vector
from .grid_search import FAR, FOUND, STRAIGHT, FramedGrid, frame_map, search_cells
from .occupancy_map import OccupancyMap

POINT = "a point (x, y) in a free cell of the map, m"


@dataclass(frozen=True)
class Searched:
    """The work of a planner: the number of cells or nodes that it expanded, and the time it took, s."""

    expanded: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.expanded:,} expanded in {self.seconds:.2g} s"


@dataclass(frozen=True, eq=False)
class Plan(NotebookText):
    """A path of straight lines from the start to the goal.

    `points` (n, 2) are its corners, m. `cost` is the quantity that the planner minimises, m: on cells, the
    length between their centres. `searched` gives the amount of work.
    """

    points: Array
    cost: float
    searched: Searched

    @cached_property
    def length(self) -> float:
        """The length of the lines, m."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    def __repr__(self) -> str:
        (x0, y0), (x1, y1) = self.points[0], self.points[-1]
        return (
            f"<Plan: {self.length:.4g} m by {len(self.points)} points from ({x0:.4g}, {y0:.4g}) to"
            f" ({x1:.4g}, {y1:.4g}), {self.searched}>"
        )

    if not TYPE_CHECKING:  # see doors.pyi
        _figure = door("plots.robots.paths:plan_picture")


def place(of: OccupancyMap, name: str, value: object) -> Array:
    """The value as a free point of the map. Raises PlanningError for an occupied or outside point."""
    point = vector(name, value, 2, POINT)
    if not of.is_free(point):
        x0, x1, y0, y1 = of.extent
        outside = not (x0 <= point[0] < x1 and y0 <= point[1] < y1)
        where = f"outside the map, {x0:g} to {x1:g} by {y0:g} to {y1:g} m" if outside else "in an obstacle"
        raise PlanningError(name, f"{point.tolist()}, {where}", POINT)
    return point


def no_path(start: Array, goal: Array, expanded: int) -> PlanningError:
    """The error if obstacles separate start and goal."""
    return PlanningError(
        "goal",
        f"{goal.tolist()}, which no path reaches from {start.tolist()} (searched: {expanded:,})",
        "a goal that is not walled off; a map that is inflated less has wider doors",
    )


def plan_of_cells(
    of: OccupancyMap, start: Array, goal: Array, cells: FramedGrid, numbers: Any, searched: Searched
) -> Plan:
    """The plan through cells, by their indices in the framed map; its inner corners are centres."""
    moves = np.diff(numbers)
    steps = np.abs(moves)
    straight = int(((steps == 1) | (steps == cells.width)).sum())
    cost = (straight + (len(steps) - straight) * sqrt(2.0)) * of.resolution
    turns = np.flatnonzero(np.diff(moves)) + 1
    # the ends need not be centres: their lines are known to be free only within the first and last move
    corners = np.unique([1, *turns.tolist(), len(numbers) - 2])[: max(len(numbers) - 2, 0)]
    points = np.vstack([start, of.centre(cells.cell(np.asarray(numbers)[corners])), goal])
    return Plan(points, cost, searched)


def trace_path(via: Any, start: int, goal: int) -> list[int]:
    """The cells from start to goal, back along `via`."""
    numbers = [goal]
    while numbers[-1] != start:
        numbers.append(int(via[numbers[-1]]))
    return numbers[::-1]


SLICE = 500_000  # cells, a fraction of a second


@checked_numbers(refusal)
def astar(map: OccupancyMap, start: ArrayLike, goal: ArrayLike) -> Plan:
    """The shortest path over cells between two points (2,), m, by A*.

    A move goes to one of eight neighbours, and costs the distance of the centres; a diagonal move requires
    both adjacent cells to be free, too. The heuristic is the cost on an empty map. Raises PlanningError for
    points that are not free, and if no path exists.

    Source: Hart, Nilsson, Raphael, IEEE Transactions on Systems Science and Cybernetics 4(2), 1968, 100-107,
    doi:10.1109/TSSC.1968.300136.
    """
    begun = perf_counter()
    a, b = place(map, "start", start), place(map, "goal", goal)
    cells = frame_map(map.occupied)
    first, last = (int(cells.number(map.cell(point))) for point in (a, b))
    status, _, via, expanded = _search(cells, first, last, "A*")
    if status != FOUND:
        raise no_path(a, b, expanded)
    searched = Searched(expanded, perf_counter() - begun)
    return plan_of_cells(map, a, b, cells, trace_path(via, first, last), searched)


@dataclass(frozen=True, eq=False)
class DistanceTransform(NotebookText):
    """The distance from each cell of a map to one goal, and thus the shortest path to it from every cell."""

    map: OccupancyMap
    goal: Array
    searched: Searched
    _cells: FramedGrid
    _cost: NDArray[np.int64]
    _via: NDArray[np.int64]

    def __repr__(self) -> str:
        (x, y), (rows, columns) = self.goal, self.map.shape
        return f"<DistanceTransform to ({x:.4g}, {y:.4g}) on {rows} by {columns} cells, {self.searched}>"

    @property
    def distances(self) -> Array:
        """The cost of the shortest path from each cell, m, (rows, columns); inf without a path."""
        cost = self._cost.reshape(-1, self._cells.width)[1:-1, 1:-1]
        return np.where(cost < FAR, cost * (self.map.resolution / STRAIGHT), np.inf)

    @checked_numbers(refusal)
    def plan(self, start: ArrayLike) -> Plan:
        """The shortest path from a point (2,), m, downhill. Raises PlanningError."""
        a = place(self.map, "start", start)
        first, last = (int(self._cells.number(self.map.cell(point))) for point in (a, self.goal))
        if self._cost[first] >= FAR:
            raise no_path(a, self.goal, self.searched.expanded)
        numbers = trace_path(self._via, last, first)[::-1]
        return plan_of_cells(self.map, a, self.goal, self._cells, numbers, self.searched)


@checked_numbers(refusal)
def distance_transform(map: OccupancyMap, goal: ArrayLike) -> DistanceTransform:
    """The cost of the shortest path to a goal (2,), m, from every cell, with the moves of `astar`.

    Costs are accurate to a relative 2e-12. Raises PlanningError.

    Source: Jarvis, in Recent Trends in Mobile Robots (1993), 3-43; computed by Dijkstra's algorithm,
    Numerische Mathematik 1, 1959, 269-271, doi:10.1007/BF01386390.
    """
    begun = perf_counter()
    point = place(map, "goal", goal)
    cells = frame_map(map.occupied)
    _, cost, via, expanded = _search(cells, int(cells.number(map.cell(point))), -1, "distance transform")
    return DistanceTransform(map, point, Searched(expanded, perf_counter() - begun), cells, cost, via)


def native_search() -> Any:
    """The search as machine code."""
    return machine_code(search_cells, ("b1", "i1", "i", "i", "i", "i1", "i1", "i1", "i1", "i2", "i1"))


def _search(cells: FramedGrid, first: int, last: int, name: str) -> tuple[int, Any, Any, int]:
    """Search from a cell to another: status, costs, predecessor cells, and number of expanded cells."""
    size = cells.blocked.size
    cost, via = np.full(size, FAR), np.empty(size, np.int64)
    queue, spot, keys = np.empty(size + 1, np.int64), np.zeros(size, np.int64), np.empty((size, 2), np.int64)
    expanded = np.zeros(1, np.int64)
    cost[first] = 0
    queue[:2], spot[first], keys[first] = (1, first), 1, 0
    search = native_search()
    values = cells.blocked, cells.offsets, cells.width, last, SLICE, cost, via, queue, spot, keys, expanded
    free = size - int(np.count_nonzero(cells.blocked))
    status = in_slices(name, free, "cells", lambda: search(*values), lambda: int(expanded[0]))
    return status, cost, via, int(expanded[0])
