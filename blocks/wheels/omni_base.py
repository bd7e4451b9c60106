"""OmniBase: a vehicle on mecanum wheels or omniwheels, which moves in all directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.capabilities import Body
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import PER_WHEEL, Port
from .omni_way import OMNI_STATES, OmniWay, omni_leaving, omni_off, omni_place
from .omni_wheels import OmniWheels
from .placed import PlanarVehicle
from .way import NEW_ARC, POSE


class OmniBase(PlanarVehicle, OmniWheels):
    """A vehicle on wheels with rollers, which can move in all directions.

        (v_x, v_y, omega) = H^+ (1 - slip) w      w_i = h_i . (v_x, v_y, omega)
        h_i = [cos(b), sin(b), x_i sin(b) - y_i cos(b)]/(r_i cos(gamma_i)),     b = beta_i + gamma_i

    `rates` w are the rates of its wheels. Each row of `wheels` is a position x, y, the direction beta in
    which the wheel drives, and the angle gamma of its rollers: 0 for omniwheels, +-pi/4 for mecanum wheels.
    By default it has four mecanum wheels at the corners of `wheelbase` and `track`: front left, front right,
    rear right, rear left. H^+ is the pseudoinverse: inconsistent rates make wheels slide, and the motion is
    the best fit. `slip` is the fraction of its distance that a wheel loses, one number or one per wheel.

    While the rates are constant the path is an arc: the pose is then exact to rounding, at any tolerance. For
    limits put Saturation and RateLimiter before this block, or OmniDrive, which keeps the direction. Raises
    ParameterError for wheels that leave a motion undetermined. Source: Lynch, Park, Modern Robotics (2017),
    section 13.2.

    Example:
        {type: OmniBase, vehicle: youbot}
    """

    icon = "omni base"
    outputs: ClassVar = (
        *POSE,
        Port(
            "velocity",
            3,
            "m/s, m/s, rad/s",
            "forwards, to the left, and turn rate",
            elements=("v_x", "v_y", "omega"),
        ),
    )
    states: ClassVar = OMNI_STATES
    crossings: ClassVar = NEW_ARC

    slip: Real = parameter(
        default=0.0,
        unit="1",
        doc="fraction of the distance lost; one number or one per wheel",
        maximum=1,
        dimensions=(0, 1),
    )

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("rates", len(self.matrix()), "rad/s", "of the wheels", size_rule=PER_WHEEL),)

    def check(self) -> None:
        super().check()
        slip = np.asarray(self.slip, np.float64)
        if slip.ndim and len(slip) != len(self.matrix()):
            raise ParameterError(self.kind(), "slip", self.slip, f"one number, or {len(self.matrix())}")

    def constants(self) -> Mapping[str, Any]:
        rolled = 1.0 - np.asarray(self.slip, np.float64)
        return {**super().constants(), "K": np.linalg.pinv(self.matrix()) * rolled}

    def bodies(self) -> tuple[Body, ...]:
        from ...robots.shapes.wheeled import WheeledBody

        x, y = self.places().T
        radius = float(np.max(self.number("wheel_radius")))
        wheels = np.column_stack([x, y, np.zeros(len(x))])
        hull = WheeledBody(wheels, radius, x.max() + radius, x.min() - radius, 1.4 * abs(y).max())
        return (Body(hull, ("pose",)),)

    @staticmethod
    def derivative(way: OmniWay, rates: Array, K: Array) -> tuple[float, float, float]:
        ahead, left, rate = body_speeds(rates, K)
        dx, dy = omni_off(way, ahead, left)
        return rate, dx, dy

    @staticmethod
    def crossing(way: OmniWay) -> float:
        return omni_leaving(way)

    @staticmethod
    def jump(way: OmniWay, rates: Array, K: Array) -> tuple[float, ...]:
        x, y = omni_place(way)
        return (way.turned, 0.0, 0.0, way.t, x, y, way.turned, *body_speeds(rates, K))

    @staticmethod
    def output_pose(way: OmniWay, pose: Array) -> None:
        pose[0], pose[1] = omni_place(way)
        pose[2] = way.turned

    @staticmethod
    def output_position(way: OmniWay, position: Array) -> None:
        position[0], position[1] = omni_place(way)

    @staticmethod
    def output_heading(turned: float) -> float:
        return turned

    @staticmethod
    def output_velocity(rates: Array, K: Array, velocity: Array) -> None:
        velocity[0], velocity[1], velocity[2] = body_speeds(rates, K)


def body_speeds(rates: Array, K: Array) -> tuple[float, float, float]:
    """The speeds forwards and to the left, and the rate of turn."""
    ahead, left, rate = 0.0, 0.0, 0.0
    for i in range(rates.shape[0]):
        ahead += K[0, i] * rates[i]
        left += K[1, i] * rates[i]
        rate += K[2, i] * rates[i]
    return ahead, left, rate
