"""Samples: how planners draw random points, and which pairs of points see one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..calls.kernel import machine_code
from .arguments import Array, numbers
from .errors import PlanningError
from .tree_growth import seen_from

FOUND = 1


def generator(seed: int) -> np.random.Generator:
    """The random numbers of a seed. Raises PlanningError."""
    if seed < 0:
        raise PlanningError("seed", seed, "a whole number, 0 or more")
    return np.random.default_rng(seed)


def at_least_one(name: str, value: int, most: int = 10_000_000) -> int:
    """A whole number from 1. Raises PlanningError."""
    if not 1 <= value <= most:
        raise PlanningError(name, value, f"a whole number from 1 to {most}")
    return int(value)


def fraction(name: str, value: float) -> float:
    """A number from 0 to less than 1. Raises PlanningError."""
    expected = "a number from 0 to less than 1"
    array = numbers(name, value, expected)
    if array.ndim or not 0.0 <= array < 1.0:
        raise PlanningError(name, array.tolist(), expected)
    return float(array)


def native_pairs() -> Any:
    """Sight of pairs as machine code."""
    return machine_code(seen_from, ("b1", "i", "d2", "i2", "b1"))


def sight_of_pairs(world: tuple[Any, int], points: Array, pairs: Any) -> Any:
    """Whether the points of each pair (n, 2) see one another, (n,); coordinates of cells."""
    free = np.empty(len(pairs), bool)
    native_pairs()(*world, points, np.ascontiguousarray(pairs, np.int64), free)
    return free
