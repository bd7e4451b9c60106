"""Chapters 4 and 5: forward kinematics as products of exponentials, and the Jacobians, from screw axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import real_numbers
from ...base.checked import guarded
from ..lie import checks
from ..lie.errors import WrongShape
from ..lie.kernels.pose import exp6
from .motions import Adjoint

Array = NDArray[np.float64]


@guarded(WrongShape)
def FKinBody(M: Any, Blist: Any, thetalist: Any) -> Array:
    """T = M exp([B1] theta1) ... exp([Bn] thetan). M (4, 4), Blist (6, n), thetalist (n,).

    Modern Robotics, equation 4.16.
    """
    T = checks.array(M, (4, 4), "M")
    for motion in motions(*arguments(Blist, thetalist, "Blist")):
        T = T @ motion
    return T


@guarded(WrongShape)
def FKinSpace(M: Any, Slist: Any, thetalist: Any) -> Array:
    """T = exp([S1] theta1) ... exp([Sn] thetan) M. M (4, 4), Slist (6, n), thetalist (n,).

    Modern Robotics, equation 4.14.
    """
    T = np.eye(4)
    for motion in motions(*arguments(Slist, thetalist, "Slist")):
        T = T @ motion
    return np.asarray(T @ checks.array(M, (4, 4), "M"))


@guarded(WrongShape)
def JacobianBody(Blist: Any, thetalist: Any) -> Array:
    """Jb (6, n) with V_b = Jb dtheta/dt: the twist in the end-effector frame. Modern Robotics, eq. 5.18."""
    screws, theta = arguments(Blist, thetalist, "Blist")
    J = screws.copy()
    T = np.eye(4)
    for i in range(len(theta) - 2, -1, -1):
        T = T @ motions(screws[:, i + 1 : i + 2], -theta[i + 1 : i + 2])[0]
        J[:, i] = Adjoint(T) @ screws[:, i]
    return J


@guarded(WrongShape)
def JacobianSpace(Slist: Any, thetalist: Any) -> Array:
    """Js (6, n) with V_s = Js dtheta/dt: the twist in the space frame. Modern Robotics, eq. 5.11."""
    screws, theta = arguments(Slist, thetalist, "Slist")
    J = screws.copy()
    T = np.eye(4)
    for i in range(1, len(theta)):
        T = T @ motions(screws[:, i - 1 : i], theta[i - 1 : i])[0]
        J[:, i] = Adjoint(T) @ screws[:, i]
    return J


def arguments(screws: Any, thetalist: Any, name: str) -> tuple[Array, Array]:
    """Screw axes (6, n) and joint variables (n,), checked. Raises WrongShape; warns of non-unit axes."""
    lines = real_numbers(screws)
    if lines.ndim != 2 or lines.shape[0] != 6:
        raise WrongShape(name, f"found shape {lines.shape}", "(6, n), a screw axis in each column")
    lines = checks.array(lines, lines.shape, name)
    theta = checks.array(thetalist, (lines.shape[1],), "thetalist")
    checks.warn_of_non_unit(lines[:3], lines[3:])
    return lines, theta


def motions(screws: Array, theta: Array) -> list[Array]:
    """exp([S] theta) of every joint."""
    transforms = []
    for S, angle in zip(screws.T, theta, strict=True):
        T = np.empty((4, 4))
        exp6(np.concatenate([S[3:], S[:3]]) * angle, T)
        transforms.append(T)
    return transforms
