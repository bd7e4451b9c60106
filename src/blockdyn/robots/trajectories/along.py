"""Along: the poses, twists and accelerations of a way at many instants, in machine code."""

from __future__ import annotations

from typing import Any

from ..calls.kernel import machine_code
from .polynomial import acceleration_at, position_at, velocity_at
from .pose_kernels import Array, line_pose, screw_pose, way_acceleration, way_twist

TYPES = ("d2", "d1", "d2", "d", "b", "d1", "d2", "d", "d1", "d3", "d2", "d2")


def along(
    T0: Array, way: Array, axes: Array, sense: float, screw: bool, knots: Array, table: Array, slack: float,
    times: Array, T: Array, twist: Array, acceleration: Array,
) -> int:  # fmt: skip
    """Fill T (k, 4, 4), twist and acceleration (k, 6) at the instants `times` (k,).

    The fraction of the way and its rates are polynomials: `knots` and `table` (m, 7) are those of Pieces, and
    an instant no later than `slack` after the last knot is its end.
    """
    last = knots.size - 1
    for k in range(times.size):
        t = times[k]
        if 0.0 <= t - knots[last] <= slack:
            row, s = last, table[table.shape[0] - 1, 1]
        else:
            row = 0
            while row <= last and knots[row] <= t:
                row += 1
            s = position_at(table, row, t)
        sd = velocity_at(table, row, t)
        if screw:
            screw_pose(T0, way, s, T[k])
        else:
            line_pose(T0, way, s, T[k])
        way_twist(axes, sense, way, s, sd, twist[k])
        way_acceleration(axes, sense, way, s, sd, acceleration_at(table, row, t), acceleration[k])
    return times.size


def native_along() -> Any:
    """The same as machine code."""
    return machine_code(along, TYPES)
