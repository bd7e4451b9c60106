"""D* Lite's search, for compiled code: shortest paths to a goal, mended where cells have changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .grid_moves import FAR, cost_of_move, octile
from .grid_search import MORE, NONE
from .heap import Index, put, take


def mend_cell(
    blocked: NDArray[np.bool_], offsets: Index, width: int, cell: int, goal: int, start: int, bias: int,
    g: Index, rhs: Index, queue: Index, place: Index, keys: Index,
) -> None:  # fmt: skip
    """UpdateVertex: what the neighbours say a cell costs; it is in the queue if that is not what it has."""
    if cell != goal:
        best = FAR
        if not blocked[cell]:
            for k in range(8):
                step = cost_of_move(blocked, offsets, cell, k)
                if step < FAR:
                    best = min(best, step + g[cell + offsets[k]])
        rhs[cell] = min(best, FAR)
    if g[cell] != rhs[cell]:
        least = min(g[cell], rhs[cell])
        put(queue, place, keys, cell, least + octile(start, cell, width) + bias, least)
    elif place[cell]:
        take(queue, place, keys, cell)


def mend_path(
    blocked: NDArray[np.bool_], offsets: Index, width: int, goal: int, start: int, bias: int, most: int,
    g: Index, rhs: Index, queue: Index, place: Index, keys: Index, expanded: Index,
) -> int:  # fmt: skip
    """ComputeShortestPath, up to `most` cells more: MORE are left, or NONE that the path needs."""
    for _ in range(most):
        if queue[0] == 0:
            return NONE
        cell = queue[1]
        least = min(g[start], rhs[start])
        old, second = keys[cell, 0], keys[cell, 1]
        behind = old > least + bias or (old == least + bias and second >= least)
        if behind and rhs[start] == g[start]:
            return NONE
        now = min(g[cell], rhs[cell])
        ahead = now + octile(start, cell, width) + bias
        if old < ahead or (old == ahead and second < now):
            put(queue, place, keys, cell, ahead, now)
            continue
        expanded[0] += 1
        if g[cell] > rhs[cell]:
            g[cell] = rhs[cell]
            take(queue, place, keys, cell)
        else:
            g[cell] = FAR
            mend_cell(blocked, offsets, width, cell, goal, start, bias, g, rhs, queue, place, keys)
        for k in range(8):
            to = cell + offsets[k]
            if not blocked[to]:
                mend_cell(blocked, offsets, width, to, goal, start, bias, g, rhs, queue, place, keys)
    return MORE


def mend_around(
    blocked: NDArray[np.bool_], offsets: Index, width: int, goal: int, start: int, bias: int, changed: Index,
    inside: NDArray[np.bool_], g: Index, rhs: Index, queue: Index, place: Index, keys: Index,
) -> int:  # fmt: skip
    """UpdateVertex of the cells that have changed and of all around them, whose moves these bear on.

    `inside` leaves the frame out.
    """
    for i in range(changed.shape[0]):
        cell = changed[i]
        mend_cell(blocked, offsets, width, cell, goal, start, bias, g, rhs, queue, place, keys)
        for k in range(8):
            to = cell + offsets[k]
            if inside[to]:
                mend_cell(blocked, offsets, width, to, goal, start, bias, g, rhs, queue, place, keys)
    return 0
