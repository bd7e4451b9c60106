"""Along: the poses, twists and accelerations of a way at many fractions of it, in machine code."""

from __future__ import annotations

from typing import Any

from ..calls import machine_code
from .pose_kernels import Array, line_pose, screw_pose, way_acceleration, way_twist

TYPES = ("d2", "d1", "d2", "d", "b", "d1", "d1", "d1", "d3", "d2", "d2")


def along(
    T0: Array, way: Array, axes: Array, sense: float, screw: bool, s: Array, sd: Array, sdd: Array,
    T: Array, twist: Array, acceleration: Array,
) -> int:  # fmt: skip
    """Fill T (k, 4, 4), twist and acceleration (k, 6) at the fractions s (k,) and their rates."""
    for k in range(s.size):
        if screw:
            screw_pose(T0, way, s[k], T[k])
        else:
            line_pose(T0, way, s[k], T[k])
        way_twist(axes, sense, way, s[k], sd[k], twist[k])
        way_acceleration(axes, sense, way, s[k], sd[k], sdd[k], acceleration[k])
    return s.size


def native_along() -> Any:
    """The same as machine code."""
    return machine_code(along, TYPES)
