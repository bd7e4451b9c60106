"""A quaternion is a value s + xi + yj + zk with the arithmetic of Hamilton's algebra."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from . import checks, quaternions
from .checks import WrongShape, not_unit
from .poses import pose

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Quaternion:
    """s + x i + y j + z k, of any length; a quaternion of length 1 is a rotation.

        p q            Hamilton's product; for rotations q, then p, about fixed axes
        q * 2, q / 2   part by part; p / q = p q^-1; p + q, p - q, -q part by part
        q * v          the vector v (3,) rotated: R v, for q of length 1
        q ** 2         an integer power; a negative power uses the inverse
        abs(q)         the length, the square root of q.inner(q)

    q and -q are equal as rotations, but compare unequal. Immutable. `lie.quaternion` uses arrays.
    Source: Kuipers, Quaternions and Rotation Sequences, 1999.
    """

    s: float = 1.0
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    def __post_init__(self) -> None:
        for name in ("s", "x", "y", "z"):
            object.__setattr__(self, name, checks.number(getattr(self, name), name))

    @classmethod
    @checked_numbers(WrongShape)
    def of(cls, value: ArrayLike) -> Quaternion:
        """Convert four numbers, scalar first, or a rotation or pose, with s >= 0. Raises GroupError."""
        if np.shape(value) in ((3, 3), (4, 4)):
            return _from_array(quaternions.quaternion(value))
        return _from_array(checks.array(value, (4,), "quaternion"))

    @classmethod
    @checked_numbers(WrongShape)
    def of_axis_angle(cls, axis: ArrayLike, angle: float) -> Quaternion:
        """The rotation by an angle, rad, about a unit axis. Raises GroupError."""
        return _from_array(quaternions.quaternion_axis_angle(axis, angle))

    @property
    def array(self) -> Array:
        """(s, x, y, z)."""
        return np.array([self.s, self.x, self.y, self.z])

    @property
    def v(self) -> Array:
        """The vector part (x, y, z)."""
        return np.array([self.x, self.y, self.z])

    @property
    def R(self) -> Array:
        """The rotation, (3, 3). Raises GroupError."""
        return quaternions.rotation_quaternion(self.array)

    @property
    def T(self) -> Array:
        """The rotation as a pose, (4, 4). Raises GroupError."""
        return pose(self.R)

    @property
    def conjugate(self) -> Quaternion:
        """s - x i - y j - z k."""
        return Quaternion(self.s, -self.x, -self.y, -self.z)

    @property
    def inverse(self) -> Quaternion:
        """q^-1, the conjugate over the square of the length. Raises GroupError for 0."""
        return _from_array(quaternions.quaternion_inverse(self.array))

    @property
    def unit(self) -> Quaternion:
        """q / |q|. Raises GroupError for 0."""
        length = abs(self)
        if length == 0.0:
            raise not_unit("the quaternion", 0.0)
        return _from_array(self.array / length)

    @checked_numbers(WrongShape)
    def inner(self, other: Quaternion) -> float:
        """The inner product, part by part: |q|^2 of q with itself."""
        return float(self.array @ other.array)

    @checked_numbers(WrongShape)
    def interpolate(self, other: Quaternion, s: float) -> Quaternion:
        """Slerp from this quaternion (s = 0) to the other (s = 1), the shorter way. Raises GroupError."""
        return _from_array(quaternions.slerp(self.array, other.array, s))

    @checked_numbers(WrongShape)
    def scaled(self, s: float) -> Quaternion:
        """Slerp from the identity (s = 0) to this rotation (s = 1): its angle times s. Raises GroupError."""
        return Quaternion().interpolate(self, s)

    @checked_numbers(WrongShape)
    def rates(self, omega: ArrayLike) -> Quaternion:
        """dq/dt = (0, omega) q / 2, omega (3,) the angular velocity in world axes, rad/s."""
        return _from_array(quaternions.quaternion_rates(self.array, omega))

    def __add__(self, other: Quaternion) -> Quaternion:
        return _from_array(self.array + other.array) if isinstance(other, Quaternion) else NotImplemented

    def __sub__(self, other: Quaternion) -> Quaternion:
        return _from_array(self.array - other.array) if isinstance(other, Quaternion) else NotImplemented

    def __neg__(self) -> Quaternion:
        return Quaternion(-self.s, -self.x, -self.y, -self.z)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Quaternion):
            return _from_array(quaternions.quaternion_product(self.array, other.array))
        if np.ndim(other) == 0:
            return _from_array(self.array * checks.number(other, "factor"))
        return self.R @ checks.array(other, (3,), "vector")

    def __rmul__(self, factor: float) -> Quaternion:
        return _from_array(self.array * checks.number(factor, "factor"))

    def __truediv__(self, other: Quaternion | float) -> Quaternion:
        if isinstance(other, Quaternion):
            return _from_array(quaternions.quaternion_product(self.array, other.inverse.array))
        divisor = checks.number(other, "divisor")
        if divisor == 0.0:
            raise WrongShape("divisor", "found 0", "another number")
        return _from_array(self.array / divisor)

    def __pow__(self, exponent: int) -> Quaternion:
        if isinstance(exponent, bool) or not isinstance(exponent, int):
            raise WrongShape("exponent", f"found {exponent!r}", "a whole number; `scaled` takes any share")
        base, result = (self if exponent >= 0 else self.inverse), Quaternion()
        for digit in f"{abs(exponent):b}":
            result = result * result
            if digit == "1":
                result = result * base
        return result

    def __abs__(self) -> float:
        return math.hypot(self.s, self.x, self.y, self.z)

    def __str__(self) -> str:
        return f"{self.s:.6g} <{self.x:.6g}, {self.y:.6g}, {self.z:.6g}>"


def _from_array(parts: Array) -> Quaternion:
    return Quaternion(*parts.tolist())
