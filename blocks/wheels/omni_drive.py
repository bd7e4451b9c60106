"""OmniDrive: the rates of the wheels that move an omnidirectional vehicle as commanded."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar

from ..contract.parameter import Array, Real, parameter
from ..contract.port import PER_WHEEL, Crossing, Port
from .omni_wheels import OmniWheels


class OmniDrive(OmniWheels):
    """The wheel rates of an OmniBase for speeds forwards and to the left, and a turn rate.

        w_i = c h_i . (v_x, v_y, omega)      c = min(1, wheel_rate_limit/max |h_i . (v_x, v_y, omega)|)

    h_i is as in OmniBase, with the same parameters. If a wheel is at its limit, all slow down by the same
    factor, so that the vehicle keeps its direction; the instants at which the limit is reached and left, and
    at which another wheel becomes the fastest, are located. To model errors, use parameters that differ from
    those in OmniBase. Source: Lynch, Park, Modern Robotics (2017), section 13.2.

    Example:
        {type: OmniDrive, vehicle: youbot}
    """

    icon = "mixer"
    inputs: ClassVar = (Port("velocity", 3, "m/s, m/s, rad/s", "forwards, to the left, and turn rate"),)
    crossings: ClassVar = (Crossing("limit"), Crossing("faster", +1))

    wheel_rate_limit: Real | None = parameter(
        default=None,
        unit="rad/s",
        doc="maximum |w|; default: no limit",
        above=0,
        infinite=True,
        dimensions=(0,),
    )

    ordinary: ClassVar = {**OmniWheels.ordinary, "wheel_rate_limit": inf}

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("rates", len(self.matrix()), "rad/s", "of the wheels", size_rule=PER_WHEEL),)

    def constants(self) -> Mapping[str, Any]:
        return {"H": self.matrix(), "greatest": self.number("wheel_rate_limit")}

    @staticmethod
    def crossing(mode: int, velocity: Array, H: Array, greatest: float) -> tuple[float, float]:
        if greatest == inf:
            return -1.0, -1.0
        if mode == 0:
            return rate(fastest_of(velocity, H), velocity, H) - greatest, -1.0
        fastest, other = rate(mode - 1, velocity, H), 0.0
        for i in range(H.shape[0]):
            if i != mode - 1:
                other = max(other, rate(i, velocity, H))
        return max(fastest, other) - greatest, other - fastest

    @staticmethod
    def mode(velocity: Array, H: Array, greatest: float) -> int:
        """0: within the limit; i + 1: wheel i is the fastest, and at its limit."""
        i = fastest_of(velocity, H)
        return i + 1 if rate(i, velocity, H) > greatest else 0

    @staticmethod
    def output(mode: int, velocity: Array, H: Array, greatest: float, rates: Array) -> None:
        share = greatest / rate(mode - 1, velocity, H) if mode > 0 else 1.0
        for i in range(H.shape[0]):
            rates[i] = share * (H[i, 0] * velocity[0] + H[i, 1] * velocity[1] + H[i, 2] * velocity[2])


def rate(i: int, velocity: Array, H: Array) -> float:
    """The magnitude of the rate of a wheel without limits, rad/s."""
    return abs(H[i, 0] * velocity[0] + H[i, 1] * velocity[1] + H[i, 2] * velocity[2])  # type: ignore[no-any-return]


def fastest_of(velocity: Array, H: Array) -> int:
    """The wheel with the largest rate."""
    fastest = 0
    for i in range(1, H.shape[0]):
        if rate(i, velocity, H) > rate(fastest, velocity, H):
            fastest = i
    return fastest
