"""Search over a lattice of poses, for compiled code: cells with four headings, joined by lines and arcs."""

from __future__ import annotations

from typing import Any

from .grid_moves import STRAIGHT
from .heap import put, take

MORE, FOUND, NONE = 0, 1, 2
HEADINGS = 4
QUARTER = 215888603272  # floor(pi / 4 2^38): an arc over r columns and r rows is pi / 4 of both together


def at_least(cell: int, goal: int, width: int) -> int:
    """A cost that no drive between two cells undercuts, because no line and no arc does."""
    dx, dy = abs(cell % width - goal % width), abs(cell // width - goal // width)
    return max(STRAIGHT * max(dx, dy), QUARTER * (dx + dy))


def search_poses(
    blocked: Any, width: int, radius: int, penalty: int, goal: int, swept: Any, ends: Any, most: int,
    cost: Any, via: Any, queue: Any, place: Any, keys: Any, expanded: Any,
) -> int:  # fmt: skip
    """A*: expand up to `most` poses more. A pose is 4 cell + heading, heading 0 along x, counter-clockwise.

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
                put(queue, place, keys, to, through + ahead, ahead)
    return MORE
