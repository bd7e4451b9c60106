"""Flatness: the attitude, rates, thrust and torque with which a vehicle follows a flight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...robots.vehicles.flatness import FlatBody, Flight, flat_inputs
from ..contract.parameter import Array
from ..contract.port import RPY, WXYZ, XYZ, Port
from .vehicle_model import VehicleModelBlock

FLIGHT_INPUTS = (
    Port("velocity", 3, "m/s", "in the world frame, z down"),
    Port("acceleration", 3, "m/s2"),
    Port("jerk", 3, "m/s3"),
    Port("snap", 3, "m/s4"),
    Port("yaw", 1, "rad"),
    Port("yaw_rate", 1, "rad/s", default=0.0),
    Port("yaw_acceleration", 1, "rad/s2", default=0.0),
)


class Flatness(VehicleModelBlock):
    """Feed-forward: the state and the inputs of a multirotor from its flat outputs, position and yaw.

        m a = m g e_z - T z_B - R D R^T v        J dw/dt + w x J w = torque

    for the vehicle's mass, inertia J and linear drag D; quadratic drag is left out. The flight's derivatives
    come from blocks such as MinimumSnap and FigureEight. `quaternion` is the attitude, scalar first, s >= 0
    (a change of its sign does not change the attitude), `rates` and `angular_acceleration` are in body
    axes, z down, `thrust` is along -z of the body. x_B lies in the vertical plane of the yaw: R = Rz(yaw) Ry
    Rx. The attitude is undefined in free fall, and if the thrust is horizontal and perpendicular to the
    heading; the outputs are then meaningless. All inputs feed through to all outputs directly. Raises
    ParameterError for an unknown vehicle.
    Source: Faessler, Franchi, Scaramuzza, IEEE Robotics and Automation Letters 3(2), 2018 (arXiv 1712.02402);
    Mellinger, Kumar, ICRA 2011.

    Example:
        {type: Flatness, vehicle: crazyflie}
    """

    icon = "Flatness"
    inputs: ClassVar = FLIGHT_INPUTS
    outputs: ClassVar = (
        Port("quaternion", 4, "", "attitude, scalar first", elements=WXYZ),
        Port("rates", 3, "rad/s", "angular velocity in the body frame", elements=XYZ),
        Port("angular_acceleration", 3, "rad/s2", "in the body frame", elements=XYZ),
        Port("torque", 3, "N m", "in the body frame", elements=RPY),
        Port("thrust", 1, "N", "along -z of the body"),
    )

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"R": (3, 3)}

    @staticmethod
    def output(
        flown: FlatBody, flight: Flight, R: Array,
        quaternion: Array, rates: Array, angular_acceleration: Array, torque: Array,
    ) -> float:  # fmt: skip
        return flat_inputs(flown, flight, quaternion, rates, angular_acceleration, torque, R)
