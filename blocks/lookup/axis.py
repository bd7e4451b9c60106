"""Axis: the breakpoints of one axis of a table, and the search for the cell of a value."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...base.words import short
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array

OUTSIDE = ("clip", "extrapolate", "error")
BEYOND = "an input is outside its breakpoints: `outside: clip` or `extrapolate` continue there"
METHODS = ("linear", "held", "cubic", "akima")
EVEN = 1e-6  # fraction of a cell: points this close to even spacing count as evenly spaced
BUCKETS = 4  # equal parts of an axis per cell: most cells are found with one or two comparisons


def check_breakpoints(block: str, name: str, points: object, place: str = "") -> Array:
    """Breakpoints as an array. Raises ParameterError unless there are at least two, and they increase."""
    array = np.asarray(points, np.float64)
    where = f" of {place}" if place else ""
    if array.ndim != 1 or array.size < 2:
        raise ParameterError(block, name, points, f"at least two numbers{where}")
    late = np.flatnonzero(np.diff(array) <= 0.0).tolist()
    if late:
        k = late[0] + 1
        reason = f"element {k}{where} is {array[k]:.17g}, after {array[k - 1]:.17g}"
        raise ParameterError(block, name, points, "increasing breakpoints", reason=reason)
    return array


def check_size(block: str, name: str, table: object, shape: tuple[int, ...]) -> Array:
    """A table as an array. Raises ParameterError unless it has a finite number for each cell of the grid."""
    try:
        array = np.asarray(table, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(block, name, short(table, 80), f"numbers of shape {shape}") from None
    if array.shape != shape:
        expected = f"numbers of shape {shape}, one for each breakpoint of every axis"
        raise ParameterError(block, name, short(table, 80), expected, reason=f"its shape is {array.shape}")
    for bad in np.argwhere(~np.isfinite(array)).tolist():
        raise ParameterError(block, name, array[tuple(bad)], f"finite numbers, also at {bad}")
    return array


def finder(points: Array) -> Mapping[str, Array]:
    """The arrays by which `cell` finds the cell of a value, and the reciprocals of the cells' widths."""
    rates = 1.0 / np.diff(points)
    even = np.linspace(points[0], points[-1], points.size)
    if np.all(np.abs(points - even) < EVEN * (even[1] - even[0])):
        return {"starts": np.zeros(1), "scale": (points.size - 1) / (points[-1] - points[0]), "rates": rates}
    # The axis in equal buckets. For each bucket `starts` has the last cell that begins before it. A product
    # with a positive number keeps the order of values, even when rounded: a point in a lower bucket than u is
    # therefore lower than u, and a point in the same bucket is compared with u.
    count = BUCKETS * (points.size - 1)
    scale = count / (points[-1] - points[0])
    buckets = np.minimum(((points - points[0]) * scale).astype(np.int64), count - 1)
    before = np.searchsorted(buckets, np.arange(count + 1), "left") - 1
    before[-1] = points.size - 2
    return {"starts": np.clip(before, 0, points.size - 2).astype(np.float64), "scale": scale, "rates": rates}


# ---- for compiled code ----


def cell(u: float, points: Array, starts: Array, scale: float) -> int:
    """The k with points[k] <= u < points[k + 1], or the first or last cell if u is outside."""
    last = points.size - 1
    if not u > points[0]:  # NaN takes this branch too
        return 0
    if u >= points[last]:
        return last - 1
    if starts.size == 1:  # evenly spaced: the neighbour, if rounding has put u into the wrong cell
        k = min(int((u - points[0]) * scale), last - 1)
        if points[k] > u:
            return k - 1
        return k + 1 if points[k + 1] <= u else k
    bucket = min(int((u - points[0]) * scale), starts.size - 2)
    low = int(starts[bucket])
    if points[low + 1] > u:
        return low
    high = int(starts[bucket + 1]) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if points[middle] <= u:
            low = middle
        else:
            high = middle
    return low


def region(u: float, points: Array, starts: Array, scale: float, ends: float) -> int:
    """Number of points not above u; without `ends`, a u outside counts as in the first or last cell."""
    count = cell(u, points, starts, scale) + 1
    if ends > 0.0:
        if u < points[0]:
            return 0
        if u >= points[points.size - 1]:
            return points.size
    return count


def margin(u: float, count: int, points: Array, ends: float) -> float:
    """Positive within a region, zero at its ends: the product of the distances to both."""
    below, above = count > (0 if ends > 0.0 else 1), count < points.size - (0 if ends > 0.0 else 1)
    value = 1.0
    if below:
        value *= u - points[count - 1]
    if above:
        value *= points[count] - u
    return value


def part(u: float, k: int, points: Array, rates: Array, clip: float) -> float:
    """Fraction of the way along cell k, 0 to 1, and beyond unless it is clipped."""
    s = (u - points[k]) * rates[k]
    if clip > 0.0:
        s = min(max(s, 0.0), 1.0)
    return s  # type: ignore[no-any-return]


def piece(a: float, b: float, slope_a: float, slope_b: float, h: float, s: float) -> float:
    """The cubic between values a and b with given slopes at the distance h (Hermite), at the fraction s."""
    rise = b - a
    return a + s * (
        h * slope_a
        + s * (3.0 * rise - h * (2.0 * slope_a + slope_b) + s * (h * (slope_a + slope_b) - 2.0 * rise))
    )


def check_inside(u: float, points: Array, strict: float) -> None:
    """Raises Refusal if u is outside and `strict` is set."""
    if strict > 0.0 and (u < points[0] or u > points[points.size - 1]):
        raise Refusal(BEYOND)


def locate(u: float, count: int, points: Array, rates: Array, clip: float) -> tuple[int, float]:
    """The cell of a region, and the fraction along it, which is frozen at 0 or 1 beyond a clipped end."""
    k = min(max(count - 1, 0), points.size - 2)
    s = part(u, k, points, rates, 0.0)
    if clip > 0.0 and count == 0:
        s = 0.0
    if clip > 0.0 and count == points.size:
        s = 1.0
    return k, s
