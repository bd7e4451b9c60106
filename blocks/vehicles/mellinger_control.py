"""MellingerControl: the controller that came with minimum snap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.vehicles.control.mellinger import AxisGains, mellinger
from ...robots.vehicles.control.signals import Body, Motion, Reference
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from .geometric_control import ATTITUDE, POSITION, RATES, VELOCITY
from .tracking import TrackingBlock


def gain(unit: str) -> Any:
    return parameter(default=None, unit=unit, doc="one number or one per axis", above=0, dimensions=(0, 1))


class MellingerControl(TrackingBlock):
    """The controller of Mellinger and Kumar: attitude from the commanded force, rates from the trajectory.

        A = -K_x e_x - K_v e_v - m g e_z + m a_ref      thrust = -A . R e_z,  b3_c = -A / |A|
        torque = -K_R e_R - K_W (W - R^T R_T W_T)       e_R = (R_c^T R - R^T R_c)^v / 2

    with e_x = position - position_ref and the desired attitude R_c, whose z axis is b3_c and whose x axis
    lies in the vertical plane of `yaw_ref`. R_T and W_T are the attitude and rates of the trajectory alone,
    from acceleration, jerk and yaw rate; torque feed-forward and the snap are not used. With `against_drag`
    the model's linear drag is added to A and to the trajectory's force. Gains are one number or one per axis,
    of the world, then of the body. The paper gives no gains; the defaults are those of GeometricControl,
    scaled with the mass and each moment of inertia. The thrust may be negative, which no mixer can provide.
    All inputs feed through to both outputs directly. Raises ParameterError for an unknown vehicle and for
    gains that are not 1 or 3 numbers.
    Source: Mellinger, Kumar, Minimum snap trajectory generation and control for quadrotors, IEEE
    International Conference on Robotics and Automation 2011 (10.1109/ICRA.2011.5980409), section IV.

    Example:
        {type: MellingerControl, vehicle: hummingbird}
    """

    icon = "Mellinger"

    k_position: Real | None = gain("N/m")
    k_velocity: Real | None = gain("N s/m")
    k_attitude: Real | None = gain("N m")
    k_rates: Real | None = gain("N m s")
    against_drag: bool = option(default=False, doc="compensate for the model's linear drag")

    def check(self) -> None:
        super().check()
        for name in ("k_position", "k_velocity", "k_attitude", "k_rates"):
            value = getattr(self, name)
            if value is not None and np.shape(value) not in ((), (3,)):
                raise ParameterError(self.kind(), name, value, "a number or three")

    def constants(self) -> Mapping[str, Any]:
        mass, moments = self.model.mass, np.diag(np.array(self.model.inertia))
        scaled: dict[str, tuple[Any, Any]] = {
            "k_x": (self.k_position, POSITION * mass),
            "k_v": (self.k_velocity, VELOCITY * mass),
            "k_r": (self.k_attitude, ATTITUDE * moments),
            "k_w": (self.k_rates, RATES * moments),
        }
        gains = {
            name: np.array(np.broadcast_to(usual if gain is None else gain, (3,)), np.float64)
            for name, (gain, usual) in scaled.items()
        }
        return {**super().constants(), **gains, "make_up": float(self.against_drag)}

    @staticmethod
    def output(
        motion: Motion, reference: Reference, body: Body, gains: AxisGains, R: Array, torque: Array
    ) -> float:
        return mellinger(motion, reference, body, gains, R, torque)


class SampledMellingerControl(MellingerControl):
    """MellingerControl, computed once per tick; its outputs are held in between.

    Raises ParameterError as MellingerControl does.

    Example:
        {type: SampledMellingerControl, vehicle: hummingbird, sample_time: 0.002}
    """

    sampled: ClassVar[bool] = True

    sample_time: Real = parameter(default=0.002, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
