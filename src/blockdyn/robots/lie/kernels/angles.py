"""Three angles for an orientation: roll, pitch and yaw in named orders, Euler angles ZYZ, and their rates.

    ZYX    R = Rz(yaw) Ry(pitch) Rx(roll)      vehicles; the default meaning of roll-pitch-yaw
    XYZ    R = Rx(roll) Ry(pitch) Rz(yaw)      Robotics Toolbox 8 and 9
    YXZ    R = Ry(yaw) Rx(pitch) Rz(roll)      cameras, roll about the view
    ARM    R = Rx(yaw) Ry(pitch) Rz(roll)      grippers, roll about the approach; "xyz" of Robotics Toolbox 10

At a pitch of 90 degrees only the sum or difference of roll and yaw is determined; roll is then 0.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ZYX, XYZ, YXZ, ARM = 0, 1, 2, 3
SINGULAR = 1e-14  # below this cosine of pitch, or sine of theta, two of the axes coincide


def turn(axis: int, angle: float, R: Array) -> None:
    """R becomes R_axis(angle) R; axis 0, 1, 2 for x, y, z."""
    c = cos(angle)
    s = sin(angle)
    j = (axis + 1) % 3
    k = (axis + 2) % 3
    for column in range(3):
        a = R[j, column]
        b = R[k, column]
        R[j, column] = c * a - s * b
        R[k, column] = s * a + c * b


def rotation_about(i: int, a: float, j: int, b: float, k: int, c: float, R: Array) -> None:
    """R = R_i(a) R_j(b) R_k(c)."""
    for row in range(3):
        for column in range(3):
            R[row, column] = 1.0 if row == column else 0.0
    turn(k, c, R)
    turn(j, b, R)
    turn(i, a, R)


def order_axes(order: int) -> tuple[int, int, int]:
    """The axes of roll, pitch and yaw; yaw is leftmost in the product, except in XYZ."""
    if order in (ZYX, XYZ):
        return 0, 1, 2
    if order == YXZ:
        return 2, 0, 1
    return 2, 1, 0


def rotation_rpy(roll: float, pitch: float, yaw: float, order: int, R: Array) -> None:
    """R of roll, pitch and yaw."""
    i, j, k = order_axes(order)
    if order == XYZ:
        rotation_about(i, roll, j, pitch, k, yaw, R)
    else:
        rotation_about(k, yaw, j, pitch, i, roll, R)


def rpy_of(R: Array, order: int) -> tuple[float, float, float]:
    """Roll, pitch and yaw of R; pitch within 90 degrees."""
    i, j, k = order_axes(order)
    if order == XYZ:
        return first_to_last(R, i, j, k)
    return last_to_first(R, k, j, i)


def first_to_last(R: Array, i: int, j: int, k: int) -> tuple[float, float, float]:
    """a, b, c of R = R_i(a) R_j(b) R_k(c), three different axes; a is 0 if b is 90 degrees."""
    e = 1.0 if (i + 1) % 3 == j else -1.0
    cosine = sqrt(R[j, k] * R[j, k] + R[k, k] * R[k, k])
    a = atan2(-e * R[j, k], R[k, k]) if cosine > SINGULAR else 0.0
    b = atan2(e * R[i, k], cosine)
    c = atan2(e * cos(a) * R[j, i] + sin(a) * R[k, i], cos(a) * R[j, j] + e * sin(a) * R[k, j])
    return a, b, c


def last_to_first(R: Array, i: int, j: int, k: int) -> tuple[float, float, float]:
    """c, b, a of R = R_i(a) R_j(b) R_k(c); c is 0 if b is 90 degrees."""
    e = 1.0 if (i + 1) % 3 == j else -1.0
    cosine = sqrt(R[i, j] * R[i, j] + R[i, i] * R[i, i])
    c = atan2(-e * R[i, j], R[i, i]) if cosine > SINGULAR else 0.0
    b = atan2(e * R[i, k], cosine)
    a = atan2(e * cos(c) * R[k, j] + sin(c) * R[k, i], cos(c) * R[j, j] + e * sin(c) * R[j, i])
    return c, b, a


def rpy_rates(roll: float, pitch: float, yaw: float, order: int, J: Array) -> None:
    """J, 3x3, with omega = J (d roll, d pitch, d yaw)/dt, omega the angular velocity in world axes."""
    i, j, k = order_axes(order)
    if order == XYZ:
        axes_of_angles(i, roll, j, pitch, k, 0, 1, 2, J)
    else:
        axes_of_angles(k, yaw, j, pitch, i, 2, 1, 0, J)


def axes_of_angles(
    i: int, a: float, j: int, b: float, k: int, first: int, second: int, third: int, J: Array
) -> None:
    """The world axes e_i, R_i(a) e_j, R_i(a) R_j(b) e_k of three angles, into given columns of J."""
    for row in range(3):
        for column in range(3):
            J[row, column] = 0.0
    J[k, third] = 1.0
    turn(j, b, J)
    J[0, second] = 0.0
    J[1, second] = 0.0
    J[2, second] = 0.0
    J[j, second] = 1.0
    turn(i, a, J)
    J[0, first] = 0.0
    J[1, first] = 0.0
    J[2, first] = 0.0
    J[i, first] = 1.0


def rotation_euler(phi: float, theta: float, psi: float, R: Array) -> None:
    """R = Rz(phi) Ry(theta) Rz(psi)."""
    rotation_about(2, phi, 1, theta, 2, psi, R)


def euler_of(R: Array) -> tuple[float, float, float]:
    """phi, theta, psi with theta from 0 to pi; phi is 0 if theta is 0 or pi."""
    sine = sqrt(R[0, 2] * R[0, 2] + R[1, 2] * R[1, 2])
    phi = atan2(R[1, 2], R[0, 2]) if sine > SINGULAR else 0.0
    c = cos(phi)
    s = sin(phi)
    theta = atan2(c * R[0, 2] + s * R[1, 2], R[2, 2])
    psi = atan2(c * R[1, 0] - s * R[0, 0], c * R[1, 1] - s * R[0, 1])
    return phi, theta, psi


def euler_rates(phi: float, theta: float, J: Array) -> None:
    """J, 3x3, with omega = J (d phi, d theta, d psi)/dt, omega in world axes; independent of psi."""
    axes_of_angles(2, phi, 1, theta, 2, 0, 1, 2, J)


def wrap_angle(angle: float) -> float:
    """The angle modulo 2 pi, in [-pi, pi)."""
    turns = int(angle / 6.283185307179586)
    result = angle - 6.283185307179586 * turns
    if result >= 3.141592653589793:
        result -= 6.283185307179586
    elif result < -3.141592653589793:
        result += 6.283185307179586
    return result
