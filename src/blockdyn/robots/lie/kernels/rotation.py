"""Rotations as matrices and as rotation vectors: the exponential of SO(3), its logarithm, its Jacobians.

A rotation vector w is the unit axis times the angle in rad. A matrix argument R may be 3x3 or a 4x4 pose, of
which the upper left part is read or written.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .angle import cotangent_rest, sinc, sine_rest, versine
from .quaternion import quaternion_parts, vector_of_quaternion

Array = NDArray[np.float64]  # C-contiguous


def square_of_skew(a: float, b: float, w0: float, w1: float, w2: float, R: Array) -> None:
    """R = I + a [w] + b [w]^2: the form of exp and of both its Jacobians."""
    R[0, 0] = 1.0 - b * (w1 * w1 + w2 * w2)
    R[1, 1] = 1.0 - b * (w0 * w0 + w2 * w2)
    R[2, 2] = 1.0 - b * (w0 * w0 + w1 * w1)
    R[0, 1] = b * w0 * w1 - a * w2
    R[1, 0] = b * w0 * w1 + a * w2
    R[0, 2] = b * w0 * w2 + a * w1
    R[2, 0] = b * w0 * w2 - a * w1
    R[1, 2] = b * w1 * w2 - a * w0
    R[2, 1] = b * w1 * w2 + a * w0


def exp3(w0: float, w1: float, w2: float, R: Array) -> None:
    """R = exp [w] = I + sin x / x [w] + (1 - cos x) / x^2 [w]^2, x = |w| (Rodrigues)."""
    t = w0 * w0 + w1 * w1 + w2 * w2
    square_of_skew(sinc(t), versine(t), w0, w1, w2, R)


def log3(R: Array, w: Array) -> None:
    """w with exp [w] = R and |w| <= pi; at an angle of pi the last nonzero element is positive."""
    w[0], w[1], w[2] = rotation_vector(R)


def rotation_vector(R: Array) -> tuple[float, float, float]:
    """The logarithm as three numbers, from the quaternion, which is accurate at every angle."""
    s, x, y, z = quaternion_parts(R)
    return vector_of_quaternion(s, x, y, z)


def left_jacobian3(w0: float, w1: float, w2: float, J: Array) -> None:
    """J with omega = J(w) dw/dt, omega in fixed axes; J^T gives it in the rotating axes.

    J = I + (1 - cos x) / x^2 [w] + (x - sin x) / x^3 [w]^2.
    """
    t = w0 * w0 + w1 * w1 + w2 * w2
    square_of_skew(versine(t), sine_rest(t), w0, w1, w2, J)


def left_jacobian3_inverse(w0: float, w1: float, w2: float, J: Array) -> None:
    """J with dw/dt = J(w) omega: I - [w] / 2 + (1 - (x / 2) cot(x / 2)) / x^2 [w]^2; |w| < 2 pi."""
    t = w0 * w0 + w1 * w1 + w2 * w2
    square_of_skew(-0.5, cotangent_rest(t), w0, w1, w2, J)


def rotation_axis_angle(a0: float, a1: float, a2: float, angle: float, R: Array) -> None:
    """R turns by `angle` about the unit axis a."""
    exp3(a0 * angle, a1 * angle, a2 * angle, R)
