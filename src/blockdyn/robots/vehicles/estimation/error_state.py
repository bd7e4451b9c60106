"""Error-state Kalman filter of position, velocity, attitude and biases from an IMU and other sensors.

World and body axes have z down; R(q) rotates from body to world. The state x holds position,
velocity, quaternion, the biases of accelerometer and gyroscope, their last readings, and a flag that they
exist; the error e holds the errors of position, velocity, attitude (about the body's axes) and both biases.
Source: Sola, Quaternion kinematics for the error-state Kalman filter, arXiv 1711.02508, sections 5 and 6,
with readings at the middle of each step and the Jacobian of that step.
"""

from __future__ import annotations

from typing import NamedTuple

from ...lie.kernels.quaternion import quaternion_product, rotation_of_quaternion, vector_of_quaternion
from ...lie.kernels.rotation import exp3
from ...mechanics.bodies import Array
from .kalman import Correction, begin, due, observe, reset, turn

V, Q, BIAS_A, BIAS_G, LAST_A, LAST_G, BEGUN = 3, 6, 10, 13, 16, 19, 22  # of x, after the position
STATES = 23
ATTITUDE, ERROR_A, ERROR_G = 6, 9, 12  # of e, after position and velocity
ERRORS = 15


class SensorReadings(NamedTuple):
    """Measurements of other sensors, their ticks, and their variances."""

    measured_position: Array  # (3,), m, in the world
    measured_velocity: Array  # (3,), m/s, in the world
    measured_quaternion: Array  # (4,), of any length but 0
    measured_height: float  # m, against z
    clocks: Array  # (4, 2), of position, velocity, attitude, height: see `due`
    variances: Array  # (4, 3)


class Inertial(NamedTuple):
    """Readings of the IMU, and the growth of the errors from its noise."""

    accelerometer: Array  # (3,), m/s2
    gyroscope: Array  # (3,), rad/s
    growth: Array  # (15,), variances that each step adds
    gravity: float  # m/s2, along the world's z
    sample_time: float  # s


class Workspace(NamedTuple):
    """Scratch arrays."""

    frames: Array  # (5, 3, 3)
    carried: Array  # (15, 15)
    work: Array  # (2, 4)


def correct(c: Correction, x: Array, P: Array, m: SensorReadings, count: float, work: Array) -> None:
    """Update with the measurements that are new at the tick `count`."""
    begin(c)
    news = False
    for i in range(3):
        h = (1.0 * (i == 0), 1.0 * (i == 1), 1.0 * (i == 2))
        if due(m.clocks[0], count):
            news = True
            observe(c, P, 0, h, m.measured_position[i] - x[i], m.variances[0, i])
        if due(m.clocks[1], count):
            news = True
            observe(c, P, V, h, m.measured_velocity[i] - x[V + i], m.variances[1, i])
    if due(m.clocks[2], count):
        news = True
        turned = attitude_difference(x, m.measured_quaternion, work)
        observe(c, P, ATTITUDE, (1.0, 0.0, 0.0), turned[0], m.variances[2, 0])
        observe(c, P, ATTITUDE, (0.0, 1.0, 0.0), turned[1], m.variances[2, 1])
        observe(c, P, ATTITUDE, (0.0, 0.0, 1.0), turned[2], m.variances[2, 2])
    if due(m.clocks[3], count):
        news = True
        observe(c, P, 0, (0.0, 0.0, -1.0), m.measured_height + x[2], m.variances[3, 0])
    if news:
        inject(c, x, P, work)


def attitude_difference(x: Array, measured: Array, work: Array) -> tuple[float, float, float]:
    """The rotation vector from the estimated attitude to a measured one, in body axes, the shorter way."""
    work[0, 0] = x[Q]
    for k in range(1, 4):
        work[0, k] = -x[Q + k]
    quaternion_product(work[0], measured, work[1])
    sign = -1.0 if work[1, 0] < 0.0 else 1.0
    return vector_of_quaternion(sign * work[1, 0], sign * work[1, 1], sign * work[1, 2], sign * work[1, 3])


def inject(c: Correction, x: Array, P: Array, work: Array) -> None:
    """Add the mean error to the state, and reset it to 0."""
    for i in range(3):
        x[i] += c.change[i]
        x[V + i] += c.change[V + i]
        x[BIAS_A + i] += c.change[ERROR_A + i]
        x[BIAS_G + i] += c.change[ERROR_G + i]
    a, b, d = c.change[ATTITUDE], c.change[ATTITUDE + 1], c.change[ATTITUDE + 2]
    turn(x, Q, a, b, d, work)
    reset(P, ATTITUDE, a, b, d)


def advance(x: Array, P: Array, imu: Inertial, room: Workspace) -> None:
    """After a step T: P <- F P F' + diag(growth), and, with 3/2 of each reading minus 1/2 of the last,

    q <- q exp(w T),   v <- v + a T,   p <- p + v T + a T^2 / 2
    w = gyroscope - b_g,   a = R(q exp(w T / 2)) (accelerometer - b_a) + g
    """
    T = imu.sample_time
    if x[BEGUN] == 0.0:
        x[BEGUN] = 1.0
        for i in range(3):
            x[LAST_A + i] = imu.accelerometer[i]
            x[LAST_G + i] = imu.gyroscope[i]
    R, middle, by_turn, by_bias, turned = (
        room.frames[0],
        room.frames[1],
        room.frames[2],
        room.frames[3],
        room.frames[4],
    )
    w0 = T * (1.5 * imu.gyroscope[0] - 0.5 * x[LAST_G] - x[BIAS_G])
    w1 = T * (1.5 * imu.gyroscope[1] - 0.5 * x[LAST_G + 1] - x[BIAS_G + 1])
    w2 = T * (1.5 * imu.gyroscope[2] - 0.5 * x[LAST_G + 2] - x[BIAS_G + 2])
    rotation_of_quaternion(x[Q], x[Q + 1], x[Q + 2], x[Q + 3], R)
    turn(x, Q, 0.5 * w0, 0.5 * w1, 0.5 * w2, room.work)
    rotation_of_quaternion(x[Q], x[Q + 1], x[Q + 2], x[Q + 3], middle)
    turn(x, Q, 0.5 * w0, 0.5 * w1, 0.5 * w2, room.work)
    f0 = 1.5 * imu.accelerometer[0] - 0.5 * x[LAST_A] - x[BIAS_A]
    f1 = 1.5 * imu.accelerometer[1] - 0.5 * x[LAST_A + 1] - x[BIAS_A + 1]
    f2 = 1.5 * imu.accelerometer[2] - 0.5 * x[LAST_A + 2] - x[BIAS_A + 2]
    a0 = middle[0, 0] * f0 + middle[0, 1] * f1 + middle[0, 2] * f2
    a1 = middle[1, 0] * f0 + middle[1, 1] * f1 + middle[1, 2] * f2
    a2 = middle[2, 0] * f0 + middle[2, 1] * f1 + middle[2, 2] * f2
    exp3(w0, w1, w2, turned)
    multiply_skew(a0, a1, a2, R, -T, by_turn)
    multiply_skew(a0, a1, a2, middle, 0.5 * T * T, by_bias)
    a2 += imu.gravity
    for i, a in ((0, a0), (1, a1), (2, a2)):
        x[i] += T * x[V + i] + 0.5 * T * T * a
        x[V + i] += T * a
        x[LAST_A + i] = imu.accelerometer[i]
        x[LAST_G + i] = imu.gyroscope[i]
    carry(P, room.frames, T, room.carried)
    carry(room.carried, room.frames, T, P)
    for i in range(ERRORS):
        P[i, i] += imu.growth[i]


def multiply_skew(a0: float, a1: float, a2: float, R: Array, k: float, out: Array) -> None:
    """out = k [a] R."""
    for j in range(3):
        out[0, j] = k * (a1 * R[2, j] - a2 * R[1, j])
        out[1, j] = k * (a2 * R[0, j] - a0 * R[2, j])
        out[2, j] = k * (a0 * R[1, j] - a1 * R[0, j])


def carry(P: Array, frames: Array, T: float, carried: Array) -> None:
    """(F P)', F the Jacobian of a step by the error; twice gives F P F' for symmetric P.

    frames: R, R at the middle of the step, dv by attitude, dv by the gyroscope's bias, exp [w T].
    """
    middle, by_turn, by_bias, turned = frames[1], frames[2], frames[3], frames[4]
    for j in range(ERRORS):
        for i in range(3):
            push, back = 0.0, 0.0
            for k in range(3):
                push += by_turn[i, k] * P[ATTITUDE + k, j] + by_bias[i, k] * P[ERROR_G + k, j]
                push -= T * middle[i, k] * P[ERROR_A + k, j]
                back += turned[k, i] * P[ATTITUDE + k, j]
            carried[j, i] = P[i, j] + T * (P[V + i, j] + 0.5 * push)
            carried[j, V + i] = P[V + i, j] + push
            carried[j, ATTITUDE + i] = back - T * P[ERROR_G + i, j]
            carried[j, ERROR_A + i] = P[ERROR_A + i, j]
            carried[j, ERROR_G + i] = P[ERROR_G + i, j]
