"""VelocityLoop: a motor whose speed is controlled."""

from __future__ import annotations

from typing import ClassVar

from ..contract.parameter import Real, parameter
from ..contract.port import Port, State
from .digital_loop import HELD, DriveState, Loop, TorqueDrive, slope, tick


class VelocityLoop(TorqueDrive):
    """A motor with a torque limit under digital PI control of its speed; all quantities are motor-side.

        J dw/dt = tau - tau_d - B w
        tau_k = Km (Kv e_(k-1) + Ki s_k) + tau_ff(k T), within +-tau_max, for k T <= t < (k + 1) T
        e_k = w_ref(k T) - w(k T),   s_(k+1) = s_k + T e_(k-1),   T = sample_time

    The computation takes one tick: the torque responds to the error of the previous tick. The integral winds
    up at the limit. Output `integral` is s. Only w_ref feeds through to an output directly: `error`.
    Source: block vloop of the Robotics Toolbox for MATLAB, 10.4; Corke, Robotics, Vision and Control (2nd
    ed., 2017), section 9.1.6.
    Parameters: a joint of the Puma 560, Corke, Armstrong-Helouvry, ICRA 1994.

    Example:
        {type: VelocityLoop, J: 580.0e-6, Kv: 0.6, Ki: 2.0}
    """

    icon = "speed motor"
    inputs: ClassVar = (
        Port("w_ref", 1, "rad/s", "desired speed"),
        Port("tau_d", 1, "N m", "load torque, against the motor", 0.0),
        Port("tau_ff", 1, "N m", "torque fed forward", 0.0),
    )
    outputs: ClassVar = (
        Port("w", 1, "rad/s"),
        Port("error", 1, "rad/s"),
        Port("tau", 1, "N m", "torque of the motor"),
        Port("integral", 1, "rad"),
    )
    states: ClassVar = (State("speed", "w0", "rad/s"), *HELD)

    tau_max: Real = parameter(default=0.9, unit="N m", doc="maximum torque", above=0, dimensions=(0,))

    @staticmethod
    def derivative(speed: float, command: float, tau_d: float, J: float, B: float) -> float:
        return slope(command, speed, tau_d, J, B)

    @staticmethod
    def jump(
        mode: int, speed: float, held: DriveState, w_ref: float, tau_ff: float, loop: Loop
    ) -> tuple[float, float, float, float, float]:
        if mode <= held.ticks:
            return speed, held.command, held.integral, held.last, held.ticks
        torque, total, error, count = tick(mode, speed, held, w_ref, tau_ff, loop)
        return speed, torque, total, error, count

    @staticmethod
    def output_error(speed: float, w_ref: float) -> float:
        return w_ref - speed

    @staticmethod
    def output_integral(integral: float) -> float:
        return integral
