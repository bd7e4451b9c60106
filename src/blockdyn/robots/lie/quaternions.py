"""Unit quaternions (s, x, y, z), scalar first: rotations without singularity, interpolated by slerp."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from . import checks
from .checks import WrongShape, not_unit
from .kernels import quaternion as kernel

Array = NDArray[np.float64]


@checked_numbers(WrongShape)
def quaternion(R: ArrayLike) -> Array:
    """The unit quaternion of a rotation or pose, s >= 0. Raises GroupError.

    Source: Shepperd, J. Guidance and Control 1(3), 1978.
    """
    return np.array(kernel.quaternion_parts(checks.rotation(R)))


@checked_numbers(WrongShape)
def rotation_quaternion(q: ArrayLike) -> Array:
    """The rotation of a unit quaternion. Raises GroupError."""
    R = np.empty((3, 3))
    q = checks.unit(q, 4, "q")
    kernel.rotation_of_quaternion(q[0], q[1], q[2], q[3], R)
    return R


@checked_numbers(WrongShape)
def quaternion_axis_angle(axis: ArrayLike, angle: float) -> Array:
    """(cos(angle / 2), sin(angle / 2) axis) for a unit axis. Raises GroupError."""
    return quaternion_exp(checks.unit(axis, 3, "axis") * checks.number(angle, "angle"))


@checked_numbers(WrongShape)
def quaternion_exp(w: ArrayLike) -> Array:
    """The quaternion of a rotation vector."""
    q = np.empty(4)
    w = checks.array(w, (3,), "w")
    kernel.quaternion_of_vector(w[0], w[1], w[2], q)
    return q


@checked_numbers(WrongShape)
def quaternion_log(q: ArrayLike) -> Array:
    """The rotation vector of a unit quaternion, |w| <= pi. Raises GroupError."""
    q = checks.unit(q, 4, "q")
    if q[0] < 0.0:
        q = -q
    return np.array(kernel.vector_of_quaternion(*q.tolist()))


@checked_numbers(WrongShape)
def quaternion_product(p: ArrayLike, q: ArrayLike) -> Array:
    """p q (Hamilton), of quaternions of any length: the rotation q followed by p about fixed axes."""
    out = np.empty(4)
    kernel.quaternion_product(checks.array(p, (4,), "p"), checks.array(q, (4,), "q"), out)
    return out


@checked_numbers(WrongShape)
def quaternion_inverse(q: ArrayLike) -> Array:
    """q^-1 = (s, -x, -y, -z) / |q|^2. Raises GroupError for 0."""
    q = checks.array(q, (4,), "q")
    if not q.any():
        raise not_unit("q", 0.0)
    return np.array([q[0], -q[1], -q[2], -q[3]]) / float(q @ q)


@checked_numbers(WrongShape)
def quaternion_rates(q: ArrayLike, omega: ArrayLike) -> Array:
    """dq/dt = (0, omega) q / 2, omega the angular velocity in world axes, rad/s."""
    out = np.empty(4)
    w = checks.array(omega, (3,), "omega")
    kernel.quaternion_rates(checks.array(q, (4,), "q"), w[0], w[1], w[2], out)
    return out


@checked_numbers(WrongShape)
def slerp(p: ArrayLike, q: ArrayLike, s: float) -> Array:
    """Quaternion from p (s = 0) to q (s = 1) at constant rate along the shorter arc. Raises GroupError.

    Source: Shoemake, SIGGRAPH 1985.
    """
    out = np.empty(4)
    kernel.slerp(checks.unit(p, 4, "p"), checks.unit(q, 4, "q"), checks.number(s, "s"), out)
    return out
