"""Find the element of a list, vector or matrix that its parameter does not accept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.annotations import of_truth
from ...base.schema import Steps, is_number
from ...base.words import inflect

LISTS = (list, tuple)
DEEPEST = 8  # levels of nested lists that are searched: a list may contain itself
EQUAL = "a number, or a list of numbers of equal lengths"


def element(value: Any, steps: Steps) -> Any:
    """The element itself."""
    for i in steps:
        value = value[i]
    return value


def no_number(value: Any) -> tuple[Steps, str]:
    """The first element that is not a number, and the expected value."""
    steps = first_wrong(value, lambda item: not _may_be_number(item))
    if steps:
        return steps, "a number" + _remedy(element(value, steps))
    return _unequal(value)


def beyond(good: Any) -> Steps:
    """The first element at which an array of truth values is false."""
    return tuple(int(i) for i in np.argwhere(~np.asarray(good))[0])


def first_wrong(value: Any, wrong: Callable[[Any], bool], levels: int = DEEPEST) -> Steps:
    """The position of the first element that is wrong; empty for a value that is not a list."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    for i, item in enumerate(value if isinstance(value, LISTS) and levels else ()):
        inner = first_wrong(item, wrong, levels - 1)
        if inner or wrong(item):
            return (i, *inner)
    return ()


def _may_be_number(item: Any) -> bool:
    return is_number(item) or isinstance(item, (*LISTS, np.ndarray)) or hasattr(item, "is_parameter")


def _remedy(item: Any) -> str:
    if truth := of_truth(item):
        return truth
    if isinstance(item, str) and item.lstrip().startswith("="):
        return "; an expression is bd.expression('a'), in YAML `=a`"
    return "; in quotes it is text" if isinstance(item, str) and item.strip("+-.").isdigit() else ""


def _unequal(value: Any) -> tuple[Steps, str]:
    """The first row whose length differs from row 0; a number in place of a row differs too."""
    rows: list[Any] = list(value) if isinstance(value, LISTS) else []
    for i, row in enumerate(rows):
        if _length(row) != _length(rows[0]):
            many = _length(rows[0])
            expected = "a number" if many is None else f"a list of {inflect(many, 'number')}"
            return (i,), f"{expected}, as element 0 is"
    return (), EQUAL


def _length(row: Any) -> int | None:
    return len(row) if isinstance(row, LISTS) or (isinstance(row, np.ndarray) and row.ndim) else None
