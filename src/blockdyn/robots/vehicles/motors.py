"""Rotor speeds follow commands, react on the body, and draw the battery's current."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ..mechanics.bodies import Array
from .rotor_loads import Rotary, Wrench, part

SECONDS = 3600.0  # of an hour: capacities are in A h


class Motors(NamedTuple):
    """The motors of n rotors and their battery."""

    spins: Array  # (n,), 1 or -1
    time_up: Array  # (n,), s
    time_down: Array  # (n,), s
    slowest: Array  # (n,), rad/s
    fastest: Array  # (n,), rad/s, at the battery's full voltage
    commanded: float  # not 0: inputs are fractions of the fastest speed; 0: speeds, signed
    cells: Array  # (5,): full and empty voltage, resistance, capacity, efficiency


def voltage(cells: Array, charge: float, power: float) -> float:
    """V of V = V_o - R I and V I = power: the greater root; V_o/2 if the power is unavailable."""
    open_circuit: float = cells[1] + max(charge, 0.0) * (cells[0] - cells[1])
    return 0.5 * (open_circuit + sqrt(max(open_circuit * open_circuit - 4.0 * cells[2] * power, 0.0)))


def electrical_power(rotary: Rotary, cells: Array, speeds: Array) -> float:
    """Power of the rotors from the battery, W: sum k |w|^3 / efficiency."""
    power = 0.0
    for i in range(speeds.shape[0]):
        power += part(rotary.health[i]) * rotary.k[i] * speeds[i] * speeds[i] * abs(speeds[i])
    taken: float = power / cells[4]
    return taken


def current(rotary: Rotary, cells: Array, charge: float, speeds: Array) -> float:
    """Current from the battery, A."""
    power = electrical_power(rotary, cells, speeds)
    return power / voltage(cells, charge, power)


def charge_rate(rotary: Rotary, cells: Array, charge: float, speeds: Array) -> float:
    """d charge/dt, 1/s: -I / capacity; 0 for an empty battery."""
    if charge <= 0.0:
        return 0.0
    rate: float = -current(rotary, cells, charge, speeds) / (SECONDS * cells[3])
    return rate


def follow(
    motors: Motors, rotary: Rotary, charge: float, command: Array, speeds: Array, d_speeds: Array
) -> None:
    """dw/dt = (w* - w) / tau, with tau for speeding up or slowing down, into d_speeds (n,).

    w* is the command limited to slowest and fastest, in the rotor's sense of rotation; the fastest speed is
    proportional to the voltage. The right side is continuous, with kinks at w = w* and at the limits.
    """
    cells = motors.cells
    ratio = 1.0
    if cells[4] > 0.0:
        ratio = voltage(cells, charge, electrical_power(rotary, cells, speeds)) / cells[0]
    for i in range(speeds.shape[0]):
        most = ratio * motors.fastest[i]
        target = command[i] * most if motors.commanded != 0.0 else motors.spins[i] * command[i]
        target = min(max(target, motors.slowest[i]), most)
        now = motors.spins[i] * speeds[i]
        time = motors.time_up[i] if target > now else motors.time_down[i]
        d_speeds[i] = motors.spins[i] * (target - now) / time


def reaction(rotary: Rotary, wrench: Wrench, d_speeds: Array) -> Wrench:
    """The wrench with the reaction of rotors that change speed: -I_i dw_i/dt about each shaft."""
    fx, fy, fz, mx, my, mz = wrench
    frames = rotary.frames
    for i in range(d_speeds.shape[0]):
        moment = rotary.spin_inertia[i] * d_speeds[i]
        mx -= moment * frames[i, 2]
        my -= moment * frames[i, 5]
        mz -= moment * frames[i, 8]
    return fx, fy, fz, mx, my, mz
