"""MotorVoltage: a motor whose speed is controlled by its voltage."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from ..contract.parameter import Real, parameter
from ..contract.port import Port, State
from .digital_loop import HELD, DriveBlock, DriveState, clip


class Loop(NamedTuple):
    """The control of speed by voltage."""

    Kv: float
    Ki: float
    Ka: float
    sample_time: float
    v_max: float


class MotorVoltage(DriveBlock):
    """A motor with winding and back EMF under digital PI control of its speed.

        Lm di/dt = V - Rm i - Km w,    J dw/dt = tau - tau_d - B w,    tau = Km i
        V_k = Ka (Kv e_(k-1) + Ki s_k), within +-v_max, for k T <= t < (k + 1) T
        e_k = w_ref(k T) - w(k T),   s_(k+1) = s_k + T e_(k-1),   T = sample_time

    The computation takes one tick, as in VelocityLoop. Kv and Ki are in V s/rad and V/rad before the
    amplifier with gain Ka; Km is both the torque constant and the back-EMF constant. Output `integral` is s.
    With the winding's defaults the loop is stable for Ka Kv up to about 0.25 V s/rad.
    Source: block vloop_voltage of the Robotics Toolbox for MATLAB, 10.4.

    Example:
        {type: MotorVoltage, Kv: 0.01, Ki: 0.02}
    """

    icon = "motor"
    inputs: ClassVar = (
        Port("w_ref", 1, "rad/s", "desired speed"),
        Port("tau_d", 1, "N m", "load torque, against the motor", 0.0),
    )
    outputs: ClassVar = (
        Port("w", 1, "rad/s"),
        Port("error", 1, "rad/s"),
        Port("tau", 1, "N m", "torque of the motor"),
        Port("integral", 1, "rad"),
    )
    states: ClassVar = (State("current", "i0", "A"), State("speed", "w0", "rad/s"), *HELD)

    Rm: Real = parameter(default=0.1, unit="Ohm", doc="resistance of the winding", minimum=0, dimensions=(0,))
    Lm: Real = parameter(default=0.1, unit="H", doc="inductance of the winding", above=0, dimensions=(0,))
    Ka: Real = parameter(default=10.0, unit="V/A", doc="gain of the amplifier", dimensions=(0,))
    v_max: Real = parameter(default=20.0, unit="V", doc="maximum voltage", above=0, dimensions=(0,))
    i0: Real = parameter(default=0.0, unit="A", doc="current at the start", dimensions=(0,))

    @staticmethod
    def derivative(
        current: float, speed: float, command: float, tau_d: float,
        J: float, B: float, Km: float, Rm: float, Lm: float,
    ) -> tuple[float, float]:  # fmt: skip
        return (
            (command - Rm * current - Km * speed) / Lm,
            (Km * current - tau_d - B * speed) / J,
        )

    @staticmethod
    def jump(
        mode: int, current: float, speed: float, held: DriveState, w_ref: float, loop: Loop
    ) -> tuple[float, float, float, float, float, float]:
        if mode <= held.ticks:
            return current, speed, held.command, held.integral, held.last, held.ticks
        voltage = clip(loop.Ka * (loop.Kv * held.last + loop.Ki * held.integral), loop.v_max)
        total = held.integral + loop.sample_time * held.last
        return current, speed, voltage, total, w_ref - speed, float(mode)

    @staticmethod
    def output_w(speed: float) -> float:
        return speed

    @staticmethod
    def output_error(speed: float, w_ref: float) -> float:
        return w_ref - speed

    @staticmethod
    def output_tau(current: float, Km: float) -> float:
        return Km * current

    @staticmethod
    def output_integral(integral: float) -> float:
        return integral
