"""Unit quaternions (s, x, y, z), scalar first: from and to rotations, products, slerp, rates."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from .angle import sinc

Array = NDArray[np.float64]


def quaternion_parts(R: Array) -> tuple[float, float, float, float]:
    """The unit quaternion of a rotation matrix, s >= 0: its largest element first, the others by division.

    If s is 0, the last nonzero element is positive.
    Source: Shepperd, J. Guidance and Control 1(3), 1978.
    """
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    if trace >= R[0, 0] and trace >= R[1, 1] and trace >= R[2, 2]:
        s = 1.0 + trace
        x = R[2, 1] - R[1, 2]
        y = R[0, 2] - R[2, 0]
        z = R[1, 0] - R[0, 1]
    elif R[0, 0] >= R[1, 1] and R[0, 0] >= R[2, 2]:
        s = R[2, 1] - R[1, 2]
        x = 1.0 + R[0, 0] - R[1, 1] - R[2, 2]
        y = R[0, 1] + R[1, 0]
        z = R[0, 2] + R[2, 0]
    elif R[1, 1] >= R[2, 2]:
        s = R[0, 2] - R[2, 0]
        x = R[0, 1] + R[1, 0]
        y = 1.0 - R[0, 0] + R[1, 1] - R[2, 2]
        z = R[1, 2] + R[2, 1]
    else:
        s = R[1, 0] - R[0, 1]
        x = R[0, 2] + R[2, 0]
        y = R[1, 2] + R[2, 1]
        z = 1.0 - R[0, 0] - R[1, 1] + R[2, 2]
    scale = 1.0 / sqrt(s * s + x * x + y * y + z * z)
    if s < 0.0 or (s == 0.0 and (z < 0.0 or (z == 0.0 and (y < 0.0 or (y == 0.0 and x < 0.0))))):
        scale = -scale
    return s * scale, x * scale, y * scale, z * scale


def quaternion_of(R: Array, q: Array) -> None:
    """q = the unit quaternion of R, s >= 0."""
    q[0], q[1], q[2], q[3] = quaternion_parts(R)


def rotation_of_quaternion(s: float, x: float, y: float, z: float, R: Array) -> None:
    """R of a quaternion of any length but 0."""
    k = 2.0 / (s * s + x * x + y * y + z * z)
    R[0, 0] = 1.0 - k * (y * y + z * z)
    R[1, 1] = 1.0 - k * (x * x + z * z)
    R[2, 2] = 1.0 - k * (x * x + y * y)
    R[0, 1] = k * (x * y - s * z)
    R[1, 0] = k * (x * y + s * z)
    R[0, 2] = k * (x * z + s * y)
    R[2, 0] = k * (x * z - s * y)
    R[1, 2] = k * (y * z - s * x)
    R[2, 1] = k * (y * z + s * x)


def vector_of_quaternion(s: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """The rotation vector, for s >= 0: twice the angle of (s, |v|), along v."""
    square = x * x + y * y + z * z
    if square < 1e-20 * s * s:
        k = 2.0 / s
    else:
        length = sqrt(square)
        k = 2.0 * atan2(length, s) / length
    return k * x, k * y, k * z


def quaternion_of_vector(w0: float, w1: float, w2: float, q: Array) -> None:
    """The quaternion of a rotation vector: cos(x / 2), and sin(x / 2) along the axis."""
    t = w0 * w0 + w1 * w1 + w2 * w2
    k = 0.5 * sinc(0.25 * t)
    q[0] = cos(0.5 * sqrt(t))
    q[1] = k * w0
    q[2] = k * w1
    q[3] = k * w2


def quaternion_product(p: Array, q: Array, pq: Array) -> None:
    """pq = p q (Hamilton): first the rotation q, then p, both about fixed axes. pq may be p or q."""
    s = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3]
    x = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2]
    y = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1]
    z = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]
    pq[0] = s
    pq[1] = x
    pq[2] = y
    pq[3] = z


def quaternion_rates(q: Array, w0: float, w1: float, w2: float, rates: Array) -> None:
    """dq/dt = (0, w) q / 2, w the angular velocity in world axes."""
    rates[0] = 0.5 * (-w0 * q[1] - w1 * q[2] - w2 * q[3])
    rates[1] = 0.5 * (w0 * q[0] + w1 * q[3] - w2 * q[2])
    rates[2] = 0.5 * (w1 * q[0] + w2 * q[1] - w0 * q[3])
    rates[3] = 0.5 * (w2 * q[0] + w0 * q[2] - w1 * q[1])


def slerp(p: Array, q: Array, s: float, out: Array) -> None:
    """out = quaternion from p (s = 0) to q (s = 1) at constant rate along the shorter arc; unit p and q.

    The angle between them comes from their difference and their sum, accurate at 0 and at 180 degrees.
    """
    dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
    sign = -1.0 if dot < 0.0 else 1.0
    apart = 0.0
    along = 0.0
    for i in range(4):
        apart += (sign * q[i] - p[i]) * (sign * q[i] - p[i])
        along += (sign * q[i] + p[i]) * (sign * q[i] + p[i])
    angle = 2.0 * atan2(sqrt(apart), sqrt(along))
    if angle < 1e-8:
        a = 1.0 - s
        b = s
    else:
        a = sin((1.0 - s) * angle) / sin(angle)
        b = sin(s * angle) / sin(angle)
    for i in range(4):
        out[i] = a * p[i] + sign * b * q[i]
