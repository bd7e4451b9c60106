"""Plans: a path over a map, what it costs, and what was searched for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.shown import Shown
from ...plots.robots.paths import line_picture
from .arguments import Array, vector
from .errors import PlanningError
from .framed import Framed
from .occupancy_map import OccupancyMap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINT = "a point (x, y) in a free cell of the map, m"


@dataclass(frozen=True)
class Searched:
    """The work of a planner: the number of cells or nodes that it expanded, and the time it took, s."""

    expanded: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.expanded:,} expanded in {self.seconds:.2g} s"


@dataclass(frozen=True, eq=False)
class Plan(Shown):
    """A path of straight lines from the start to the goal.

    `points` (n, 2) are its corners, m. `cost` is the quantity that the planner minimises, m: on cells, the
    length between their centres. `searched` says how much work it took.
    """

    points: Array
    cost: float
    searched: Searched

    @cached_property
    def length(self) -> float:
        """The length of the lines, m."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    def _figure(self) -> Figure:
        return line_picture(self.points)

    def __repr__(self) -> str:
        (x0, y0), (x1, y1) = self.points[0], self.points[-1]
        return (
            f"<Plan: {self.length:.4g} m by {len(self.points)} points from ({x0:.4g}, {y0:.4g}) to"
            f" ({x1:.4g}, {y1:.4g}), {self.searched}>"
        )


def place(of: OccupancyMap, name: str, value: Any) -> Array:
    """A point of the map that is free. Raises PlanningError, which says whether it is outside or occupied."""
    point = vector(name, value, 2, POINT)
    if not of.is_free(point):
        x0, x1, y0, y1 = of.extent
        outside = not (x0 <= point[0] < x1 and y0 <= point[1] < y1)
        where = f"outside the map, {x0:g} to {x1:g} by {y0:g} to {y1:g} m" if outside else "in an obstacle"
        raise PlanningError(name, f"{point.tolist()}, {where}", POINT)
    return point


def no_path(start: Array, goal: Array, expanded: int) -> PlanningError:
    """The error where obstacles part start and goal."""
    return PlanningError(
        "goal",
        f"{goal.tolist()}, which no path reaches from {start.tolist()} (searched: {expanded:,})",
        "a goal that is not walled off; a map that is inflated less has wider doors",
    )


def plan_of_cells(
    of: OccupancyMap, start: Array, goal: Array, cells: Framed, numbers: Any, searched: Searched
) -> Plan:
    """The plan through cells, by their places with the frame. Between the ends its corners are centres."""
    moves = np.diff(numbers)
    steps = np.abs(moves)
    straight = int(((steps == 1) | (steps == cells.width)).sum())
    cost = (straight + (len(steps) - straight) * sqrt(2.0)) * of.resolution
    turns = np.flatnonzero(np.diff(moves)) + 1
    # the ends need not be centres: the lines to them are free within the first and the last move alone
    corners = np.unique([1, *turns.tolist(), len(numbers) - 2])[: max(len(numbers) - 2, 0)]
    points = np.vstack([start, of.centre(cells.cell(np.asarray(numbers)[corners])), goal])
    return Plan(points, cost, searched)


def traced(via: Any, start: int, goal: int) -> list[int]:
    """The cells from start to goal, back along `via`."""
    numbers = [goal]
    while numbers[-1] != start:
        numbers.append(int(via[numbers[-1]]))
    return numbers[::-1]
