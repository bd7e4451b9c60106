"""Keeping: signals of every scenario on a common grid, from the rows of runs to arrays by signal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..diagrams.logged import make_columns
from ..diagrams.program import Program
from ..solvers.layout import Floats
from .part import Part

if TYPE_CHECKING:
    from ..diagrams.results.result import Result


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
        found = {c.name: c.unit.output_ports[c.port].unit for c in make_columns(program).signals}
        return {name: unit for name, unit in found.items() if unit}

    def distribute(self, program: Program, rows: Floats, part: Part) -> None:
        """Rows (n, times, elements) into the part, signal by signal."""
        for column in make_columns(program).signals:
            found = rows[:, :, column.start : column.start + column.size.count]
            part.kept[column.name][:] = found.reshape(part.kept[column.name].shape)

    def copy(self, result: Result, part: Part, row: int) -> None:
        """The signals of a run on the grid into one row of the part; behind an early end stays NaN."""
        for name, kept in part.kept.items():
            values = np.asarray(result.trace(name).values)
            kept[row, : len(values)] = values
