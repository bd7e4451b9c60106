"""CascadeControl: position, velocity, attitude and rates in nested loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.vehicles.control.cascade import (
    Loops,
    Margins,
    Workspace,
    cascade,
    cascade_margins,
    cascade_mode,
    integral_rate,
)
from ...robots.vehicles.control.signals import Body, Motion, Reference
from ..continuous.pid import tracking_rate
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, State
from .tracking import TrackingBlock


class NestedLoops(TrackingBlock):
    """Base of controllers with nested loops for position, velocity, attitude and rates."""

    abstract: ClassVar = True
    states: ClassVar[tuple[State, ...]] = (State("integral", "start", "m"),)
    crossings: ClassVar[tuple[Crossing, ...]] = tuple(map(Crossing, ("speed", "pull", "tilt", "strength")))

    Kp: Real = parameter(
        default=2.0, unit="1/s", doc="gain from position error to velocity", minimum=0, dimensions=(0, 1)
    )
    Kv: Real = parameter(
        default=4.0, unit="1/s", doc="gain from velocity error to acceleration", minimum=0, dimensions=(0, 1)
    )
    Ki: Real = parameter(default=1.0, unit="1/s2", doc="gain of the integral", minimum=0, dimensions=(0, 1))
    Kq: Real = parameter(
        default=[10.0, 10.0, 4.0],
        unit="1/s",
        doc="gain from attitude error to rates",
        minimum=0,
        dimensions=(0, 1),
    )
    Kw: Real = parameter(
        default=[40.0, 40.0, 16.0], unit="1/s", doc="gain from rate error to angular acceleration", minimum=0,
        dimensions=(0, 1),
    )  # fmt: skip
    speed_limit: Real = parameter(
        default=5.0, unit="m/s", doc="maximum speed that position errors command", above=0, dimensions=(0,)
    )
    tilt_limit: Real = parameter(
        default=1.2, unit="rad", doc="maximum tilt of the thrust from the vertical", above=0, dimensions=(0,)
    )
    against_drag: bool = option(default=False, doc="compensate for the model's linear drag")

    def check(self) -> None:
        super().check()
        for name in ("Kp", "Kv", "Ki", "Kq", "Kw"):
            if np.shape(getattr(self, name)) not in ((), (3,)):
                raise ParameterError(self.kind(), name, getattr(self, name), "a number or three")
        if not float(self.tilt_limit) < np.pi / 2:  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "tilt_limit", self.tilt_limit, "less than pi/2 rad")

    def constants(self) -> Mapping[str, Any]:
        names = {"k_p": self.Kp, "k_v": self.Kv, "k_i": self.Ki, "k_q": self.Kq, "k_w": self.Kw}
        gains = {name: np.array(np.broadcast_to(value, (3,)), np.float64) for name, value in names.items()}  # type: ignore[arg-type]
        model = self.model
        strongest = float(model.numbers("thrust") @ model.numbers("fastest") ** 2)
        return {
            **super().constants(),
            **gains,
            # relative to the commanded acceleration, as in PID: kt (y - v) is ki times this
            "unwinding": tracking_rate(None, gains["k_v"], 1.0, 1.0),
            "steepest": float(np.tan(self.tilt_limit)),  # type: ignore[arg-type]
            "strongest": min(strongest, 1e300),
            "make_up": float(self.against_drag),
            "start": np.zeros(3),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"R": (3, 3), "R_ref": (3, 3), "q": (4,), "q_ref": (4,), "q_error": (4,)}


class CascadeControl(NestedLoops):
    """Nested position, velocity, attitude and rate loops, as in an autopilot, for the vehicle of its model.

        v_c = v_ref + K_p (p_ref - p)               a_c = a_ref + K_v (v_c - v) + K_i I
        A = a_c - g e_z                             thrust = -m A . R e_z,  z_ref = -A / |A|
        w_c = w_ref + 2 K_q sgn(q_e0) q_e           torque = J (dw_ref/dt + K_w (w_c - w)) + w x J w
        dI/dt = v_c - v + (A_given - A) / K_v

    q_e = q^-1 q_ref is the attitude error; z_ref and `yaw_ref` give q_ref, jerk and yaw rate give the rates
    w_ref, and the snap gives their derivative. The velocity demanded by K_p is limited to `speed_limit`, the
    tilt to `tilt_limit`, and the upward thrust is at least a tenth of the weight. A_given is A within these
    limits and with no more thrust than the model's rotors can give, so the integral does not wind up beyond
    them. Limits begin and end at events. The thrust itself is not limited here, but in a mixer.
    `against_drag` compensates for the model's linear drag. Gains are one number or one per axis: world axes
    for position and velocity, body axes for attitude and rates. The attitude law always turns by the smaller
    angle. All inputs feed through to both outputs directly.
    Raises ParameterError for an unknown vehicle and for gains that are not 1 or 3 numbers.
    Source: attitude: Brescianini, Hehn, D'Andrea, Nonlinear Quadrocopter Attitude Control, ETH Zurich 2013;
    structure: Meier, Honegger, Pollefeys, PX4, IEEE International Conference on Robotics and Automation 2015.

    Example:
        {type: CascadeControl, vehicle: crazyflie}
    """

    icon = "Cascade\ncontrol"

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "disturbance": np.zeros(3)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": control, "derivative": wind, "mode": cascade_mode, "crossing": margins}


class SampledCascadeControl(CascadeControl):
    """CascadeControl, computed once per tick; its integral grows by sample_time dI/dt.

    Raises ParameterError for an unknown vehicle and for gains that are not 1 or 3 numbers.

    Example:
        {type: SampledCascadeControl, vehicle: crazyflie, sample_time: 0.002}
    """

    sampled: ClassVar[bool] = True
    crossings: ClassVar[tuple[Crossing, ...]] = ()

    sample_time: Real = parameter(default=0.002, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": sampled_control, "update": add}


def control(
    mode: int, motion: Motion, reference: Reference, integral: Array, body: Body, loops: Loops,
    room: Workspace, torque: Array,
) -> float:  # fmt: skip
    return cascade(motion, reference, integral, body, loops, room, mode, torque)


def margins(
    mode: int,
    motion: Motion,
    reference: Reference,
    integral: Array,
    body: Body,
    loops: Loops,
    room: Workspace,
) -> Margins:
    return cascade_margins(motion, reference, integral, body, loops, room, mode)


def wind(
    mode: int, motion: Motion, reference: Reference, integral: Array, body: Body, loops: Loops,
    room: Workspace, d_integral: Array,
) -> None:  # fmt: skip
    rate = integral_rate(motion, reference, integral, body, loops, room, mode)
    for i in range(3):
        d_integral[i] = rate[i]


def sampled_control(
    motion: Motion,
    reference: Reference,
    integral: Array,
    body: Body,
    loops: Loops,
    room: Workspace,
    torque: Array,
) -> float:
    mode = cascade_mode(motion, reference, integral, body, loops, room)
    return cascade(motion, reference, integral, body, loops, room, mode, torque)


def add(
    motion: Motion, reference: Reference, integral: Array, body: Body, loops: Loops, room: Workspace,
    sample_time: float, next_integral: Array,
) -> None:  # fmt: skip
    mode = cascade_mode(motion, reference, integral, body, loops, room)
    rate = integral_rate(motion, reference, integral, body, loops, room, mode)
    for i in range(3):
        next_integral[i] = integral[i] + sample_time * rate[i]
