"""Find the root of equations, within bounds, near the start of the search."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..diagrams.model.run_errors import RunError
from ..solvers.layout import Floats, Integers

HUGE = 1e12  # replaces values that cannot be evaluated, so that the step is rejected
NEWTON = 40  # steps of Newton's method
HALVINGS = 8  # of a step that increases the residual
NEAR = 1e-6  # of the residual at the start: a root except for rounding
ROUNDING = np.finfo(np.float64).eps  # of a sum, each of its terms
BESIDE = 1e-3  # relative or absolute distance of the start if derivatives are infinite there
RANK = 1e-10  # of the largest singular value: directions below it have no effect


class Root(NamedTuple):
    """Result of a search: the unknowns `x`, the residual `left` of the equations, the Jacobian at x, and the
    unknowns that can change without changing the equations.
    """

    x: Floats
    left: Floats
    jacobian: Floats
    floating: np.ndarray[tuple[int], np.dtype[np.bool_]]


def nearest_root(
    function: Callable[[Floats], Floats], jacobian: Callable[[Floats], Floats], begin: Floats, low: Floats,
    high: Floats,
) -> Root:  # fmt: skip
    """Newton's method with steps of least norm; if it does not reach a root, Newton's method after one full
    step without a decrease; then trust-region least squares, and Newton's method from its result.

    Source: Branch, Coleman, Li, SIAM J. Sci. Comput. 21(1) (1999), 1-23, implemented by
    scipy.optimize.least_squares.

    Raises RunError if the equations cannot be evaluated at the start, and NoSlope.
    """
    from scipy.optimize import least_squares

    inside = np.clip(begin, low, high)
    first = function(inside)
    if not begin.size or not np.any(first):
        return _root(inside, first, jacobian(inside))
    inside = _with_slopes(jacobian, inside, low, high)
    first = function(inside)

    def guarded(x: Floats) -> Floats:
        try:
            return function(x)
        except RunError:
            return np.full(first.shape, HUGE)

    def bounded(x: Floats) -> Floats:
        return np.nan_to_num(jacobian(x), posinf=HUGE, neginf=-HUGE)

    enough = NEAR * np.maximum(np.abs(first).max(), 1.0)
    x = _newton(guarded, jacobian, inside, low, high)
    if np.abs(guarded(x)).max() > enough:  # one full step may reach another mode of friction or of a limit
        full_step = np.clip(inside - _step(jacobian(inside), first), low, high)
        if np.abs(guarded(full_step)).max() < HUGE:
            x = _newton(guarded, jacobian, full_step, low, high)
    if np.abs(guarded(x)).max() > enough:
        search = least_squares(
            guarded, inside, jac=bounded, bounds=(low, high), x_scale=np.maximum(np.abs(inside), 1.0),
            ftol=1e-15, xtol=1e-15, gtol=1e-15, max_nfev=500,
        )  # fmt: skip
        x = _newton(guarded, jacobian, search.x, low, high)
    return _root(x, guarded(x), jacobian(x))


class NoSlope(ArithmeticError):
    """Equations whose derivatives with respect to these unknowns are not finite near the start."""

    def __init__(self, unknowns: Integers) -> None:
        self.unknowns = unknowns
        super().__init__(f"no derivative with respect to {unknowns}")


def _with_slopes(jacobian: Callable[[Floats], Floats], begin: Floats, low: Floats, high: Floats) -> Floats:
    """The start, or a point near it if derivatives are infinite there, as for a root at 0."""
    steep = ~np.isfinite(jacobian(begin)).all(axis=0)
    if not np.any(steep):
        return begin
    reach = np.where(steep, BESIDE * np.maximum(np.abs(begin), 1.0), 0.0)
    for beside in (begin + reach, begin - reach):
        point = np.clip(beside, low, high)
        try:
            if np.all(np.isfinite(jacobian(point))):
                return point
        except RunError:
            continue
    raise NoSlope(np.flatnonzero(steep).astype(np.int64))


def _newton(
    function: Callable[[Floats], Floats], jacobian: Callable[[Floats], Floats], x: Floats, low: Floats,
    high: Floats,
) -> Floats:  # fmt: skip
    """Iterate Newton steps until no step reduces the largest residual."""
    left = function(x)
    for _ in range(NEWTON):
        if not np.any(left):
            break
        slopes = jacobian(x)
        if not np.all(np.isfinite(slopes)):
            break
        step = _step(slopes, left)
        for _ in range(HALVINGS):
            trial = np.clip(x - step, low, high)
            after = function(trial)
            if np.abs(after).max() < np.abs(left).max():
                break
            step /= 2.0
        else:
            break
        x, left = trial, after
    return x


def _step(slopes: Floats, left: Floats) -> Floats:
    """The step of least norm. Elements within rounding of the largest are set to 0: friction sticks only at a
    speed of exactly 0, and a real change returns with the next step.
    """
    step = np.linalg.lstsq(slopes, left, rcond=RANK)[0]
    sizes = np.abs(step)
    return np.where(sizes > ROUNDING * step.size * sizes.max(), step, 0.0)


def _root(x: Floats, left: Floats, slopes: Floats) -> Root:
    slopes = np.where(np.isfinite(slopes), slopes, 0.0)
    if not slopes.size:
        return Root(x, left, slopes, np.full(x.size, not left.size))
    _, sizes, directions = np.linalg.svd(slopes)
    rank = int(np.sum(sizes > RANK * sizes.max(initial=0.0)))
    floating = np.sqrt(np.sum(directions[rank:] ** 2, axis=0)) > np.sqrt(RANK)
    return Root(x, left, slopes, floating)
