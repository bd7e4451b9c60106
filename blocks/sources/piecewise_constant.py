"""PiecewiseConstant: values that follow one another at given times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...solvers.events.timer import Timer
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import column, first, graph, stairs
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Size
from .source import Source


class PiecewiseConstant(Source):
    """A staircase.

        y = initial for t < times[0],  values[k] for times[k] <= t < times[k + 1],  and then the last value

    `values` holds a number for each time, or a row for each time and a vector y. Every time is an event that
    the solver stops at exactly. Raises ParameterError unless `times` increase, `values` has one entry per
    time, and `initial` is a number or as long as a row.

    Example:
        {type: PiecewiseConstant, times: [1.0, 1.01], values: [100.0, 0.0]}
    """

    icon = "stair"

    times: Real = parameter(unit="s", doc="times at which the value changes, increasing", dimensions=(1,))
    values: Real = parameter(unit="[y]", doc="value (or row) from each time on", dimensions=(1, 2))
    initial: Real = parameter(default=0.0, unit="[y]", doc="value before the first time", dimensions=(0, 1))
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        times, values = column(self.times), [first(self.initial), *column(self.values)]
        span = (times[-1] - times[0] or 1.0) / 4
        return graph(stairs([times[0] - span, *times, times[-1] + span], [*values, values[-1]]))

    def check(self) -> None:
        times, values = np.asarray(self.times), np.asarray(self.values)
        if not np.all(np.diff(times) > 0):
            raise ParameterError("PiecewiseConstant", "times", self.times, "increasing times")
        if len(values) != len(times):
            expected = f"as many as `times`, {len(times)}"
            raise ParameterError("PiecewiseConstant", "values", self.values, expected)
        if np.asarray(self.initial).shape not in ((), values.shape[1:]):
            expected = "a number" + (f" or {values.shape[1]} numbers" if values.ndim > 1 else "")
            raise ParameterError("PiecewiseConstant", "initial", self.initial, expected)

    def constants(self) -> Mapping[str, Array]:
        values = np.asarray(self.values)
        before = np.broadcast_to(np.asarray(self.initial), values.shape[1:])
        # The mode counts the times that have passed, so it is the row number; t is not compared with `times`.
        return {"levels": np.concatenate([before[np.newaxis], values])}

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        return {"y": Size(np.asarray(self.values).shape[1:])}

    def timers(self) -> Timer:
        return Timer.at(list(self.times))  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": number if np.ndim(self.values) == 1 else row}  # type: ignore[arg-type]


def number(mode: int, levels: Array) -> float:
    return levels[mode]  # type: ignore[no-any-return]


def row(mode: int, levels: Array, y: Array) -> None:
    for i in range(y.size):
        y[i] = levels[mode, i]
