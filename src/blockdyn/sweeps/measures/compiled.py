"""Compiled: measures as the arrays that the kernel reads, for one program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...diagrams.compiler.plan.unit import HELD, Unit
from ...diagrams.runs.logged import make_columns
from . import kinds
from .declaration import Measure
from .events import find_events
from .prepared import Column

if TYPE_CHECKING:
    from ...diagrams.compiler.program import Program

_NUMBERS = ("after", "before", "level", "target", "from", "tolerance", "band", "low", "high")


@dataclass(frozen=True, eq=False)
class Compiled:
    """What the kernel needs to know.

    spec      (m, SPEC) kinds and places, see `kinds`
    numbers   (m, NUMBERS) windows, levels and other numbers
    room      shape of the array in which measures grow while a run goes on
    refine    rows per step: 0 where events and the end of the run are enough, 1 where the ends of steps are,
              else 4
    elements  the places in w that the columns of a row behind time and flag hold: those of all that is logged
    """

    spec: NDArray[np.int64]
    numbers: NDArray[np.float64]
    room: tuple[int, int]
    refine: int
    elements: tuple[int, ...]


def compile_measures(
    measures: Sequence[Measure], columns: Sequence[Column | None], program: Program
) -> Compiled:
    """Measures for a program that logs what they look at. Raises BadMeasure, UnknownPath."""
    count = len(measures)
    spec, numbers = np.zeros((count, kinds.SPEC), np.int64), np.full((count, kinds.NUMBERS), np.nan)
    units = {unit.path: unit for unit in program.plan.units}
    logged = make_columns(program)
    starts = {(column.unit.path, column.port): column.start for column in logged.signals}
    moving = any(_moves(measure, column, units) for measure, column in zip(measures, columns))
    history = kinds.FIRST_ROW + count
    for i, (measure, column) in enumerate(zip(measures, columns)):
        spec[i, kinds.KIND], spec[i, kinds.FLAGS] = measure.code, measure.flags
        if measure.code == kinds.FINAL and not measure.options:
            spec[i, kinds.KIND] = kinds.LAST_ROW
        spec[i, kinds.COLUMN], spec[i, kinds.REFINE] = -1, 4 if moving else 1
        if column is not None:
            if column.index >= units[column.path].out_sizes[column.port].count:
                raise measure.wrong(f"{column.log} is smaller here: it has no element {column.index}")
            spec[i, kinds.COLUMN] = starts[column.path, column.port] + column.index
            spec[i, kinds.FLAGS] |= kinds.ABSOLUTE if column.absolute else 0
        if measure.code in (kinds.SETTLING, kinds.RISE):
            spec[i, kinds.BASE] = history
            history += 2 * kinds.ROOM
        if measure.looks_at == "events":
            spec[i, kinds.FIRST_EVENT : kinds.TIMER_EVENT + 1] = find_events(measure, program.plan)
        numbers[i] = [measure.level if name == "level" else measure.number(name) for name in _NUMBERS]
    room = (history, max(kinds.WIDTH, 1 + count))
    refine = 4 if moving else int(not np.isin(spec[:, kinds.KIND], kinds.AT_INSTANTS).all())
    return Compiled(spec, numbers, room, refine, tuple(logged.elements))


def _moves(measure: Measure, column: Column | None, units: Mapping[str, Unit]) -> bool:
    """Whether a measure needs to know what its signal does within a step."""
    if column is None:
        return False
    ends = measure.kind in ("initial", "final") and not measure.options
    return not ends and units[column.path].rate.get(column.port) != HELD
