"""Motions consist of consecutive polynomials for each joint, with values over time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import of_truth, real_numbers
from ..errors import RobotError
from . import polynomial


class TrajectoryError(RobotError):
    """An impossible motion: the argument, its value, and the possible values."""

    def __init__(self, argument: str, actual: object, expected: str) -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        super().__init__(f"{argument} is {actual}\nexpected: {expected}")


def refusal(argument: str, actual: str, expected: str) -> TrajectoryError:
    """The error for an argument of another type than its annotation."""
    return TrajectoryError(argument, actual.removeprefix("found "), expected)


Array = NDArray[np.float64]

ROUNDING = 8  # units in the last place within which an instant is the end of a motion

Piece = tuple[float, tuple[float, ...]]
"""The start of a polynomial, s, and its coefficients c0, c1, ... in the time since then."""


@dataclass(frozen=True)
class Values:
    """A motion over time: one row per instant, one column per joint; no columns for a scalar motion."""

    time: Array
    q: Array
    qd: Array
    qdd: Array
    jerk: Array


@dataclass(frozen=True)
class Pieces:
    """Polynomials by interval and joint.

    `knots` (k,) are the instants at which a polynomial ends and the next begins; `table` (m, n, 7) holds one
    row per interval and joint, first the interval before the first knot: the time origin of the
    polynomial, then c0 ... c5. Rows after k + 1 repeat the last.
    """

    knots: Array
    table: Array
    scalar: bool = False

    @property
    def slack(self) -> float:
        """Tolerance for rounding after the last knot, s."""
        return ROUNDING * float(np.spacing(abs(self.knots).max()))

    def at(self, times: ArrayLike) -> Values:
        """The values at given instants, s; at a knot the values after it, at the last knot before it.

        A motion is defined on a closed interval: its last instant, also if rounding moves it later, still
        belongs to the motion.
        """
        time = np.atleast_1d(real_numbers(times))
        interval = np.searchsorted(self.knots, time, side="right")
        late = time - self.knots[-1]
        ended = (late >= 0.0) & (late <= self.slack)
        row = self.table[np.where(ended, len(self.knots) - 1, interval)]
        tau = time[:, np.newaxis] - row[..., 0]
        c = [row[..., 1 + i] for i in range(6)]
        derivatives = (
            np.where(ended[:, np.newaxis], self.table[-1, :, 1], polynomial.position(tau, *c)),
            polynomial.velocity(tau, *c[1:]),
            polynomial.acceleration(tau, *c[2:]),
            polynomial.jerk(tau, *c[3:]),
        )
        return Values(time, *(value[:, 0] if self.scalar else value for value in derivatives))


def assemble(
    before: Sequence[float], joints: Sequence[Sequence[Piece]], *, scalar: bool, room: int
) -> Pieces:
    """Merge the pieces of joints with different knots and a common start.

    `before` is the position of the joints at rest before their first piece. `room` is the largest number of
    knots, which fixes the shape of the table. Knots that differ only by rounding become one.
    Raises TrajectoryError if a coefficient overflows.
    """
    starts = sorted({start for pieces in joints for start, _ in pieces})
    apart = 1e-12 * (starts[-1] - starts[0]) + 8 * np.spacing(max(abs(starts[0]), abs(starts[-1])))
    knots = [starts[0]]
    for start in starts[1:]:
        if start - knots[-1] > apart:
            knots.append(start)
    table = np.zeros((max(room, len(knots)) + 1, len(joints), polynomial.WIDTH))
    table[0, :, 1] = before
    for joint, pieces in enumerate(joints):
        begins = [start for start, _ in pieces]
        for interval in range(1, len(table)):
            begun = bisect_right(begins, knots[min(interval, len(knots)) - 1] + apart)
            start, coefficients = pieces[begun - 1]
            table[interval, joint, 0] = start
            table[interval, joint, 1 : 1 + len(coefficients)] = coefficients
    if not np.all(np.isfinite(table)):
        raise TrajectoryError(
            "duration", "so short, or the way so long, that no number holds the rates", "a longer one"
        )
    return Pieces(np.array(knots), table, scalar)


def instants(times: ArrayLike, start: float, end: float) -> Array:
    """The instants, or a number of evenly spaced ones from start to end.

    Raises TrajectoryError.
    """
    if isinstance(times, (int, np.integer)) and not isinstance(times, bool):
        if times < 2:
            raise TrajectoryError("times", times, "at least 2 instants, or a list of them in s")
        return np.linspace(start, end, int(times))
    array = numbers("times", times)
    if array.ndim > 1:
        raise TrajectoryError("times", f"numbers of shape {array.shape}", "one list of instants in s")
    return array


def numbers(name: str, value: ArrayLike) -> Array:
    """Finite numbers as an array.

    Raises TrajectoryError.
    """
    try:
        array = real_numbers(value)
    except (TypeError, ValueError, OverflowError):
        raise TrajectoryError(name, repr(value)[:80], "numbers" + of_truth(value)) from None
    if not np.isfinite(array).all():
        raise TrajectoryError(name, array.tolist(), "finite numbers")
    return array


def vectors(count: int | None = None, **values: Any) -> tuple[bool, dict[str, Array]]:
    """Convert values to vectors of one length; also return True if all are scalars.

    Raises TrajectoryError for a vector of another length than the first.
    """
    arrays = {name: numbers(name, value) for name, value in values.items()}
    sizes = [a.size for a in arrays.values() if a.ndim]
    size = count or (sizes[0] if sizes else 1)
    for name, a in arrays.items():
        if a.ndim > 1 or (a.ndim == 1 and a.size != size):
            raise TrajectoryError(name, a.tolist(), f"a number, or {size} numbers")
    return not sizes, {name: np.broadcast_to(a, (size,)) for name, a in arrays.items()}
