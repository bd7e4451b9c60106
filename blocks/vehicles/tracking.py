"""Ports that controllers of multirotors share: measured motion, reference motion, outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.port import RPY, Port
from .vehicle_model import VehicleModelBlock

MOTION = (
    Port("position", 3, "m", "measured, in the world, z down"),
    Port("velocity", 3, "m/s", "measured, in the world"),
    Port("quaternion", 4, "", "measured attitude, scalar first", direction=True),
    Port("rates", 3, "rad/s", "measured, in body axes"),
)
WANTED = (
    Port("position_ref", 3, "m", "reference, for example from a flight"),
    Port("velocity_ref", 3, "m/s", default=0.0),
    Port("acceleration_ref", 3, "m/s2", default=0.0),
    Port("jerk_ref", 3, "m/s3", default=0.0),
    Port("snap_ref", 3, "m/s4", default=0.0),
    Port("yaw_ref", 1, "rad", default=0.0),
    Port("yaw_rate_ref", 1, "rad/s", default=0.0),
    Port("yaw_acceleration_ref", 1, "rad/s2", default=0.0),
)


class TrackingBlock(VehicleModelBlock):
    """Base of controllers that make a vehicle follow a trajectory; `vehicle` is the model that they use."""

    abstract: ClassVar = True
    inputs: ClassVar = MOTION + WANTED
    aims: ClassVar = {"position": "position_ref"}
    outputs: ClassVar = (
        Port("torque", 3, "N m", "in the body frame", elements=RPY),
        Port("thrust", 1, "N", "along -z of the body"),
    )

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"R": (3, 3)}
