"""The walk of Bug2, for compiled code: along a line of cells, and around what stands in its way.

Free cells are walked around obstacles by their sides, obstacles hang together by corners as well: a walk by
sides cannot cross a line by corners without a cell of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .grid_moves import FAR, cost_of_move

Index = NDArray[np.int64]

FOUND, NONE, FULL = 0, 1, 2


def direction_to(offsets: Index, a: int, b: int) -> int:
    """Which of the eight neighbours of a is b."""
    for k in range(8):
        if a + offsets[k] == b:
            return k
    return -1


def first_heading(blocked: NDArray[np.bool_], offsets: Index, cell: int, k: int, side: int) -> int:
    """Where to go with the obstacle in direction k at hand; `side` 1 has it on the right, -1 on the left."""
    if k % 2 == 0:
        return (k + 2 * side) % 8
    if blocked[cell + offsets[(k + side) % 8]]:
        return (k + 3 * side) % 8
    if blocked[cell + offsets[(k - side) % 8]]:
        return (k + side) % 8
    return (k + 3 * side) % 8


def turned(blocked: NDArray[np.bool_], offsets: Index, cell: int, heading: int, side: int) -> int:
    """The next heading along a wall: towards it, straight on, away from it, back; -1 if there is none."""
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
    """Walk from line[0] to its end: FOUND, NONE if an obstacle was walked around in vain, or path is FULL.

    `rank` (cells,) is the place of a cell on the line, -1 off it. `path` takes the cells; `counts` (2,) gets
    how many these are, and how many obstacles were hit.
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
            heading = turned(blocked, offsets, cell, heading, side)
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
