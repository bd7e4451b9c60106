"""Aims of a tuning evaluate the measures of all scenarios; gains minimise the excess over limits.

sum s -> least,    s >= excess of each limit in each scenario, in units of its level,    s >= 0

which is smooth, unlike the sum of the excesses. Source: Nocedal and Wright, Numerical Optimization,
2nd ed. (2006), section 18.5, elastic mode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..base.schema import is_number
from ..base.words import nearest
from ..solvers.layout import Floats
from ..sweeps.measures.declaration import MARGINS
from .errors import TuneError

MEAN, WORST = "mean", "worst"
MET = 1e-6  # of a limit: permitted excess


@dataclass(frozen=True)
class Aims:
    """Objective, the mean or the worst over scenarios, and the limits for each scenario.

    target   index of the measure that is minimised
    limits   rows (measure, sign, level): sign (M - level) <= 0
    upwards  measures that should be large: margins, and measures with only a lower limit
    """

    target: int
    over: str
    limits: tuple[tuple[int, float, float], ...]
    upwards: frozenset[int]

    def cost(self, values: Floats) -> float:
        """The objective of measures (scenarios, m)."""
        each = values[:, self.target]
        return float(each.mean() if self.over == MEAN else each.max())

    def excess(self, values: Floats) -> Floats:
        """Excess over each limit in each scenario, (limits, scenarios), in units of its level."""
        rows = [sign * (values[:, i] - level) / (abs(level) or 1.0) for i, sign, level in self.limits]
        return np.array(rows).reshape(len(self.limits), len(values))


def make_aims(
    measures: Mapping[str, Any], minimize: str, over: str, limits: Mapping[str, Any] | None
) -> Aims:  # fmt: skip
    """Raises TuneError."""
    names = [*measures]
    if minimize not in names:
        actual = f"minimize is {minimize!r:.80}, which is not a measure{nearest(str(minimize), names)}"
        raise TuneError(actual, f"one of {', '.join(names)}")
    if over not in (MEAN, WORST):
        raise TuneError(f"over is {over!r:.80}", f'"{MEAN}" or "{WORST}", of all scenarios')
    if not isinstance(limits, Mapping | None):
        raise TuneError(f"limits are {limits!r:.80}", 'limits by measure: {"overshoot": 0.05}')
    rows = []
    for name, pair in (limits or {}).items():
        if name not in names:
            actual = f"a limit of {name!r:.80}, which is not a measure{nearest(str(name), names)}"
            raise TuneError(actual, f"one of {', '.join(names)}")
        ends = pair if isinstance(pair, (tuple, list)) else (None, pair)
        right = len(ends) == 2 and any(end is not None for end in ends)
        if not right or not all(end is None or (is_number(end) and np.isfinite(end)) for end in ends):
            expected = "the greatest value, or the least and the greatest: (0.1, 0.5), (0.1, None)"
            raise TuneError(f"the limit of {name} is {pair!r:.80}", expected)
        if None not in ends and not ends[0] <= ends[1]:
            raise TuneError(f"the limit of {name} is {pair!r:.80}", "the least before the greatest")
        rows += [
            (names.index(name), sign, float(end))
            for sign, end in zip((-1.0, 1.0), ends, strict=True)
            if end is not None
        ]
    upwards = {i for i, entry in enumerate(measures.values()) if not MARGINS.keys().isdisjoint(entry)}
    upwards |= {i for i, sign, _ in rows if sign < 0.0} - {i for i, sign, _ in rows if sign > 0.0}
    return Aims(names.index(minimize), over, tuple(rows), frozenset(upwards))


def limits_of(aims: Aims, measures: Sequence[str]) -> dict[str, tuple[float | None, float | None]]:
    """The least and the greatest value of each measure that has a limit."""
    ends: dict[str, tuple[float | None, float | None]] = {}
    for i, sign, level in aims.limits:
        least, greatest = ends.get(measures[i], (None, None))
        ends[measures[i]] = (level, greatest) if sign < 0.0 else (least, level)
    return ends


def worst(aims: Aims, before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """The worst value of each measure, (m,), before and after, from values (scenarios, m)."""
    signs = np.array([-1.0 if i in aims.upwards else 1.0 for i in range(before.shape[1])])
    return signs * (signs * before).max(axis=0), signs * (signs * after).max(axis=0)


def unmet(aims: Aims, values: Floats, measures: Sequence[str]) -> dict[str, float]:
    """The violated limits, with the worst value of each measure."""
    left = {}
    for (i, sign, _), row in zip(aims.limits, aims.excess(values), strict=True):
        if np.any(row > MET):
            left[measures[i]] = float(sign * (sign * values[:, i]).max())
    return left


TOLERANCE = 1e-10  # of the sum
FAILED = 1e6  # replaces the sum if a run fails


class LimitedProblem(Protocol):
    """Limits as functions of unknowns, in units of their levels, with a test that the runs succeed."""

    def excess(self, u: Floats) -> Floats: ...

    def of_excess(self, u: Floats) -> Floats: ...

    def runs(self, u: Floats) -> bool: ...


def least_excess(
    problem: LimitedProblem, u: Floats, bounds: Sequence[tuple[float, float]], points: int
) -> tuple[Floats, bool]:  # fmt: skip
    """The unknowns near u with the least total excess, and True if the search converged."""
    from scipy.optimize import minimize

    n, over = u.size, np.maximum(problem.excess(u), 0.0)

    def total(w: Floats) -> float:
        return float(w[n:].sum()) if problem.runs(w[:n]) else FAILED

    def of_total(w: Floats) -> Floats:
        return np.concatenate([np.zeros(n), np.ones(over.size)])

    def of_room(w: Floats) -> Floats:
        return np.hstack([-problem.of_excess(w[:n]), np.eye(over.size)])

    pairs: Any = [*bounds, *[(0.0, np.inf)] * over.size]
    constraint: Any = {"type": "ineq", "fun": lambda w: w[n:] - problem.excess(w[:n]), "jac": of_room}
    begin = np.concatenate([u, over])
    solution: Any = minimize(
        total, begin, jac=of_total, method="SLSQP", bounds=pairs, constraints=constraint,
        options={"ftol": TOLERANCE, "maxiter": points},
    )  # fmt: skip
    best: Floats = np.clip(solution.x[:n], *np.array(bounds, np.float64).T)
    better = problem.runs(best) and np.maximum(problem.excess(best), 0.0).sum() < over.sum()
    return (best if better else u), bool(solution.success)
