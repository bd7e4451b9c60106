"""Incremental nonlinear dynamic inversion: unmodelled forces and torques are measured and compensated."""

from __future__ import annotations

from typing import NamedTuple

from ...mechanics.bodies import Array
from ..flatness import Vector, apply_inertia, cross, plus
from .cascade import Loops, Workspace, cascade
from .signals import Body, Motion, Reference, as_vector, drag_force, rotation, to_world

FILTERED = 9  # signals: force over mass without the rotors, torque of the rotors, rates


class Measurements(NamedTuple):
    """Measurements of INDI besides the motion."""

    specific_force: Array  # (3,), m/s2, at the centre of mass, in body axes
    rotor_speeds: Array  # (n,), rad/s


class Increment(NamedTuple):
    """Effect of the rotors, and a workspace."""

    effect: Array  # (6, n): force and torque in body axes of squared speeds
    raw: Array  # (9,)


def know(filters: Array, room: Workspace) -> None:
    """Pass the filtered disturbance to the cascade."""
    for i in range(3):
        room.disturbance[i] = filters[i, 0]


def incremental(
    motion: Motion, reference: Reference, integral: Array, filters: Array, body: Body,
    loops: Loops, room: Workspace, mode: int, torque: Array,
) -> float:  # fmt: skip
    """The torque (3,), N m; returns the thrust, N.

        A = a_c - g e_z - d_f                  d = R f - R F(u)/m
        torque = M(u)_f + J (dw_c/dt - dw_f/dt)

    with a_c and dw_c/dt of the cascade, the measured specific force f, force F and torque M of the rotors
    at the measured speeds u, and the rates w; the index f denotes one Butterworth filter for all of
    them. Source: Tal, Karaman, arXiv 1809.04048, equations 20 and 29; Smeur, Chu, de Croon, Adaptive
    Incremental Nonlinear Dynamic Inversion, Journal of Guidance, Control, and Dynamics 39(3), 2016.
    """
    know(filters, room)
    thrust = cascade(motion, reference, integral, body, loops, room, mode, torque)
    w = as_vector(motion.rates)
    gyroscopic = cross(w, apply_inertia(body.J, w))  # the cascade's term for M - J dw/dt
    turning = apply_inertia(body.J, (filters[6, 1], filters[7, 1], filters[8, 1]))
    for i in range(3):
        torque[i] += filters[3 + i, 0] - turning[i] - gyroscopic[i]
    return thrust


def feel(
    motion: Motion, measured: Measurements, body: Body, loops: Loops, R: Array, increment: Increment
) -> None:
    """Inputs of the filters: d minus the drag that the cascade compensates, M(u) and w."""
    effect, raw, speeds = increment.effect, increment.raw, measured.rotor_speeds
    for i in range(6):
        raw[i] = 0.0
        for k in range(speeds.shape[0]):
            raw[i] += effect[i, k] * speeds[k] * speeds[k]
    rotation(motion.quaternion, R)
    force: Vector = plus(as_vector(measured.specific_force), -1.0 / body.mass, as_vector(raw))
    drag = drag_force(body, R, as_vector(motion.velocity))
    d = plus(to_world(R, force), loops.make_up / body.mass, drag)
    for i in range(3):
        raw[i], raw[6 + i] = d[i], motion.rates[i]


def filter_slopes(raw: Array, filters: Array, cutoff: float, slopes: Array) -> None:
    """d^2y/dt^2 = W^2 (u - y) - sqrt(2) W dy/dt, a row (y, dy/dt) for each signal u."""
    for i in range(FILTERED):
        slopes[i, 0] = filters[i, 1]
        slopes[i, 1] = cutoff * cutoff * (raw[i] - filters[i, 0]) - 2.0**0.5 * cutoff * filters[i, 1]


def filter_step(raw: Array, filters: Array, hold: Array, next_filters: Array) -> None:
    """The filters after one sample time with held inputs: `hold` (2, 3) contains their solution."""
    for i in range(FILTERED):
        for k in range(2):
            next_filters[i, k] = hold[k, 0] * filters[i, 0] + hold[k, 1] * filters[i, 1] + hold[k, 2] * raw[i]
