"""Measured: measures of a run, and their derivatives by numbers of the diagram."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base.annotations import is_number
from ..base.errors import BlockdynError
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.gathered import Errors
from ..native.tangent.refused import NotDifferentiable
from ..solvers.layout import Floats
from ..sweeps.errors import SeveralSweepErrors
from ..sweeps.measures.attach import Attached
from ..sweeps.measures.compiled import compile_measures
from ..sweeps.measures.declaration import GRADIENT, MARGINS, Measure
from ..sweeps.measures.declared import Measures
from ..sweeps.measures.native import Absorber
from ..sweeps.measures.prepared import Column, saturation_column, signal_column
from ..sweeps.measures.signals import Signals
from ..sweeps.measures.text import Formula, read_formula
from ..sweeps.place.reasons import reason_of
from .derived import DERIVED, INTEGRALS, STILL, Question, Window, passing
from .errors import GradientError
from .followed import Course
from .loops import Loops
from .panels import BEFORE, FIXED, INSIDE, JUMP, STOPPED, UNTIL, Grid, Instant, Series, make_grid
from .probe import Probe
from .seeds import CENTRAL
from .study import Study

BESIDE = 1e-5  # of the run: how far beside an event its limits are read
FORMULA_STEP = 1e-3  # of a measure: the step of the difference of a formula of measures


class Outcome(NamedTuple):
    """Measures of one run (m,), and their derivatives (m, n)."""

    values: Floats
    slopes: Floats


class Measured:
    """A diagram with measures and the paths that they are derived by, ready to be run for any values.

    names       of the measures
    values      of the paths, as the diagram has them
    differences, computed   see `Sensitivities`
    """

    def __init__(
        self, diagram: Diagram, declared: Mapping[str, Any], paths: Sequence[str],
        simulation: Mapping[str, Any], *, parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Raises BadMeasure, UnknownPath, NotDifferentiable, and what `Study` raises."""
        self._declared = Measures(declared, diagram, loops=simulation.get("loops"))
        self.measures, self.names = self._declared.measures, self._declared.names
        self.units = dict(zip(self.names, self._declared.units, strict=True))
        for measure in self.measures:
            if measure.kind in ("value", "end_time", "time_to") or measure.kind in MARGINS:
                continue
            if measure.kind not in DERIVED:
                what = f"measure `{measure.name}`, {measure.kind}"
                reason = "is a gradient itself" if measure.kind == GRADIENT else "counts"
                raise NotDifferentiable(f"{what}, which {reason}")
        errors = Errors(SeveralSweepErrors)
        prepared, self._looks, self._integrals = _attach(self.measures, diagram, simulation, errors)
        errors.finish()
        logged = [*self._looks, *self._integrals.values()]
        signals = list(dict.fromkeys(column.log for column in logged if column is not None))
        self.study = Study(
            prepared, paths, signals or None, simulation, parameters=parameters, set=set, refine=4
        )
        self.values = self.study.values
        self._margins = [i for i, measure in enumerate(self.measures) if measure.kind in MARGINS]
        margins = [self.measures[i] for i in self._margins]
        self._loops = Loops(diagram, margins, simulation)
        self._paths, self._fixed = list(paths), {**(parameters or {}), **(set or {})}
        self._at = {(column.unit.path, column.port): column.start for column in self.study.columns.values()}
        self._compiled = compile_measures(self.measures, self._looks, self.study.program)

    @property
    def differences(self) -> tuple[str, ...]:
        return self.study.differences

    @property
    def computed(self) -> tuple[str, ...]:
        return self.study.computed

    def run(
        self, values: Floats, fixed: Mapping[str, Any] | None = None, *, slopes: bool = True,
        lacking: dict[str, str] | None = None,
    ) -> Outcome:  # fmt: skip
        """The measures for these values of the paths. Raises what a run raises, GradientError.

        `lacking` takes measures without a value or a derivative in this run, with the reason; what they are
        is then NaN. Without it they are errors.
        """
        study = self.study
        course = study.course(values, fixed)
        absorber = Absorber(self._compiled)
        absorber.take(course.rows, course.events)
        measured = absorber.concluded(course.end)
        derivatives = np.full((len(self.names), study.values.size), np.nan)
        self._take_margins(values, fixed, (measured, derivatives), slopes, lacking)
        measured = self._declared.finish(measured[None])[0]
        if not slopes:
            return Outcome(measured, derivatives)
        for i in np.flatnonzero(np.isnan(measured)).tolist():
            found = f"measure `{self.names[i]}` has no value in this run, which ends at {course.end:g} s"
            self._lacks(i, GradientError(found, "a run in which it is defined"), lacking)
        grid = make_grid(course.rows)
        questions = {
            i: question
            for i, value in enumerate(measured.tolist())
            if np.isfinite(value) and (question := self._question(i, value, course, grid)) is not None
        }
        instants = [(i, k) for i, question in questions.items() for k in range(len(question.instants))]
        read = self._read(
            values, fixed, [(questions[i].instants[k], questions[i].elements[k]) for i, k in instants]
        )
        probes = dict(zip(instants, read, strict=True))
        for i, question in questions.items():
            derivatives[i] = question.answer([probes[i, k] for k in range(len(question.instants))])
        self._formulas(measured, derivatives)
        for i in np.flatnonzero(~np.isfinite(derivatives).all(axis=1)).tolist():
            reason = "a signal that only touches its level, a limit that is no event, or a root of 0"
            self._lacks(i, NotDifferentiable(f"measure `{self.names[i]}`: {reason}"), lacking)
        return Outcome(measured, derivatives)

    def _question(self, i: int, value: float, course: Course, grid: Grid) -> Question | None:
        """What has to be known for measure i; nothing for what is no measure of the run."""
        measure, column = self.measures[i], self._looks[i]
        begin = max(self.study.start, measure.number("after"))
        if measure.kind == "end_time":
            return passing(Instant(value, STOPPED, 0.0)) if course.stopped else STILL
        if measure.looks_at == "events":
            time = begin + value
            room = float(grid.stops[grid.stops > time].min(initial=np.inf)) - time
            return passing(Instant(time, JUMP, room) if np.isfinite(room) else Instant(time, STOPPED, 0.0))
        if column is None:
            return None
        end, element = min(course.end, measure.number("before")), self._element(column)
        whole = measure.number("before") > course.end
        moves = course.stopped and whole
        series = Series(grid, course.rows[:, 2 + element], begin, end, whole=whole, moves=moves)
        if i in self._integrals:
            element = self._element(self._integrals[i])
        return DERIVED[measure.kind](Window(measure, series, begin, end, element, value, moves))

    def _take_margins(
        self, values: Floats, fixed: Mapping[str, Any] | None, into: tuple[Floats, Floats], slopes: bool,
        lacking: dict[str, str] | None,
    ) -> None:  # fmt: skip
        if not self._margins:
            return
        numbers = {**self._fixed, **(fixed or {}), **dict(zip(self._paths, values.tolist(), strict=True))}
        try:
            margins, of_margins = self._loops.at(numbers, self._paths if slopes else ())
        except BlockdynError as error:
            if lacking is None:
                raise
            lacking |= dict.fromkeys((self.names[i] for i in self._margins), reason_of(error))
            return
        into[0][self._margins] = margins
        if slopes:
            into[1][self._margins] = of_margins

    def _lacks(self, i: int, error: BlockdynError, lacking: dict[str, str] | None) -> None:
        if lacking is None:
            raise error
        lacking.setdefault(self.names[i], reason_of(error))

    def _element(self, column: Column) -> int:
        return self._at[column.path, column.port] + column.index

    def _read(
        self, values: Floats, fixed: Mapping[str, Any] | None, asked: Sequence[tuple[Instant, int]]
    ) -> Iterator[Probe]:
        """What a run has at instants."""
        study = self.study
        reach = BESIDE * (study.stop - study.start)
        times = [_beside(instant, min(reach, 0.1 * instant.room), study.stop) for instant, _ in asked]
        all_times = np.unique(np.array([time for each in times for time in each]))
        rows = study.rows(values, all_times, fixed, rates=True, stops=True)
        for (instant, element), mine in zip(asked, times, strict=True):
            at = np.searchsorted(all_times, mine)
            y, rate, slopes = rows.values[at, element], rows.rates[at, element], rows.slopes[at, element]
            if instant.kind == STOPPED:
                move = rows.moves[at[0]]
                yield Probe(instant, y[0], rate[0], slopes[0] + rate[0] * move, move)
                continue
            if instant.kind in (INSIDE, FIXED):
                yield Probe(instant, y[0], rate[0], slopes[0], rows.moves[at[0]])
                continue
            if instant.kind == UNTIL:
                yield Probe(instant, y[0], rate[0], _limit(slopes), rows.moves[at[0]])
                continue
            move = rows.moves[at[-1]]
            limit = slopes[0] if instant.kind == JUMP else _limit(slopes) + _limit(rate) * move
            yield Probe(instant, y[0], rate[0], limit, move)

    def _formulas(self, measured: Floats, derivatives: Floats) -> None:
        """The derivatives of measures that are formulas of others, by differences of the formulas."""
        place = {name: i for i, name in enumerate(self.names)}
        for name in self._declared.order:
            formula = self._declared.formulas[name]
            parts = [float(measured[place[part]]) for part in formula.names]
            total = np.zeros(derivatives.shape[1])
            for j, part in enumerate(formula.names):
                if not np.any(derivatives[place[part]]):
                    continue
                step = FORMULA_STEP * (abs(parts[j]) or 1.0)
                slope = 0.0
                for offset, weight in CENTRAL.items():
                    moved = [*parts[:j], parts[j] + offset * step, *parts[j + 1 :]]
                    slope += weight * float(formula(*moved)) / step
                total += slope * derivatives[place[part]]
            derivatives[place[name]] = total


def _limit(values: Floats) -> Any:
    """That of what is at one, two and three steps from the instant: on a parabola."""
    return 3.0 * values[0] - 3.0 * values[1] + values[2]


def _beside(instant: Instant, reach: float, stop: float) -> list[float]:
    """The times at which an instant is read, s: those with its limit first, then one behind an event."""
    t = instant.time
    if instant.kind == STOPPED:
        return [stop]
    if instant.kind in (INSIDE, FIXED):
        return [t]
    if instant.kind == UNTIL:
        return [t - reach, t - 2.0 * reach, t - 3.0 * reach]
    if instant.kind == BEFORE:
        return [t - reach, t - 2.0 * reach, t - 3.0 * reach, min(t + reach, stop)]
    if instant.kind == JUMP:
        return [min(t + reach, stop)]
    return [t + reach, t + 2.0 * reach, t + 3.0 * reach]


def _attach(
    measures: Sequence[Measure], diagram: Diagram, simulation: Mapping[str, Any], errors: Errors
) -> tuple[Diagram, tuple[Column | None, ...], dict[int, Column]]:
    """A copy of the diagram with the formulas of measures, what each looks at, and integrals of some.

    Outermost absolute values are blocks here: their zeros are events, through which derivatives go.
    """
    signals = Signals(diagram, simulation.get("loops"))
    start = simulation.get("start", signals.flat.simulation.get("start"))
    start = float(start) if is_number(start) else 0.0  # what is no number is said by the run
    attached = Attached(diagram, tuple(tap.name for tap in signals.flat.taps))
    looks: list[Column | None] = []
    integrals: dict[int, Column] = {}
    for i, measure in enumerate(measures):
        column = None
        if measure.looks_at == "signal":
            with errors:
                formula, absolute = read_formula(measure, signals)
                size = Formula(f"abs({formula.text})", formula.inputs) if absolute else formula
                column = signal_column(measure, signals, attached)
                if absolute:
                    column = Column(attached.formula(measure, size), "y", 0, "")
                if measure.kind in INTEGRALS:
                    begin = max(measure.number("after"), start)
                    text = INTEGRALS[measure.kind].format(y=size.text, a=repr(begin))
                    block = attached.integral(measure, Formula(text, size.inputs))
                    integrals[i] = Column(block, "y", 0, "")
        elif measure.looks_at == "block":
            with errors:
                column = saturation_column(measure, signals, attached)
        looks.append(column)
    return attached.diagram, tuple(looks), integrals
