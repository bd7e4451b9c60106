"""Gravity load: the joint torques that hold the arm still."""

from __future__ import annotations

from ..model.table import GRAVITY, PARENT, PRISMATIC
from .bodies import positions
from .inertias import moments
from .work import FIRST, HEAVY, REACH, ROTATION, Array


def gravity_load(arm: Array, q: Array, work: Array, tau: Array) -> None:
    """g(q), written into tau (n,): what holds the weight at each joint. O(n). Leaves `positions` in work."""
    n = arm.shape[0] - 1
    positions(arm, q, work)
    moments(arm, work)
    gx, gy, gz = arm[n, GRAVITY], arm[n, GRAVITY + 1], arm[n, GRAVITY + 2]
    for i in range(n - 1, -1, -1):
        ax, ay, az = work[i, ROTATION + 2], work[i, ROTATION + 5], work[i, ROTATION + 8]
        m, cx, cy, cz = work[i, HEAVY], work[i, FIRST], work[i, FIRST + 1], work[i, FIRST + 2]
        if arm[i, PRISMATIC] != 0.0:
            tau[i] = 0.0 - m * (ax * gx + ay * gy + az * gz)
        else:
            tx, ty, tz = cy * gz - cz * gy, cz * gx - cx * gz, cx * gy - cy * gx
            tau[i] = 0.0 - (ax * tx + ay * ty + az * tz)
        p = int(arm[i, PARENT])
        if p >= 0:
            work[p, HEAVY] += m
            work[p, FIRST] += cx + m * work[i, REACH]
            work[p, FIRST + 1] += cy + m * work[i, REACH + 1]
            work[p, FIRST + 2] += cz + m * work[i, REACH + 2]
