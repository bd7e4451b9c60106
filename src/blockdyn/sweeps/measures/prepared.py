"""Measures prepared for one program: signals, events, formula blocks, and the arrays of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.words import article, nearest
from ...diagrams.compiler.plan.layout import Plan
from ...diagrams.compiler.plan.unit import HELD, Unit
from ...diagrams.model.diagram_error import listed
from ...diagrams.runs.logged import make_columns
from ..errors import SweepError, UnknownPath
from . import kinds
from .attach import MeasuredDiagram
from .declaration import Measure
from .signals import NoSignal, Signals
from .text import read_formula

if TYPE_CHECKING:
    from ...diagrams.compiler.program import Program
    from ...diagrams.model.diagram import Diagram
    from ...diagrams.model.gathered import Errors


class Events(NamedTuple):
    """Crossings first, first + stride ... below stop; a timer's number, or -1."""

    first: int
    stop: int
    stride: int
    timer: int


def find_events(measure: Measure, plan: Plan) -> Events:
    """The events of `block` or `block.crossing`. Raises UnknownPath, SweepError."""
    text = measure.of
    units = plan.by_path
    path = next((path for path in units if text == path or text.startswith(f"{path}.")), "")
    unit, crossing = units.get(path), text[len(path) + 1 :]
    if unit is None:
        raise _unknown(measure, list(units))
    slots = [slot for slots_of_kind in unit.crossing_slots.values() for slot in slots_of_kind]
    timers = [i for i, owner in enumerate(plan.timer_owner) if owner == unit.index]
    if crossing:
        if crossing not in unit.crossing_slots:
            names = list(unit.crossing_slots)
            problem = f"{unit.path}, {article(unit.block.kind())}, has no zero crossing `{crossing}`"
            hint = "for the value of a signal use `above: 1.0` or `below: 1.0`"
            near = nearest(crossing, names)
            raise measure.wrong(problem + near, f"expected: one of {listed(names)}; {hint}")
        slots_of_kind = unit.crossing_slots[crossing]
        return Events(slots_of_kind.start, slots_of_kind.stop, slots_of_kind.step, -1)
    if not slots and not timers:
        problem = f"{unit.path}, {article(unit.block.kind())}, has no events"
        expected = "expected: a block with zero crossings or time events of its own, or a signal with"
        raise measure.wrong(problem, f"{expected} `above: 1.0` or `below: 1.0`")
    first, stop = (min(slots), max(slots) + 1) if slots else (0, 0)
    return Events(first, stop, 1, timers[0] if timers else -1)


def _unknown(measure: Measure, names: list[str]) -> SweepError:
    path = measure.of
    problem = f"measure `{measure.name}`: `{path}` is not a block of the diagram{nearest(path, names)}"
    expected = (
        f"expected: a block whose events are meant, one of {listed(names)}; or a signal with `above: 1.0`"
    )
    return UnknownPath(problem, expected, path=path, location=measure.location)


@dataclass(frozen=True)
class Column:
    """The signal of a measure: an element of an output of the prepared diagram."""

    path: str
    port: str
    index: int
    unit: str
    absolute: bool = False

    @property
    def log(self) -> str:
        return f"{self.path}.{self.port}"


def prepare(
    measures: Sequence[Measure], diagram: Diagram, errors: Errors, loops: str | None = None
) -> tuple[Diagram, tuple[Column | None, ...]]:
    """A copy of the diagram with blocks for the formulas of measures, and the column of each measure.

    Gathers SweepError and UnknownPath; raises the DiagramError family when the diagram cannot be compiled.
    """
    signals = Signals(diagram, loops)
    attached = MeasuredDiagram(diagram, tuple(tap.name for tap in signals.flat.taps))
    columns: list[Column | None] = []
    for measure in measures:
        column = None
        with errors:
            if measure.looks_at == "signal":
                column = signal_column(measure, signals, attached)
            elif measure.looks_at == "block":
                column = saturation_column(measure, signals, attached)
            elif measure.looks_at == "events":
                find_events(measure, signals.plan)
        columns.append(column)
    return attached.diagram, tuple(columns)


def signal_column(measure: Measure, signals: Signals, attached: MeasuredDiagram) -> Column:
    """The column of a measure of a signal. Raises SweepError, UnknownPath."""
    formula, absolute = read_formula(measure, signals)
    alone = formula.alone
    if alone is not None:
        return Column(alone.path, alone.port, alone.index or 0, alone.unit, absolute)
    return Column(attached.formula(measure, formula), "y", 0, "", absolute)


def saturation_column(measure: Measure, signals: Signals, attached: MeasuredDiagram) -> Column:
    """The difference between the output and the input of a block that passes its input on.

    Raises SweepError.
    """
    path, bracket, index = measure.of.partition("[")
    unit = signals.units.get(path.rstrip())
    remedy = "expected: a block that passes its input on until a limit, such as a Saturation"
    if unit is None:
        raise measure.wrong(signals.unknown(measure.of).replace("signal", "block"), remedy)
    if len(unit.inputs) != 1 or len(unit.output_ports) != 1:
        has = f"{len(unit.inputs)} inputs and {len(unit.output_ports)} outputs"
        raise measure.wrong(f"{unit.path}, {article(unit.block.kind())}, has {has}", remedy)
    if unit.block.states:
        problem = (
            f"{unit.path}, {article(unit.block.kind())}, has states,"
            " and an output other than its input at all times"
        )
        raise measure.wrong(
            problem, f"{remedy}; of others, `time_above` or `time_below` a level near the limit"
        )
    source = unit.flat.sources[next(iter(unit.inputs))]
    if source is None:
        raise measure.wrong(f"the input of {unit.path} is open", remedy)
    try:
        after = signals.find(measure.of)
        before = signals.find(f"{source[0]}.{source[1]}{bracket}{index}")
    except NoSignal as error:
        raise measure.wrong(str(error), remedy) from None
    if after is None or before is None:
        raise measure.wrong(f"`{measure.of}` is not a block", remedy)
    for end in (before, after):
        if end.shape:
            raise measure.wrong(f"`{measure.of}` is a {end.size}", f"name one element, `{path}[0]`")
    return Column(attached.difference(measure, after, before), "y", 0, "")


_NUMBERS = ("after", "before", "level", "target", "from", "tolerance", "band", "low", "high")


@dataclass(frozen=True, eq=False)
class KernelData:
    """The data of the kernel.

    spec      (m, SPEC) kinds and places, see `kinds`
    numbers   (m, NUMBERS) windows, levels and other numbers
    room      shape of the workspace of measures during a run
    refine    rows per step: 0 if events and the end of the run are enough, 1 if the ends of steps are,
              else 4
    elements  the places in w of the columns of a row after time and flag: all logged elements
    """

    spec: NDArray[np.int64]
    numbers: NDArray[np.float64]
    room: tuple[int, int]
    refine: int
    elements: tuple[int, ...]


def compile_measures(
    measures: Sequence[Measure], columns: Sequence[Column | None], program: Program
) -> KernelData:
    """Measures for a program that logs their signals. Raises SweepError, UnknownPath."""
    count = len(measures)
    spec, numbers = np.zeros((count, kinds.SPEC), np.int64), np.full((count, kinds.NUMBERS), np.nan)
    units = program.plan.by_path
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
    return KernelData(spec, numbers, room, refine, tuple(logged.elements))


def _moves(measure: Measure, column: Column | None, units: Mapping[str, Unit]) -> bool:
    """True if a measure depends on its signal within a step."""
    if column is None:
        return False
    ends = measure.kind in ("initial", "final") and not measure.options
    return not ends and units[column.path].rate.get(column.port) != HELD
