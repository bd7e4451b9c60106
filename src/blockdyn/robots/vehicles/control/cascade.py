"""A cascade controls a multirotor: position, velocity with integral, attitude by quaternion, rates."""

from __future__ import annotations

from math import copysign, sqrt
from typing import NamedTuple

from ...lie.kernels.quaternion import quaternion_of, quaternion_product
from ...mechanics.bodies import Array
from ..flatness import Vector, dot, jet, plus, spin, spin_rate, times, torque_of
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
    wanted_axes,
)

LEAST_PULL = 0.1  # of the weight: a smaller upward pull is raised to this for the thrust direction


class Loops(NamedTuple):
    """The gains of the loops, 1/s, of the integral, 1/s2, and the limits."""

    k_p: Array  # (3,), velocity for position
    k_v: Array  # (3,), acceleration for velocity
    k_i: Array  # (3,), 1/s2, acceleration for its integral
    k_q: Array  # (3,), rates for attitude
    k_w: Array  # (3,), angular acceleration for rates
    unwinding: Array  # (3,), s, integral for the acceleration cut by limits
    speed_limit: float  # m/s
    steepest: float  # the largest tangent of the tilt of the thrust
    strongest: float  # N, the largest thrust
    make_up: float  # 1: linear drag is compensated


class Workspace(NamedTuple):
    """The disturbance, which INDI writes, and scratch arrays."""

    disturbance: Array  # (3,), m/s2, in the world: an acceleration to compensate

    R: Array  # (3, 3)
    R_ref: Array  # (3, 3)
    q: Array  # (4,)
    q_ref: Array  # (4,)
    q_error: Array  # (4,)


# The quantities at their limits form a mode: 1 the speed of the position loop, 2 the least pull upwards, 4
# the tilt, 8 the thrust of the rotors.
FAST, FALLING, STEEP, STRONG = 1, 2, 4, 8
Margins = tuple[float, float, float, float]


def position_loop_velocity(motion: Motion, reference: Reference, loops: Loops) -> Vector:
    """K_p (p_ref - p)."""
    gap = minus(reference.position_ref, motion.position)
    return loops.k_p[0] * gap[0], loops.k_p[1] * gap[1], loops.k_p[2] * gap[2]


def velocity_error(motion: Motion, reference: Reference, loops: Loops, mode: int) -> Vector:
    """v_ref + K_p (p_ref - p) - v; the limit of the position loop's speed keeps its direction."""
    more = position_loop_velocity(motion, reference, loops)
    if mode & FAST:
        more = times(loops.speed_limit / max(sqrt(dot(more, more)), 1e-12), more)
    return plus(plus(as_vector(reference.velocity_ref), 1.0, more), -1.0, as_vector(motion.velocity))


def asked_pull(
    motion: Motion, reference: Reference, integral: Array, body: Body, loops: Loops, room: Workspace,
    mode: int,
) -> Vector:  # fmt: skip
    """The force of the rotors over the mass, m/s2, before limiting."""
    error = velocity_error(motion, reference, loops, mode)
    a = as_vector(reference.acceleration_ref)
    lost = times(loops.make_up / body.mass, drag_force(body, room.R, as_vector(motion.velocity)))
    d = room.disturbance
    return (
        a[0] + loops.k_v[0] * error[0] + loops.k_i[0] * integral[0] + lost[0] - d[0],
        a[1] + loops.k_v[1] * error[1] + loops.k_i[1] * integral[1] + lost[1] - d[1],
        a[2] + loops.k_v[2] * error[2] + loops.k_i[2] * integral[2] + lost[2] - d[2] - body.gravity,
    )


def limited_pull(pull: Vector, body: Body, loops: Loops, mode: int) -> Vector:
    """The force over the mass, limited."""
    z = -LEAST_PULL * body.gravity if mode & FALLING else pull[2]
    if mode & STEEP:
        level = max(sqrt(pull[0] * pull[0] + pull[1] * pull[1]), 1e-12)
        cut = -z * loops.steepest / level
        return cut * pull[0], cut * pull[1], z
    return pull[0], pull[1], z


def thrust_along(pull: Vector, body: Body, R: Array) -> float:
    """The thrust of a pull, N: its component along -z of the body."""
    return -body.mass * dot(pull, column(R, 2))


def speed_margin(motion: Motion, reference: Reference, loops: Loops) -> float:
    """Excess of the position loop's speed over its limit, m/s."""
    more = position_loop_velocity(motion, reference, loops)
    return sqrt(dot(more, more)) - loops.speed_limit


def tilt_margin(pull: Vector, body: Body, loops: Loops, mode: int) -> float:
    """Excess of the horizontal part of the pull over its limit, m/s2."""
    z = limited_pull(pull, body, loops, mode)[2]
    return sqrt(pull[0] * pull[0] + pull[1] * pull[1]) + z * loops.steepest


def thrust_margin(pull: Vector, body: Body, loops: Loops, R: Array, mode: int) -> float:
    """Excess of the thrust over the rotors' largest thrust, N."""
    return thrust_along(limited_pull(pull, body, loops, mode), body, R) - loops.strongest


def cascade_margins(
    motion: Motion, reference: Reference, integral: Array, body: Body, loops: Loops, room: Workspace,
    mode: int,
) -> Margins:  # fmt: skip
    """Excess of speed, pull, tilt and thrust over their limits, in m/s, m/s2 and N."""
    rotation(motion.quaternion, room.R)
    pull = asked_pull(motion, reference, integral, body, loops, room, mode)
    return (
        speed_margin(motion, reference, loops),
        pull[2] + LEAST_PULL * body.gravity,
        tilt_margin(pull, body, loops, mode),
        thrust_margin(pull, body, loops, room.R, mode),
    )


def cascade_mode(
    motion: Motion, reference: Reference, integral: Array, body: Body, loops: Loops, room: Workspace
) -> int:  # fmt: skip
    """The mode of quantities at their limits: each depends on the previous ones."""
    rotation(motion.quaternion, room.R)
    mode = 0
    if speed_margin(motion, reference, loops) > 0.0:
        mode += FAST
    pull = asked_pull(motion, reference, integral, body, loops, room, mode)
    if pull[2] + LEAST_PULL * body.gravity > 0.0:
        mode += FALLING
    if tilt_margin(pull, body, loops, mode) > 0.0:
        mode += STEEP
    if thrust_margin(pull, body, loops, room.R, mode) > 0.0:
        mode += STRONG
    return mode


def integral_rate(
    motion: Motion,
    reference: Reference,
    integral: Array,
    body: Body,
    loops: Loops,
    room: Workspace,
    mode: int,
) -> Vector:
    """The rate of the integral: v_c - v, minus `unwinding` times the acceleration cut by the limits.

    So the integral settles at active limits (back-calculation): Astrom, Hagglund,
    Advanced PID Control (2006), section 3.5.
    """
    error = velocity_error(motion, reference, loops, mode)
    if not mode & (FALLING | STEEP | STRONG):
        return error
    rotation(motion.quaternion, room.R)
    asked = asked_pull(motion, reference, integral, body, loops, room, mode)
    granted = limited_pull(asked, body, loops, mode)
    if mode & STRONG:
        granted = times(loops.strongest / max(thrust_along(granted, body, room.R), 1e-12), granted)
    return (
        error[0] + loops.unwinding[0] * (granted[0] - asked[0]),
        error[1] + loops.unwinding[1] * (granted[1] - asked[1]),
        error[2] + loops.unwinding[2] * (granted[2] - asked[2]),
    )


def cascade(
    motion: Motion, reference: Reference, integral: Array, body: Body, loops: Loops, room: Workspace,
    mode: int, torque: Array,
) -> float:  # fmt: skip
    """The torque (3,), N m; returns the thrust, N.

        v_c = v_ref + K_p (p_ref - p)                    a_c = a_ref + K_v (v_c - v) + K_i int (v_c - v) dt
        A = a_c - g e_z                                  thrust = -m A . R e_z, z_ref = -A / |A|
        q_e = q^-1 q_ref                                 w_c = w_ref + 2 K_q sgn(q_e0) (q_e1, q_e2, q_e3)
        torque = J (dw_ref/dt + K_w (w_c - w)) + w x J w

    with the attitude q_ref of z_ref and the yaw, and w_ref the rates that jerk and yaw rate require, whose
    derivative follows from the snap. The attitude law turns the shorter way and is stable from every attitude
    except half a turn: Brescianini, Hehn, D'Andrea, Nonlinear Quadrocopter Attitude Control, ETH Zurich 2013,
    equation 20. `mode` holds the quantities at their limits. Structure: Meier et al., PX4, ICRA 2015.
    """
    R = room.R
    rotation(motion.quaternion, R)
    pull = asked_pull(motion, reference, integral, body, loops, room, mode)
    pull = limited_pull(pull, body, loops, mode)
    # drag is proportional to the velocity, its rate to the acceleration
    share = loops.make_up / body.mass
    jerk = plus(
        as_vector(reference.jerk_ref), share, drag_force(body, R, as_vector(reference.acceleration_ref))
    )
    snap = plus(as_vector(reference.snap_ref), share, drag_force(body, R, as_vector(reference.jerk_ref)))
    x, y, z = wanted_axes(jet(pull, jerk, snap), reference)
    for i in range(3):
        room.R_ref[i, 0], room.R_ref[i, 1], room.R_ref[i, 2] = x[i], y[i], z[i]
    w = as_vector(motion.rates)
    rates = rates_command(motion, loops, room, from_frame(R, x, y, z, spin(x, y, z)))
    dw = from_frame(R, x, y, z, spin_rate(x, y, z))
    dw = (
        dw[0] + loops.k_w[0] * (rates[0] - w[0]),
        dw[1] + loops.k_w[1] * (rates[1] - w[1]),
        dw[2] + loops.k_w[2] * (rates[2] - w[2]),
    )
    moment = torque_of(body.J, w, dw)
    for i in range(3):
        torque[i] = moment[i]
    return thrust_along(pull, body, R)


def rates_command(motion: Motion, loops: Loops, room: Workspace, turning: Vector) -> Vector:
    """w_c of the attitude law, rad/s in body axes; `turning` is w_ref in body axes."""
    quaternion_of(room.R_ref, room.q_ref)
    room.q[0] = motion.quaternion[0]
    for i in range(1, 4):
        room.q[i] = -motion.quaternion[i]
    quaternion_product(room.q, room.q_ref, room.q_error)
    sign = copysign(2.0, room.q_error[0])
    return (
        turning[0] + sign * loops.k_q[0] * room.q_error[1],
        turning[1] + sign * loops.k_q[1] * room.q_error[2],
        turning[2] + sign * loops.k_q[2] * room.q_error[3],
    )
