"""PositionLoop: a joint whose position is controlled around the velocity loop of its motor."""

from __future__ import annotations

from typing import ClassVar

from ..contract.parameter import Real, parameter
from ..contract.port import Port, State
from .digital_loop import HELD, DriveState, Loop, TorqueDrive, slope, tick


class PositionLoop(TorqueDrive):
    """A joint with a gear and a motor under velocity control, and proportional control of its position.

        dq/dt = w / G,   J dw/dt = tau - tau_d - B w
        w_ref = Kp (q_ref - q) + Kff G qd_ref

    with tau and its controller as in VelocityLoop for this w_ref: q, w and w_ref are sampled at the ticks.
    Kff = 1 feeds the full desired speed forward, so that the joint follows without a lag proportional to
    speed. (The toolbox's model feeds forward the joint's speed instead of the motor's: Kff = 1/G here.) `q`
    is the joint's position, `error` is q_ref - q.
    Source: model ploop_test of the Robotics Toolbox for MATLAB, 10.4; Corke, Robotics, Vision and Control
    (2nd ed., 2017), section 9.1.7.

    Example:
        {type: PositionLoop, G: 107.815, Kp: 4000.0}
    """

    icon = "position motor"
    inputs: ClassVar = (
        Port("q_ref", 1, "rad", "desired position of the joint"),
        Port("qd_ref", 1, "rad/s", "desired speed of the joint", 0.0),
        Port("tau_d", 1, "N m", "load torque at the motor, against its motion", 0.0),
        Port("tau_ff", 1, "N m", "motor torque fed forward", 0.0),
    )
    outputs: ClassVar = (
        Port("q", 1, "rad"),
        Port("error", 1, "rad"),
        Port("w", 1, "rad/s", "speed of the motor"),
        Port("tau", 1, "N m", "torque of the motor"),
    )
    states: ClassVar = (State("angle", "q0", "rad"), State("speed", "w0", "rad/s"), *HELD)

    G: Real = parameter(
        default=107.815, unit="1", doc="gear ratio: motor speed over joint speed", dimensions=(0,)
    )
    Kp: Real = parameter(
        default=4000.0, unit="1/s", doc="gain from the position error to motor speed", dimensions=(0,)
    )
    Kff: Real = parameter(
        default=1.0, unit="1", doc="fraction of the desired speed that is fed forward", dimensions=(0,)
    )
    tau_max: Real = parameter(default=0.9, unit="N m", doc="maximum torque", above=0, dimensions=(0,))
    q0: Real = parameter(default=0.0, unit="rad", doc="position of the joint at the start", dimensions=(0,))

    @staticmethod
    def derivative(
        speed: float, command: float, tau_d: float, J: float, B: float, G: float
    ) -> tuple[float, float]:
        return speed / G, slope(command, speed, tau_d, J, B)

    @staticmethod
    def jump(
        mode: int, angle: float, speed: float, held: DriveState, q_ref: float, qd_ref: float, tau_ff: float,
        G: float, Kp: float, Kff: float, loop: Loop,
    ) -> tuple[float, float, float, float, float, float]:  # fmt: skip
        if mode <= held.ticks:
            return angle, speed, held.command, held.integral, held.last, held.ticks
        w_ref = Kp * (q_ref - angle) + Kff * G * qd_ref
        torque, total, error, count = tick(mode, speed, held, w_ref, tau_ff, loop)
        return angle, speed, torque, total, error, count

    @staticmethod
    def output_q(angle: float) -> float:
        return angle

    @staticmethod
    def output_error(angle: float, q_ref: float) -> float:
        return q_ref - angle
