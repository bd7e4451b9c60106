"""Least excess: gains at which limits that cannot all be met are exceeded least.

    sum s -> least,    s >= excess of each limit in each scenario, in units of its level,    s >= 0

which is smooth, where the sum of what is exceeded is not. Source: Nocedal and Wright, Numerical Optimization,
2nd ed. (2006), section 18.5, elastic mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from ..solvers.layout import Floats

TOLERANCE = 1e-10  # of the sum
FAILED = 1e6  # in its place where runs fail


class Limited(Protocol):
    """Limits as functions of unknowns, in units of their levels, and whether runs with these do not fail."""

    def excess(self, u: Floats) -> Floats: ...

    def of_excess(self, u: Floats) -> Floats: ...

    def runs(self, u: Floats) -> bool: ...


def least_excess(
    problem: Limited, u: Floats, bounds: Sequence[tuple[float, float]], points: int
) -> tuple[Floats, bool]:  # fmt: skip
    """The unknowns near u at which the sum of all excess is least, and whether the search ended there."""
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
