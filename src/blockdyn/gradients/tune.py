"""Tuning finds gains that minimise a measure over all scenarios while other measures stay within limits.

CMA-ES tunes diagrams and measures without derivatives. Source: N. Hansen and A. Ostermeier,
Evolutionary Computation 9(2) (2001) 159-195.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.extras import remedy
from ..base.schema import is_number
from ..diagrams.model.diagram import Diagram
from ..diagrams.values.view import View
from ..native.tangent.frame import NotDifferentiable
from ..solvers.layout import Floats
from ..sweeps.sweep import Sweep
from .aims import WORST, Aims, least_excess, limits_of, make_aims, unmet, worst
from .bounds import read_bounds, read_start, starting_numbers
from .errors import GradientError, TuneError
from .measure_derivatives import MeasureDerivatives
from .seeds import present_values
from .sensitivities import names
from .tuned import Tuned

TOLERANCE = 1e-8  # of the cost, relative to the cost at the start
GRADIENT = "gradient"
ROOM = 1e6  # largest distance from a limit, by its size, for loops without a crossing
FAILED = 1e6  # times the start's cost: cost of gains with a failed run
EVOLUTION = "evolution"
SPREAD = 0.3  # of the first points, relative to the size of each gain
UNMET, UNRANKED = 1.0, 1e12  # above all costs: least rank with unmet limits, and with failed runs


class Scenarios:
    """The measures of all scenarios as functions of the gains, with derivatives."""

    def __init__(self, measured: MeasureDerivatives, scenarios: Sequence[Mapping[str, Any]]) -> None:
        self._measured, self._scenarios, self.runs = measured, scenarios, 0
        self._key, self._cached = b"", (np.zeros((0, 0)), np.zeros((0, 0, 0)))
        self.differences = measured.differences

    def at(self, gains: Floats) -> tuple[Floats, Floats]:
        """Measures (scenarios, m), and derivatives (scenarios, m, n)."""
        if gains.tobytes() != self._key:
            outcomes = [self._measured.run(gains, scenario) for scenario in self._scenarios]
            self.runs += len(outcomes)
            values, slopes = np.array([o.values for o in outcomes]), np.array([o.slopes for o in outcomes])
            self._key, self._cached = gains.tobytes(), (values, slopes)
        return self._cached


def tune(
    diagram: Diagram,
    gains: str | Iterable[str] | Mapping[str, float],
    minimize: str,
    measures: Mapping[str, Any],
    *,
    limits: Mapping[str, Any] | None = None, bounds: Mapping[str, Any] | None = None,
    scenarios: Sequence[Mapping[str, Any]] | None = None, over: str = "mean",
    method: str | None = None, seed: int = 0, points: int = 100,
    set: Mapping[str, Any] | None = None, **simulation: Any,
) -> Tuned:  # fmt: skip
    """Numbers that minimise a measure over all scenarios, while other measures stay within limits.

    gains      paths of numbers, as `sensitivities` takes them, or their starts by path
    minimize   the name of a measure; a `value` weighs several
    measures   by name, as a sweep takes them: {"iae": {"absolute": "error"}, "effort": {"rms": "u"}}
    limits     of measures, in every scenario: {"overshoot": 0.05}, {"rise": (0.1, 0.5)}
    bounds     the least and greatest value by path: {"kp": (0.0, 50.0)}
    scenarios  other numbers of the diagram, by path, the same paths in all: [{"mass": 0.8}, {"mass": 1.3}]
    over       "mean" or "worst" of the scenarios
    method     "gradient": SciPy's SLSQP on exact gradients; "evolution": CMA-ES, by sweeps (the extra
               `tune`); None: by gradients if they exist, otherwise the result gives the reason
    seed       random seed of the evolution
    points     the most iterations, or generations

    `set` and the other arguments are arguments of `simulate`. Raises TuneError, SweepError, and the errors of
    `gradient`.

    Source: Nocedal and Wright, Numerical Optimization (2006), chapter 18; Hansen and Ostermeier,
    Evolutionary Computation 9(2) (2001) 159-195.
    """
    paths = names("gains", [*gains] if isinstance(gains, Mapping) else gains)
    if not isinstance(measures, Mapping) or not measures:
        raise TuneError(f"measures are {measures!r:.80}", 'measures by name: {"iae": {"absolute": "error"}}')
    if method not in (None, GRADIENT, EVOLUTION):
        raise TuneError(f"method is {method!r:.80}", f'"{GRADIENT}", "{EVOLUTION}", or None to choose')
    for argument, number, least in (("points", points, 1), ("seed", seed, 0)):
        if not (is_number(number) and float(number).is_integer() and least <= number < 2**31):
            raise TuneError(f"{argument} is {number!r:.80}", f"a whole number from {least} on")
    aims = make_aims(measures, minimize, over, limits)
    cases = _cases(scenarios, paths)
    starts = gains if isinstance(gains, Mapping) else {}
    numbers = {**(set or {}), **starting_numbers(starts)}
    reason = ""
    if method != EVOLUTION:
        try:
            measured = MeasureDerivatives(diagram, measures, paths, simulation, set={**numbers, **cases[0]})
            begin = _begin(paths, starts, measured.values)
            low, high = read_bounds(paths, bounds or {}, begin, "gains", TuneError)
            search = Scenarios(measured, cases)
            search.at(np.array(begin))  # raises the errors of the first runs
        except (NotDifferentiable, GradientError) as error:
            if method == GRADIENT or isinstance(error, TuneError):
                raise
            reason = str(error)
        else:
            return _by_gradients(search, aims, paths, np.array(begin), (low, high), points, [*measures])
    evolution = Evolution(diagram, paths, measures, cases, numbers, simulation)
    begin = _begin(paths, starts, evolution.values)
    low, high = read_bounds(paths, bounds or {}, begin, "gains", TuneError)
    return evolution.search(aims, np.array(begin), (low, high), seed, points, reason)


def _cases(scenarios: Sequence[Mapping[str, Any]] | None, paths: Sequence[str]) -> list[Mapping[str, Any]]:
    cases = [{}] if scenarios is None else scenarios
    if not isinstance(cases, (list, tuple)) or not all(isinstance(case, Mapping) for case in cases):
        raise TuneError(f"scenarios are {scenarios!r:.80}", 'a list of numbers by path: [{"mass": 1.2}]')
    if not cases:
        raise TuneError("there are no scenarios", "one at least")
    for k, case in enumerate(cases):
        if {*case} != {*cases[0]}:
            actual = f"scenario {k} has the paths {', '.join(case) or 'none'}"
            raise TuneError(actual, f"the paths of the first one, {', '.join(cases[0]) or 'none'}")
        for path, value in case.items():
            if not (is_number(value) and np.isfinite(value)):
                raise TuneError(f"scenario {k}: {path} is {value!r:.80}", "a finite number")
            if path in paths:
                raise TuneError(f"scenario {k} has a value of {path}", "other parameters than the tuned ones")
    return list(cases)


def _begin(paths: Sequence[str], starts: Mapping[str, Any], present: Floats) -> list[float]:
    begin = []
    for path, value in zip(paths, present.tolist(), strict=True):
        start = starts.get(path)
        begin.append(value if start is None else read_start(path, start, TuneError))
    return begin


class Programme:
    """The problem for SLSQP: unknowns are gains by their sizes, and an upper bound of the worst cost."""

    def __init__(self, search: Scenarios, aims: Aims, begin: Floats) -> None:
        self.n, self.worst = begin.size, aims.over == WORST
        self.sizes = np.where(begin != 0.0, np.abs(begin), 1.0)
        self._search, self._aims, self._good = search, aims, search.at(begin)
        self.allowed = np.zeros(len(aims.limits) * len(self._good[0]))  # allowed excess of limits
        self._gains = begin  # the last gains without a failed run
        self.scale = abs(aims.cost(self._good[0])) or 1.0

    def cost(self, u: Floats) -> float:
        values, _, fine = self._at(u)
        if not fine:
            return FAILED
        return float(u[self.n]) if self.worst else self._aims.cost(values) / self.scale

    def of_cost(self, u: Floats) -> Floats:
        if self.worst:
            return np.append(np.zeros(self.n), 1.0)
        slopes = self._at(u)[1][:, self._aims.target].mean(axis=0)
        return np.asarray(slopes * self.sizes / self.scale)

    def room(self, u: Floats) -> Floats:
        """Distance from each limit: at least 0."""
        parts = [np.minimum(self.allowed - self.excess(u), ROOM)]
        if self.worst:
            parts.append(u[self.n] - self._at(u)[0][:, self._aims.target] / self.scale)
        return np.concatenate(parts)

    def of_room(self, u: Floats) -> Floats:
        full = -self.of_excess(u)
        if self.worst:
            of_worst = -self._slopes(u)[:, self._aims.target] / self.scale
            full = np.pad(np.concatenate([full[:, : self.n], of_worst]), ((0, 0), (0, 1)))
            full[-len(of_worst) :, self.n] = 1.0
        return full

    def excess(self, u: Floats) -> Floats:
        """Excess over each limit in each scenario, in units of its level; below 0 within limits."""
        return np.maximum(self._aims.excess(self._at(u)[0]).ravel(), -ROOM)

    def of_excess(self, u: Floats) -> Floats:
        slopes = self._slopes(u)
        rows = [sign * slopes[:, i] / (abs(level) or 1.0) for i, sign, level in self._aims.limits]
        return np.pad(np.concatenate([np.zeros((0, self.n)), *rows]), ((0, 0), (0, u.size - self.n)))

    def runs(self, u: Floats) -> bool:
        """True if no run fails."""
        return self._at(u)[2]

    def _slopes(self, u: Floats) -> Floats:
        return np.asarray(self._at(u)[1] * self.sizes)

    def _at(self, u: Floats) -> tuple[Floats, Floats, bool]:
        """Measures, derivatives, and true if the runs are at u; a failed step has the last ones."""
        gains = u[: self.n] * self.sizes
        try:
            self._good = self._search.at(gains)
        except BlockdynError:
            return *self._good, False
        self._gains = gains
        return *self._good, True

    def ended(self, gains: Floats) -> tuple[Floats, Floats, str]:
        """The gains and their measures; if runs fail, the reason and the last gains without failures."""
        try:
            return gains, self._search.at(gains)[0], ""
        except BlockdynError as error:
            return self._gains, self._good[0], str(error).partition("\n")[0]


def _by_gradients(
    search: Scenarios, aims: Aims, paths: Sequence[str], begin: Floats, bounds: tuple[Floats, Floats],
    points: int, measures: Sequence[str],
) -> Tuned:  # fmt: skip
    """Sequential quadratic programming."""
    from scipy.optimize import minimize

    before, _ = search.at(begin)
    problem = Programme(search, aims, begin)
    u, sizes = begin / problem.sizes, problem.sizes
    pairs = [*zip(bounds[0] / sizes, bounds[1] / sizes, strict=True)]
    if problem.worst:
        u, pairs = np.append(u, aims.cost(before) / problem.scale), [*pairs, (-np.inf, np.inf)]
    constraints: Any = [{"type": "ineq", "fun": problem.room, "jac": problem.of_room}]

    def search_from(u: Floats) -> tuple[Any, tuple[Floats, Floats, str]]:
        solution: Any = minimize(
            problem.cost, u, jac=problem.of_cost, method="SLSQP", bounds=pairs,
            constraints=constraints if aims.limits or problem.worst else (),
            options={"ftol": TOLERANCE, "maxiter": points},
        )  # fmt: skip
        return solution, problem.ended(np.clip(solution.x[: begin.size] * sizes, *bounds))

    solution, (optimum, after, failure) = search_from(u)
    ended = True
    if unmet(aims, after, measures):
        least, ended = least_excess(problem, np.append(optimum / sizes, u[begin.size :]), pairs, points)
        problem.allowed = np.maximum(problem.excess(least), 0.0)
        solution, (optimum, after, failure) = search_from(least)
    message = (
        f"the search reached values with which runs fail: {failure}" if failure else str(solution.message)
    )
    return Tuned(
        dict(zip(paths, optimum.tolist(), strict=True)), dict(zip(paths, begin.tolist(), strict=True)),
        tuple(measures), before, after, worst(aims, before, after),
        limits_of(aims, measures), unmet(aims, after, measures), bounds, GRADIENT, "", search.runs,
        bool(solution.success) and ended and not failure, message, search.differences,
    )  # fmt: skip


class Evolution:
    """The measures of all scenarios for many gains, by sweeps."""

    def __init__(
        self, diagram: Diagram, paths: Sequence[str], measures: Mapping[str, Any],
        scenarios: Sequence[Mapping[str, Any]], fixed: dict[str, Any], simulation: Mapping[str, Any],
    ) -> None:  # fmt: skip
        """Raises TuneError without the extra `tune`."""
        if remedy("cma"):
            raise TuneError("without gradients tuning needs the package cma", remedy("cma"))
        import cma

        self._strategy = cma.CMAEvolutionStrategy
        view = View(diagram)
        self.values = np.array([*present_values(view, paths, fixed).values()])
        self._diagram, self._paths, self._measures = diagram, list(paths), measures
        self._scenarios, self._simulation = scenarios, simulation
        self._fixed = {path: value for path, value in fixed.items() if path not in paths}
        self.runs = 0

    def at(self, points: Sequence[Floats]) -> Floats:
        """Measures (points, scenarios, m); NaN where a run failed."""
        cases = self._scenarios
        axes: dict[str, Any] = {
            path: np.repeat([point[i] for point in points], len(cases)).tolist()
            for i, path in enumerate(self._paths)
        }
        for path in cases[0]:
            axes[path] = [case[path] for case in cases] * len(points)
        sweep = Sweep(
            self._diagram, axes, dict(self._measures), zip=[[*axes]], set=self._fixed, **self._simulation
        )
        ensemble = sweep.run(progress=False)
        self.runs += len(sweep)
        columns = [np.where(ensemble["failed"], np.nan, ensemble[name]) for name in self._measures]
        return np.stack(columns, axis=-1).reshape(len(points), len(cases), len(columns))

    def search(
        self, aims: Aims, begin: Floats, bounds: tuple[Floats, Floats], seed: int, points: int, reason: str
    ) -> Tuned:
        """The best gains after at most this number of generations."""
        sizes = np.where(begin != 0.0, np.abs(begin), 1.0)
        before = self.at([begin])[0]
        if np.any(np.isnan(before)):
            raise TuneError("runs fail, or measures have no value, where the search begins", "other starts")
        options = {
            "seed": seed + 1, "verbose": -9, "maxiter": points, "tolfun": 1e-9,
            "bounds": [(bounds[0] / sizes).tolist(), (bounds[1] / sizes).tolist()],
        }  # fmt: skip
        strategy = self._strategy(begin / sizes, SPREAD, options)
        size = abs(aims.cost(before)) or 1.0
        best, least, after = begin, _rank(aims, before, size), before
        while not strategy.stop():
            asked = strategy.ask()
            measured = self.at([np.clip(each * sizes, *bounds) for each in asked])
            ranks = [_rank(aims, each, size) for each in measured]
            strategy.tell(asked, ranks)
            k = int(np.argmin(ranks))
            if ranks[k] < least:
                best, least, after = np.clip(asked[k] * sizes, *bounds), ranks[k], measured[k]
        ended: Any = strategy.stop()
        named = dict(zip(self._paths, best.tolist(), strict=True))
        starts = dict(zip(self._paths, begin.tolist(), strict=True))
        measures = tuple(self._measures)
        return Tuned(
            named, starts, measures, before, after, worst(aims, before, after), limits_of(aims, measures),
            unmet(aims, after, measures), bounds, EVOLUTION, reason, self.runs, "maxiter" not in ended,
            ", ".join(ended),
        )  # fmt: skip


def _rank(aims: Aims, values: Floats, size: float) -> float:
    """The cost if all limits hold, scaled below 1 by its size at the start; otherwise larger with the
    excess. The search depends only on the order of ranks.
    """
    if np.any(np.isnan(values)):
        return UNRANKED
    over = float(np.maximum(aims.excess(values), 0.0).sum())
    if over > 0.0:
        return min(UNMET + over, UNRANKED)
    cost = aims.cost(values)
    return cost / (size + abs(cost))
