"""The functions of NRotor that depend on the motors' commands: derivatives, and outputs with the reaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...robots.vehicles.flight import (
    Craft,
    Motion,
    Rotation,
    accelerate,
    advance,
    attitude_matrix,
    feel,
    loads,
    turn,
)
from ...robots.vehicles.motors import Motors, charge_rate, follow, reaction
from ...robots.vehicles.rotor_loads import Wrench
from ..contract.parameter import Array


def functions(commands: bool, battery: bool, reacts: bool) -> dict[str, Callable[..., Any]]:
    """The functions by role; `reacts`: accelerating rotors accelerate the reported point."""
    by_role: dict[str, Callable[..., Any]] = {
        "derivative": _DERIVATIVES[commands, battery],
        "output_angular_acceleration": (
            angular_acceleration_by_command if commands else angular_acceleration_by_speeds
        ),
    }
    if reacts:
        by_role["output_acceleration"] = acceleration_by_command if commands else acceleration_by_speeds
        by_role["output_specific_force"] = specific_force_by_command if commands else specific_force_by_speeds
    return by_role


def _reacting(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, commanded: Array, speeds: Array,
    slopes: Array, R: Rotation,
) -> Wrench:  # fmt: skip
    """Force and moment on the body with the reaction of accelerating rotors; their rates, into `slopes`."""
    follow(motors, craft.rotary, charge[0], commanded, speeds, slopes)
    return reaction(craft.rotary, loads(craft, motion, speeds, R), slopes)


def angular_acceleration_by_speeds(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, omega: Array, speeds: Array, slopes: Array,
    angular_acceleration: Array,
) -> None:  # fmt: skip
    """dw/dt."""
    R = attitude_matrix(motion.q)
    wrench = _reacting(craft, motion, motors, charge, omega, speeds, slopes, R)
    turn(craft, motion.w, wrench, angular_acceleration)


def angular_acceleration_by_command(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, command: Array, speeds: Array, slopes: Array,
    angular_acceleration: Array,
) -> None:  # fmt: skip
    """dw/dt."""
    R = attitude_matrix(motion.q)
    wrench = _reacting(craft, motion, motors, charge, command, speeds, slopes, R)
    turn(craft, motion.w, wrench, angular_acceleration)


def acceleration_by_speeds(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, omega: Array, speeds: Array, slopes: Array,
    acceleration: Array,
) -> None:  # fmt: skip
    """dv/dt."""
    R = attitude_matrix(motion.q)
    wrench = _reacting(craft, motion, motors, charge, omega, speeds, slopes, R)
    accelerate(craft, R, motion, wrench, acceleration)


def acceleration_by_command(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, command: Array, speeds: Array, slopes: Array,
    acceleration: Array,
) -> None:  # fmt: skip
    """dv/dt."""
    R = attitude_matrix(motion.q)
    wrench = _reacting(craft, motion, motors, charge, command, speeds, slopes, R)
    accelerate(craft, R, motion, wrench, acceleration)


def specific_force_by_speeds(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, omega: Array, speeds: Array, slopes: Array,
    specific_force: Array,
) -> None:  # fmt: skip
    """R'(dv/dt - g e_z)."""
    R = attitude_matrix(motion.q)
    wrench = _reacting(craft, motion, motors, charge, omega, speeds, slopes, R)
    feel(craft, R, motion, wrench, specific_force)


def specific_force_by_command(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, command: Array, speeds: Array, slopes: Array,
    specific_force: Array,
) -> None:  # fmt: skip
    """R'(dv/dt - g e_z)."""
    R = attitude_matrix(motion.q)
    wrench = _reacting(craft, motion, motors, charge, command, speeds, slopes, R)
    feel(craft, R, motion, wrench, specific_force)


def _driven(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, commanded: Array, speeds: Array,
    d_p: Array, d_q: Array, d_v: Array, d_w: Array, d_speeds: Array,
) -> None:  # fmt: skip
    R = attitude_matrix(motion.q)
    wrench = _reacting(craft, motion, motors, charge, commanded, speeds, d_speeds, R)
    advance(craft, motion, R, wrench, d_p, d_q, d_v, d_w)


def by_speeds(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, omega: Array, speeds: Array,
    d_p: Array, d_q: Array, d_v: Array, d_w: Array, d_speeds: Array,
) -> None:  # fmt: skip
    """Derivatives of motors with commanded speeds."""
    _driven(craft, motion, motors, charge, omega, speeds, d_p, d_q, d_v, d_w, d_speeds)


def by_command(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, command: Array, speeds: Array,
    d_p: Array, d_q: Array, d_v: Array, d_w: Array, d_speeds: Array,
) -> None:  # fmt: skip
    """Derivatives of motors with commanded fractions of their fastest speeds."""
    _driven(craft, motion, motors, charge, command, speeds, d_p, d_q, d_v, d_w, d_speeds)


def by_speed_draining(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, omega: Array, speeds: Array,
    d_p: Array, d_q: Array, d_v: Array, d_w: Array, d_speeds: Array, d_charge: Array,
) -> None:  # fmt: skip
    """The derivatives of these motors with a battery."""
    _driven(craft, motion, motors, charge, omega, speeds, d_p, d_q, d_v, d_w, d_speeds)
    d_charge[0] = charge_rate(craft.rotary, motors.cells, charge[0], speeds)


def by_command_draining(
    craft: Craft, motion: Motion, motors: Motors, charge: Array, command: Array, speeds: Array,
    d_p: Array, d_q: Array, d_v: Array, d_w: Array, d_speeds: Array, d_charge: Array,
) -> None:  # fmt: skip
    """The derivatives of these motors with a battery."""
    _driven(craft, motion, motors, charge, command, speeds, d_p, d_q, d_v, d_w, d_speeds)
    d_charge[0] = charge_rate(craft.rotary, motors.cells, charge[0], speeds)


_DERIVATIVES: dict[tuple[bool, bool], Callable[..., None]] = {
    (False, False): by_speeds,
    (True, False): by_command,
    (False, True): by_speed_draining,
    (True, True): by_command_draining,
}
