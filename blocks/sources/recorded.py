"""Recorded: a signal of an earlier run."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from ...base.errors import BlockdynError
from ..contract.errors import ParameterError
from ..contract.parameter import FileLike, Real, option, parameter
from .table_source import BETWEEN, Rows, TableSource


def saved_run(file: str) -> Any:
    """The Result in a file. Raises BlockdynError."""
    # Results belong to a higher layer than blocks: their reader is imported by the package's public name.
    return import_module(__name__.partition(".")[0]).load_result(file)


def limits(trace: Any) -> Rows:
    """The rows of a trace or of a file's column; of several rows at one instant, the first and the last."""
    times, values = trace.time, np.asarray(trace.values, np.float64)
    same = np.diff(times) == 0.0
    between = np.concatenate([[False], same]) & np.concatenate([same, [False]])
    return Rows(times[~between], values[~between])


class Run(Protocol):
    """Signals of a run, as in Result."""

    def trace(self, path: str) -> Any:
        """The trace of a signal: `time`, `values`, `kind`."""


class Recorded(TableSource):
    """A signal of an earlier run, as an input of this one.

        y(t) = the signal at t - start

    `run` is a Result, or a file that `Result.save` wrote (.nc, .parquet, .csv); in a diagram's file its path
    is relative to that file. A discrete signal is held from sample to sample. A continuous signal is a cubic
    spline through its rows, with a new spline after each event, at which y jumps as the signal did. If the
    run took long steps, log it at close enough instants (`every=`). Before the first row y equals the first
    row, and after the last row the last one; with `repeat` the record repeats instead. Raises ParameterError
    for a file that is not a result, and for a signal that the run did not keep.

    Example:
        {type: Recorded, run: run.csv, signal: wave}
    """

    icon = "file"

    run: FileLike | Run = option(doc="a Result, or its file")
    signal: str = option(doc="path of the signal, such as plant.q")
    interpolation: str | None = option(
        default=None, doc="interpolation between rows; default: as the signal is", choices=(*BETWEEN, None)
    )
    repeat: bool = option(default=False, doc="begin again where the record ends")
    start: Real = parameter(default=0.0, unit="s", doc="added to the record's times", dimensions=(0,))
    unit: str = option(default="", doc="unit of y; the record's own unit is not used")

    def check(self) -> None:
        if self.trace.time.size == 0:
            raise ParameterError("Recorded", "signal", self.signal, "a signal with samples")
        super().check()

    @cached_property
    def trace(self) -> Any:
        """The record. Raises ParameterError."""
        run: Any = self.run
        try:
            if isinstance(run, str):
                run = saved_run(run)
        except BlockdynError as error:
            raise ParameterError("Recorded", "run", self.run, reason=error) from None
        if not callable(getattr(run, "trace", None)):
            raise ParameterError(
                "Recorded", "run", run, "a Result, or the path of a file that it was saved to"
            )
        try:
            return run.trace(self.signal)
        except BlockdynError as error:
            raise ParameterError("Recorded", "signal", self.signal, reason=error) from None

    @property
    def _interpolation(self) -> str:
        return self.interpolation or ("held" if self.trace.kind == "discrete" else "cubic")

    def rows(self) -> Rows:
        return limits(self.trace)

    def shape(self) -> tuple[int, ...]:
        return tuple(self.trace.values.shape[1:])
