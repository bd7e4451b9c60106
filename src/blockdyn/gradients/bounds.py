"""Bounds limit the values of a number in a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..base.schema import is_number
from ..base.words import nearest
from ..solvers.layout import Floats
from .errors import GradientError

CLOSE = 1e-6  # distance to a bound, relative to a number's size or change: a search stays slightly within
FAR = 1e3  # times its start: an unbounded number beyond this is reported


def read_bounds(
    paths: Sequence[str], bounds: Mapping[str, Any], begin: Sequence[float], argument: str,
    error: type[GradientError],
) -> tuple[Floats, Floats]:  # fmt: skip
    """The least and the greatest value of each path. Raises `error`."""
    if not isinstance(bounds, Mapping):
        raise error(f"bounds are {bounds!r:.80}", 'two numbers by path: {"kp": (0.0, 50.0)}')
    low, high = np.full(len(paths), -np.inf), np.full(len(paths), np.inf)
    for path, pair in bounds.items():
        if path not in paths:
            actual = f"bounds of {path!r:.80}, which is not in {argument}{nearest(str(path), paths)}"
            raise error(actual, f"one of {', '.join(paths)}")
        right = isinstance(pair, (tuple, list)) and len(pair) == 2 and all(map(is_number, pair))
        if not right or not pair[0] < pair[1]:
            expected = "two numbers, the least and the greatest value"
            raise error(f"bounds of {path} are {pair!r:.80}", expected)
        i = paths.index(path)
        low[i], high[i] = pair
        if not low[i] <= begin[i] <= high[i]:
            actual = f"{path} begins at {begin[i]:g}, outside its bounds, {low[i]:g} to {high[i]:g}"
            raise error(actual, f'a start between them: {argument}={{"{path}": {(low[i] + high[i]) / 2:g}}}')
    return low, high


def held(
    names: Sequence[str], solution: Floats, starts: Floats, bounds: tuple[Floats, Floats]
) -> tuple[str, ...]:
    """The numbers at one of their bounds."""
    near = CLOSE * np.maximum(np.abs(solution), np.abs(solution - starts))
    low, high = (np.abs(solution - bound) <= near for bound in bounds)
    return tuple(name for name, below, above in zip(names, low, high, strict=True) if below or above)


def far(
    names: Sequence[str], solution: Floats, starts: Floats, bounds: tuple[Floats, Floats]
) -> dict[str, float]:  # fmt: skip
    """The unbounded numbers that have moved far from their start, with the ratio."""
    open_ = np.isinf(np.where(solution > 0.0, bounds[1], bounds[0]))
    times = np.abs(solution) / np.where(starts != 0.0, np.abs(starts), 1.0)
    return {name: float(n) for name, n, free in zip(names, times, open_, strict=True) if free and n > FAR}


def read_start(path: str, value: Any, error: type[GradientError]) -> float:
    """Start of the search for a number. Raises `error`."""
    if not (is_number(value) and np.isfinite(value)):
        expected = f"a finite number; bounds={{{path!r}: (least, greatest)}} bounds it"
        raise error(f"{path} begins at {value!r:.80}", expected)
    return float(value)


def starting_numbers(starts: Mapping[str, Any]) -> dict[str, Any]:
    """Starting values for the diagram, possibly with expressions; errors are reported later."""
    return {path: value for path, value in starts.items() if is_number(value) and np.isfinite(value)}
