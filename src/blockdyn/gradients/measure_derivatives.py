"""Measures of a run, including margins, have derivatives with respect to numbers of the diagram."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ..analysis.locus import Loop
from ..analysis.models.linear_model import LinearModel
from ..analysis.models.margins import Margins
from ..analysis.models.moving_margins import of_margins
from ..analysis.models.stability import instability
from ..base.errors import BlockdynError
from ..base.schema import is_number
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.gathered import Errors
from ..diagrams.model.settings import IN_DIAGRAMS
from ..diagrams.model.subsystem import copied
from ..diagrams.runs.settings import overriding
from ..native.tangent.frame import NotDifferentiable
from ..solvers.layout import Floats
from ..solvers.variation.instants import ROUNDED
from ..sweeps.errors import SweepError
from ..sweeps.measures.attach import MeasuredDiagram
from ..sweeps.measures.declaration import GRADIENT, MARGINS, Measure
from ..sweeps.measures.declared import Measures
from ..sweeps.measures.kernel import Absorber
from ..sweeps.measures.prepared import Column, compile_measures, saturation_column, signal_column
from ..sweeps.measures.signals import Signals
from ..sweeps.measures.text import Formula, read_formula
from ..sweeps.place.base import reason_of
from .derived import DERIVED, INTEGRALS, STILL, Question, Window, passing, read_probes
from .errors import GradientError
from .panels import JUMP, STOPPED, Grid, Instant, Series, make_grid
from .seeds import CENTRAL, STEP, nearby_value
from .sensitivity_run import Rows, SolverOutput
from .study import Side, Study, slopes_by_sides


class Loops:
    """The loops of the measures that are margins."""

    def __init__(
        self, diagram: Diagram, measures: Sequence[Measure], simulation: Mapping[str, Any]
    ) -> None:  # fmt: skip
        """`simulation` are the arguments of the runs with these loops."""
        here = copied(diagram)
        settings = {name: value for name, value in simulation.items() if name in IN_DIAGRAMS}
        here.settings(**overriding(diagram.simulation, settings))
        stop: Any = here.simulation.get("stop")
        stop = float(stop) if is_number(stop) else np.inf  # the run rejects other values
        for measure in measures:
            at = measure.options.get("at", -np.inf)
            if at > stop:
                actual = f"`at` is {at:g} s, and the run stops at {stop:g} s"
                raise measure.wrong(actual, "expected: a time of the run")
        asked = dict.fromkeys((m.of, m.options.get("at")) for m in measures)
        self._loops = {key: Loop(here, *key, simulation.get("loops")) for key in asked}
        self._measures = measures

    def open(self, numbers: Mapping[str, Any]) -> None:
        """Compile for the parameters at these paths. Raises the errors of `Diagram.linearize`."""
        for loop in self._loops.values():
            loop.open(numbers)

    def at(self, numbers: Mapping[str, Any], paths: Sequence[str]) -> tuple[Floats, Floats]:
        """The margins (m,) with these numbers by path, and their derivatives with respect to some (m, n).

        Margins of the matrices of a loop have differences of order 4. Raises the errors of
        `Diagram.linearize`, GradientError for a loop that is not stable.
        """
        margins_by_loop: dict[tuple[str, float | None], tuple[Margins, list[dict[str, float]]]] = {}
        for key, loop in self._loops.items():
            model = loop.model(numbers)
            margins = model.margins()
            if not margins.stable:
                problem = f"the loop that closes at `{key[0]}` is not stable, with {instability(model)}"
                raise GradientError(
                    problem, "parameters with which it is stable: only a stable loop has margins"
                )
            changes = [_changes(loop, numbers, path) for path in paths]
            margins_by_loop[key] = margins, [of_margins(model, margins, change) for change in changes]
        values, slopes = np.zeros(len(self._measures)), np.zeros((len(self._measures), len(paths)))
        for i, measure in enumerate(self._measures):
            margins, of = margins_by_loop[measure.of, measure.options.get("at")]
            name = MARGINS[measure.kind]
            values[i] = getattr(margins, name)
            slopes[i] = [each[name] for each in of]
        return values, slopes


def _changes(loop: Loop, numbers: Mapping[str, Any], path: str) -> LinearModel:
    """The derivatives of the matrices with respect to the number at a path."""
    value = float(numbers[path])
    step = float(f"{STEP * (abs(value) or 1.0):.0e}")
    models = {
        weight: loop.model({**numbers, path: nearby_value(value, offset * step)})
        for offset, weight in CENTRAL.items()
    }

    def change(of: Callable[[LinearModel], Any]) -> Any:
        return sum(weight * of(model) for weight, model in models.items()) / step

    parts = {name: change(attrgetter(name)) for name in "ABCD"}
    first = next(iter(models.values()))
    delays = first.delays and first.delays.combined(lambda name, _: change(attrgetter(f"delays.{name}")))
    return replace(first, delays=delays, **parts)


FORMULA_STEP = 1e-3  # of a measure: the step of the difference of a formula of measures


class Outcome(NamedTuple):
    """Measures of one run (m,), and their derivatives (m, n)."""

    values: Floats
    slopes: Floats


class MeasureDerivatives:
    """A diagram with measures and the paths that they are derived by, prepared to run for any values.

    names       of the measures
    values      of the paths, from the diagram
    differences, computed   see `Sensitivities`
    """

    def __init__(
        self, diagram: Diagram, declared: Mapping[str, Any], paths: Sequence[str],
        simulation: Mapping[str, Any], *, parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Raises SweepError, UnknownPath, NotDifferentiable, and the errors of `Study`."""
        self._declared = Measures(declared, diagram, loops=simulation.get("loops"))
        self.measures, self.names = self._declared.measures, self._declared.names
        self.units = dict(zip(self.names, self._declared.units, strict=True))
        for measure in self.measures:
            if measure.kind in ("value", "end_time", "time_to") or measure.kind in MARGINS:
                continue
            if measure.kind not in DERIVED:
                label = f"measure `{measure.name}`, {measure.kind}"
                reason = "is a gradient itself" if measure.kind == GRADIENT else "counts"
                raise NotDifferentiable(f"{label}, which {reason}")
        errors = Errors(SweepError)
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
        """The measures for these values of the paths. Raises the errors of a run, GradientError.

        `lacking` receives measures without a value or a derivative in this run, with the reason; their values
        are then NaN. Without it they raise errors.
        """
        study = self.study
        course = study.course(values, fixed)
        measured = self._values(course)
        derivatives = np.full((len(self.names), study.values.size), np.nan)
        self._take_margins(values, fixed, (measured, derivatives), slopes, lacking)
        measured = self._declared.finish(measured[None])[0]
        if not slopes:
            return Outcome(measured, derivatives)
        for i in np.flatnonzero(np.isnan(measured)).tolist():
            actual = f"measure `{self.names[i]}` has no value in this run, which ends at {course.end:g} s"
            self._lacks(i, GradientError(actual, "a run in which it is defined"), lacking)
        rows = self._derive(study, course, (values, fixed), measured, derivatives)
        if rows.met is not None:
            self._derive_by_sides(values, fixed, measured, derivatives, lacking)
        self._formulas(measured, derivatives)
        for i in np.flatnonzero(~np.isfinite(derivatives).all(axis=1)).tolist():
            reason = "a signal that only touches its level, a limit without an event, or a root of 0"
            paths: Sequence[str] = ()
            if rows.unknown is not None:
                reason, paths = rows.unknown.reason, rows.unknown.paths
            self._lacks(i, NotDifferentiable(f"measure `{self.names[i]}`: {reason}", paths), lacking)
        return Outcome(measured, derivatives)

    def _values(self, course: SolverOutput) -> Floats:
        """The measures of a run, NaN for margins and formulas."""
        absorber = Absorber(self._compiled)
        absorber.take(course.rows, course.events)
        return absorber.concluded(course.end)

    def _derive(
        self, study: Study, course: SolverOutput, numbers: tuple[Floats, Mapping[str, Any] | None],
        measured: Floats, derivatives: Floats,
    ) -> Rows:  # fmt: skip
        """Store the derivatives of the measures of a run, and return the rows that were read.

        `numbers` are the numbers at the paths of the study, and fixed ones.
        """
        grid = make_grid(course.rows)
        questions = {
            i: question
            for i, value in enumerate(measured.tolist())
            if np.isfinite(value) and (question := self._question(i, value, course, grid)) is not None
        }
        instants = [(i, k) for i, question in questions.items() for k in range(len(question.instants))]
        asked = [(questions[i].instants[k], questions[i].elements[k]) for i, k in instants]
        read, rows = read_probes(study, numbers, asked)
        probes = dict(zip(instants, read, strict=True))
        for i, question in questions.items():
            derivatives[i] = question.answer([probes[i, k] for k in range(len(question.instants))])
        return rows

    def _derive_by_sides(
        self, values: Floats, fixed: Mapping[str, Any] | None, measured: Floats, derivatives: Floats,
        lacking: dict[str, str] | None,
    ) -> None:  # fmt: skip
        """Store the derivatives of a run with simultaneous events, one parameter at a time."""
        of_runs = [i for i, each in enumerate(self.measures) if each.kind not in ("value", *MARGINS)]
        of_runs = [i for i in of_runs if np.isfinite(measured[i])]
        for j, (path, study, others) in enumerate(self.study.singles(values, fixed)):

            def side(number: float, study: Study = study, others: Mapping[str, Any] = others) -> Side:
                numbers = np.array([number]), others
                course = study.course(*numbers)
                values, slopes = self._values(course), np.full((len(self.names), 1), np.nan)
                rows = self._derive(study, course, numbers, values, slopes)
                return Side(values, slopes[:, 0], rows.met)

            slopes, error = slopes_by_sides(path, float(values[j]), side, study.tolerance)
            derivatives[of_runs, j] = slopes[of_runs]
            for i in of_runs:
                if error is not None and np.isnan(slopes[i]):
                    self._lacks(i, error, lacking)

    def _question(self, i: int, value: float, course: SolverOutput, grid: Grid) -> Question | None:
        """The instants to read for measure i; None for a measure that is not measured in the run."""
        measure, column = self.measures[i], self._looks[i]
        begin = max(self.study.start, measure.number("after"))
        if measure.kind == "end_time":
            return passing(Instant(value, STOPPED, 0.0)) if course.stopped else STILL
        if measure.looks_at == "events":
            time = begin + value
            later = grid.stops > time + ROUNDED * abs(time)
            room = float(grid.stops[later].min(initial=np.inf)) - time
            return passing(Instant(time, JUMP, room) if np.isfinite(room) else Instant(time, STOPPED, 0.0))
        if column is None:
            return None
        end, element = min(course.end, measure.number("before")), self._element(column)
        reaches_end = measure.number("before") > course.end
        moves = course.stopped and reaches_end
        values, rtol = course.rows[:, 2 + element], self.study.tolerance[0]
        series = Series(grid, values, begin, end, rtol, includes_end=reaches_end, moves=moves)
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

    def _formulas(self, measured: Floats, derivatives: Floats) -> None:
        """The derivatives of measures that are formulas of others, by finite differences of the formulas."""
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


def _attach(
    measures: Sequence[Measure], diagram: Diagram, simulation: Mapping[str, Any], errors: Errors
) -> tuple[Diagram, tuple[Column | None, ...], dict[int, Column]]:
    """A copy of the diagram with the formulas of measures, the column of each, and integrals of some.

    Outermost absolute values become blocks: their zeros are events with exact derivatives.
    """
    signals = Signals(diagram, simulation.get("loops"))
    start = simulation.get("start", signals.flat.simulation.get("start"))
    start = float(start) if is_number(start) else 0.0  # the run rejects other values
    attached = MeasuredDiagram(diagram, tuple(tap.name for tap in signals.flat.taps))
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
