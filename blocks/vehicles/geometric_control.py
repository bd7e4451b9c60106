"""GeometricControl: tracking on SE(3), without angles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...robots.vehicles.control.geometric import Gains, geometric, upward_pull
from ...robots.vehicles.control.signals import Body, Motion, Reference
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing
from .tracking import TrackingBlock

# the paper's gains, divided by the mass, 4.34 kg, and inertia, 0.082 kg m2, of its vehicle
POSITION, VELOCITY = 16.0, 5.6  # 1/s2, 1/s
ATTITUDE, RATES = 8.81 / 0.082, 2.54 / 0.082  # 1/s2, 1/s


class GeometricControl(TrackingBlock):
    """The controller of Lee, Leok and McClamroch, from position to torque in one law.

        A = -k_x e_x - k_v e_v - m g e_z + m a_ref       thrust = -A . R e_z,  b3_c = -A / |A|
        torque = -k_R e_R - k_W e_W + W x J W - J (W x R^T R_c W_c - R^T R_c dW_c/dt)

    with e_x = position - position_ref, e_R = (R_c^T R - R^T R_c)^v / 2 and e_W = W - R^T R_c W_c. The desired
    attitude R_c has the axis b3_c, and b2_c = b3_c x b1 / |...| for the heading b1 of `yaw_ref`; W_c and its
    rate are exact, from jerk and snap. For the vehicle of its model e_R and e_W, and with them e_x, vanish
    exponentially from nearly every attitude, even upside down. The instants at which the thrust reaches or
    leaves 0 are events. With `against_drag` the model's linear drag is added to A. Default gains are the
    paper's, scaled with the model's mass and its moment of inertia about x. All inputs feed through to both
    outputs directly. Raises ParameterError for an unknown vehicle.
    Source: Lee, Leok, McClamroch, Geometric tracking control of a quadrotor UAV on SE(3), IEEE Conference on
    Decision and Control 2010 (arXiv 1003.2005).

    Example:
        {type: GeometricControl, vehicle: hummingbird}
    """

    icon = "Geometric\ncontrol"
    crossings: ClassVar[tuple[Crossing, ...]] = (Crossing("push"),)

    k_position: Real | None = parameter(default=None, unit="N/m", above=0, dimensions=(0,))
    k_velocity: Real | None = parameter(default=None, unit="N s/m", above=0, dimensions=(0,))
    k_attitude: Real | None = parameter(default=None, unit="N m", above=0, dimensions=(0,))
    k_rates: Real | None = parameter(default=None, unit="N m s", above=0, dimensions=(0,))
    against_drag: bool = option(default=False, doc="compensate for the model's linear drag")

    def constants(self) -> Mapping[str, Any]:
        mass, moment = self.model.mass, float(self.model.inertia[0][0])
        scaled = {
            "k_x": (self.k_position, POSITION * mass),
            "k_v": (self.k_velocity, VELOCITY * mass),
            "k_r": (self.k_attitude, ATTITUDE * moment),
            "k_w": (self.k_rates, RATES * moment),
        }
        gains = {name: gain if gain is not None else usual for name, (gain, usual) in scaled.items()}
        return {**super().constants(), **gains, "make_up": float(self.against_drag)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": control, "mode": pushing, "crossing": push}


class SampledGeometricControl(GeometricControl):
    """GeometricControl, computed once per tick; its outputs are held in between.

    Raises ParameterError for an unknown vehicle.

    Example:
        {type: SampledGeometricControl, vehicle: hummingbird, sample_time: 0.002}
    """

    sampled: ClassVar[bool] = True
    crossings: ClassVar[tuple[Crossing, ...]] = ()

    sample_time: Real = parameter(default=0.002, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": sampled_control}


def push(motion: Motion, reference: Reference, body: Body, gains: Gains, R: Array) -> float:
    return upward_pull(motion, reference, body, gains, R)


def pushing(motion: Motion, reference: Reference, body: Body, gains: Gains, R: Array) -> int:
    return 1 if upward_pull(motion, reference, body, gains, R) > 0.0 else 0


def control(
    mode: int, motion: Motion, reference: Reference, body: Body, gains: Gains, R: Array, torque: Array
) -> float:
    return geometric(motion, reference, body, gains, float(mode), R, torque)


def sampled_control(
    motion: Motion, reference: Reference, body: Body, gains: Gains, R: Array, torque: Array
) -> float:
    up = 1.0 if upward_pull(motion, reference, body, gains, R) > 0.0 else 0.0
    return geometric(motion, reference, body, gains, up, R, torque)
