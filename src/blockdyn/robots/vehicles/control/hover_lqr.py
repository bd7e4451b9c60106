"""A linear quadratic regulator about hover: its gains and its law."""

from __future__ import annotations

from math import copysign, cos, nan, sin
from typing import NamedTuple

import numpy as np

from ...mechanics.bodies import Array
from ..flatness import Vector, apply_inertia
from .signals import Body, Motion, Reference, minus

STATES, INPUTS = 12, 4


class Regulator(NamedTuple):
    """The gain matrix, and workspace for the deviation."""

    gain: Array  # (4, 12)
    deviation: Array  # (12,)


def linear_hover(mass: float, J: Array, gravity: float) -> tuple[Array, Array]:
    """A and B of dx/dt = A x + B u about hover, in axes turned by the yaw, z down.

    x is position, velocity, rotation about the axes (rad), rates; u is torque, and thrust minus weight.
    """
    A, B = np.zeros((STATES, STATES)), np.zeros((STATES, INPUTS))
    A[0:3, 3:6] = A[6:9, 9:12] = np.eye(3)
    A[3, 7], A[4, 6] = -gravity, gravity
    B[9:12, :3] = np.linalg.inv(J)
    B[5, 3] = -1.0 / mass
    return A, B


def regulator_gain(A: Array, B: Array, Q: Array, R: Array, sample_time: float = 0.0) -> Array:
    """K of u = -K x that minimises the integral of x^T Q x + u^T R u.

    With a sample time, K minimises the sum of this over ticks, for the exactly discretised system with held
    inputs. Raises LinAlgError if the weights leave a motion undamped.
    Source: Anderson, Moore, Optimal Control: Linear Quadratic Methods (1990), sections 3.3, 2.4.
    """
    from scipy.linalg import expm, solve_continuous_are, solve_discrete_are

    if sample_time == 0.0:
        P = solve_continuous_are(A, B, Q, R)
        K = np.asarray(np.linalg.solve(R, B.T @ P), np.float64)
        return _calming(K, float(np.linalg.eigvals(A - B @ K).real.max()))
    joined = np.zeros((STATES + INPUTS, STATES + INPUTS))
    joined[:STATES, :STATES], joined[:STATES, STATES:] = A, B
    held = expm(joined * sample_time)
    F, G = held[:STATES, :STATES], held[:STATES, STATES:]
    P = solve_discrete_are(F, G, Q, R)
    K = np.asarray(np.linalg.solve(R + G.T @ P @ G, G.T @ P @ F), np.float64)
    return _calming(K, float(np.abs(np.linalg.eigvals(F - G @ K)).max() - 1.0))


def _calming(K: Array, slowest: float) -> Array:
    """The gain, if all closed-loop motions decay."""
    if not slowest < 0.0:
        raise np.linalg.LinAlgError("a mode does not decay")
    return K


def level(yaw: float, a: Vector) -> Vector:
    """A vector of the world in axes turned by the yaw."""
    c, s = cos(yaw), sin(yaw)
    return c * a[0] + s * a[1], c * a[1] - s * a[0], a[2]


def hover_lqr(motion: Motion, reference: Reference, body: Body, regulator: Regulator, torque: Array) -> float:
    """The torque (3,), N m; returns the thrust, N.

        u = u_ref - K (x - x_ref)

    where x_ref and u_ref are state and input of the linear model along the flight: rotation (a_y, -a_x)/g,
    its rate from the jerk, torque from the snap, thrust m (g - a_z).
    """
    yaw, x = reference.yaw_ref, regulator.deviation
    p = level(yaw, minus(motion.position, reference.position_ref))
    v = level(yaw, minus(motion.velocity, reference.velocity_ref))
    a = level(
        yaw, (reference.acceleration_ref[0], reference.acceleration_ref[1], reference.acceleration_ref[2])
    )
    j = level(yaw, (reference.jerk_ref[0], reference.jerk_ref[1], reference.jerk_ref[2]))
    s = level(yaw, (reference.snap_ref[0], reference.snap_ref[1], reference.snap_ref[2]))
    q, c, h = motion.quaternion, cos(0.5 * yaw), sin(0.5 * yaw)
    # the attitude as seen in axes turned by the yaw: (c, 0, 0, -h) q
    q0, q1, q2, q3 = c * q[0] + h * q[3], c * q[1] + h * q[2], c * q[2] - h * q[1], c * q[3] - h * q[0]
    nowhere = q[0] == q[1] == q[2] == q[3] == 0.0  # as for other controllers, which divide by |q|
    sign, g = nan if nowhere else copysign(2.0, q0), body.gravity
    turn = (a[1] / g, -a[0] / g, 0.0)
    rates = (j[1] / g, -j[0] / g, reference.yaw_rate_ref)
    parts = (sign * q1, sign * q2, sign * q3)
    for i in range(3):
        x[i], x[3 + i] = p[i], v[i]
        x[6 + i], x[9 + i] = parts[i] - turn[i], motion.rates[i] - rates[i]
    ahead = apply_inertia(body.J, (s[1] / g, -s[0] / g, reference.yaw_acceleration_ref))
    for i in range(3):
        torque[i] = ahead[i]
        for k in range(STATES):
            torque[i] -= regulator.gain[i, k] * x[k]
    thrust = body.mass * (g - a[2])
    for k in range(STATES):
        thrust -= regulator.gain[3, k] * x[k]
    return thrust
