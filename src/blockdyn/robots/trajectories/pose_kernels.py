"""Between two poses, for compiled code: the pose at a fraction s of the way, and its twist and acceleration.

A way has six numbers in the axes of the first pose: (linear, angular). Along a screw it is log(T0^-1 T1); on
a line it is the difference of the origins and the rotation vector from the first orientation to the second.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..lie.kernels.angle import sinc, sine_rest, versine
from ..lie.kernels.pose import last_row, skewed
from ..lie.kernels.rotation import square_of_skew

Array = NDArray[np.float64]


def screw_pose(T0: Array, way: Array, s: float, T: Array) -> None:
    """T = T0 exp(s [way])."""
    w0, w1, w2 = s * way[3], s * way[4], s * way[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    a = versine(t)
    square_of_skew(sinc(t), a, w0, w1, w2, T)
    T[0, 3], T[1, 3], T[2, 3] = skewed(a, sine_rest(t), w0, w1, w2, s * way[0], s * way[1], s * way[2])
    seen_from(T0, T)


def line_pose(T0: Array, way: Array, s: float, T: Array) -> None:
    """T with the origin p0 + s R0 v and the orientation R0 exp(s [w]), way = (v, w)."""
    w0, w1, w2 = s * way[3], s * way[4], s * way[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    square_of_skew(sinc(t), versine(t), w0, w1, w2, T)
    T[0, 3], T[1, 3], T[2, 3] = s * way[0], s * way[1], s * way[2]
    seen_from(T0, T)


def seen_from(T0: Array, T: Array) -> None:
    """T becomes T0 T."""
    for j in range(4):
        c0, c1, c2 = T[0, j], T[1, j], T[2, j]
        for i in range(3):
            T[i, j] = T0[i, 0] * c0 + T0[i, 1] * c1 + T0[i, 2] * c2
    for i in range(3):
        T[i, 3] += T0[i, 3]
    last_row(T)


def turned(way: Array, angle: float) -> tuple[float, float, float]:
    """exp(angle [w]) v of a way (v, w)."""
    w0, w1, w2 = angle * way[3], angle * way[4], angle * way[5]
    t = w0 * w0 + w1 * w1 + w2 * w2
    return skewed(sinc(t), versine(t), w0, w1, w2, way[0], way[1], way[2])


def way_twist(axes: Array, sense: float, way: Array, s: float, sd: float, V: Array) -> None:
    """V = axes (exp(sense s [w]) v, w) ds/dt."""
    u0, u1, u2 = turned(way, sense * s)
    for i in range(3):
        V[i] = sd * (axes[i, 0] * u0 + axes[i, 1] * u1 + axes[i, 2] * u2)
        V[3 + i] = sd * (axes[i, 0] * way[3] + axes[i, 1] * way[4] + axes[i, 2] * way[5])


def way_acceleration(
    axes: Array, sense: float, way: Array, s: float, sd: float, sdd: float, A: Array
) -> None:
    """A = dV/dt of `way_twist`."""
    u0, u1, u2 = turned(way, sense * s)
    k = sense * sd * sd
    a0 = sdd * u0 + k * (way[4] * u2 - way[5] * u1)
    a1 = sdd * u1 + k * (way[5] * u0 - way[3] * u2)
    a2 = sdd * u2 + k * (way[3] * u1 - way[4] * u0)
    for i in range(3):
        A[i] = axes[i, 0] * a0 + axes[i, 1] * a1 + axes[i, 2] * a2
        A[3 + i] = sdd * (axes[i, 0] * way[3] + axes[i, 1] * way[4] + axes[i, 2] * way[5])
