"""Points, velocities and wrenches are transformed from one frame to another."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from . import checks
from .checks import WrongShape
from .orders import Order, rpy
from .poses import adjoint, inverse

Array = NDArray[np.float64]


@checked_numbers(WrongShape)
def transform_points(T: ArrayLike, points: ArrayLike) -> Array:
    """R p + t of points (..., 3), m, by a pose; the shape is kept (homtrans). Raises GroupError."""
    T = checks.pose(T)
    p = real_numbers(points)
    if p.shape[-1:] != (3,):
        raise WrongShape("points", f"found shape {p.shape}", "(3,), or rows of three numbers")
    return np.asarray(p @ T[:3, :3].T + T[:3, 3])


@checked_numbers(WrongShape)
def velocity_jacobian(T: ArrayLike, *, same_body: bool = True) -> Array:
    """J (6, 6) with V_B = J V_A for two frames, T the pose of B in A; velocities (linear, angular).

        same_body      J = Ad(T)^-1 = [R^T, -R^T [p]; 0, R^T]     B is fixed to the body that carries A
        otherwise      J = [R^T, 0; 0, R^T]                       the same velocity in the axes of B

    Name in the Robotics Toolbox: tr2jac. Corke, Robotics, Vision and Control, 2017, section 3.1.2.
    Raises GroupError.
    """
    if same_body:
        return adjoint(inverse(T))
    R = checks.pose(T)[:3, :3]
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = R.T
    return out


@checked_numbers(WrongShape)
def wrench_in_frame(T: ArrayLike, wrench: ArrayLike) -> Array:
    """The equivalent force and moment about B's origin in the axes of B, T the pose of B in A: (6,), N, N m.

        f_B = R^T f_A,   m_B = R^T (m_A - p x f_A):   F_B = Ad(T)^T F_A

    The power is equal in both frames: F_B . V_B = F_A . V_A. Name in the Robotics Toolbox: wtrans.
    Modern Robotics (Lynch, Park 2017), section 3.4. Raises GroupError, WrongShape.
    """
    return np.asarray(adjoint(T).T @ checks.array(wrench, (6,), "wrench"))


@checked_numbers(WrongShape)
def pose_text(T: ArrayLike, *, order: Order = "zyx", digits: int = 4) -> str:
    """A pose in one line, in m and degrees: "t = (0.5, 0, 1.2), rpy/zyx = (0, 90, 0) deg" (trprint).

    Raises GroupError, WrongShape.
    """
    T = checks.pose(T)
    place = ", ".join(_digits(x, digits) for x in T[:3, 3])
    angles = ", ".join(_digits(x, digits) for x in np.degrees(rpy(T[:3, :3], order=order)))
    return f"t = ({place}), rpy/{order} = ({angles}) deg"


def _digits(x: float, digits: int) -> str:
    rounded = round(float(x), digits)
    return f"{rounded + 0.0:.{digits + 3}g}"
