"""Heap: cells in the order of two keys, for compiled code; any of them can be moved or taken out.

`queue[0]` is how many cells there are, `queue[1:]` a binary heap of them, `place[cell]` where the cell stands
in it, 0 if it does not, and `keys[cell]` its two keys. Williams, Algorithm 232, Communications of the ACM
7(6), 1964, 347-348.
"""

from __future__ import annotations

from typing import Any

Index = Any  # an array of whole numbers, (n,) or (n, 2)


def before(keys: Index, a: int, b: int) -> bool:
    """Whether cell a comes before cell b."""
    if keys[a, 0] == keys[b, 0]:
        return bool(keys[a, 1] < keys[b, 1])
    return bool(keys[a, 0] < keys[b, 0])


def settle(queue: Index, place: Index, keys: Index, cell: int, at: int) -> None:
    """Put a cell in at a free place, and move it up or down to where it belongs."""
    while at > 1 and before(keys, cell, queue[at // 2]):
        queue[at] = queue[at // 2]
        place[queue[at]] = at
        at //= 2
    count = queue[0]
    while 2 * at <= count:
        child = 2 * at
        if child < count and before(keys, queue[child + 1], queue[child]):
            child += 1
        if not before(keys, queue[child], cell):
            break
        queue[at] = queue[child]
        place[queue[at]] = at
        at = child
    queue[at] = cell
    place[cell] = at


def put(queue: Index, place: Index, keys: Index, cell: int, first: int, second: int) -> None:
    """Put a cell in with its keys, or give it new ones if it is there."""
    keys[cell, 0], keys[cell, 1] = first, second
    at = place[cell]
    if at == 0:
        queue[0] += 1
        at = queue[0]
    settle(queue, place, keys, cell, at)


def take(queue: Index, place: Index, keys: Index, cell: int) -> None:
    """Take a cell out that is there."""
    at, last = place[cell], queue[queue[0]]
    queue[0] -= 1
    place[cell] = 0
    if last != cell:
        settle(queue, place, keys, last, at)
