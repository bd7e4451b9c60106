"""Readings: what a caller gives for the inputs of a kernel, as arrays of float64."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import all_finite, of_truth, real_numbers
from ..mechanics.errors import NotFinite, WrongSize
from ..model.robot import Robot

Array = NDArray[np.float64]
ARRAY, FLOAT = np.ndarray, np.dtype(np.float64)
LISTS = list, tuple
NUMBERS = frozenset({float, int, np.float64})


def read(
    robot: Robot, names: Sequence[str], shapes: Sequence[tuple[int, ...]], values: Sequence[Any]
) -> tuple[dict[str, Array], int | None]:
    """Values of these names and shapes as arrays by their place, and how many rows they have, where they do.

    Raises WrongSize.
    """
    arrays: dict[str, Array] = {}
    many: int | None = None
    for name, shape, value in zip(names, shapes, values, strict=True):
        place = f"{robot.name}, {name}"
        try:
            array = real_numbers(value)
        except (TypeError, ValueError, OverflowError):
            expected = _expected(shape) + of_truth(value)
            if isinstance(value, str) and value in robot.named:
                expected = f'the numbers of the pose: robot.named["{value}"]'
            raise WrongSize(place, f"found {value!r:.60}", expected) from None
        if array.shape[1:] == shape and array.ndim == len(shape) + 1:
            if many not in (None, len(array)):
                said = f"{len(array)} rows beside {many}"
                raise WrongSize(place, said, "as many rows in all arguments")
            many = len(array)
        elif array.shape != shape:
            raise WrongSize(place, f"found shape {array.shape}", _expected(shape))
        arrays[place] = array
    return arrays, many


def flat(value: Any) -> Any:
    """Lists of numbers, and vectors of others than float64, as the places of a kernel's inputs take them."""
    if type(value) in LISTS and NUMBERS.issuperset(map(type, value)):
        return array("d", value)
    if type(value) is ARRAY and value.dtype is not FLOAT and value.ndim == 1 and value.dtype.kind in "iuf":
        return value.astype(FLOAT)
    return value


def finite(arrays: dict[str, Array]) -> dict[str, Array]:
    """The same arrays. Raises NotFinite."""
    for place, values in arrays.items():
        if not all_finite(values):
            raise NotFinite(place, values)
    return arrays


def _expected(shape: tuple[int, ...]) -> str:
    inside = ", ".join(map(str, shape))
    return f"shape ({inside}{',' if len(shape) == 1 else ''}), or (k, {inside}) for k calls"
