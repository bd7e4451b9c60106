"""Trees of random points grow in compiled code: RRT, RRT*, and the k-d tree that finds neighbours.

`points` (n, 2); `below` (n, 2) are a point's two children, -1 without a child; `axis` (n,) is the
coordinate that divides them. Bentley, Communications of the ACM 18(9), 1975, 509-517,
doi:10.1145/361002.361007.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from .sight import sees


def add_point(points: Any, below: Any, axis: Any, new: int) -> None:
    """Insert a point of the list; point 0 is the root."""
    below[new, 0] = below[new, 1] = -1
    axis[new] = 0
    node = 0
    while new > 0:
        side = 1 if points[new, axis[node]] >= points[node, axis[node]] else 0
        if below[node, side] < 0:
            below[node, side] = new
            axis[new] = 1 - axis[node]
            break
        node = below[node, side]


def nearest_point(
    points: Any, below: Any, axis: Any, x: float, y: float, stack: Any, bounds: Any
) -> int:  # fmt: skip
    """The point nearest to (x, y); `stack` and `bounds` (n,) are scratch."""
    best, least = 0, (points[0, 0] - x) ** 2 + (points[0, 1] - y) ** 2
    stack[0], bounds[0], top = 0, 0.0, 0
    while top >= 0:
        node, bound = stack[top], bounds[top]
        top -= 1
        if bound >= least:
            continue
        while node >= 0:
            dx, dy = x - points[node, 0], y - points[node, 1]
            if dx * dx + dy * dy < least:
                best, least = node, dx * dx + dy * dy
            beyond = dx if axis[node] == 0 else dy
            side = 1 if beyond >= 0.0 else 0
            if below[node, 1 - side] >= 0:
                top += 1
                stack[top], bounds[top] = below[node, 1 - side], beyond * beyond
            node = below[node, side]
    return best


def points_within(
    points: Any, below: Any, axis: Any, x: float, y: float, radius: float, stack: Any, around: Any
) -> int:  # fmt: skip
    """Write the points within a radius of (x, y) into `around`, and return their number."""
    count, top = 0, 0
    stack[0] = 0
    while top >= 0:
        node = stack[top]
        top -= 1
        dx, dy = x - points[node, 0], y - points[node, 1]
        if dx * dx + dy * dy <= radius * radius:
            around[count] = node
            count += 1
        beyond = dx if axis[node] == 0 else dy
        for side in range(2):
            if below[node, side] >= 0 and ((side == 1) == (beyond >= 0.0) or abs(beyond) <= radius):
                top += 1
                stack[top] = below[node, side]
    return count


MORE, FOUND, FULL = 0, 1, 2


def new_place(
    uniforms: Any, i: int, width: int, rows: int, goal: Any, bias: float, step: float, points: Any, below:
    Any, axis: Any, stack: Any, bounds: Any,
) -> tuple[int, float, float]:  # fmt: skip
    """The node nearest to a random point, and the place at most one step from it towards the point."""
    if uniforms[i, 2] < bias:
        x, y = goal[0], goal[1]
    else:
        x, y = uniforms[i, 0] * (width - 2), uniforms[i, 1] * rows
    node = nearest_point(points, below, axis, x, y, stack, bounds)
    dx, dy = x - points[node, 0], y - points[node, 1]
    distance = sqrt(dx * dx + dy * dy)
    if distance > step:
        x, y = points[node, 0] + dx * (step / distance), points[node, 1] + dy * (step / distance)
    return node, x, y


def grow(
    blocked: Any, width: int, uniforms: Any, goal: Any, bias: float, step: float, points: Any, via: Any,
    below: Any, axis: Any, stack: Any, bounds: Any, nodes: Any,
) -> int:  # fmt: skip
    """RRT: grow until the goal is one step away and in sight, or the random numbers are used up.

    `nodes[0]` counts the nodes; `via` holds the parents. The goal is the last node of a tree that FOUND it.
    """
    rows = blocked.shape[0] // width - 2
    for i in range(uniforms.shape[0]):
        if nodes[0] + 1 >= points.shape[0]:
            return FULL
        node, x, y = new_place(uniforms, i, width, rows, goal, bias, step, points, below, axis, stack, bounds)
        px, py = points[node, 0], points[node, 1]
        if (x == px and y == py) or not sees(blocked, width, px, py, x, y):
            continue
        new = nodes[0]
        nodes[0] += 1
        points[new, 0], points[new, 1], via[new] = x, y, node
        add_point(points, below, axis, new)
        gx, gy = goal[0] - x, goal[1] - y
        if gx * gx + gy * gy <= step * step and sees(blocked, width, x, y, goal[0], goal[1]):
            last = nodes[0]
            nodes[0] += 1
            points[last, 0], points[last, 1], via[last] = goal[0], goal[1], new
            return FOUND
    return MORE


def hang(node: int, parent: int, via: Any, first: Any, following: Any) -> None:
    """Make a node the child of another; `first` and `following` are lists of children."""
    via[node] = parent
    following[node] = first[parent]
    first[parent] = node


def unhang(node: int, via: Any, first: Any, following: Any) -> None:
    """Take a node from the children of its parent."""
    parent = via[node]
    if first[parent] == node:
        first[parent] = following[node]
        return
    child = first[parent]
    while following[child] != node:
        child = following[child]
    following[child] = following[node]


def cheapen(node: int, by: float, cost: Any, first: Any, following: Any, stack: Any) -> None:
    """Subtract an amount from the cost of a node and of all its descendants."""
    stack[0], top = node, 0
    while top >= 0:
        node = stack[top]
        top -= 1
        cost[node] -= by
        child = first[node]
        while child >= 0:
            top += 1
            stack[top] = child
            child = following[child]


def grow_star(
    blocked: Any, width: int, uniforms: Any, goal: Any, bias: float, step: float, spread: float, points: Any,
    via: Any, cost: Any, first: Any, following: Any, below: Any, axis: Any, stack: Any, bounds: Any,
    around: Any, nodes: Any,
) -> int:  # fmt: skip
    """RRT*: each new node takes the cheapest parent nearby, and becomes the parent of others if cheaper.

    Nearby is min(step, spread sqrt(log n / n)) for n nodes: Karaman and Frazzoli (2011), algorithm 6.
    """
    rows = blocked.shape[0] // width - 2
    for i in range(uniforms.shape[0]):
        if nodes[0] >= points.shape[0]:
            return FULL
        node, x, y = new_place(uniforms, i, width, rows, goal, bias, step, points, below, axis, stack, bounds)
        px, py = points[node, 0], points[node, 1]
        if (x == px and y == py) or not sees(blocked, width, px, py, x, y):
            continue
        n = nodes[0]
        radius = min(step, spread * sqrt(log(n + 1.0) / (n + 1.0)))
        count = points_within(points, below, axis, x, y, radius, stack, around)
        least = cost[node] + sqrt((x - px) ** 2 + (y - py) ** 2)
        for j in range(count):
            other = around[j]
            through = cost[other] + sqrt((x - points[other, 0]) ** 2 + (y - points[other, 1]) ** 2)
            if through < least and sees(blocked, width, points[other, 0], points[other, 1], x, y):
                least, node = through, other
        points[n, 0], points[n, 1], cost[n], first[n] = x, y, least, -1
        nodes[0] += 1
        hang(n, node, via, first, following)
        add_point(points, below, axis, n)
        for j in range(count):
            other = around[j]
            through = least + sqrt((x - points[other, 0]) ** 2 + (y - points[other, 1]) ** 2)
            if through < cost[other] and sees(blocked, width, x, y, points[other, 0], points[other, 1]):
                unhang(other, via, first, following)
                hang(other, n, via, first, following)
                cheapen(other, cost[other] - through, cost, first, following, stack)
    return MORE


def seen_from(blocked: Any, width: int, points: Any, pairs: Any, free: Any) -> int:
    """Write True into free for each pair (n, 2) of mutually visible points."""
    for i in range(pairs.shape[0]):
        a, b = pairs[i, 0], pairs[i, 1]
        free[i] = sees(blocked, width, points[a, 0], points[a, 1], points[b, 0], points[b, 1])
    return 0
