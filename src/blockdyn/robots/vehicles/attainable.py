"""Rotors within their limits attain a bounded set of torques and thrusts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..errors import InvalidRobot
from ..model.poses import Array
from .multirotor import Multirotor, inseparable

ORDER = (0, 1, 3, 2)  # roll, pitch, thrust, yaw: in the order of priority
PARALLEL = 1e-9  # a component of a unit normal, or of a matrix of unit size, that counts as 0
DIGITS = 8  # decimals in which equal facets agree


@dataclass(frozen=True)
class Attainable:
    """The wrenches of squared rotor speeds within their limits, in units of their sizes.

    With u = squares / speed_unit, w = (roll, pitch, thrust, yaw) / units: w = matrix u, lower <= u <= upper.

        tilt (m, 2)     (roll, pitch) is possible if tilt (roll, pitch) <= 1
        thrust (m, 4)   rows (c0, c1, c2, side): then thrust is bounded by c0 + c1 roll + c2 pitch
        yaw (m, 5)      rows (c0, c1, c2, c3, side): then yaw by c0 + c1 roll + c2 pitch + c3 thrust

    The side is 1 for an upper bound, -1 for a lower bound. Yaw that is left out is unbounded; its
    row of `asked` is 0 and its unit in `asked_units` infinite: a yaw demand counts as 0.
    """

    matrix: Array
    asked: Array  # (4, n), the rows for the demanded wrench
    inverse: Array  # (n, 4), the pseudo-inverse of `asked`
    lower: Array
    upper: Array
    units: Array
    asked_units: Array
    speed_unit: float
    tilt: Array
    thrust: Array
    yaw: Array


def attainable(vehicle: Multirotor, *, yaw: bool = True) -> Attainable:
    """The wrenches that a vehicle's rotors can give; without `yaw` only roll, pitch and thrust, with any yaw.

    The wrenches are the image of a box, a zonotope. A facet of dimension d is spanned by d columns of
    the matrix, so all facets are found by trying all sets of columns: at most 220 for 12 rotors. The
    same holds for the projections to roll and pitch, and to roll, pitch and thrust. Raises InvalidRobot for
    rotors that cannot produce one of roll, pitch, yaw and thrust, or cannot fly without a torque.
    Source: Ziegler, Lectures on Polytopes (1995), section 7.3; Durham, Constrained Control Allocation,
    Journal of Guidance, Control, and Dynamics 16(4), 1993.
    """
    _check_axes(vehicle, yaw)
    A = vehicle.allocation()[list(ORDER)]
    low, high = vehicle.numbers("slowest") ** 2, vehicle.numbers("fastest") ** 2
    unit = _speed_unit(vehicle, high, yaw)
    A, low, high = A * unit, low / unit, high / unit
    units = np.abs(A).max(axis=1)
    units[units == 0.0] = 1.0  # without yaw
    A = A / units[:, np.newaxis]
    tilt = _facets(A[:2], low, high)
    if (tilt[:, 2] <= PARALLEL).any():
        expected = "speeds from slowest to fastest that include a flight without torque"
        raise InvalidRobot(
            f"{vehicle.name}, rotors", "within their limits they always roll or pitch", expected
        )
    asked, asked_units = A.copy(), units.copy()
    if not yaw:
        asked[3], asked_units[3] = 0.0, np.inf
    return Attainable(
        np.ascontiguousarray(A), asked, np.ascontiguousarray(np.linalg.pinv(asked)), low, high, units,
        asked_units, unit, np.ascontiguousarray(tilt[:, :2] / tilt[:, 2:]), _bounds(A[:3], low, high),
        _bounds(A, low, high) if yaw else np.zeros((0, 5)),
    )  # fmt: skip


def _check_axes(vehicle: Multirotor, yaw: bool) -> None:
    """Raise InvalidRobot, with the axes that the rotors cannot produce independently of the others."""
    without_yaw = inseparable(np.delete(vehicle.allocation(), 2, axis=0), ("roll", "pitch", "thrust"))
    missing = " and ".join(vehicle.uncontrolled if yaw else without_yaw)
    if not missing:
        return
    expected = "rotors that produce roll, pitch, yaw and thrust, each independently of the others"
    if yaw and not without_yaw:
        missing = "yaw independently of roll, pitch and thrust"
        expected += "; or `yaw: false`, which leaves yaw out"
    raise InvalidRobot(f"{vehicle.name}, rotors", f"they cannot produce {missing}", expected)


def _speed_unit(vehicle: Multirotor, high: Array, yaw: bool) -> float:
    """The largest squared speed, or the largest in hover if speeds are unlimited."""
    finite = high[np.isfinite(high)]
    if finite.size:
        return float(finite.max())
    if yaw:
        return float(np.square(vehicle.hover_speeds()).max())
    return abs(vehicle.mass * vehicle.gravity / float(vehicle.allocation()[3].sum())) or 1.0


def _facets(A: Array, low: Array, high: Array) -> Array:
    """Outward unit normals and offsets (m, d + 1) of {A u: low <= u <= high}, A (d, n)."""
    d = len(A)
    sets = np.array(list(combinations(range(A.shape[1]), d - 1)))
    _, size, axes = np.linalg.svd(A.T[sets])  # of (k, d - 1, d): the last right singular vector is the normal
    normals = axes[size[:, -1] > PARALLEL, -1]
    normals = np.vstack([normals, -normals])
    _, first = np.unique(np.round(normals, DIGITS) + 0.0, axis=0, return_index=True)
    normals = normals[np.sort(first)]
    along = normals @ A
    along[np.abs(along) < PARALLEL] = 0.0
    offsets = np.where(along > 0.0, along * np.where(along > 0.0, high, 0.0), along * low).sum(axis=1)
    bounded = np.isfinite(offsets)
    return np.column_stack([normals[bounded], offsets[bounded]])


def _bounds(A: Array, low: Array, high: Array) -> Array:
    """Bounds of the last element of a wrench by the others: (offset, slopes, side) per facet."""
    facets = _facets(A, low, high)
    facets = facets[np.abs(facets[:, -2]) > PARALLEL]
    last = facets[:, -2]
    return np.ascontiguousarray(
        np.column_stack([facets[:, -1] / last, -facets[:, :-2] / last[:, np.newaxis], np.sign(last)])
    )
