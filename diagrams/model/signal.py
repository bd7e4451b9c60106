"""A signal holds samples over time, which an input of a program follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ...base.annotations import real_array
from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Array
from ...blocks.sources.piecewise_constant import PiecewiseConstant
from ...blocks.sources.piecewise_linear import PiecewiseLinear
from .errors import RunArgumentError

Interpolation: TypeAlias = Literal["linear", "hold"]
INTERPOLATIONS = ("linear", "hold")
KEYS = ("times", "values", "interpolation", "hold")


@dataclass(frozen=True, eq=False)
class Signal:
    """Samples y(t_i), i = 1..n, for an input of a program.

        linear   y = values[k] + (values[k + 1] - values[k]) (t - times[k]) / (times[k + 1] - times[k])
        hold     y = values[k]                              for times[k] <= t < times[k + 1]

    The first value holds before the first time, the last one after the last. A repeated time is
    a jump: its last value applies from then on. Every time is an event that the solver stops at exactly.

    times          (n,), s, increasing
    values         (n,) for a number, (n, m) for a vector
    interpolation  "linear" or "hold"

    Raises RunArgumentError.

    Example:
        diagram.simulate(stop=3, inputs={"u": Signal([0, 1, 2], [0.0, 1.0, 0.5], "hold")})
    """

    times: Array
    values: Array
    interpolation: Interpolation = "linear"

    def __post_init__(self) -> None:
        times, values = _array("times", self.times), _array("values", self.values)
        if times.ndim != 1 or not times.size or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0):
            raise RunArgumentError("times of a Signal", self.times, "finite increasing times in s")
        if values.ndim not in (1, 2) or len(values) != times.size or not np.all(np.isfinite(values)):
            expected = f"finite numbers, {times.size} as `times` has, or as many rows"
            raise RunArgumentError("values of a Signal", self.values, expected)
        if not isinstance(self.interpolation, str) or self.interpolation not in INTERPOLATIONS:
            raise RunArgumentError("interpolation of a Signal", self.interpolation, "'linear' or 'hold'")
        for name, array in (("times", times), ("values", values)):
            array = array.copy()
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one sample."""
        return self.values.shape[1:]

    def block(self) -> Block:
        """The source that gives the signal."""
        if self.interpolation == "linear":
            kind = PiecewiseLinear if np.all(np.diff(self.times) > 0) else _WithJumps
            return kind(self.times, self.values)
        last = np.append(np.diff(self.times) > 0, True)  # the last of several samples at one time counts
        return PiecewiseConstant(self.times[last], self.values[last], initial=self.values[0])


class _WithJumps(PiecewiseLinear):
    """PiecewiseLinear with repeated times: a jump from the first value to the last."""

    abstract: ClassVar = True

    def check(self) -> None:
        """The checked data of a Signal."""

    def constants(self) -> Mapping[str, Array]:
        times = np.asarray(self.times)
        rows = np.asarray(self.values).reshape(len(times), -1)
        first = np.append(True, np.diff(times) > 0)
        last = np.append(first[1:], True)
        slopes = np.zeros((np.count_nonzero(first) + 1, rows.shape[1]))
        slopes[1:-1] = (rows[first][1:] - rows[last][:-1]) / np.diff(times[first])[:, np.newaxis]
        return {
            "begins": np.concatenate([times[:1], times[first]]),
            "levels": np.concatenate([rows[:1], rows[last]]),
            "slopes": slopes,
        }


def as_signal(name: str, value: Any) -> Signal | None:
    """The signal that a mapping, an xarray.DataArray, a pandas.Series or a pair of arrays, (times, values),
    means; None for anything else.

    Raises RunArgumentError.
    """
    if isinstance(value, Signal):
        return value
    if isinstance(value, Mapping):
        return _of_mapping(name, value)
    series = _series(value)
    if series is None:
        return None
    times, values, kind = series
    try:
        held = kind == "discrete"  # attributes of a result's trace
        return Signal(times, values, "hold" if held else "linear")
    except RunArgumentError as error:
        raise RunArgumentError(f"{name}, {error.argument}", error.actual, error.expected) from None


def _of_mapping(name: str, value: Mapping[Any, Any]) -> Signal:
    expected = "{'times': [...], 'values': [...]}, with 'hold': True for steps"
    if not {"times", "values"} <= {*value} <= {*KEYS} or {"hold", "interpolation"} <= {*value}:
        raise RunArgumentError(name, dict(value), expected)
    held = value.get("hold", False)
    if not isinstance(held, bool):
        raise RunArgumentError(f"{name}, hold", held, "True or False")
    how = value.get("interpolation", "hold" if held else "linear")
    try:
        return Signal(value["times"], value["values"], how)
    except RunArgumentError as error:
        raise RunArgumentError(f"{name}, {error.argument}", error.actual, error.expected) from None


def _series(value: Any) -> tuple[Any, Any, str] | None:
    """Times, values and kind of a labelled array along time, by what it has: its library is not imported."""
    if hasattr(value, "dims") and hasattr(value, "coords"):  # xarray.DataArray
        along = str(value.dims[0]) if len(value.dims) else ""
        if along in value.coords:
            return np.asarray(value.coords[along]), np.asarray(value), str(value.attrs.get("kind", ""))
    if hasattr(value, "index") and hasattr(value, "to_numpy"):  # pandas.Series, DataFrame
        return np.asarray(value.index), value.to_numpy(), ""
    if hasattr(value, "time") and hasattr(value, "values") and hasattr(value, "kind"):  # a Trace
        return value.time, value.values, str(value.kind)
    if isinstance(value, tuple) and len(value) == 2 and all(np.ndim(each) for each in value):
        times, values = value
        if isinstance(times, np.ndarray) or isinstance(values, np.ndarray):  # ((1, 2), (3, 4)) is a matrix
            return times, values, ""
    return None


def _array(name: str, value: Any) -> Array:
    try:
        return real_array(value)
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError(f"{name} of a Signal", value, "numbers") from None
