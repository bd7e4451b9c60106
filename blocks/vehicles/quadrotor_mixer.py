"""QuadrotorMixer: rotor speeds for commanded torques and thrust."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import ClassVar

import numpy as np

from ...robots.vehicles.rotor_loads import allocation, ring
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port, rotors


class QuadrotorMixer(Block):
    """Control allocation for a Quadrotor: rotor speeds for desired torques and thrust.

        u = A^-1 (tau_roll, tau_pitch, tau_yaw, thrust),  omega_i = s_i sqrt(min(max(u_i, lower^2), upper^2))

    where A has the columns (-b y_i, b x_i, -k s_i, b): a rotor at (x_i, y_i) that turns in the sense s_i and
    at the speed sqrt(u_i) gives the thrust b u_i and the drag torque -k s_i u_i. Rotors, arm and coefficients
    are as in Quadrotor. Within the limits torques and thrust are met exactly; the branches of the four rotors
    are a mode, which changes at the located instant when u_i passes a limit. All inputs feed through to omega
    directly. Raises ParameterError unless lower < upper.
    Source: Mahony, Kumar, Corke, Multirotor Aerial Vehicles, IEEE Robotics and Automation Magazine 19(3),
    2012, 20-32.

    Example:
        {type: QuadrotorMixer, upper: 1200.0}
    """

    icon = "mixer"
    inputs: ClassVar = (
        Port("tau_roll", 1, "N m", "torque about the body's x axis"),
        Port("tau_pitch", 1, "N m", "torque about the body's y axis"),
        Port("tau_yaw", 1, "N m", "torque about the body's z axis"),
        Port("thrust", 1, "N", "total, along -z of the body"),
    )
    outputs: ClassVar = (Port("omega", 4, "rad/s", "signed rotor speeds", elements=rotors(4)),)
    crossings: ClassVar = (
        Crossing("upper1"), Crossing("lower1"), Crossing("upper2"), Crossing("lower2"),
        Crossing("upper3"), Crossing("lower3"), Crossing("upper4"), Crossing("lower4"),
    )  # fmt: skip

    arm: Real = parameter(
        default=0.315, unit="m", doc="distance from the centre of mass to a rotor", above=0, dimensions=(0,)
    )
    b: Real = parameter(default=1.3233618e-5, unit="N s2", doc="thrust coefficient", above=0, dimensions=(0,))
    k: Real = parameter(default=1.0697152e-7, unit="N m s2", doc="drag coefficient", above=0, dimensions=(0,))
    lower: Real = parameter(default=0.0, unit="rad/s", doc="lowest rotor speed", minimum=0, dimensions=(0,))
    upper: Real = parameter(
        default=np.inf, unit="rad/s", doc="highest rotor speed", above=0, infinite=True, dimensions=(0,)
    )

    def check(self) -> None:
        if not float(self.lower) < float(self.upper):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "lower", self.lower, f"less than upper, {self.upper}")

    def constants(self) -> Mapping[str, Array | float]:
        rotors = ring(4, float(self.arm), 0.0)  # type: ignore[arg-type]
        matrix = allocation(rotors, float(self.b), float(self.k))  # type: ignore[arg-type]
        least, most = float(self.lower) ** 2, float(self.upper) ** 2  # type: ignore[arg-type]
        return {
            "mix": np.asarray(np.linalg.pinv(matrix), np.float64),
            "spins": rotors.spins,
            "least": least,
            "most": most,
        }

    # The mode is written in base three: digit i, counted from 0, is -1, 0, 1 while rotor i is at the lower
    # limit, free, at the upper limit. One block has one mode, and any of the 81 combinations may hold.

    @staticmethod
    def crossing(
        tau_roll: float, tau_pitch: float, tau_yaw: float, thrust: float,
        mix: Array, least: float, most: float,
    ) -> tuple[float, float, float, float, float, float, float, float]:  # fmt: skip
        u0 = mix[0, 0] * tau_roll + mix[0, 1] * tau_pitch + mix[0, 2] * tau_yaw + mix[0, 3] * thrust
        u1 = mix[1, 0] * tau_roll + mix[1, 1] * tau_pitch + mix[1, 2] * tau_yaw + mix[1, 3] * thrust
        u2 = mix[2, 0] * tau_roll + mix[2, 1] * tau_pitch + mix[2, 2] * tau_yaw + mix[2, 3] * thrust
        u3 = mix[3, 0] * tau_roll + mix[3, 1] * tau_pitch + mix[3, 2] * tau_yaw + mix[3, 3] * thrust
        # Squares are compared: they are linear in the inputs, and no root of a negative u is needed.
        return u0 - most, u0 - least, u1 - most, u1 - least, u2 - most, u2 - least, u3 - most, u3 - least

    @staticmethod
    def mode(
        tau_roll: float, tau_pitch: float, tau_yaw: float, thrust: float,
        mix: Array, least: float, most: float,
    ) -> int:  # fmt: skip
        code = 0
        weight = 1
        for i in range(mix.shape[0]):
            u = mix[i, 0] * tau_roll + mix[i, 1] * tau_pitch + mix[i, 2] * tau_yaw + mix[i, 3] * thrust
            code += weight if u > most else (-weight if u < least else 0)
            weight *= 3
        return code

    @staticmethod
    def output(
        mode: int, tau_roll: float, tau_pitch: float, tau_yaw: float, thrust: float,
        mix: Array, spins: Array, least: float, most: float, omega: Array,
    ) -> None:  # fmt: skip
        digits = mode + 40  # adds 1 to every digit: (3^4 - 1) / 2
        for i in range(mix.shape[0]):
            digit = digits % 3
            digits //= 3
            u = mix[i, 0] * tau_roll + mix[i, 1] * tau_pitch + mix[i, 2] * tau_yaw + mix[i, 3] * thrust
            if digit != 1:
                u = most if digit == 2 else least
            # With lower = 0 a trial step may take a free u below 0, before the event is located.
            omega[i] = spins[i] * (sqrt(u) if u > 0.0 else 0.0)
