"""RRT finds some path quickly; the path of RRT* converges to the shortest one."""

from __future__ import annotations

from math import pi, sqrt
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..calls.kernel import machine_code
from .arguments import Array, PlanningError, in_slices, numbers, positive, refusal
from .grid_planners import Plan, Searched, place, trace_path
from .grid_search import frame_map
from .occupancy_map import OccupancyMap
from .tree_growth import MORE, grow, grow_star, seen_from

FOUND = 1


def generator(seed: int) -> np.random.Generator:
    """The random number generator of a seed. Raises PlanningError."""
    if seed < 0:
        raise PlanningError("seed", seed, "a whole number, 0 or more")
    return np.random.default_rng(seed)


def at_least_one(name: str, value: int, most: int = 10_000_000) -> int:
    """The value as an integer of at least 1. Raises PlanningError."""
    if not 1 <= value <= most:
        raise PlanningError(name, value, f"a whole number from 1 to {most}")
    return int(value)


def fraction(name: str, value: float) -> float:
    """A number in [0, 1). Raises PlanningError."""
    expected = "a number from 0 to less than 1"
    array = numbers(name, value, expected)
    if array.ndim or not 0.0 <= array < 1.0:
        raise PlanningError(name, array.tolist(), expected)
    return float(array)


def native_pairs() -> Any:
    """Visibility of pairs as machine code."""
    return machine_code(seen_from, ("b1", "i", "d2", "i2", "b1"))


def sight_of_pairs(world: tuple[Any, int], points: Array, pairs: Any) -> Any:
    """True for each pair (n, 2) of mutually visible points, (n,); coordinates of cells."""
    free = np.empty(len(pairs), bool)
    native_pairs()(*world, points, np.ascontiguousarray(pairs, np.int64), free)
    return free


SLICE = 20_000  # samples, a fraction of a second
STEP = 0.05  # of the longer side of the map
OPEN = 1.1  # factor of the radius of RRT* above its lower bound


@checked_numbers(refusal)
def rrt(
    map: OccupancyMap, start: ArrayLike, goal: ArrayLike, *, step: float | None = None, bias: float = 0.05,
    samples: int = 100_000, seed: int = 0,
) -> Plan:  # fmt: skip
    """A path between two points (2,), m, by a rapidly exploring random tree.

    The tree grows from the start, each time by at most `step`, m, towards a random point of the map, or with
    the probability `bias` towards the goal, and only along free lines. It ends when the goal is one step away
    along a free line. The default step is 1/20 of the map's longer side. The same seed gives the same path.
    `searched.expanded` counts the nodes. Raises PlanningError for points that are not free, and if `samples`
    random points lead to no path, which does not prove that there is none.

    Source: LaValle, Rapidly-Exploring Random Trees, TR 98-11, Iowa State University, 1998; LaValle, Planning
    Algorithms (2006), section 5.5.
    """
    begun = perf_counter()
    tree = _Tree(map, start, goal, step, bias, samples, seed)
    if np.hypot(*(tree.goal - tree.points[0])) <= tree.step and map.in_sight(start, goal):
        tree.points[1] = tree.goal
        return tree.plan(np.array([0, 1]), Searched(1, perf_counter() - begun))
    uniforms = tree.slices()
    native = native_growth()
    links = tree.via, tree.below, tree.axis, tree.stack, tree.bounds, tree.nodes
    values = tree.goal, tree.bias, tree.step, tree.points, *links
    status = in_slices(
        "RRT", samples, "samples",
        lambda: native(*tree.world, next(uniforms), *values) or tree.ended(),
        lambda: tree.drawn,
    )  # fmt: skip
    count = int(tree.nodes[0])
    if status != FOUND:
        raise tree.failure(samples, count)
    return tree.plan(trace_path(tree.via, 0, count - 1), Searched(count, perf_counter() - begun))


@checked_numbers(refusal)
def rrt_star(
    map: OccupancyMap, start: ArrayLike, goal: ArrayLike, *, step: float | None = None, bias: float = 0.05,
    samples: int = 20_000, seed: int = 0,
) -> Plan:  # fmt: skip
    """A path between two points (2,), m, by RRT*, which approaches the shortest one with more samples.

    Like `rrt`, but all `samples` are used. Each new node takes the parent within a radius that makes its path
    shortest, and becomes the parent of nodes whose path becomes shorter through it.

        radius = min(step, 1.1 * 2 sqrt(1.5 A / pi) sqrt(log n / n))

    with n nodes and A the free area. Raises PlanningError.

    Source: Karaman, Frazzoli, International Journal of Robotics Research 30(7), 2011, 846-894,
    doi:10.1177/0278364911406761, algorithm 6 and theorem 38.
    """
    begun = perf_counter()
    tree = _Tree(map, start, goal, step, bias, samples, seed)
    uniforms = tree.slices()
    native = native_star()
    size = len(tree.points)
    cost, first, following = np.zeros(size), np.full(size, -1), np.full(size, -1)
    around = np.empty(size, np.int64)
    spread = OPEN * 2.0 * sqrt(1.5 * float(np.count_nonzero(~map.occupied)) / pi)
    links = tree.via, cost, first, following, tree.below, tree.axis, tree.stack, tree.bounds, around
    values = tree.goal, tree.bias, tree.step, spread, tree.points, *links, tree.nodes
    in_slices(
        "RRT*", samples, "samples",
        lambda: native(*tree.world, next(uniforms), *values) or tree.ended(),
        lambda: tree.drawn,
    )  # fmt: skip
    count = int(tree.nodes[0])
    last = tree.nearest_to_goal(cost, count)
    if last < 0:
        raise tree.failure(samples, count)
    return tree.plan([*trace_path(tree.via, 0, last), -1], Searched(count, perf_counter() - begun))


class _Tree:
    """The arrays of a tree that grows, in coordinates of cells."""

    def __init__(
        self, of: OccupancyMap, start: Any, goal: Any, step: Any, bias: Any, samples: Any, seed: Any
    ) -> None:
        self.of = of
        self.ends = place(of, "start", start), place(of, "goal", goal)
        longest = max(of.shape) * of.resolution
        self.step = (STEP * longest if step is None else positive("step", step, "m")) / of.resolution
        self.bias = fraction("bias", bias)
        self._left = at_least_one("samples", samples)
        self._random = generator(seed)
        self.drawn = 0
        cells = frame_map(of.occupied)
        self.world = cells.blocked, cells.width
        size = self._left + 2
        self.points, self.via = np.empty((size, 2)), np.empty(size, np.int64)
        self.below, self.axis = np.empty((size, 2), np.int64), np.empty(size, np.int64)
        self.stack, self.bounds = np.empty(size, np.int64), np.empty(size)
        self.nodes = np.ones(1, np.int64)
        self.points[0], self.goal = ((end - of.origin) / of.resolution for end in self.ends)
        self.via[0] = self.below[0, 0] = self.below[0, 1] = -1
        self.axis[0] = 0

    def slices(self) -> Any:
        """Random numbers in slices; the stream does not depend on the size of a slice."""
        while True:
            count = min(SLICE, self._left)
            self._left -= count
            self.drawn += count
            yield self._random.random((count, 3))

    def ended(self) -> int:
        """The status after a slice without a path: MORE while samples remain, else -1."""
        return MORE if self._left else -1

    def nearest_to_goal(self, cost: Any, count: int) -> int:
        """The node within one step of the goal that reaches it at the least cost; -1 without such a node."""
        away = np.linalg.norm(self.points[:count] - self.goal, axis=1)
        close = np.flatnonzero(away <= self.step)
        ends = np.vstack([self.points[:count], self.goal])
        seen = sight_of_pairs(self.world, ends, np.column_stack([close, np.full(len(close), count)]))
        close = close[seen]
        return int(close[np.argmin((cost[:count] + away)[close])]) if len(close) else -1

    def plan(self, numbers: Any, searched: Searched) -> Plan:
        points: Array = self.of.origin + self.points[numbers] * self.of.resolution
        points[[0, -1]] = self.ends
        cost = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        return Plan(points, cost, searched)

    def failure(self, samples: int, count: int) -> PlanningError:
        a, b = (end.tolist() for end in self.ends)
        return PlanningError(
            "samples", f"{samples}, after which a tree of {count} nodes from {a} does not reach {b}",
            "more samples, or a shorter step; `astar` finds a path if there is one",
        )  # fmt: skip


def native_growth() -> Any:
    """RRT as machine code."""
    return machine_code(grow, ("b1", "i", "d2", "d1", "d", "d", "d2", "i1", "i2", "i1", "i1", "d1", "i1"))


def native_star() -> Any:
    """RRT* as machine code."""
    lists = "i1", "d1", "i1", "i1"
    return machine_code(
        grow_star, ("b1", "i", "d2", "d1", "d", "d", "d", "d2", *lists, "i2", "i1", "i1", "d1", "i1", "i1")
    )
