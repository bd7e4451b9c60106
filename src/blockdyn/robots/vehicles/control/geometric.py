"""Geometric tracking on SE(3): a controller without angles, for any attitude."""

from __future__ import annotations

from typing import NamedTuple

from ...mechanics.bodies import Array
from ..flatness import Jet, Vector, apply_inertia, cross, dot, jet, part, plus, spin, spin_rate, times
from .signals import (
    Body,
    Motion,
    Reference,
    as_vector,
    column,
    drag_force,
    from_frame,
    minus,
    rotation,
    to_body,
    to_world,
    wanted_axes,
)


class Gains(NamedTuple):
    """The gains of Lee, Leok and McClamroch."""

    k_x: float  # N/m
    k_v: float  # N s/m
    k_r: float  # N m
    k_w: float  # N m s
    make_up: float  # 1: linear drag is compensated, 0: it is not


def pull(motion: Motion, reference: Reference, body: Body, gains: Gains, R: Array) -> Vector:
    """A = -k_x e_x - k_v e_v - m g e_z + m a_d, with drag compensated: the commanded force of the rotors."""
    ex = minus(motion.position, reference.position_ref)
    ev = minus(motion.velocity, reference.velocity_ref)
    A = plus(times(-gains.k_x, ex), -gains.k_v, ev)
    A = plus(A, body.mass, as_vector(reference.acceleration_ref))
    A = plus(A, -body.mass * body.gravity, (0.0, 0.0, 1.0))
    return plus(A, gains.make_up, drag_force(body, R, as_vector(motion.velocity)))


def upward_pull(motion: Motion, reference: Reference, body: Body, gains: Gains, R: Array) -> float:
    """-A . R e_z: the commanded thrust, N; below 0 if the vehicle is tilted too far."""
    rotation(motion.quaternion, R)
    return -dot(pull(motion, reference, body, gains, R), column(R, 2))


def pull_jet(
    motion: Motion, reference: Reference, body: Body, gains: Gains, R: Array, pushing: float
) -> Jet:  # fmt: skip
    """A with its rates, which follow from the equations of motion with the commanded thrust.

    Drag uses the present attitude.
    """
    ev = minus(motion.velocity, reference.velocity_ref)
    a, j, s = (
        as_vector(reference.acceleration_ref),
        as_vector(reference.jerk_ref),
        as_vector(reference.snap_ref),
    )
    A0 = pull(motion, reference, body, gains, R)
    down = column(R, 2)
    w = as_vector(motion.rates)
    turning = to_world(R, (w[1], -w[0], 0.0))  # the rate of the body's z axis: R (w x e_z)
    thrust = -pushing * dot(A0, down)
    ea = plus(plus((0.0, 0.0, body.gravity), -thrust / body.mass, down), -1.0, a)
    ea = plus(ea, -1.0 / body.mass, drag_force(body, R, as_vector(motion.velocity)))
    A1 = plus(plus(times(-gains.k_x, ev), -gains.k_v, ea), body.mass, j)
    A1 = plus(A1, gains.make_up, drag_force(body, R, plus(ea, 1.0, a)))
    thrust_rate = -pushing * (dot(A1, down) + dot(A0, turning))
    ej = plus(plus(times(-thrust_rate / body.mass, down), -thrust / body.mass, turning), -1.0, j)
    A2 = plus(plus(times(-gains.k_x, ea), -gains.k_v, ej), body.mass, s)
    return jet(A0, A1, plus(A2, gains.make_up, drag_force(body, R, j)))


def geometric(
    motion: Motion, reference: Reference, body: Body, gains: Gains, pushing: float, R: Array, torque: Array
) -> float:  # fmt: skip
    """The torque (3,), N m; returns the thrust, N.

        f = -A . R e_z                         b3_c = -A / |A|,  b2_c = b3_c x b1_d / |...|
        e_R = (R_c^T R - R^T R_c)^v / 2        e_W = W - R^T R_c W_c
        M = -k_R e_R - k_W e_W + W x J W - J (W x R^T R_c W_c - R^T R_c dW_c/dt)

    with A of `pull`. Rotors do not pull downwards: `pushing` is 1 if f > 0, else 0, and then f is 0. W_c
    and its rate are exact, from the rates of A and of the heading b1_d. If the model is exact, attitude
    errors below half a turn decay exponentially from almost every state; the position error follows.
    Source: Lee, Leok, McClamroch, Geometric tracking control of a quadrotor UAV on
    SE(3), IEEE Conference on Decision and Control 2010 (arXiv 1003.2005), equations 15, 16, 19-22.
    """
    rotation(motion.quaternion, R)
    A = pull_jet(motion, reference, body, gains, R, pushing)
    x, y, z = wanted_axes(A, reference)
    moment = attitude_torque(motion, body, gains, R, x, y, z)
    for i in range(3):
        torque[i] = moment[i]
    return -pushing * dot(part(A, 0), column(R, 2))


def attitude_error(R: Array, x: Jet, y: Jet, z: Jet) -> Vector:
    """(R_c^T R - R^T R_c)^v / 2, in body axes: half the sum of b_i x b_ic over the axes."""
    turn = cross(part(x, 0), column(R, 0))
    turn = plus(turn, 1.0, cross(part(y, 0), column(R, 1)))
    return to_body(R, times(0.5, plus(turn, 1.0, cross(part(z, 0), column(R, 2)))))


def attitude_torque(motion: Motion, body: Body, gains: Gains, R: Array, x: Jet, y: Jet, z: Jet) -> Vector:
    """M, from the reference axes and their rates."""
    w = as_vector(motion.rates)
    wanted_w = from_frame(R, x, y, z, spin(x, y, z))
    wanted_dw = from_frame(R, x, y, z, spin_rate(x, y, z))
    moment = cross(w, apply_inertia(body.J, w))
    moment = plus(moment, -gains.k_r, attitude_error(R, x, y, z))
    moment = plus(moment, -gains.k_w, plus(w, -1.0, wanted_w))
    return plus(moment, -1.0, apply_inertia(body.J, plus(cross(w, wanted_w), -1.0, wanted_dw)))
