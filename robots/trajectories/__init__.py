"""Trajectories with their derivatives: joints between and past points, poses along lines and screws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import TrajectoryError
from .motion import Pieces, Values
from .point_to_point import cubic, point_to_point, quintic, trapezoidal
from .poses import PoseValues, cartesian_motion, scaling, screw_motion
from .via_points import segments, via_points

__all__ = [
    "Pieces",
    "PoseValues",
    "TrajectoryError",
    "Values",
    "cartesian_motion",
    "cubic",
    "point_to_point",
    "quintic",
    "scaling",
    "screw_motion",
    "segments",
    "trapezoidal",
    "via_points",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from ..toolbox import absent

        raise absent(f"module {__name__!r}", name)
