"""Slopes: the derivatives at the points of a table from which its cubic pieces are made."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.parameter import Array


def slopes(points: Array, values: Array, axis: int, method: str) -> Array:
    """The slope along an axis at each point.

    cubic  slope of the spline, twice continuously differentiable, not-a-knot at its ends
    akima  a mean of the two adjacent chords, weighted by the change of slope on the other side: no ringing
           (Akima, Journal of the ACM 17(4), 1970, doi:10.1145/321607.321609)

    With two points both give the straight line, with three points the parabola.
    """
    from scipy.interpolate import Akima1DInterpolator, CubicSpline

    if method == "akima" and points.size > 3:
        curve: Any = Akima1DInterpolator(points, values, axis=axis)
        return np.asarray(curve.derivative()(points))
    return np.asarray(CubicSpline(points, values, axis=axis)(points, 1))


def derivatives(points: list[Array], table: Array, method: str) -> Array:
    """The table and its mixed derivatives: derivative i is along the axes whose bits are set in i."""
    parts = [table]
    for axis, along in enumerate(points):
        parts += [slopes(along, one, axis, method) for one in parts]
    return np.array(parts)
