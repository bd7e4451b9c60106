"""Attitude given as roll, pitch, yaw or as a quaternion."""

from __future__ import annotations

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array


def quaternion(block: str, parameter: str, value: object) -> Array:
    """The unit quaternion, scalar first, of (roll, pitch, yaw) in rad or of a quaternion of any length.

    Roll, pitch, yaw mean R = Rz(yaw) Ry(pitch) Rx(roll), from body to world.
    Raises ParameterError.
    """
    numbers = np.asarray(value, np.float64)
    if numbers.shape == (3,):
        (cr, cp, cy), (sr, sp, sy) = np.cos(numbers / 2), np.sin(numbers / 2)
        return np.array(
            [
                cr * cp * cy + sr * sp * sy,
                sr * cp * cy - cr * sp * sy,
                cr * sp * cy + sr * cp * sy,
                cr * cp * sy - sr * sp * cy,
            ]
        )
    length = np.linalg.norm(numbers)
    if numbers.shape != (4,) or length == 0.0:
        expected = "roll, pitch, yaw in rad, or a quaternion, scalar first"
        raise ParameterError(block, parameter, value, expected)
    return np.asarray(numbers / length)
