"""SeriesElastic: a motor, a spring and a load that may hit an obstacle."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Port, State


class SeriesElastic(Block):
    """A series elastic actuator: two masses, a spring, and an obstacle for the load; element by element.

        m1 dv1/dt = u - Fs                  dx1/dt = v1
        m2 dv2/dt = Fs + load - N           dx2/dt = v2
        Fs = stiffness (x1 - x2) + damping (v1 - v2)

    The load cannot pass x2 = obstacle. It arrives at a located instant, when v2 becomes -restitution v2. At
    rest it stays there (N > 0) as long as the spring and `load` push it, and leaves when they pull. A rebound
    slower than `rest` is suppressed. For rotary actuators read inertias, angles and torques. Neither u nor
    `load` feeds through to an output directly. Raises ParameterError for an x20 beyond the obstacle.
    Source: Pratt, Williamson, Series Elastic Actuators, IROS 1995, doi:10.1109/IROS.1995.525827; the model
    sl_sea of the Robotics Toolbox, whose load cannot leave the obstacle again.

    Example:
        {type: SeriesElastic, m1: 0.5, m2: 1.0, stiffness: 5.0, obstacle: 0.8}
    """

    icon = "mass on spring"
    inputs: ClassVar = (
        Port("u", unit="N", doc="force of the motor"),
        Port("load", unit="N", doc="a further force on the load", default=0.0),
    )
    outputs: ClassVar = (
        Port("x1", unit="m", doc="motor"),
        Port("v1", unit="m/s"),
        Port("x2", unit="m", doc="load"),
        Port("v2", unit="m/s"),
        Port("Fs", unit="N", doc="force of the spring, on the load"),
    )
    states: ClassVar = (
        State("motor", "x10", "m"),
        State("motor_speed", "v10", "m/s"),
        State("position", "x20", "m"),
        State("speed", "v20", "m/s"),
    )
    crossings: ClassVar = (Crossing("obstacle", +1),)
    elementwise: ClassVar = True

    m1: Real = parameter(default=0.5, unit="kg", doc="mass of the motor", above=0)
    m2: Real = parameter(default=1.0, unit="kg", doc="mass of the load", above=0)
    stiffness: Real = parameter(default=5.0, unit="N/m", minimum=0)
    damping: Real = parameter(default=0.0, unit="N s/m", doc="damping of the spring", minimum=0)
    obstacle: Real = parameter(default=np.inf, unit="m", doc="maximum x2", infinite=True)
    restitution: Real = parameter(
        default=0.0, unit="1", doc="ratio of the speeds after and before an impact", minimum=0
    )
    rest: Real = parameter(default=1e-6, unit="m/s", doc="slower rebounds are suppressed", above=0)
    x10: Real = parameter(default=0.0, unit="m", doc="x1 at the start")
    v10: Real = parameter(default=0.0, unit="m/s", doc="v1 at the start")
    x20: Real = parameter(default=0.0, unit="m", doc="x2 at the start")
    v20: Real = parameter(default=0.0, unit="m/s", doc="v2 at the start")

    def check(self) -> None:
        if np.any(np.asarray(self.x20) > np.asarray(self.obstacle)):
            raise ParameterError(
                "SeriesElastic", "x20", self.x20, f"not beyond the obstacle at {self.obstacle}"
            )

    @staticmethod
    def output(
        motor: float, motor_speed: float, position: float, speed: float, stiffness: float, damping: float
    ) -> tuple[float, float, float, float, float]:
        spring = stiffness * (motor - position) + damping * (motor_speed - speed)
        return motor, motor_speed, position, speed, spring

    @staticmethod
    def derivative(
        mode: int, u: float, load: float, motor: float, motor_speed: float, position: float, speed: float,
        stiffness: float, damping: float, m1: float, m2: float,
    ) -> tuple[float, float, float, float]:  # fmt: skip
        spring = stiffness * (motor - position) + damping * (motor_speed - speed)
        if mode == 1:
            return motor_speed, (u - spring) / m1, 0.0, 0.0
        return motor_speed, (u - spring) / m1, speed, (spring + load) / m2

    @staticmethod
    def crossing(
        mode: int, load: float, motor: float, motor_speed: float, position: float, speed: float,
        stiffness: float, damping: float, obstacle: float,
    ) -> float:  # fmt: skip
        """Free: the distance past the obstacle. At the obstacle: the force that pulls the load away."""
        if mode == 1:
            return -(stiffness * (motor - position) + damping * (motor_speed - speed) + load)
        if obstacle > 1e300:  # infinite: no obstacle
            return -1.0
        return position - obstacle

    @staticmethod
    def mode(
        mode: int, load: float, motor: float, motor_speed: float, position: float, speed: float,
        stiffness: float, damping: float, obstacle: float, restitution: float, rest: float,
    ) -> int:  # fmt: skip
        """1 at the obstacle, otherwise 0."""
        # The damper's force is computed with the load at rest. At the speed of arrival, the damper would pull
        # the load back so hard that it would leave the obstacle.
        if stiffness * (motor - position) + damping * motor_speed + load < 0.0:
            return 0
        if mode == 1 or (position >= obstacle and speed >= 0.0 and restitution * speed <= rest):
            return 1
        return 0

    @staticmethod
    def jump(
        mode: int, motor: float, motor_speed: float, position: float, speed: float, obstacle: float,
        restitution: float, rest: float, crossed_obstacle: int,
    ) -> tuple[float, float, float, float]:  # fmt: skip
        if mode == 1:
            return motor, motor_speed, obstacle, 0.0
        if crossed_obstacle == 1 and speed > 0.0 and position >= obstacle:
            # Exactly at the obstacle: the event is handled just beyond it, and penetration must not add up.
            back = restitution * speed
            return motor, motor_speed, obstacle, -back if back > rest else 0.0
        return motor, motor_speed, position, speed
