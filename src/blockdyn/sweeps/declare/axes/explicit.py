"""Explicit axes list their values, or space them evenly on a linear or logarithmic scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....base.words import short
from ....robots.errors import RobotError
from ....robots.model.robot import Robot

Values: TypeAlias = "NDArray[np.float64] | list[Any]"
"""An array where all values are numbers, otherwise a list."""
EXACT = 2**53  # whole numbers up to here are exact in double precision
MOST = 10_000_000  # values of one axis


def as_values(items: Any) -> Values:
    """The values themselves, as an array if all are numbers."""
    values = items.tolist() if isinstance(items, np.ndarray) else list(items)
    if all(map(is_number, values)):
        return np.array(values, np.float64)
    return values


def linspace(range_: Sequence[Any]) -> Values:
    """[first, last, n]: n evenly spaced values from first to last, both included."""
    return np.linspace(float(range_[0]), float(range_[1]), int(range_[2]))


def logspace(range_: Sequence[Any]) -> Values:
    """[first, last, n]: n values from first to last, with a constant ratio."""
    return np.geomspace(float(range_[0]), float(range_[1]), int(range_[2]))


def count(number: int) -> Values:
    """n: the numbers 0, 1, ... n - 1."""
    return np.arange(int(number), dtype=np.float64)


FORMS: dict[str, Callable[[Any], Values]] = {
    "values": as_values,
    "linspace": linspace,
    "logspace": logspace,
    "count": count,
}


def is_number(value: Any) -> bool:
    """True for a real number that is not a truth value."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """True for a whole number."""
    return is_number(value) and (isinstance(value, (int, np.integer)) or float(value).is_integer())


def wrong(form: str, declared: Any) -> tuple[str, str] | None:
    """The fault of the values of a form, and the expected ones; None if they are right."""
    if form == "values":
        return _wrong_list(declared)
    if form == "count":
        fits = is_whole(declared) and 1 <= declared <= MOST
        return None if fits else (_is(form, declared), f"a whole number from 1 to {MOST}")
    items = declared.tolist() if isinstance(declared, np.ndarray) else declared
    if not isinstance(items, (list, tuple)) or len(items) != 3 or not all(map(is_number, items)):
        return _is(form, declared), "[first, last, how many], such as [0, 2, 5]"
    first, last, many = items
    if not np.isfinite([first, last]).all():
        return _is(form, declared), "finite ends"
    if not is_whole(many) or not 1 <= many <= MOST:
        return f"`{form}` requires {many:g} values", f"a whole number from 1 to {MOST}"
    if form == "logspace" and not first * last > 0:
        problem = f"`logspace` goes from {first:g} to {last:g}"
        return problem, "ends of one sign, neither of them 0: they are values, not exponents"
    return None


def _wrong_list(declared: Any) -> tuple[str, str] | None:
    values = declared.tolist() if isinstance(declared, np.ndarray) else declared
    if not isinstance(values, (list, tuple)):
        return f"the values are {short(declared)}", "a list of values"
    if not values:
        return "it has no values", "at least one"
    if len(values) > MOST:
        return f"it has {len(values)} values", f"at most {MOST}"
    for i, value in enumerate(values):
        if value is None or (isinstance(value, float) and np.isnan(value)):
            return f"value {i} is {'nothing' if value is None else 'not a number'}", "a value"
        if isinstance(value, int) and abs(value) > EXACT:
            return f"value {i} is {value}", "a whole number up to 2^53, which is exact in double precision"
    return None


def plain(value: Any) -> Any:
    """A value as JSON data; for a Robot made in Python, its numbers."""
    if isinstance(value, Robot):
        from ....blocks.arms.robot_option import robot_data

        try:
            return robot_data(value)
        except RobotError:
            return {"robot": value.name, "table": value.table().tolist()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def _is(form: str, declared: Any) -> str:
    return f"`{form}` is {short(declared)}"
