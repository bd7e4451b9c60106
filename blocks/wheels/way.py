"""Way: motion of vehicles on wheels through the plane, as arcs and deviations from them.

From one event to the next the place is a point of an arc, p_a(t), plus a deviation d, which the solver
integrates:

    p = p_a(t) + d     dd/dt = v e(theta) - v_a(t) e(theta_a(t))     e(theta) = (cos(theta), sin(theta))

The arc begins at every event with the speed and the rate of turn of that instant, and with their rates of
change if these keep the curvature. While the motion follows the arc, dd/dt is zero: the place is then exact
to rounding, at any tolerance. When the heading differs from the arc's by a radian, a new arc begins, which is
an event too, so that arcs never turn faster than the vehicle. Linear models are correct because d has the
Jacobian of the equations of motion. This is Encke's method: Battin, An Introduction to the Mathematics and
Methods of Astrodynamics (1999), section 10.2.
"""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

from ...robots.wheels.motion import arc_end
from ..contract.port import PLANAR, XYZ, Crossing, Port, State

POSE = (
    Port("pose", 3, "m, m, rad", "x, y and heading, which is not wrapped", elements=PLANAR),
    Port("position", 2, "m", elements=XYZ[:2]),
    Port("heading", 1, "rad", "not wrapped"),
)
DISTANCE = (Port("distance", 1, "m", "distance rolled since the start, decreasing when backwards"),)
ARC_STATES = (
    State("turned", "heading0", "rad"),
    State("off_x", "zero", "m"),
    State("off_y", "zero", "m"),
    State("arc_start", "zero", "s", held=True),
    State("arc_x", "x0", "m", held=True),
    State("arc_y", "y0", "m", held=True),
    State("arc_heading", "heading0", "rad", held=True),
)
WAY_STATES = (
    State("rolled", "zero", "m"),
    *ARC_STATES,
    State("arc_speed", "zero", "m/s", held=True),
    State("arc_rate", "zero", "rad/s", held=True),
    State("arc_gain", "zero", "m/s2", held=True),
    State("arc_swing", "zero", "rad/s2", held=True),
)
NEW_ARC = (Crossing("new_arc", +1),)


class RollingMotion(NamedTuple):
    """Position and heading of a vehicle that rolls forwards and backwards only."""

    t: float
    rolled: float
    turned: float
    off_x: float
    off_y: float
    arc_start: float
    arc_x: float
    arc_y: float
    arc_heading: float
    arc_speed: float
    arc_rate: float
    arc_gain: float
    arc_swing: float


def place(way: RollingMotion) -> tuple[float, float]:
    """Its x and y, m."""
    passed = way.t - way.arc_start
    s = (way.arc_speed + 0.5 * way.arc_gain * passed) * passed
    turn = (way.arc_rate + 0.5 * way.arc_swing * passed) * passed
    x, y = arc_end(s, 0.0, turn, way.arc_heading)
    return way.arc_x + x + way.off_x, way.arc_y + y + way.off_y


def deviation_rate(way: RollingMotion, speed: float) -> tuple[float, float]:
    """dd/dt at the given speed, m/s."""
    passed = way.t - way.arc_start
    on_arc = way.arc_speed + way.arc_gain * passed
    heading = way.arc_heading + (way.arc_rate + 0.5 * way.arc_swing * passed) * passed
    x = speed * cos(way.turned) - on_arc * cos(heading)
    return x, speed * sin(way.turned) - on_arc * sin(heading)


def leaving(way: RollingMotion) -> float:
    """The crossing: rises through zero where the heading is a radian off the arc's."""
    passed = way.t - way.arc_start
    turned = way.arc_heading + (way.arc_rate + 0.5 * way.arc_swing * passed) * passed
    return (way.turned - turned) ** 2 - 1.0


def new_arc(way: RollingMotion, speed: float, rate: float, gain: float, swing: float) -> tuple[float, ...]:
    """The states just after an event, from the speed, the rate of turn, and their derivatives."""
    x, y = place(way)
    return way.rolled, way.turned, 0.0, 0.0, way.t, x, y, way.turned, speed, rate, gain, swing
