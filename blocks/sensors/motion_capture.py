"""MotionCapture: position and attitude from cameras of a laboratory."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin, sqrt
from typing import ClassVar

from ...robots.vehicles.flight import attitude_matrix
from ..contract.parameter import Array, Real, parameter
from ..contract.port import WXYZ, XYZ, Port
from ..contract.random_numbers import tick
from .sensor import Sensor, noise


class MotionCapture(Sensor):
    """Position and attitude in the world frame, with noise.

        measured_position   = p + R(q) marker + position_noise z
        measured_quaternion = q/|q| (cos(|e|/2), sin(|e|/2) e/|e|),   e = attitude_noise z,   z ~ N(0, 1)

    q is the attitude from body to world, scalar first; e is a rotation in body axes. `marker` is the position
    of the tracked point relative to the centre of mass, in body axes.

    Example:
        {type: MotionCapture, position_noise: 0.0005, attitude_noise: 0.003}
    """

    icon = "markers"
    inputs: ClassVar = (
        Port("position", 3, "m", "of the centre of mass, in the world frame"),
        Port("quaternion", 4, "", "attitude, scalar first", direction=True),
    )
    outputs: ClassVar = (
        Port("measured_position", 3, "m", "in the world frame", elements=XYZ),
        Port("measured_quaternion", 4, "", "attitude, scalar first, of unit length", elements=WXYZ),
    )

    position_noise: Real = parameter(
        default=0.0005, unit="m", doc="deviation of a reading", minimum=0, dimensions=(0, 1)
    )
    attitude_noise: Real = parameter(
        default=0.003, unit="rad", doc="deviation about each axis", minimum=0, dimensions=(0, 1)
    )
    marker: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m", doc="the point that is tracked, in body axes", dimensions=(1,)
    )

    def check(self) -> None:
        self.constants()

    def constants(self) -> Mapping[str, Array]:
        sigma_p, sigma_q = self.triple("position_noise"), self.triple("attitude_noise")
        return {"sigma_p": sigma_p, "sigma_q": sigma_q, "arm": self.triple("marker")}

    @staticmethod
    def output_measured_position(
        t: float, stream: Array, sample_time: float, offset: float, position: Array, quaternion: Array,
        arm: Array, sigma_p: Array, measured_position: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        R = attitude_matrix(quaternion)
        for i in range(3):
            place = position[i] + R[3 * i] * arm[0] + R[3 * i + 1] * arm[1] + R[3 * i + 2] * arm[2]
            measured_position[i] = place + sigma_p[i] * noise(stream, count, i)

    @staticmethod
    def output_measured_quaternion(
        t: float, stream: Array, sample_time: float, offset: float, quaternion: Array,
        sigma_q: Array, measured_quaternion: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        x = sigma_q[0] * noise(stream, count, 3)
        y = sigma_q[1] * noise(stream, count, 4)
        z = sigma_q[2] * noise(stream, count, 5)
        angle = sqrt(x * x + y * y + z * z)
        ratio = sin(0.5 * angle) / angle if angle > 0.0 else 0.5
        c, x, y, z = cos(0.5 * angle), ratio * x, ratio * y, ratio * z
        s, a, b, d = quaternion[0], quaternion[1], quaternion[2], quaternion[3]
        n = 1.0 / sqrt(s * s + a * a + b * b + d * d)
        measured_quaternion[0] = n * (s * c - a * x - b * y - d * z)
        measured_quaternion[1] = n * (s * x + a * c + b * z - d * y)
        measured_quaternion[2] = n * (s * y + b * c + d * x - a * z)
        measured_quaternion[3] = n * (s * z + d * c + a * y - b * x)
