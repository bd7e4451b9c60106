"""The digital part of a drive: proportional and integral action on an error sampled one tick ago."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import State


class DriveBlock(Block):
    """Base of drives: their `jump` performs a tick if `mode`, which counts the ticks, is ahead of `ticks`."""

    # A drive has continuous states in addition to its sampled controller, so it cannot be a sampled block.
    # Its timer counts the ticks in the mode. `jump` is called at every event of the run, whatever its cause:
    # the held count shows whether this event is a tick.

    abstract: ClassVar = True

    J: Real = parameter(
        default=372e-6, unit="kg m2", doc="inertia seen at the motor", above=0, dimensions=(0,)
    )
    B: Real = parameter(
        default=817e-6, unit="N m s/rad", doc="viscous friction at the motor", minimum=0, dimensions=(0,)
    )
    Km: Real = parameter(
        default=0.228, unit="N m/A", doc="torque constant, including the amplifier's", above=0,
        dimensions=(0,),
    )  # fmt: skip
    Kv: Real = parameter(default=1.0, unit="A s/rad", doc="gain of the speed error", dimensions=(0,))
    Ki: Real = parameter(
        default=0.0, unit="A/rad", doc="gain of the integral of the speed error", dimensions=(0,)
    )
    sample_time: Real = parameter(
        default=0.001, unit="s", doc="period of the controller", above=0, dimensions=(0,)
    )
    w0: Real = parameter(default=0.0, unit="rad/s", doc="speed at the start", dimensions=(0,))

    def timers(self) -> Timer:
        return Timer(self.sample_time, 0.0)  # type: ignore[arg-type]

    def constants(self) -> dict[str, float]:
        return {"zero": 0.0}


class TorqueDrive(DriveBlock):
    """Base of the drives whose amplifier produces the commanded torque, the held `command`."""

    abstract: ClassVar = True

    @staticmethod
    def output_w(speed: float) -> float:
        return speed

    @staticmethod
    def output_tau(command: float) -> float:
        return command


HELD = (
    State("command", "zero", held=True),
    State("integral", "zero", "rad", held=True),
    State("last", "zero", "rad/s", held=True),
    State("ticks", "zero", held=True),
)


def clip(value: float, limit: float) -> float:
    """The value, clipped to the limits."""
    return limit if value > limit else (-limit if value < -limit else value)


class DriveState(NamedTuple):
    """Held states of a drive, which change only at ticks."""

    command: float
    integral: float
    last: float  # the error of the last tick
    ticks: float


class Loop(NamedTuple):
    """The control of speed by torque."""

    Km: float
    Kv: float
    Ki: float
    sample_time: float
    tau_max: float


def tick(
    mode: int, speed: float, held: DriveState, w_ref: float, tau_ff: float, loop: Loop
) -> tuple[float, float, float, float]:
    """New values at a tick: torque due to the last error, integral of the error, error, count of ticks."""
    # The computation takes one tick: the torque uses the error of the previous tick, as in the toolbox's
    # model. It uses the integral before that error is added, which is the forward rule.
    torque = clip(loop.Km * (loop.Kv * held.last + loop.Ki * held.integral) + tau_ff, loop.tau_max)
    return torque, held.integral + loop.sample_time * held.last, w_ref - speed, float(mode)


def slope(command: float, speed: float, tau_d: float, J: float, B: float) -> float:
    """dw/dt of the motor under a torque and a load."""
    return (command - tau_d - B * speed) / J
