"""MotorMixer: rotor speeds for commanded torques and thrust, of any multirotor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import sqrt
from typing import Any, ClassVar, NamedTuple

from ...robots.errors import InvalidRobot
from ...robots.vehicles.attainable import Attainable, attainable
from ...robots.vehicles.mixing import (
    Allocation,
    Limits,
    Wrench,
    limit_wrench,
    mixing_margins,
    mixing_mode,
    share,
)
from ..contract.errors import ParameterError
from ..contract.parameter import Array, option
from ..contract.port import PER_ROTOR, RPY, Crossing, Port, Size, rotors
from .vehicle_block import VehicleBlock


class MotorMixer(VehicleBlock):
    """Control allocation: rotor speeds of `vehicle` for a desired torque and thrust, within their limits.

        A u = (torque, thrust),  omega_i = s_i sqrt(u_i),  slowest_i^2 <= u_i <= fastest_i^2

    with the vehicle's allocation matrix A. `method: priority` gives up yaw first, then thrust, then roll and
    pitch. Roll and pitch are reduced together, in their ratio, as little as possible; with them fixed, the
    thrust is as close as possible to the desired one, and then the yaw torque. This is exact: the feasible
    wrenches form a polytope, whose facets are computed when the block is made. Of all speeds that give the
    wrench, the block takes those nearest to the pseudo-inverse solution. `method: clipped` limits each rotor
    of the pseudo-inverse solution separately, regardless of the effect on the torques. `wrench` is the actual
    wrench of the rotors: roll, pitch, yaw torque, thrust. It assumes rotors in still air, and does not
    include the dynamics of the motors. With `yaw: false` the block produces only roll, pitch and thrust, for
    vehicles with three rotors or with failed ones; `wrench` then includes the resulting yaw torque.

    The active facets, or the limited rotors, are a mode, which changes at located instants. With more than
    four rotors the speeds have further kinks where a rotor reaches its limit and another takes over; these
    are not events, because torque and thrust are smooth there. All inputs feed through to both outputs
    directly.
    Raises ParameterError for rotors that cannot produce one of roll, pitch, yaw and thrust, and names it.
    Source: Johansen, Fossen, Control allocation: a survey, Automatica 49(5), 2013; priorities: Faessler,
    Falanga, Scaramuzza, Thrust Mixing, Saturation, and Body-Rate Control for Accurate Aggressive Quadrotor
    Flight, IEEE Robotics and Automation Letters 2(2), 2017.

    Example:
        {type: MotorMixer, vehicle: crazyflie}
    """

    icon = "mixer"
    inputs: ClassVar = (
        Port("torque", 3, "N m", "in the body frame: roll, pitch, yaw"),
        Port("thrust", 1, "N", "total, along -z of the body"),
    )

    method: str = option(
        default="priority", doc="allocation rule at the limits", choices=("priority", "clipped")
    )
    yaw: bool = option(default=True, doc="produce the yaw torque too; false leaves it uncontrolled")

    def check(self) -> None:
        super().check()
        _ = self.possible

    @cached_property
    def possible(self) -> Attainable:
        """Attainable wrenches of the rotors. Raises ParameterError."""
        try:
            return attainable(self.model, yaw=self.yaw)
        except InvalidRobot as error:
            raise ParameterError(self.kind(), "vehicle", self.vehicle, reason=error) from None

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port(
                "omega",
                Size((self.model.n,)),
                "rad/s",
                "signed rotor speeds",
                elements=rotors(self.model.n),
                size_rule=PER_ROTOR,
            ),
            Port(
                "wrench",
                4,
                "N m, N m, N m, N",
                "resulting roll, pitch and yaw torque and thrust",
                elements=(*RPY, "thrust"),
            ),
        )

    def zero_crossings(self) -> tuple[Crossing, ...]:
        if self.method == "clipped":
            return (Crossing("upper", count=self.model.n), Crossing("lower", count=self.model.n))
        return (Crossing("tilt_bound"), Crossing("thrust_bound"), Crossing("yaw_bound"))

    def constants(self) -> Mapping[str, Any]:
        p, model = self.possible, self.model
        return {
            "tilt": p.tilt, "thrust_bounds": p.thrust, "yaw_bounds": p.yaw, "matrix": p.matrix,
            "asked": p.asked, "inverse": p.inverse, "axes": 4.0 if self.yaw else 3.0, "lowest": p.lower,
            "highest": p.upper, "units": p.units, "asked_units": p.asked_units,
            "signs": model.spins * sqrt(p.speed_unit),
        }  # fmt: skip

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"first": (self.model.n,), "work": (8, 4), "u": (self.model.n,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if self.method == "clipped":
            return {"output": clip_rotors, "mode": clipped_mode, "crossing": clipped_margins}
        return {"output": mix, "mode": mode, "crossing": margins}


class Rotors(NamedTuple):
    """The rotors' part of the allocation, and workspace."""

    matrix: Array
    asked: Array  # the same matrix, without an axis that is left out
    inverse: Array
    axes: float
    lowest: Array
    highest: Array
    units: Array
    asked_units: Array
    signs: Array  # (n,), rad/s: the directions of rotation, times the unit of the speeds
    first: Array
    work: Array
    u: Array


def in_units(torque: Array, thrust: float, units: Array) -> Wrench:
    """(roll, pitch, thrust, yaw), each relative to its magnitude."""
    return torque[0] / units[0], torque[1] / units[1], thrust / units[2], torque[2] / units[3]


def mode(torque: Array, thrust: float, bounds: Limits, asked_units: Array) -> int:
    return mixing_mode(bounds, in_units(torque, thrust, asked_units))


def margins(
    mode: int, torque: Array, thrust: float, bounds: Limits, asked_units: Array
) -> tuple[float, float, float]:
    return mixing_margins(bounds, mode, in_units(torque, thrust, asked_units))


def mix(
    mode: int, torque: Array, thrust: float, bounds: Limits, rotors: Rotors, omega: Array, wrench: Array
) -> None:
    demand = limit_wrench(bounds, mode, in_units(torque, thrust, rotors.asked_units))
    sharing = Allocation(
        rotors.asked, rotors.inverse, rotors.axes, rotors.lowest, rotors.highest, rotors.first, rotors.work
    )
    share(sharing, demand, rotors.u)
    give(rotors, omega, wrench)


def give(rotors: Rotors, omega: Array, wrench: Array) -> None:
    """Speeds of the squares u, and their wrench."""
    for j in range(4):
        total = 0.0
        for i in range(omega.shape[0]):
            total += rotors.matrix[j, i] * rotors.u[i]
        wrench[(0, 1, 3, 2)[j]] = rotors.units[j] * total
    for i in range(omega.shape[0]):
        u = rotors.u[i]
        omega[i] = rotors.signs[i] * (sqrt(u) if u > 0.0 else 0.0)  # at rest the derivative is 0


# The mode of `clip_rotors` has a digit in base three for each rotor: 0, 1, 2 while it is at its lower limit,
# free, at its upper limit.


def square(rotors: Rotors, wrench: Wrench, i: int) -> float:
    """u_i of the pseudo-inverse."""
    return (  # type: ignore[no-any-return]
        rotors.inverse[i, 0] * wrench[0] + rotors.inverse[i, 1] * wrench[1]
        + rotors.inverse[i, 2] * wrench[2] + rotors.inverse[i, 3] * wrench[3]
    )  # fmt: skip


def clipped_mode(torque: Array, thrust: float, rotors: Rotors) -> int:
    demand = in_units(torque, thrust, rotors.asked_units)
    code, weight = 0, 1
    for i in range(rotors.u.shape[0]):
        u = square(rotors, demand, i)
        code += weight * (2 if u > rotors.highest[i] else (0 if u < rotors.lowest[i] else 1))
        weight *= 3
    return code


def clipped_margins(torque: Array, thrust: float, rotors: Rotors, upper: Array, lower: Array) -> None:
    demand = in_units(torque, thrust, rotors.asked_units)
    for i in range(upper.shape[0]):
        u = square(rotors, demand, i)
        upper[i], lower[i] = min(u - rotors.highest[i], 1e300), u - rotors.lowest[i]
        upper[i] = max(upper[i], -1e300)  # an infinite limit is never reached


def clip_rotors(mode: int, torque: Array, thrust: float, rotors: Rotors, omega: Array, wrench: Array) -> None:
    demand = in_units(torque, thrust, rotors.asked_units)
    digits = mode
    for i in range(omega.shape[0]):
        digit = digits % 3
        digits //= 3
        u = square(rotors, demand, i)
        rotors.u[i] = u if digit == 1 else (rotors.highest[i] if digit == 2 else rotors.lowest[i])
    give(rotors, omega, wrench)
