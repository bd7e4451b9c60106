"""Sides: the derivative by a number with which two events meet, from the derivatives below and above it.

If both orders of the events lead to the same values with the same derivatives, the events commute, and these
are the derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import BlockdynError
from ..native.tangent.refused import NotDifferentiable
from ..solvers.layout import Floats
from .followed import APART
from .seeds import beside

ASIDE = 1e-7  # of the number: so far beside it the events are apart, and derivatives hardly others
AGREE = 1e-4  # relative: two derivatives that are one, but for the errors of two runs
UNSEEN = 1e-6  # of the largest derivative, or of a value by its number: less is not compared
ERRORS = 100.0  # tolerances of the run: what two runs may differ by


class Side(NamedTuple):
    """Values that depend on one number, along with their derivatives by it; see `followed.Rows`."""

    values: Floats
    slopes: Floats
    met: NotDifferentiable | None


def slopes_by_sides(
    path: str, number: float, at: Callable[[float], Side], tolerance: tuple[float, float]
) -> tuple[Floats, NotDifferentiable | None]:
    """The derivatives of the values `at` a number, NaN where the order of events decides, and the error then.

    `tolerance` is that of the runs, relative and absolute. Raises what runs raise.
    """
    here = at(number)
    if here.met is None:
        return here.slopes, None
    step = ASIDE * (abs(number) or 1.0)
    error = NotDifferentiable(
        f"{here.met.reason}, with `{path}` below or above {number:g}", here.met.paths, APART
    )
    try:
        below, above = at(beside(number, -step)), at(beside(number, step))
    except BlockdynError:
        return np.full(here.slopes.shape, np.nan), error
    one = _agree(below, above, number, step, tolerance)
    return np.where(one, (below.slopes + above.slopes) / 2.0, np.nan), error


def _agree(
    below: Side, above: Side, number: float, step: float, tolerance: tuple[float, float]
) -> NDArray[np.bool_]:
    """Where values go on from one side to the other, and derivatives too; along the first axis lies time."""
    value, size = (np.maximum(np.abs(a), np.abs(b)) for a, b in zip(below[:2], above[:2], strict=True))
    jump, bend = np.abs(above.values - below.values), np.abs(above.slopes - below.slopes)
    goes_on = jump <= ERRORS * (tolerance[0] * value + tolerance[1]) + 4.0 * step * size
    if size.ndim == 2:
        value, size = value.max(axis=0), size.max(axis=0)
    largest = np.maximum(size, UNSEEN * np.nanmax(size, initial=0.0))
    bound = np.maximum(AGREE * largest, UNSEEN * value / (abs(number) or 1.0))
    return np.asarray(goes_on & (bend <= bound))
