"""The functions of NRotor: outputs and derivatives, for rotor speeds that are inputs or states of motors."""

from __future__ import annotations

from collections.abc import Callable
from math import asin, atan2, sqrt
from typing import Any

from ...robots.vehicles.flight import (
    Craft,
    Motion,
    accelerate,
    attitude_matrix,
    drag_of,
    feel,
    flow_of,
    fly_anywhere,
    loads,
    turn,
)
from ...robots.vehicles.motors import (
    Motors,
    current,
    electrical_power,
    voltage,
)
from ...robots.vehicles.rigid_flight import flight_state, unit_quaternion
from ...robots.vehicles.rotor_loads import Rotary, part, rotor_loads
from ..contract.parameter import Array
from ..contract.port import SCALAR, bus
from . import nrotor_driven, nrotor_ground

LOCKED = 1e-6  # cosine of the pitch below which roll and yaw are indistinguishable, to half the digits
STATE_BUS = bus(
    **dict.fromkeys(
        ("x", "y", "z", "yaw", "pitch", "roll", "dx", "dy", "dz", "dyaw", "dpitch", "droll"), SCALAR
    )
)


def functions(
    motors: bool, commands: bool, battery: bool, ground: bool, reacts: bool
) -> dict[str, Callable[..., Any]]:
    """The functions by role; `reacts`: accelerating rotors accelerate the reported point."""
    by_role: dict[str, Callable[..., Any]] = {
        "output_state": flight_state,
        "output_quaternion": unit_quaternion,
        "output_position": position_of,
        "output_velocity": velocity_of,
        "output_body_velocity": body_velocity_of,
        "output_rpy": rpy_of,
        "output_gimbal_lock": lock_of,
        "output_rotation": rotation_of,
        "output_rates": rates_of,
        **(nrotor_ground.functions(motors, battery) if ground else {}),
    }
    if not motors:
        return {
            **by_role,
            "derivative": fly_anywhere,
            "output_acceleration": acceleration_of,
            "output_angular_acceleration": angular_acceleration_of,
            "output_specific_force": specific_force_of,
            "output_rotor_speeds": speeds_given,
            "output_forces": forces_of,
        }
    by_role |= {
        "output_acceleration": acceleration_turning,
        "output_specific_force": specific_force_turning,
        "output_rotor_speeds": speeds_turning,
        "output_forces": forces_turning,
        **nrotor_driven.functions(commands, battery, reacts),
    }
    return {**by_role, "output_battery": battery_of} if battery else by_role


def position_of(p: Array, position: Array) -> None:
    """The position of the centre of mass."""
    for i in range(3):
        position[i] = p[i]


def velocity_of(v: Array, velocity: Array) -> None:
    """The velocity of the centre of mass in the world."""
    for i in range(3):
        velocity[i] = v[i]


def body_velocity_of(q: Array, v: Array, body_velocity: Array) -> None:
    """R'v."""
    R = attitude_matrix(q)
    for i in range(3):
        body_velocity[i] = R[i] * v[0] + R[i + 3] * v[1] + R[i + 6] * v[2]


def rpy_of(q: Array, rpy: Array) -> None:
    """Roll, pitch, yaw of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    R = attitude_matrix(q)
    rpy[0] = atan2(R[7], R[8])
    rpy[1] = asin(min(max(-R[6], -1.0), 1.0))
    rpy[2] = atan2(R[3], R[0])


def lock_of(q: Array) -> float:
    """1 if the pitch is +-90 degrees, to half the digits of a double."""
    R = attitude_matrix(q)
    return 1.0 if sqrt(R[7] * R[7] + R[8] * R[8]) < LOCKED else 0.0


def rotation_of(q: Array, rotation: Array) -> None:
    """R(q/|q|)."""
    R = attitude_matrix(q)
    for i in range(3):
        for j in range(3):
            rotation[i, j] = R[3 * i + j]


def rates_of(w: Array, rates: Array) -> None:
    """The angular velocity."""
    for i in range(3):
        rates[i] = w[i]


def _share(craft: Craft, motion: Motion, omega: Array, forces: Array) -> None:
    rotary, n = craft.rotary, omega.shape[0]
    flow = flow_of(craft, motion, attitude_matrix(motion.q))
    wrench = rotor_loads(rotary, flow, omega)
    drag = drag_of(craft.hull, flow)
    for i in range(n):
        forces[i] = part(rotary.health[i]) * rotary.b[i] * omega[i] * omega[i]
    for i in range(6):
        forces[n + i] = wrench[i]
    for i in range(3):
        forces[n + 6 + i] = drag[i]


# ---- rotor speeds are inputs ----


def acceleration_of(craft: Craft, motion: Motion, omega: Array, acceleration: Array) -> None:
    """dv/dt."""
    R = attitude_matrix(motion.q)
    accelerate(craft, R, motion, loads(craft, motion, omega, R), acceleration)


def angular_acceleration_of(craft: Craft, motion: Motion, omega: Array, angular_acceleration: Array) -> None:
    """dw/dt."""
    turn(craft, motion.w, loads(craft, motion, omega, attitude_matrix(motion.q)), angular_acceleration)


def specific_force_of(craft: Craft, motion: Motion, omega: Array, specific_force: Array) -> None:
    """R'(dv/dt - g e_z)."""
    R = attitude_matrix(motion.q)
    feel(craft, R, motion, loads(craft, motion, omega, R), specific_force)


def speeds_given(omega: Array, rotor_speeds: Array) -> None:
    """The rotor speeds, from the input."""
    for i in range(omega.shape[0]):
        rotor_speeds[i] = omega[i]


def forces_of(craft: Craft, motion: Motion, omega: Array, forces: Array) -> None:
    """Forces of each rotor, wrench of all, drag of the body, in body axes."""
    _share(craft, motion, omega, forces)


# ---- rotor speeds are states of motors ----


def acceleration_turning(craft: Craft, motion: Motion, speeds: Array, acceleration: Array) -> None:
    """dv/dt."""
    R = attitude_matrix(motion.q)
    accelerate(craft, R, motion, loads(craft, motion, speeds, R), acceleration)


def specific_force_turning(craft: Craft, motion: Motion, speeds: Array, specific_force: Array) -> None:
    """R'(dv/dt - g e_z)."""
    R = attitude_matrix(motion.q)
    feel(craft, R, motion, loads(craft, motion, speeds, R), specific_force)


def speeds_turning(speeds: Array, rotor_speeds: Array) -> None:
    """The rotor speeds, from the states of the motors."""
    for i in range(speeds.shape[0]):
        rotor_speeds[i] = speeds[i]


def forces_turning(craft: Craft, motion: Motion, speeds: Array, forces: Array) -> None:
    """Forces of each rotor, wrench of all, drag of the body, in body axes."""
    _share(craft, motion, speeds, forces)


def battery_of(rotary: Rotary, motors: Motors, charge: Array, speeds: Array, battery: Array) -> None:
    """Voltage, current, charge."""
    power = electrical_power(rotary, motors.cells, speeds)
    battery[0] = voltage(motors.cells, charge[0], power)
    battery[1] = current(rotary, motors.cells, charge[0], speeds)
    battery[2] = charge[0]
