"""Table: a table over time, held, linear or cubic between its rows, once or repeatedly."""

from __future__ import annotations

import numpy as np

from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import column, graph
from ..contract.parameter import Real, option, parameter
from .table_source import BETWEEN, Rows, TableSource


class Table(TableSource):
    """A table over time, written in place; FromFile reads one from a file, Lookup1D is over a signal.

        y = values[k]                                                   held,  times[k] <= t < times[k + 1]
            values[k] + (values[k + 1] - values[k]) (t - times[k]) / h  linear,  h = times[k + 1] - times[k]
            a spline of third degree, not-a-knot at its ends            cubic

    The first value holds before the first time, and the last one after the last; with `repeat` the table
    repeats instead, with the time from the first row to the last as its period (a cubic table whose first and
    last rows are equal then continues smoothly). `values` holds a number for each time, or a row for each
    time and a vector y. If two times are equal, y jumps from the first value to the second. Every time is a
    time event.
    Raises ParameterError if times decrease, and unless `values` has one entry per time.
    Source of the spline: de Boor, A Practical Guide to Splines (1978), chapter IV.

    Example:
        {type: Table, times: [0, 1, 2, 4], values: [0, 3, 1, 0], interpolation: cubic, repeat: true}
    """

    icon = "table of time"

    times: Real = parameter(unit="s", doc="time of each value, not decreasing", dimensions=(1,))
    values: Real = parameter(unit="[y]", doc="value (or row) at each time", dimensions=(1, 2))
    interpolation: str = option(default="linear", doc="interpolation between rows", choices=BETWEEN)
    repeat: bool = option(default=False, doc="begin again where the table ends")
    unit: str = option(default="", doc="unit of y")

    def symbol(self) -> Icon:
        return graph(list(zip(column(self.times), column(self.values), strict=True)))

    def check(self) -> None:
        times = np.asarray(self.times)
        early = np.flatnonzero(np.diff(times) < 0).tolist()
        if early:
            raise ParameterError(
                "Table", "times", self.times, f"at least {times[early[0]]:g}, because times do not decrease",
                element=(early[0] + 1,),
            )  # fmt: skip
        if len(np.asarray(self.values)) != len(times):
            raise ParameterError("Table", "values", self.values, f"as many as `times`, {len(times)}")
        super().check()

    def rows(self) -> Rows:
        return Rows(np.asarray(self.times, np.float64), np.asarray(self.values, np.float64))

    def shape(self) -> tuple[int, ...]:
        return np.shape(self.values)[1:]  # type: ignore[arg-type]
