"""RepeatingSequence: straight lines between given points, repeated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ...solvers.events.timer import Timer, fraction
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import column, graph
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Size
from .source import Source


class RepeatingSequence(Source):
    """A periodic signal, linear between points.

        y = values[k] + (values[k + 1] - values[k]) (tau - times[k]) / (times[k + 1] - times[k]),
        times[k] <= tau < times[k + 1],   tau = (t - offset) modulo the last time

    `times` begin with 0 and increase, and the last one is the period; if two times are equal, y jumps from
    the first value to the second. `values` holds a number for each time, or a row for each time and a vector
    y. If the last value is not the first, y jumps at the end of each period. Before `offset` y is the first
    value of a period. All corners are time events, computed by multiplication, so that they do not drift.
    Raises ParameterError unless `times` begin with 0 and do not decrease, and `values` has one entry per
    time.

    Example:
        {type: RepeatingSequence, times: [0, 0.1, 0.3, 0.4, 0.6], values: [0, 0, 50, 50, 0]}
    """

    icon = "sequence"

    times: Real = parameter(unit="s", doc="0, and the time of each further value", dimensions=(1,))
    values: Real = parameter(unit="[y]", doc="value (or row) at each time", dimensions=(1, 2))
    offset: Real = parameter(default=0.0, unit="s", doc="start of the first period", dimensions=(0,))
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        times, values = column(self.times), column(self.values)
        return graph(list(zip([*times, *(times + times[-1])], [*values, *values], strict=True)))

    def check(self) -> None:
        times = np.asarray(self.times)
        if times[0] != 0.0 or not np.all(np.diff(times) >= 0.0) or not times[-1] > 0.0:
            raise ParameterError("RepeatingSequence", "times", self.times, "0, then increasing times")
        if len(np.asarray(self.values)) != len(times):
            expected = f"as many as `times`, {len(times)}"
            raise ParameterError("RepeatingSequence", "values", self.values, expected)

    def constants(self) -> Mapping[str, Array]:
        return repeated_lines(np.asarray(self.times), np.asarray(self.values))

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        return {"y": Size(np.asarray(self.values).shape[1:])}

    def timers(self) -> Timer:
        return repeated_corners(np.asarray(self.times), float(self.offset))  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": number if np.ndim(self.values) == 1 else row}  # type: ignore[arg-type]


def repeated_lines(times: Array, values: Array) -> dict[str, Array]:
    """The constants of the lines between values, repeated; times begin with 0."""
    corners = np.flatnonzero(np.diff(times) > 0.0)  # pieces that take no time are jumps, not corners
    length = np.diff(times)[corners]
    rows = values.reshape(len(times), -1)
    slopes = (rows[corners + 1] - rows[corners]) / length[:, np.newaxis]
    return {"begins": times[corners], "levels": rows[corners], "slopes": slopes, "period": times[-1]}


def repeated_corners(times: Array, offset: float) -> Timer:
    """The instants at which the lines meet, the first period at `offset`."""
    instants = [fraction(t) for t in times.tolist()]
    corners = tuple(t for t, after in pairwise(instants) if t < after)
    return Timer(instants[-1], offset, corners)


# The mode counts the corners so far, from 1 at `offset`: divided by the number of corners per period, it
# gives the period, and the remainder gives the piece. The start of a piece is computed as a product, not as a
# sum over periods, so it does not drift.


def number(
    t: float, mode: int, begins: Array, levels: Array, slopes: Array, period: float, offset: float
) -> float:
    if mode == 0:
        return levels[0, 0]  # type: ignore[no-any-return]
    k = (mode - 1) % begins.size
    since = t - (offset + period * ((mode - 1) // begins.size) + begins[k])
    return levels[k, 0] + slopes[k, 0] * since  # type: ignore[no-any-return]


def row(
    t: float, mode: int, begins: Array, levels: Array, slopes: Array, period: float, offset: float, y: Array
) -> None:
    k = 0
    since = 0.0
    if mode > 0:
        k = (mode - 1) % begins.size
        since = t - (offset + period * ((mode - 1) // begins.size) + begins[k])
    for i in range(y.size):
        y[i] = levels[k, i] + slopes[k, i] * since
