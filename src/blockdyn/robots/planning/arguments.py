"""Arguments of planners are checked, and long computations run in slices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import all_finite, of_truth, real_numbers
from ...base.progress import Bar
from ..errors import RobotError


class PlanningError(RobotError):
    """A plan that cannot be made: the argument, its value, the value expected."""

    def __init__(self, argument: str, actual: object, expected: str) -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        super().__init__(f"{argument} is {actual}\nexpected: {expected}")


def refusal(argument: str, actual: str, expected: str) -> PlanningError:
    """The error for an argument of another type than its annotation."""
    return PlanningError(argument, actual.removeprefix("found "), expected)


Array = NDArray[np.float64]

POSE = "a pose (x, y, heading), m, m, rad"


def poses(name: str, value: object, *, rows: bool) -> Array:
    """A pose (3,), or with `rows` many of them (n, 3). Raises PlanningError."""
    expected = POSE + (", or rows of them, (n, 3)" if rows else "")
    array = numbers(name, value, expected)
    if array.shape[-1:] != (3,) or array.ndim > 1 + rows:
        raise PlanningError(name, f"numbers of shape {array.shape}", expected)
    return array


def positive(name: str, value: object, unit: str) -> float:
    """The value as a finite number above 0. Raises PlanningError."""
    expected = f"a number above 0, {unit}"
    array = numbers(name, value, expected)
    if array.ndim or array <= 0.0:
        raise PlanningError(name, array.tolist(), expected)
    return float(array)


def numbers(name: str, value: object, expected: str) -> Array:
    """The values as an array of finite numbers. Raises PlanningError."""
    try:
        array = real_numbers(value)
    except (TypeError, ValueError, OverflowError):
        raise PlanningError(name, f"{value!r:.80}", expected + of_truth(value)) from None
    if not all_finite(array):
        raise PlanningError(name, f"{array.tolist()!r:.80}", expected + ", finite")
    return array


def vector(name: str, value: object, size: int, expected: str) -> Array:
    """This number of finite values. Raises PlanningError."""
    array = numbers(name, value, expected)
    if array.shape != (size,):
        raise PlanningError(name, f"numbers of shape {array.shape}", expected)
    return array


def in_slices(name: str, total: int, unit: str, work: Callable[[], int], done: Callable[[], int]) -> int:
    """Call `work` until it returns a value other than 0, and return that; `done` gives the fraction done.

    Work that ends in its first slice shows no progress.
    """
    status = work()
    if status:
        return status
    bar = Bar(name, total, done())
    try:
        while not status:
            bar.show(min(done(), total), f"{done():,} of at most {total:,} {unit}")
            status = work()
    finally:
        bar.close()
    return status
