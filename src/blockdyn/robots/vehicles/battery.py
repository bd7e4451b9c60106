"""Battery: a source of voltage with an internal resistance, and what it holds."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.checked import guarded
from ..errors import InvalidRobot
from .rotor import keep


@dataclass(frozen=True)
class Battery:
    """A battery and the motors' efficiency.

        V_o = empty + charge (full - empty)        V = V_o - resistance I        V I = P / efficiency

    `full` and `empty` are open-circuit voltages, V, at charge 1 and 0; `resistance`, ohm; `capacity`, A h;
    `efficiency` is mechanical power P of the rotors over electrical power. A rotor reaches its speed
    `fastest` at the voltage `full`. Raises InvalidRobot.
    """

    full: float
    empty: float
    capacity: float
    resistance: float = 0.0
    efficiency: float = 1.0

    @guarded(InvalidRobot)
    def __post_init__(self) -> None:
        keep(self, "empty", "battery", above=0.0)
        keep(self, "full", "battery", least=self.empty)
        keep(self, "capacity", "battery", above=0.0)
        keep(self, "resistance", "battery", least=0.0)
        keep(self, "efficiency", "battery", above=0.0)
        if self.efficiency > 1.0:
            raise InvalidRobot("battery, efficiency", f"found {self.efficiency:g}", "at most 1")
