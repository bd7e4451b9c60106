"""Two drives: common part of vehicles with two demands, each within limits of value and rate.

A drive is six numbers: its demand, the value of its ramp, minimum and maximum, and the rates at which its
magnitude may grow and shrink. The mode is the branch of the first plus BRANCHES times the branch of the
second.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ..contract.port import Crossing, State
from .limited_demand import BRANCHES, Drive, driven, limits, next_branch, ramp, start_of_ramp

Before: TypeAlias = tuple[float, float, float, float]
Six: TypeAlias = tuple[float, float, float, float, float, float]
Met: TypeAlias = tuple[int, int, int, int, int, int]


class Speed(NamedTuple):
    """The drive of a vehicle that has one speed, m/s."""

    v: float
    speed_ramp: float
    least_speed: float
    greatest_speed: float
    gain: float
    loss: float


def drive_states(name: str, initial: str, unit: str) -> tuple[State, State, State]:
    """The states of the drive whose output has this name: ramp, flag of a ramp, last output."""
    return (
        State(f"{name}_ramp", initial, unit),
        State(f"{name}_ramps", "zero", held=True),
        State(f"{name}_before", initial, unit, held=True, before=name),
    )


def drive_crossings(name: str) -> tuple[Crossing, ...]:
    """The crossings: limits, demand reached, demand too fast, and zero."""
    return (
        Crossing(f"{name}_above"),
        Crossing(f"{name}_below"),
        Crossing(f"{name}_met", +1),
        Crossing(f"{name}_faster", +1, turns=True),
        Crossing(f"{name}_slower", -1, turns=True),
        Crossing(f"{name}_zero"),
    )


def drive_outputs(mode: int, first: Drive, second: Drive) -> tuple[float, float]:
    """Outputs of both drives."""
    u, x, least, greatest, _, _ = first
    y = driven(mode % BRANCHES, u, x, least, greatest)
    u, x, least, greatest, _, _ = second
    return y, driven(mode // BRANCHES, u, x, least, greatest)


def ramps(mode: int, first: Drive, second: Drive) -> tuple[float, float]:
    """Derivatives of both ramps."""
    return ramp(mode % BRANCHES, first[4], first[5]), ramp(mode // BRANCHES, second[4], second[5])


def crossings(mode: int, t: float, first: Drive, second: Drive) -> tuple[Six, Six]:
    """The values of their crossings."""
    u, x, least, greatest, gain, loss = first
    one = limits(mode % BRANCHES, t, u, x, least, greatest, gain, loss)
    u, x, least, greatest, gain, loss = second
    return one, limits(mode // BRANCHES, t, u, x, least, greatest, gain, loss)


def next_mode(mode: int, t: float, first: Drive, second: Drive, before: Before, now: Met) -> int:
    """The next mode; `now` marks the crossings met, faster, slower that have just occurred."""
    one = next_branch(mode % BRANCHES, t, first, before[0], before[1], now[0], now[1], now[2])
    two = next_branch(mode // BRANCHES, t, second, before[2], before[3], now[3], now[4], now[5])
    return one + BRANCHES * two


def ramp_starts(mode: int, first: Drive, second: Drive, before: Before) -> tuple[float, float]:
    """Values of both ramps just after an event."""
    return (
        start_of_ramp(mode % BRANCHES, first[1], before[0], before[1]),
        start_of_ramp(mode // BRANCHES, second[1], before[2], before[3]),
    )


def outputs_after_event(
    mode: int, first: Drive, second: Drive, one: float, two: float
) -> tuple[float, float]:
    """Outputs of both drives just after an event, with their ramps at `one` and `two`."""
    return (
        driven(mode % BRANCHES, first[0], one, first[2], first[3]),
        driven(mode // BRANCHES, second[0], two, second[2], second[3]),
    )


def states_after_event(mode: int, one: float, two: float, before: Before) -> tuple[float, ...]:
    """The states of both drives just after an event."""
    return one, float(mode % BRANCHES % 3), before[1], two, float(mode // BRANCHES % 3), before[3]
