"""Search over cells, for compiled code: A* towards a goal, or Dijkstra over all that can be reached."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .grid_moves import cost_of_move, octile
from .heap import Index, put, take

MORE, FOUND, NONE = 0, 1, 2


def search_cells(
    blocked: NDArray[np.bool_], offsets: Index, width: int, goal: int, most: int, cost: Index, via: Index,
    queue: Index, place: Index, keys: Index, expanded: Index,
) -> int:  # fmt: skip
    """Expand up to `most` cells more: MORE are left, the goal is FOUND, or there are NONE left.

    `cost` is that from the start, `via` the cell before, `expanded[0]` counts. A goal of -1 has every cell
    expanded. With equal keys the cell nearer to the goal comes first. The heuristic is consistent, in exact
    numbers: no cell is expanded twice.
    """
    for _ in range(most):
        if queue[0] == 0:
            return NONE
        cell = queue[1]
        if cell == goal:
            return FOUND
        take(queue, place, keys, cell)
        expanded[0] += 1
        for k in range(8):
            to = cell + offsets[k]
            through = cost[cell] + cost_of_move(blocked, offsets, cell, k)
            if through < cost[to]:
                cost[to], via[to] = through, cell
                ahead = octile(to, goal, width) if goal >= 0 else 0
                put(queue, place, keys, to, through + ahead, ahead)
    return MORE
