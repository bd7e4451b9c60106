"""Bug2 goes straight to the goal, follows the wall of an obstacle, and leaves it at the line to the goal.

Wall following moves across the sides of free cells; obstacles are connected also by corners. Such a walk
cannot cross a line of cells that touch at corners without visiting one of them.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import machine_code
from .arguments import refusal
from .grid_planners import Plan, Searched, no_path, place, plan_of_cells
from .grid_search import FAR, cost_of_move, frame_map
from .occupancy_map import OccupancyMap

Index = NDArray[np.int64]

FOUND, NONE, FULL = 0, 1, 2


def direction_to(offsets: Index, a: int, b: int) -> int:
    """The index of b among the eight neighbours of a."""
    for k in range(8):
        if a + offsets[k] == b:
            return k
    return -1


def first_heading(blocked: NDArray[np.bool_], offsets: Index, cell: int, k: int, side: int) -> int:
    """First direction along an obstacle in direction k; `side` 1 has it on the right, -1 on the left."""
    if k % 2 == 0:
        return (k + 2 * side) % 8
    if blocked[cell + offsets[(k + side) % 8]]:
        return (k + 3 * side) % 8
    if blocked[cell + offsets[(k - side) % 8]]:
        return (k + side) % 8
    return (k + 3 * side) % 8


def turn_along_wall(blocked: NDArray[np.bool_], offsets: Index, cell: int, heading: int, side: int) -> int:
    """The next heading along a wall: towards it, straight on, away from it, back; -1 if all are blocked."""
    for i in range(4):
        k = (heading + side * (2 * i - 2)) % 8
        if not blocked[cell + offsets[k]]:
            return k
    return -1


def walk(
    blocked: NDArray[np.bool_],
    offsets: Index,
    line: Index,
    rank: Index,
    side: int,
    path: Index,
    counts: Index,
) -> int:
    """Walk from line[0] to its end: FOUND, NONE after a full turn around an obstacle, or FULL for path.

    `rank` (cells,) is the index of a cell on the line, -1 off it. `path` receives the cells; `counts` (2,)
    the number of these cells, and the number of obstacles hit.
    """
    at, count, hits = 0, 1, 0
    last = line.shape[0] - 1
    path[0] = line[0]
    status = FOUND
    while at < last:
        cell = line[at]
        k = direction_to(offsets, cell, line[at + 1])
        if cost_of_move(blocked, offsets, cell, k) < FAR:
            at += 1
            if count == path.shape[0]:
                status = FULL
                break
            path[count] = line[at]
            count += 1
            continue
        hits += 1
        heading = first_heading(blocked, offsets, cell, k, side)
        begun_cell, begun_heading = -1, -1
        status = NONE
        while True:
            heading = turn_along_wall(blocked, offsets, cell, heading, side)
            if heading < 0 or (cell == begun_cell and heading == begun_heading):
                break
            if begun_cell < 0:
                begun_cell, begun_heading = cell, heading
            cell += offsets[heading]
            if count == path.shape[0]:
                status = FULL
                break
            path[count] = cell
            count += 1
            if rank[cell] > at:
                at, status = rank[cell], FOUND
                break
        if status != FOUND:
            break
    counts[0], counts[1] = count, hits
    return status


@checked_numbers(refusal)
def bug2(
    map: OccupancyMap, start: ArrayLike, goal: ArrayLike, *, turn: Literal["left", "right"] = "left"
) -> Plan:  # fmt: skip
    """The path of a robot that senses only contact, between two points (2,), m.

    It moves along the straight line of cells to the goal. At an obstacle it turns `left` or `right`, follows
    the wall along the sides of cells, and leaves it where it meets the line closer to the goal than before.
    It finds a path if one exists; `searched.expanded` is the number of cells that it went through.
    Raises PlanningError for points that are not free, and if no path exists.

    Source: Lumelsky, Stepanov, Algorithmica 2, 1987, 403-430, doi:10.1007/BF01840369; the line is from
    Bresenham, IBM Systems Journal 4(1), 1965, 25-30, doi:10.1147/sj.41.0025.
    """
    begun = perf_counter()
    a, b = place(map, "start", start), place(map, "goal", goal)
    cells = frame_map(map.occupied)
    line = cells.number(_line(map.cell(a), map.cell(b)))
    rank = np.full(cells.blocked.size, -1)
    rank[line] = np.arange(len(line))
    counts, room = np.zeros(2, np.int64), 4 * cells.blocked.size
    side = 1 if turn == "left" else -1
    while True:
        path = np.empty(room, np.int64)
        status = native_walk()(cells.blocked, cells.offsets, line, rank, side, path, counts)
        if status != FULL:
            break
        room *= 4
    steps = int(counts[0])
    if status == NONE:
        raise no_path(a, b, steps)
    return plan_of_cells(map, a, b, cells, path[:steps], Searched(steps, perf_counter() - begun))


def native_walk() -> Any:
    """The walk as machine code."""
    return machine_code(walk, ("b1", "i1", "i1", "i1", "i", "i1", "i1"))


def _line(a: Any, b: Any) -> Any:
    """The cells of the line between two cells, (n, 2), one for each step along its longer side."""
    steps = int(np.abs(b - a).max())
    if not steps:
        return a[np.newaxis]
    # rounded half up in integers: i (b - a) / steps is inexact in doubles
    i = np.arange(steps + 1)[:, np.newaxis]
    return a + (2 * i * (b - a) + steps) // (2 * steps)
