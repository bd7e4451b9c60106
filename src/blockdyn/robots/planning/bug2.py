"""Bug2: straight for the goal, around what is in the way, and on where the straight line is met again."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Literal

import numpy as np

from ...base.checked import guarded
from ..calls.kernel import machine_code
from .bug_walk import FULL, NONE, walk
from .errors import refusal
from .framed import framed
from .grid_plan import Plan, Searched, no_path, place, plan_of_cells
from .occupancy_map import OccupancyMap


@guarded(refusal)
def bug2(
    map: OccupancyMap, start: Any, goal: Any, *, turn: Literal["left", "right"] = "left"
) -> Plan:  # fmt: skip
    """The path of a robot that feels only what it touches, from a point (2,), m, to another.

    It moves along the straight line of cells to the goal. At an obstacle it turns `left` or `right`, follows
    the wall along the sides of cells, and leaves it where it meets the line closer to the goal than before.
    It finds a path whenever there is one; `searched.expanded` is the number of cells that it went through.
    Raises PlanningError for points that are not free, and if there is no path.

    Source: Lumelsky, Stepanov, Algorithmica 2, 1987, 403-430, doi:10.1007/BF01840369; the line is that of
    Bresenham, IBM Systems Journal 4(1), 1965, 25-30, doi:10.1147/sj.41.0025.
    """
    begun = perf_counter()
    a, b = place(map, "start", start), place(map, "goal", goal)
    cells = framed(map.occupied)
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
    """The cells of the line between two of them, (n, 2), one for each step along its longer side."""
    steps = int(np.abs(b - a).max())
    if not steps:
        return a[np.newaxis]
    # rounded half up in whole numbers: from i (b - a) / steps no double is exact
    i = np.arange(steps + 1)[:, np.newaxis]
    return a + (2 * i * (b - a) + steps) // (2 * steps)
