"""The lattice planner finds the shortest path of lines and quarter circles around obstacles."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, pi
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ...base.shown import NotebookText
from ..calls.kernel import machine_code
from .arc_path import ArcPath
from .arguments import Array, PlanningError, in_slices, numbers, positive, refusal, vector
from .grid_planners import SLICE, Searched, no_path, place, trace_path
from .grid_search import FAR, STRAIGHT, frame_map, put_cell, take
from .occupancy_map import OccupancyMap

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MORE, FOUND, NONE = 0, 1, 2
HEADINGS = 4
QUARTER = 215888603272  # floor(pi / 4 2^38): an arc over r columns and r rows is pi / 4 of both together


def at_least(cell: int, goal: int, width: int) -> int:
    """A lower bound of the cost between two cells, because it bounds every line and arc."""
    dx, dy = abs(cell % width - goal % width), abs(cell // width - goal // width)
    return max(STRAIGHT * max(dx, dy), QUARTER * (dx + dy))


def search_poses(
    blocked: Any, width: int, radius: int, penalty: int, goal: int, swept: Any, ends: Any, most: int,
    cost: Any, via: Any, queue: Any, place: Any, keys: Any, expanded: Any,
) -> int:  # fmt: skip
    """A*: expand up to `most` more poses. A pose is 4 cell + heading, heading 0 along x, counter-clockwise.

    `swept` (4, 2, m) has the cells that an arc to the left or right touches, from its first cell, and `ends`
    (4, 2, 2) its last cell, columns and rows; `penalty` is added to the cost of each arc.
    """
    rows = blocked.shape[0] // width
    for _ in range(most):
        if queue[0] == 0:
            return NONE
        pose = queue[1]
        if pose == goal:
            return FOUND
        take(queue, place, keys, pose)
        expanded[0] += 1
        cell, heading = pose // HEADINGS, pose % HEADINGS
        for move in range(3):
            if move == 0:
                step = 1 - heading if heading % 2 == 0 else (2 - heading) * width
                to, through = cell + step, cost[pose] + STRAIGHT
                if blocked[to]:
                    continue
                to = HEADINGS * to + heading
            else:
                column = cell % width + ends[heading, move - 1, 0]
                row = cell // width + ends[heading, move - 1, 1]
                if column < 1 or column >= width - 1 or row < 1 or row >= rows - 1:
                    continue
                free = True
                for i in range(swept.shape[2]):
                    if blocked[cell + swept[heading, move - 1, i]]:
                        free = False
                        break
                if not free:
                    continue
                to = HEADINGS * (row * width + column) + (heading + (1 if move == 1 else 3)) % HEADINGS
                through = cost[pose] + 2 * QUARTER * radius + penalty
            if through < cost[to]:
                cost[to], via[to] = through, pose
                ahead = at_least(to // HEADINGS, goal // HEADINGS, width)
                put_cell(queue, place, keys, to, through + ahead, ahead)
    return MORE


POSE = "a pose (x, y, heading), m, m, rad, with a heading along x or y: a multiple of pi/2"
ROUNDING = 1e-9  # rad; and cells
MOST = 2**22  # cells: each of them has four poses


@dataclass(frozen=True, eq=False)
class DrivenPlan(NotebookText):
    """A path that a car can drive, as arcs and lines; its cost, m; and the work of the search."""

    path: ArcPath
    cost: float
    searched: Searched

    def _figure(self) -> Figure | None:
        return self.path._figure()

    def __repr__(self) -> str:
        return f"<DrivenPlan by {self.path!r}, cost {self.cost:.4g} m, {self.searched}>"


@checked_numbers(refusal)
def lattice(
    map: OccupancyMap, start: ArrayLike, goal: ArrayLike, radius: float, *, penalty: float = 0.0
) -> DrivenPlan:
    """The shortest path of lines and quarter circles between two poses (x, y, heading), m, m, rad, by A*.

    The car drives forwards, between the centres of cells with headings along x and y: one cell straight on,
    or a quarter circle to the left or right, whose radius is the smallest whole number of cells not below
    `radius`, m. `penalty`, m, is added to the cost of each arc, so that fewer turns are taken. Every cell
    that the path touches is free. The path begins and ends at the centres of the cells of start and goal.
    Raises PlanningError for poses that are not free, headings that are not along x or y, maps of more than
    2^22 cells, and if no path exists.

    Source: Pivtoraiko, Knepper, Kelly, Journal of Field Robotics 26(3), 2009, 308-333, doi:10.1002/rob.20285;
    the primitives are from Corke, Robotics, Vision and Control, 3rd ed. (2023), section 5.4.1.
    """
    begun = perf_counter()
    a, b = _pose(map, "start", start), _pose(map, "goal", goal)
    r = ceil(positive("radius", radius, "m") / map.resolution - ROUNDING)
    extra = float(numbers("penalty", penalty, "a number, 0 or more, m"))
    if extra < 0.0 or extra > sum(map.shape) * map.resolution:
        raise PlanningError("penalty", penalty, "a number from 0 to the size of the map, m")
    if map.occupied.size > MOST:
        raise PlanningError("map", f"of {map.occupied.size} cells", f"at most {MOST}")
    cells = frame_map(map.occupied)
    first, last = (
        HEADINGS * int(cells.number(map.cell(pose[:2]))) + round(pose[2] / (pi / 2)) % 4 for pose in (a, b)
    )
    r = min(r, max(map.shape))  # every wider arc leaves the map as well
    swept, ends = _arcs(r, cells.width)
    size = HEADINGS * cells.blocked.size
    cost, via, expanded = np.full(size, FAR), np.empty(size, np.int64), np.zeros(1, np.int64)
    queue, spot, keys = np.empty(size + 1, np.int64), np.zeros(size, np.int64), np.empty((size, 2), np.int64)
    cost[first], queue[:2], spot[first], keys[first] = 0, (1, first), 1, 0
    more = round(extra / map.resolution * STRAIGHT)
    values = *cells, r, more, last, swept, ends, SLICE, cost, via, queue, spot, keys, expanded
    search = native_lattice()
    free = HEADINGS * int(np.count_nonzero(~map.occupied))
    status = in_slices("lattice", free, "poses", lambda: search(*values), lambda: int(expanded[0]))
    if status != FOUND:
        raise no_path(a, b, int(expanded[0]))
    path = _path(map, [divmod(pose, HEADINGS) for pose in trace_path(via, first, last)], r, cells)
    arcs = int(np.count_nonzero(path.curvatures))
    return DrivenPlan(path, path.length + arcs * extra, Searched(int(expanded[0]), perf_counter() - begun))


def native_lattice() -> Any:
    """The search as machine code."""
    lists = "i1", "i1", "i1", "i1", "i2", "i1"
    return machine_code(search_poses, ("b1", "i", "i", "i", "i", "i3", "i3", "i", *lists))


def _pose(of: OccupancyMap, name: str, value: object) -> Array:
    pose = vector(name, value, 3, POSE)
    place(of, name, pose[:2])
    turns = pose[2] / (pi / 2)
    if abs(turns - round(turns)) > ROUNDING:
        raise PlanningError(name, pose.tolist(), POSE)
    return pose


def _arcs(r: int, width: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells that each arc touches, (4, 2, m), and its last cell, (4, 2, 2), from its first cell."""
    column, row = np.meshgrid(np.arange(r + 1), np.arange(r + 1))
    # the part of each cell in the square of the arc, from its centre: the nearest and farthest point of it
    x = np.stack([np.maximum(column - 0.5, 0.0), np.minimum(column + 0.5, r)])
    y = np.stack([r - np.minimum(row + 0.5, r), r - np.maximum(row - 0.5, 0.0)])
    touched = (x[0] ** 2 + y[0] ** 2 <= r * r) & (r * r <= x[1] ** 2 + y[1] ** 2)
    ahead, left = column[touched], row[touched]
    swept, ends = np.empty((HEADINGS, 2, len(ahead)), np.int64), np.empty((HEADINGS, 2, 2), np.int64)
    for heading, (c, s) in enumerate([(1, 0), (0, 1), (-1, 0), (0, -1)]):
        for k, side in enumerate((1, -1)):
            columns, rows = c * ahead - s * side * left, s * ahead + c * side * left
            swept[heading, k] = rows * width + columns
            ends[heading, k] = (c - s * side) * r, (s + c * side) * r
    return swept, ends


def _path(of: OccupancyMap, poses: list[tuple[int, int]], r: int, cells: Any) -> ArcPath:
    """Arcs and lines through poses; consecutive lines are joined."""
    segments: list[tuple[float, float]] = []
    for (_, heading), (_, after) in pairwise(poses):
        turn = {0: 0.0, 1: 1.0, 3: -1.0}[(after - heading) % HEADINGS]
        length = (0.5 * pi * r if turn else 1.0) * of.resolution
        curvature = turn / (r * of.resolution)
        if segments and not turn and not segments[-1][0]:
            segments[-1] = 0.0, segments[-1][1] + length
        else:
            segments.append((curvature, length))
    x, y = of.centre(cells.cell(np.array(poses[0][0]))).tolist()
    curvatures, lengths = np.array(segments).reshape(-1, 2).T
    return ArcPath(np.array([x, y, poses[0][1] * (pi / 2)]), curvatures, lengths)
