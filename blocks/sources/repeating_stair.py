"""RepeatingStair: values held one after the other, repeated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...solvers.events.timer import Timer
from ..contract.icon import Icon
from ..contract.marks import column, graph, stairs
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Size
from .source import Source


class RepeatingStair(Source):
    """A periodic staircase of equal treads.

        y = values[k modulo m]  for  offset + k interval <= t < offset + (k + 1) interval,  m values

    `values` holds a number for each tread, or a row for each tread and a vector y. Before `offset` y is
    values[0]. Every step is a time event, computed by multiplication, so that it does not drift.

    Example:
        {type: RepeatingStair, values: [0, 0, 0, 0.5, 0, -0.5], interval: 1.0}
    """

    icon = "stair"

    values: Real = parameter(unit="[y]", doc="value (or row) of each tread", dimensions=(1, 2))
    interval: Real = parameter(default=1.0, unit="s", doc="length of a tread", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="start of the first tread", dimensions=(0,))
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        values = [*column(self.values)] * 2
        return graph(stairs(range(len(values) + 1), [*values, values[-1]]))

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        return {"y": Size(np.asarray(self.values).shape[1:])}

    def timers(self) -> Timer:
        return Timer(self.interval, self.offset)  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": number if np.ndim(self.values) == 1 else row}  # type: ignore[arg-type]


def number(mode: int, values: Array) -> float:
    # The mode counts the steps: 1 from `offset` on, 0 before it.
    return values[max(mode - 1, 0) % values.shape[0]]  # type: ignore[no-any-return]


def row(mode: int, values: Array, y: Array) -> None:
    k = max(mode - 1, 0) % values.shape[0]
    for i in range(y.size):
        y[i] = values[k, i]
