"""Keeping: signals of every scenario on a common grid, from the rows of runs to arrays by signal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...diagrams.compiler.program import Program
from ...diagrams.runs.logged import make_columns
from ...solvers.layout import Floats, Integers
from ..store.part import Part


@dataclass(frozen=True)
class Keeping:
    """The signals by path, and the distance of their times, s."""

    signals: tuple[str, ...] = ()
    every: float = 0.0

    def times(self, start: float, stop: float) -> Floats:
        """start, start + every, ... up to stop, s."""
        count = int(np.floor((stop - start) / self.every * (1.0 + 1e-12))) + 1
        times: Floats = np.minimum(start + self.every * np.arange(count), stop)
        return times

    def shapes(self, program: Program, times: int) -> dict[str, tuple[int, ...]]:
        """The shape of every kept signal for one scenario: times first."""
        return {c.name: (times, *c.size.shape) for c in make_columns(program).signals}

    def units(self, program: Program) -> dict[str, str]:
        """The unit of every kept signal that has one."""
        units = {c.name: c.heading.unit for c in make_columns(program).signals}
        return {name: unit for name, unit in units.items() if unit}

    def distribute(self, program: Program, trajectories: Floats, part: Part, rows: Integers) -> None:
        """What scenarios kept (n, times, elements) into these rows of the part, signal by signal.

        A signal that has another size in them than in the diagram as it is declared stays NaN.
        """
        for column in make_columns(program).signals:
            into = part.signals.get(column.name)
            if into is not None and into.shape[2:] == column.size.shape:
                values = trajectories[:, :, column.start : column.start + column.size.count]
                into[rows] = values.reshape(len(rows), *into.shape[1:])
