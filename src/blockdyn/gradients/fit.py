"""A fit estimates numbers of a diagram so that its runs approach the measured signals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.schema import is_number
from ..base.words import nearest
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.name_errors import UnknownBlock
from ..diagrams.results.lookup import find
from ..diagrams.results.trace import Trace
from ..solvers.layout import Floats
from .bounds import read_bounds, read_start, starting_numbers
from .errors import GradientError
from .experiment import Data, Experiment, columns_of, experiments
from .fitted import Fit, Residual
from .sensitivities import names
from .study import Study

ROUNDS, SETTLED = 20, 1e-3  # of updating the weights by the residuals, until they change by less than this
LEAST = 1e-12  # of a signal's size: least noise, for an exact fit
BLOCK = 256  # rows that are reduced together
TOLERANCE = 1e-12  # relative, of cost, step and gradient: SciPy's are 1e-8, which affects the sixth digit


class ExperimentRun:
    """An experiment ready to run: its columns as elements of signals."""

    def __init__(
        self, diagram: Diagram, experiment: Experiment, place: str, paths: Sequence[str],
        set: Mapping[str, Any], simulation: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self.place, self.paths = place, [*paths, *experiment.unknown]
        for path in experiment.unknown:
            if path in paths:
                actual = f"{place}: {path} is unknown for all experiments, and for this one"
                raise GradientError(actual, "one of the two")
        self.times, self.columns = columns_of(experiment, place)
        arguments = {"stop": float(self.times[-1])} | dict(simulation) | dict(experiment.settings)
        _during({**diagram.simulation, **arguments}, self.times, place)
        if experiment.inputs:
            arguments["inputs"] = experiment.inputs
        signals = list(dict.fromkeys(name.partition("[")[0] for name in self.columns))
        numbers = {**set, **experiment.set, **starting_numbers(experiment.unknown)}
        try:
            self.study = Study(diagram, self.paths, signals, arguments, set=numbers)
        except UnknownBlock as error:
            if error.name not in signals:
                raise
            columns = ["time", *(name for name in signals if name != error.name)]
            expected = (
                f"only columns that are signals of the diagram; select them from a table: data[{columns}]"
            )
            raise GradientError(
                f"{place}: column {error.name}: {str(error).partition(chr(10))[0]}", expected
            ) from None
        here = np.zeros(1)
        numbered = {}
        for name, column in self.study.columns.items():
            elements = np.arange(column.start, column.start + column.size.count, dtype=np.float64)
            numbered[name] = column.heading.filled(here, elements[None])
        headings = [self._heading(name, numbered) for name in self.columns]
        self.elements = [int(heading.values.ravel()[0]) for heading in headings]
        self.units = [heading.unit for heading in headings]
        self.values = np.column_stack([*self.columns.values()])

    def _heading(self, name: str, numbered: Mapping[str, Trace]) -> Trace:
        trace = find(name, numbered, {})
        if trace.values.size != 1:
            expected = f"a column for each element, such as `{name}[0]`, or an array of them"
            raise GradientError(f"{self.place}: {name} is a signal of {trace.values.size} elements", expected)
        return trace

    def compared(self, values: Floats) -> tuple[Floats, Floats]:
        """The run minus the data, (k, m), and its derivatives with respect to `paths`, (k, m, n)."""
        rows = self.study.rows(values, self.times)
        return rows.values[:, self.elements] - self.values, rows.slopes[:, self.elements]


class Problem:
    """All experiments as one function of all unknown numbers."""

    def __init__(self, measured: Sequence[ExperimentRun], common: Sequence[str]) -> None:
        self.measured = measured
        single_paths = [(k, path) for k, each in enumerate(measured) for path in each.paths[len(common) :]]
        self.names = [
            *common,
            *(path if len(measured) == 1 else f"{path} ({k + 1})" for k, path in single_paths),
        ]
        own_at = {key: len(common) + i for i, key in enumerate(single_paths)}
        shared = range(len(common))
        self._at = [
            np.array([*shared, *(own_at[k, path] for path in each.paths[len(common) :])], np.int64)
            for k, each in enumerate(measured)
        ]
        self.signals = list(dict.fromkeys(name for each in measured for name in each.columns))
        self._of = [np.array([self.signals.index(name) for name in each.columns]) for each in measured]
        self.count = sum(each.values.size for each in measured)
        self._key, self._parts = b"", [(np.zeros(0), np.zeros((0, 0)))]
        self.runs = 0

    def parts(self, values: Floats) -> list[tuple[Floats, Floats]]:
        """The differences of each experiment in a row, and their derivatives with respect to its numbers."""
        if values.tobytes() != self._key:
            parts = []
            for each, at in zip(self.measured, self._at, strict=True):
                difference, by = each.compared(values[at])
                parts.append((difference.ravel(), by.reshape(difference.size, -1)))
            self.runs += len(parts)
            self._key, self._parts = values.tobytes(), parts
        return self._parts

    def compared(self, values: Floats) -> tuple[Floats, Floats]:
        """All differences in a row, and their derivatives."""
        slopes = []
        for (difference, by), at in zip(self.parts(values), self._at, strict=True):
            full = np.zeros((difference.size, len(self.names)))
            full[:, at] = by
            slopes.append(full)
        return np.concatenate([difference for difference, _ in self._parts]), np.concatenate(slopes)

    def shortened(self, values: Floats, spread: Floats) -> tuple[Floats, Floats]:
        """Residuals r in units of their noise, and their derivatives J; at least one row more than unknowns.

        With J = Q R they become Q^T r with R, and the norm of the rest of r, which no number affects: the
        cost, its gradient and J^T J are unchanged. Each experiment is reduced first: its J has few columns.
        """
        rows, inside, beside, first = [], [], 0.0, 0
        for (difference, by), at in zip(self.parts(values), self._at, strict=True):
            here = spread[first : first + difference.size]
            first += difference.size
            r, along, left = _shorten_residuals(difference / here, by / here[:, None])
            full = np.zeros((len(r), len(self.names)))
            full[:, at] = r
            rows.append(full)
            inside.append(along)
            beside += left
        r, along, left = _shorten_residuals(np.concatenate(inside), np.concatenate(rows))
        count = values.size + 1
        short, slopes = np.zeros(count), np.zeros((count, values.size))
        short[: along.size], short[-1], slopes[: len(r)] = along, np.sqrt(beside + left), r
        return short, slopes

    def spread(self, per_signal: Floats) -> Floats:
        """Expand one number per signal to one per difference."""
        return np.concatenate(
            [
                np.broadcast_to(per_signal[of], each.values.shape).ravel()
                for each, of in zip(self.measured, self._of, strict=True)
            ]
        )

    def sizes(self, numbers: Floats) -> Floats:
        """The root mean square of numbers, one for each difference, signal by signal."""
        which = self.spread(np.arange(len(self.signals), dtype=np.float64))
        return np.array([np.sqrt(np.mean(numbers[which == i] ** 2)) for i in range(len(self.signals))])


def fit(
    diagram: Diagram,
    data: Data | Experiment | Sequence[Data | Experiment],
    unknown: str | Iterable[str] | Mapping[str, float],
    *,
    bounds: Mapping[str, Any] | None = None,
    noise: float | Mapping[str, float] | None = None,
    set: Mapping[str, Any] | None = None,
    **simulation: Any,
) -> Fit:
    """Numbers of the diagram that fit its runs to measured signals by least squares.

        minimize  sum over experiments, signals and times of  ((y(t; p) - data) / noise)^2

    data      columns by name, `time` in s and signals ("rotor", "arm.q[0]"): a mapping, a table of
              pandas, an xarray.Dataset, a file in CSV, NPZ or Parquet; an Experiment; or several of these
    unknown   paths of numbers, as `sensitivities` takes them, or their starts by path; the default
              start is the diagram's value
    bounds    the least and greatest value by path: {"plant.mass": (0.1, 10.0)}
    noise     the standard deviation of the signals, in their units; None: one for each signal, estimated
              with the numbers from the residuals

    `set` and the other arguments are arguments of `simulate`; a run ends at the last time of its data. The
    search is SciPy's trust-region Gauss-Newton method, with exact derivatives. The returned object has
    estimates, confidence intervals, and the combinations of numbers that the data do not determine.

    Raises GradientError, UnknownSignal, DataFileError, and the errors of `sensitivities`.

    Source: Branch, Coleman and Li, SIAM J. Scientific Computing 21 (1999) 1-23; Seber and Wild, Nonlinear
    Regression (1989).
    """
    from scipy.optimize import least_squares
    from threadpoolctl import threadpool_limits

    starts = dict(unknown) if isinstance(unknown, Mapping) else {}
    paths = names("unknown", [*starts] if isinstance(unknown, Mapping) else unknown)
    listed = experiments(data)
    places = ["data"] if len(listed) == 1 else [f"experiment {k + 1}" for k in range(len(listed))]
    measured = [
        ExperimentRun(diagram, each, place, paths, {**(set or {}), **starting_numbers(starts)}, simulation)
        for each, place in zip(listed, places, strict=True)
    ]
    problem = Problem(measured, paths)
    present = measured[0].study.values.tolist()
    begin = [
        present[i] if starts.get(path) is None else read_start(path, starts[path], GradientError)
        for i, path in enumerate(paths)
    ]
    begin += [
        read_start(path, value, GradientError) for each in listed for path, value in each.unknown.items()
    ]
    low, high = read_bounds(problem.names, bounds or {}, begin, "unknown", GradientError)
    if problem.count < len(begin):
        actual = f"{problem.count} measured numbers, and {len(begin)} unknown ones"
        raise GradientError(actual, "more data than unknown numbers")
    sizes = np.concatenate([each.values.ravel() for each in measured])
    deviations = _noise(problem.signals, noise)
    weights = (
        deviations
        if deviations is not None
        else np.where(problem.sizes(sizes) > 0.0, problem.sizes(sizes), 1.0)
    )
    floor = LEAST * weights
    values = np.array(begin)
    problem.compared(values)  # raises the errors of the first run
    for _ in range(1 if deviations is not None or len(problem.signals) == 1 else ROUNDS):
        spread = problem.spread(weights)

        def residuals(at: Floats, spread: Floats = spread) -> Floats:
            try:
                return problem.shortened(at, spread)[0]
            except BlockdynError:
                return np.full(at.size + 1, np.nan)  # a step that is too long: the next is shorter

        def slopes_of(at: Floats, spread: Floats = spread) -> Floats:
            return problem.shortened(at, spread)[1]

        with (
            np.errstate(over="ignore", invalid="ignore"),  # of rejected steps
            threadpool_limits(1, "blas"),  # matrices this small are slower with several threads
        ):
            solution = least_squares(
                residuals, values, slopes_of, bounds=(low, high), x_scale="jac",
                ftol=TOLERANCE, xtol=TOLERANCE, gtol=TOLERANCE,
            )  # fmt: skip
        values = solution.x
        before = weights
        if deviations is None:
            weights = np.maximum(problem.sizes(problem.compared(values)[0]), floor)
        if np.all(np.abs(weights - before) <= SETTLED * before):
            break
    difference, slopes = problem.compared(values)
    return Fit(
        tuple(problem.names), values, np.array(begin), (low, high),
        slopes / problem.spread(weights)[:, None],
        dict(zip(problem.signals, weights.tolist(), strict=True)), deviations is not None,
        tuple(_residuals(problem, difference)), problem.runs, bool(solution.status > 0),
        str(solution.message), measured[0].study.differences,
    )  # fmt: skip


def _shorten_residuals(residuals: Floats, slopes: Floats) -> tuple[Floats, Floats, float]:
    """R, Q^T r, and the square of the remainder of r.

    Many rows are reduced in blocks that fit the processor's cache, then together: R is equal but for signs.
    Source: Demmel, Grigori, Hoemmen and Langou, SIAM J. Scientific Computing 34 (2012) A206-A239.
    """
    n, left = slopes.shape[1], 0.0
    rows = max(BLOCK, 4 * n)
    while len(slopes) > 2 * rows:
        padding = -len(slopes) % rows
        blocks = np.pad(slopes, ((0, padding), (0, 0))).reshape(-1, rows, n)
        parts = np.pad(residuals, (0, padding)).reshape(-1, rows, 1)
        q, r = np.linalg.qr(blocks)
        along = (q.transpose(0, 2, 1) @ parts).ravel()
        left += float(np.sum(parts**2) - along @ along)
        slopes, residuals = r.reshape(-1, n), along
    q, r = np.linalg.qr(slopes)
    along = q.T @ residuals
    return r, along, max(left + float(residuals @ residuals - along @ along), 0.0)


def _residuals(problem: Problem, difference: Floats) -> Iterable[Residual]:
    first = 0
    for each in problem.measured:
        block = difference[first : first + each.values.size].reshape(each.values.shape)
        first += each.values.size
        for j, name in enumerate(each.columns):
            data = each.values[:, j]
            yield Residual(each.place, name, each.units[j], each.times, data, data + block[:, j])


def _during(simulation: Mapping[str, Any], times: Floats, place: str) -> None:
    """Raise GradientError for times outside the run; the run itself rejects values that are not numbers."""
    start, stop = (simulation.get(name, default) for name, default in (("start", 0.0), ("stop", np.inf)))
    if is_number(start) and times[0] < start:
        actual = f"{place}: the first time is {times[0]:g} s, and the run starts at {start:g} s"
        raise GradientError(actual, f"`start={float(times[0])!r}`, or times from {start:g} s on")
    if is_number(stop) and times[-1] > stop:
        actual = f"{place}: the last time is {times[-1]:g} s, and the run stops at {stop:g} s"
        raise GradientError(actual, f"`stop={float(times[-1])!r}`, or times until {stop:g} s")


def _noise(signals: Sequence[str], noise: float | Mapping[str, float] | None) -> Floats | None:
    """The standard deviations of the signals, if they are given."""
    if noise is None:
        return None
    deviations = noise if isinstance(noise, Mapping) else dict.fromkeys(signals, noise)
    for name in deviations:
        if name not in signals:
            actual = f"noise of {name!r:.80}, which is not a column{nearest(str(name), signals)}"
            raise GradientError(actual, _list_choices(signals))
    missing = [name for name in signals if name not in deviations]
    if missing or not all(is_number(value) and value > 0.0 for value in deviations.values()):
        actual = f"noise of {missing[0]} is missing" if missing else f"noise is {noise!r:.80}"
        raise GradientError(actual, "a standard deviation above 0 for each column, in its unit")
    return np.array([float(deviations[name]) for name in signals])


def _list_choices(names: Sequence[str]) -> str:
    return f"one of {', '.join(names)}"
