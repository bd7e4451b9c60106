"""Seen angle: the direction in which something is seen, in [-pi, pi), without a jump inside a step.

The mode is 1 if the angle is counted from the left, and -1 if it is counted from the right; either range
reaches pi/4 beyond zero, so that small angles do not change the mode. The angle jumps only at half a turn, by
2 pi, at an event.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin

OVERLAP = pi / 4
BEYOND = 1e-12  # rad, past pi: at exactly half a turn both branches would be valid, and neither would be left


def turned_back(dx: float, dy: float, heading: float) -> tuple[float, float]:
    """A direction of the world in the axes of a vehicle: forwards and to the left."""
    c, s = cos(heading), sin(heading)
    return c * dx + s * dy, c * dy - s * dx


def branch_angle(mode: int, ahead: float, left: float) -> float:
    """The angle on a smooth branch."""
    if mode >= 0:
        return pi / 2 + atan2(-ahead, left)
    return -pi / 2 + atan2(ahead, -left)


def passes(mode: int, ahead: float, left: float) -> tuple[float, float]:
    """Its crossings rise through zero at the two ends of the branch: at half a turn, and ahead."""
    angle = branch_angle(mode, ahead, left)
    way = 1.0 if mode >= 0 else -1.0
    return way * angle - (pi + BEYOND), -way * angle - OVERLAP


def side(mode: int, ahead: float, left: float) -> int:
    """The new mode."""
    angle = atan2(left, ahead)
    if mode == 0:
        return 1 if 0.0 <= angle < pi else -1
    if mode > 0:
        return 1 if angle >= -OVERLAP and angle < pi else -1
    return -1 if angle <= OVERLAP or angle == pi else 1
