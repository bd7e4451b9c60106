"""Compiled search over the cells of a map has a queue, moves with costs, A* and Dijkstra.

`queue[0]` is the number of cells, `queue[1:]` a binary heap of them, `place[cell]` the index of a cell in it
or 0, and `keys[cell]` its two keys. Williams, Algorithm 232, Communications of the ACM
7(6), 1964, 347-348.

A cost is an integer: STRAIGHT for the side of a cell, DIAGONAL for sqrt(2) sides, accurate to 2e-12. Sums
are then equal in any order, and planners agree to the last bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Index = Any  # an array of integers, (n,) or (n, 2)


def precedes(keys: Index, a: int, b: int) -> bool:
    """True if cell a comes before cell b."""
    if keys[a, 0] == keys[b, 0]:
        return bool(keys[a, 1] < keys[b, 1])
    return bool(keys[a, 0] < keys[b, 0])


def settle(queue: Index, place: Index, keys: Index, cell: int, at: int) -> None:
    """Insert a cell at a free place, and move it up or down to its position in the heap."""
    while at > 1 and precedes(keys, cell, queue[at // 2]):
        queue[at] = queue[at // 2]
        place[queue[at]] = at
        at //= 2
    count = queue[0]
    while 2 * at <= count:
        child = 2 * at
        if child < count and precedes(keys, queue[child + 1], queue[child]):
            child += 1
        if not precedes(keys, queue[child], cell):
            break
        queue[at] = queue[child]
        place[queue[at]] = at
        at = child
    queue[at] = cell
    place[cell] = at


def put_cell(queue: Index, place: Index, keys: Index, cell: int, first: int, second: int) -> None:
    """Insert a cell with its keys, or change its keys if it is in the queue."""
    keys[cell, 0], keys[cell, 1] = first, second
    at = place[cell]
    if at == 0:
        queue[0] += 1
        at = queue[0]
    settle(queue, place, keys, cell, at)


def take(queue: Index, place: Index, keys: Index, cell: int) -> None:
    """Remove a cell from the queue."""
    at, last = place[cell], queue[queue[0]]
    queue[0] -= 1
    place[cell] = 0
    if last != cell:
        settle(queue, place, keys, last, at)


STRAIGHT = 2**38
DIAGONAL = 388736063997  # round(sqrt(2) 2^38)
FAR = 2**62  # more than any path on a map of 2^24 cells


def cost_of_move(blocked: NDArray[np.bool_], offsets: NDArray[np.int64], cell: int, k: int) -> int:
    """Cost of the move from a free cell to its neighbour k; FAR if it or a cell next to both is blocked."""
    if blocked[cell + offsets[k]]:
        return FAR
    if k % 2 == 0:
        return STRAIGHT
    if blocked[cell + offsets[k - 1]] or blocked[cell + offsets[(k + 1) % 8]]:
        return FAR
    return DIAGONAL


def octile(a: int, b: int, width: int) -> int:
    """The cost between two cells of an empty map, a lower bound for any path."""
    dx, dy = abs(a % width - b % width), abs(a // width - b // width)
    return STRAIGHT * (max(dx, dy) - min(dx, dy)) + DIAGONAL * min(dx, dy)


class FramedGrid(NamedTuple):
    """`blocked` in row order, with a frame of occupied cells; `width` is its number of columns."""

    blocked: NDArray[np.bool_]
    width: int

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Index offsets to the eight neighbours of a cell, counter-clockwise from +x."""
        w = self.width
        return np.array([1, w + 1, w, w - 1, -1, -w - 1, -w, 1 - w])

    def number(self, cell: Any) -> Any:
        """The index of a cell (row, column) of the map, or of many cells."""
        return (cell[..., 0] + 1) * self.width + cell[..., 1] + 1

    def cell(self, number: Any) -> Any:
        """The cell (row, column) of the map at an index, or at many."""
        return np.stack([number // self.width - 1, number % self.width - 1], axis=-1)


def frame_map(occupied: Any) -> FramedGrid:
    """A map's cells with their frame."""
    table = np.ones((occupied.shape[0] + 2, occupied.shape[1] + 2), bool)
    table[1:-1, 1:-1] = occupied
    return FramedGrid(table.ravel(), table.shape[1])


MORE, FOUND, NONE = 0, 1, 2


def search_cells(
    blocked: NDArray[np.bool_], offsets: Index, width: int, goal: int, most: int, cost: Index, via: Index,
    queue: Index, place: Index, keys: Index, expanded: Index,
) -> int:  # fmt: skip
    """Expand up to `most` cells more: MORE are left, the goal is FOUND, or NONE is left.

    `cost` is measured from the start, `via` is the predecessor, `expanded[0]` the count. The goal -1 expands
    all cells. Among equal keys the cell nearer to the goal comes first. The heuristic is consistent in exact
    arithmetic: no cell is expanded twice.
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
                put_cell(queue, place, keys, to, through + ahead, ahead)
    return MORE
