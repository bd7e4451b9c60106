"""Roll, pitch, yaw in named orders, Euler angles ZYZ, and angles modulo a turn, rad."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from . import checks
from .checks import WrongShape
from .kernels import angles as kernel

Array = NDArray[np.float64]
Order = Literal["zyx", "xyz", "yxz", "arm", "vehicle", "camera"]

ORDERS: dict[str, int] = {
    "zyx": kernel.ZYX,
    "xyz": kernel.XYZ,
    "yxz": kernel.YXZ,
    "arm": kernel.ARM,
    "vehicle": kernel.ZYX,
    "camera": kernel.YXZ,
}


@checked_numbers(WrongShape)
def rotation_rpy(roll: float, pitch: float, yaw: float, *, order: Order = "zyx") -> Array:
    """R of roll, pitch, yaw in rad.

        zyx, vehicle   R = Rz(yaw) Ry(pitch) Rx(roll)
        xyz            R = Rx(roll) Ry(pitch) Rz(yaw)    the default of Robotics Toolbox 8 and 9
        yxz, camera    R = Ry(yaw) Rx(pitch) Rz(roll)
        arm            R = Rx(yaw) Ry(pitch) Rz(roll)    `xyz` of Robotics Toolbox 10

    Raises WrongShape for an unknown order.
    """
    R = np.empty((3, 3))
    r, p, y = checks.number(roll, "roll"), checks.number(pitch, "pitch"), checks.number(yaw, "yaw")
    kernel.rotation_rpy(r, p, y, ORDERS[order], R)
    return R


@checked_numbers(WrongShape)
def rpy(R: ArrayLike, *, order: Order = "zyx") -> Array:
    """Roll, pitch, yaw of a rotation or pose, as in `rotation_rpy`; |pitch| <= 90 degrees, at 90 roll = 0.

    Raises GroupError.
    """
    return np.array(kernel.rpy_of(checks.rotation(R), ORDERS[order]))


@checked_numbers(WrongShape)
def rpy_rates(roll: float, pitch: float, yaw: float, *, order: Order = "zyx") -> Array:
    """J (3, 3) with omega = J (d roll, d pitch, d yaw)/dt, omega in world axes; singular at 90 degrees."""
    J = np.empty((3, 3))
    r, p, y = checks.number(roll, "roll"), checks.number(pitch, "pitch"), checks.number(yaw, "yaw")
    kernel.rpy_rates(r, p, y, ORDERS[order], J)
    return J


@checked_numbers(WrongShape)
def rotation_euler(phi: float, theta: float, psi: float) -> Array:
    """R = Rz(phi) Ry(theta) Rz(psi)."""
    R = np.empty((3, 3))
    f, t, p = checks.number(phi, "phi"), checks.number(theta, "theta"), checks.number(psi, "psi")
    kernel.rotation_euler(f, t, p, R)
    return R


@checked_numbers(WrongShape)
def euler(R: ArrayLike, *, flip: bool = False) -> Array:
    """phi, theta, psi of R, theta in [0, pi], or in [-pi, 0] with `flip`; phi = 0 if sin theta = 0.

    Raises GroupError.
    """
    phi, theta, psi = kernel.euler_of(checks.rotation(R))
    if flip:
        return np.array([wrap(phi + np.pi), -theta, wrap(psi + np.pi)])
    return np.array([phi, theta, psi])


@checked_numbers(WrongShape)
def euler_rates(phi: float, theta: float, psi: float) -> Array:
    """J (3, 3) with omega = J (d phi, d theta, d psi)/dt, omega in world axes; singular at theta = 0."""
    J = np.empty((3, 3))
    checks.number(psi, "psi")
    kernel.euler_rates(checks.number(phi, "phi"), checks.number(theta, "theta"), J)
    return J


@checked_numbers(WrongShape)
def wrap(angle: ArrayLike) -> Any:
    """Angles modulo a turn into [-pi, pi), of a number or an array, rad."""
    return _wrap(angle)


@checked_numbers(WrongShape)
def angle_difference(a: Any, b: Any) -> Any:
    """a - b modulo a turn, in [-pi, pi), rad."""
    return _wrap(a - b if type(a) is type(b) is float else np.subtract(a, b))


def _wrap(angle: ArrayLike) -> Any:
    if type(angle) is float or checks.shape_of(angle) == ():
        return kernel.wrap_angle(checks.number(angle, "angle"))
    values = real_numbers(angle)
    return np.array(list(map(kernel.wrap_angle, values.ravel().tolist()))).reshape(values.shape)
