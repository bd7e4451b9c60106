"""A rigid body flies freely, or under any number of rotors: attitude, rates, velocity, z down."""

from __future__ import annotations

from math import asin, atan2, sqrt
from typing import NamedTuple

from ..mechanics.bodies import Array

Vector = tuple[float, float, float]

STEEP = 1e-12  # least cosine of the pitch: at +-90 degrees the rates of yaw and roll stay finite


def attitude_rates(q: Array, w: Array, d_q: Array) -> None:
    """dq/dt = q (0, w) / 2 + (1 - |q|^2) q, with q = (s, x, y, z) from body to world and w in body axes.

    The last term returns |q| to 1 and does not rotate the body: Corbett, Wright, Stabilization of Computer
    Circuits, WADC TR 57-425 (1957); Rucker, Integrating Rotations using Non-Unit Quaternions, IEEE Robotics
    and Automation Letters 3(4), 2018.
    """
    s, x, y, z = q[0], q[1], q[2], q[3]
    wx, wy, wz = w[0], w[1], w[2]
    back = 1.0 - (s * s + x * x + y * y + z * z)
    d_q[0] = 0.5 * (-x * wx - y * wy - z * wz) + back * s
    d_q[1] = 0.5 * (s * wx + y * wz - z * wy) + back * x
    d_q[2] = 0.5 * (s * wy + z * wx - x * wz) + back * y
    d_q[3] = 0.5 * (s * wz + x * wy - y * wx) + back * z


def angular_acceleration(J: Array, J_inverse: Array, w: Array, torque: Vector, d_w: Array) -> None:
    """J dw/dt = torque - w x J w, in body axes about the centre of mass (Euler's equations)."""
    roll, pitch, yaw = torque
    wx, wy, wz = w[0], w[1], w[2]
    hx = J[0, 0] * wx + J[0, 1] * wy + J[0, 2] * wz
    hy = J[1, 0] * wx + J[1, 1] * wy + J[1, 2] * wz
    hz = J[2, 0] * wx + J[2, 1] * wy + J[2, 2] * wz
    roll -= wy * hz - wz * hy
    pitch -= wz * hx - wx * hz
    yaw -= wx * hy - wy * hx
    for i in range(3):
        d_w[i] = J_inverse[i, 0] * roll + J_inverse[i, 1] * pitch + J_inverse[i, 2] * yaw


def flight_state(p: Array, q: Array, v: Array, w: Array, state: Array) -> None:
    """x, y, z; yaw, pitch, roll; velocity in body axes; rates of yaw, pitch, roll, into state (12,).

    p and v are in the world, w in body axes; R(q) = Rz(yaw) Ry(pitch) Rx(roll), for any length of q.
    """
    n = 1.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    s, x, y, z = q[0], q[1], q[2], q[3]
    xx, yx, zx = n * (s * s + x * x - y * y - z * z), n * 2.0 * (x * y + s * z), n * 2.0 * (x * z - s * y)
    xy, yy, zy = n * 2.0 * (x * y - s * z), n * (s * s - x * x + y * y - z * z), n * 2.0 * (y * z + s * x)
    xz, yz, zz = n * 2.0 * (x * z + s * y), n * 2.0 * (y * z - s * x), n * (s * s - x * x - y * y + z * z)
    level = max(sqrt(zy * zy + zz * zz), STEEP)  # the cosine of the pitch
    sin_roll, cos_roll = zy / level, zz / level
    around = sin_roll * w[1] + cos_roll * w[2]
    state[0], state[1], state[2] = p[0], p[1], p[2]
    state[3] = atan2(yx, xx)
    state[4] = asin(min(max(-zx, -1.0), 1.0))  # rounding may increase a sine beyond 1
    state[5] = atan2(zy, zz)
    state[6] = xx * v[0] + yx * v[1] + zx * v[2]
    state[7] = xy * v[0] + yy * v[1] + zy * v[2]
    state[8] = xz * v[0] + yz * v[1] + zz * v[2]
    state[9] = around / level
    state[10] = cos_roll * w[1] - sin_roll * w[2]
    state[11] = w[0] - zx * around / level


def unit_quaternion(q: Array, quaternion: Array) -> None:
    """q / |q|, into quaternion (4,)."""
    n = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    for i in range(4):
        quaternion[i] = n * q[i]


class Airframe(NamedTuple):
    """The airframe, in body axes: x forward, y right, z down."""

    hubs: Array  # (N, 3), m, from the centre of mass
    J: Array  # (3, 3), kg m2, about the centre of mass
    J_inverse: Array  # (3, 3)
    mass: float  # kg
    b: float  # N s2, thrust coefficient
    k: float  # N m s2, drag coefficient
    gravity: float  # m/s2, along the world's z


def rotor_wrench(frame: Airframe, omega: Array) -> tuple[float, float, float, float]:
    """Total thrust along -z, and the torques about the body's axes, of rotors at signed speeds omega (N,).

        T = sum_i b w_i^2      tau = sum_i (D_i x (0, 0, -b w_i^2) - k w_i |w_i| e_z)

    Smooth at zero speed. Source: Pounds, Mahony, Corke, Modelling and control of a large quadrotor robot,
    Control Engineering Practice 18(7), 2010, with rigid rotors.
    """
    thrust = roll = pitch = yaw = 0.0
    for i in range(frame.hubs.shape[0]):
        force = frame.b * omega[i] * omega[i]
        thrust += force
        roll -= frame.hubs[i, 1] * force
        pitch += frame.hubs[i, 0] * force
        yaw -= frame.k * omega[i] * abs(omega[i])
    return thrust, roll, pitch, yaw


def fly(
    frame: Airframe, q: Array, v: Array, w: Array, omega: Array,
    d_p: Array, d_q: Array, d_v: Array, d_w: Array,
) -> None:  # fmt: skip
    """The rates of position, attitude, velocity (both in the world) and of the body's angular velocity.

        dp/dt = v                     m dv/dt = m g e_z - R(q) e_z T
        dq/dt = q (0, w) / 2 + (1 - |q|^2) q          J dw/dt = -w x J w + tau

    with R(q) = R(q/|q|), and T and tau of `rotor_wrench`.
    """
    thrust, roll, pitch, yaw = rotor_wrench(frame, omega)
    s, x, y, z = q[0], q[1], q[2], q[3]
    pull = thrust / (frame.mass * (s * s + x * x + y * y + z * z))
    for i in range(3):
        d_p[i] = v[i]
    d_v[0] = -pull * 2.0 * (x * z + s * y)
    d_v[1] = -pull * 2.0 * (y * z - s * x)
    d_v[2] = frame.gravity - pull * (s * s - x * x - y * y + z * z)
    attitude_rates(q, w, d_q)
    angular_acceleration(frame.J, frame.J_inverse, w, (roll, pitch, yaw), d_w)
