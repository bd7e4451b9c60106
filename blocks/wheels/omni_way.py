"""Motion of omnidirectional vehicles through the plane, as arcs and deviations from them.

Like `way`, with a speed to the left in addition to the speed forwards: the arc that begins at every event is
the motion with constant speeds in axes that turn at a constant rate.
"""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

from ...robots.wheels.motion import arc_end
from ..contract.port import State
from .way import ARC_STATES

OMNI_STATES = (
    *ARC_STATES,
    State("arc_ahead", "zero", "m/s", held=True),
    State("arc_left", "zero", "m/s", held=True),
    State("arc_rate", "zero", "rad/s", held=True),
)


class OmniWay(NamedTuple):
    """Position and heading of an omnidirectional vehicle."""

    t: float
    turned: float
    off_x: float
    off_y: float
    arc_start: float
    arc_x: float
    arc_y: float
    arc_heading: float
    arc_ahead: float
    arc_left: float
    arc_rate: float


def omni_place(way: OmniWay) -> tuple[float, float]:
    """Its x and y, m."""
    passed = way.t - way.arc_start
    x, y = arc_end(way.arc_ahead * passed, way.arc_left * passed, way.arc_rate * passed, way.arc_heading)
    return way.arc_x + x + way.off_x, way.arc_y + y + way.off_y


def omni_off(way: OmniWay, ahead: float, left: float) -> tuple[float, float]:
    """Derivative of the deviation from the arc at these speeds, m/s."""
    on_arc = way.arc_heading + way.arc_rate * (way.t - way.arc_start)
    c, s, arc_c, arc_s = cos(way.turned), sin(way.turned), cos(on_arc), sin(on_arc)
    x = c * ahead - s * left - (arc_c * way.arc_ahead - arc_s * way.arc_left)
    y = s * ahead + c * left - (arc_s * way.arc_ahead + arc_c * way.arc_left)
    return x, y


def omni_leaving(way: OmniWay) -> float:
    """The crossing: rises through zero where the heading is a radian off the arc's."""
    on_arc = way.arc_heading + way.arc_rate * (way.t - way.arc_start)
    return (way.turned - on_arc) ** 2 - 1.0
