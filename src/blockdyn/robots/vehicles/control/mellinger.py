"""The minimum-snap paper's controller: attitude from the commanded force, rates from the reference."""

from __future__ import annotations

from typing import NamedTuple

from ...mechanics.bodies import Array
from ..flatness import Vector, dot, jet, plus, spin
from .geometric import attitude_error
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

STILL: Vector = (0.0, 0.0, 0.0)


class AxisGains(NamedTuple):
    """The gains of Mellinger and Kumar, one per axis: world axes for the first two, then body axes."""

    k_x: Array  # (3,), N/m
    k_v: Array  # (3,), N s/m
    k_r: Array  # (3,), N m
    k_w: Array  # (3,), N m s
    make_up: float  # 1: linear drag is made up for, 0: it is not


def mellinger(
    motion: Motion, reference: Reference, body: Body, gains: AxisGains, R: Array, torque: Array
) -> float:
    """The torque (3,), N m; returns the thrust, N.

        A = -K_x e_x - K_v e_v - m g e_z + m a_ref      f = -A . R e_z
        e_R = (R_c^T R - R^T R_c)^v / 2                 M = -K_R e_R - K_W (W - R^T R_T W_T)

    with the attitude R_c of A and the yaw, and the attitude R_T and the rates W_T of the reference flight.
    Source: Mellinger, Kumar, Minimum snap trajectory generation and control for quadrotors, IEEE
    International Conference on Robotics and Automation 2011 (10.1109/ICRA.2011.5980409), section IV; W_T is
    exact, also about z.
    """
    rotation(motion.quaternion, R)
    ex = minus(motion.position, reference.position_ref)
    ev = minus(motion.velocity, reference.velocity_ref)
    a, j = as_vector(reference.acceleration_ref), as_vector(reference.jerk_ref)
    free = plus(a, -body.gravity, (0.0, 0.0, 1.0))
    lost = drag_force(body, R, as_vector(motion.velocity))
    A = (
        body.mass * free[0] - gains.k_x[0] * ex[0] - gains.k_v[0] * ev[0] + gains.make_up * lost[0],
        body.mass * free[1] - gains.k_x[1] * ex[1] - gains.k_v[1] * ev[1] + gains.make_up * lost[1],
        body.mass * free[2] - gains.k_x[2] * ex[2] - gains.k_v[2] * ev[2] + gains.make_up * lost[2],
    )
    x, y, z = wanted_axes(jet(A, STILL, STILL), reference)
    turn = attitude_error(R, x, y, z)
    share = gains.make_up / body.mass
    free = plus(free, share, drag_force(body, R, as_vector(reference.velocity_ref)))
    x, y, z = wanted_axes(jet(free, plus(j, share, drag_force(body, R, a)), STILL), reference)
    rates = from_frame(R, x, y, z, spin(x, y, z))
    for i in range(3):
        torque[i] = -gains.k_r[i] * turn[i] - gains.k_w[i] * (motion.rates[i] - rates[i])
    return -dot(A, column(R, 2))
