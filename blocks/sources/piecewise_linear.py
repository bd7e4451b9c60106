"""PiecewiseLinear: straight lines between values at given times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...solvers.events.timer import Timer
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import column, graph
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Size
from .source import Source


class PiecewiseLinear(Source):
    """A table over time, linear between its rows.

        y = values[k] + (values[k + 1] - values[k]) (t - times[k]) / (times[k + 1] - times[k])

    between times[k] and times[k + 1]; the first value before, the last one after. `values` holds a number
    for each time, or a row for each time and a vector y. Every time is an event that the solver stops at
    exactly. For trajectories with derivatives, see MultiSegment. Raises ParameterError unless `times`
    increase and `values` has one entry per time.

    Example:
        {type: PiecewiseLinear, times: [0.0, 1.0, 3.0], values: [0.0, 2.0, -1.0]}
    """

    icon = "sequence"

    times: Real = parameter(unit="s", doc="time of each value, increasing", dimensions=(1,))
    values: Real = parameter(unit="[y]", doc="value (or row) at each time", dimensions=(1, 2))
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        return graph(list(zip(column(self.times), column(self.values), strict=True)))

    def check(self) -> None:
        times = np.asarray(self.times)
        if not np.all(np.diff(times) > 0):
            raise ParameterError("PiecewiseLinear", "times", self.times, "increasing times")
        if len(np.asarray(self.values)) != len(times):
            expected = f"as many as `times`, {len(times)}"
            raise ParameterError("PiecewiseLinear", "values", self.values, expected)

    def constants(self) -> Mapping[str, Array]:
        return lines(np.asarray(self.times), np.asarray(self.values))

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        return {"y": Size(np.asarray(self.values).shape[1:])}

    def timers(self) -> Timer:
        return Timer.at(list(self.times))  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": number if np.ndim(self.values) == 1 else row}  # type: ignore[arg-type]


def lines(times: Array, values: Array) -> dict[str, Array]:
    """The constants of the lines between values, held before the first and after the last."""
    rows = values.reshape(len(times), -1)
    # There is one piece more than there are times: the mode, which counts the times passed, is the index of
    # the piece. The first and the last piece have slope 0. Each piece begins at its own row, so rounding
    # errors do not accumulate along the table. If two times are equal, y jumps there: one event, without a
    # piece in between.
    moving = np.flatnonzero(np.diff(times) > 0.0)
    begins = [0, *moving, len(times) - 1]
    slopes = np.zeros((len(begins), rows.shape[1]))
    slopes[1:-1] = np.diff(rows, axis=0)[moving] / np.diff(times)[moving, np.newaxis]
    return {"begins": times[begins], "levels": rows[begins], "slopes": slopes}


def number(t: float, mode: int, begins: Array, levels: Array, slopes: Array) -> float:
    return levels[mode, 0] + slopes[mode, 0] * (t - begins[mode])  # type: ignore[no-any-return]


def row(t: float, mode: int, begins: Array, levels: Array, slopes: Array, y: Array) -> None:
    for i in range(y.size):
        y[i] = levels[mode, i] + slopes[mode, i] * (t - begins[mode])
