"""Chapters 4 to 6: forward kinematics as products of exponentials, Jacobians, inverse kinematics."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ..lie import checks
from ..lie.checks import WrongShape
from ..lie.kernels.pose import between, exp6, log6
from .rigid_motions import MEMBER, Adjoint

Array = NDArray[np.float64]


@checked_numbers(WrongShape)
def FKinBody(M: ArrayLike, Blist: ArrayLike, thetalist: ArrayLike) -> Array:
    """T = M exp([B1] theta1) ... exp([Bn] thetan). M (4, 4), Blist (6, n), thetalist (n,).

    Modern Robotics, equation 4.16.
    """
    T = checks.array(M, (4, 4), "M")
    for motion in motions(*arguments(Blist, thetalist, "Blist")):
        T = T @ motion
    return T


@checked_numbers(WrongShape)
def FKinSpace(M: ArrayLike, Slist: ArrayLike, thetalist: ArrayLike) -> Array:
    """T = exp([S1] theta1) ... exp([Sn] thetan) M. M (4, 4), Slist (6, n), thetalist (n,).

    Modern Robotics, equation 4.14.
    """
    T = np.eye(4)
    for motion in motions(*arguments(Slist, thetalist, "Slist")):
        T = T @ motion
    return np.asarray(T @ checks.array(M, (4, 4), "M"))


@checked_numbers(WrongShape)
def JacobianBody(Blist: ArrayLike, thetalist: ArrayLike) -> Array:
    """Jb (6, n) with V_b = Jb dtheta/dt: the twist in the end-effector frame. Modern Robotics, eq. 5.18."""
    screws, theta = arguments(Blist, thetalist, "Blist")
    J = screws.copy()
    T = np.eye(4)
    for i in range(len(theta) - 2, -1, -1):
        T = T @ motions(screws[:, i + 1 : i + 2], -theta[i + 1 : i + 2])[0]
        J[:, i] = Adjoint(T) @ screws[:, i]
    return J


@checked_numbers(WrongShape)
def JacobianSpace(Slist: ArrayLike, thetalist: ArrayLike) -> Array:
    """Js (6, n) with V_s = Js dtheta/dt: the twist in the space frame. Modern Robotics, eq. 5.11."""
    screws, theta = arguments(Slist, thetalist, "Slist")
    J = screws.copy()
    T = np.eye(4)
    for i in range(1, len(theta)):
        T = T @ motions(screws[:, i - 1 : i], theta[i - 1 : i])[0]
        J[:, i] = Adjoint(T) @ screws[:, i]
    return J


def arguments(screws: ArrayLike, thetalist: ArrayLike, name: str) -> tuple[Array, Array]:
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


@checked_numbers(WrongShape)
def IKinBody(
    Blist: ArrayLike,
    M: ArrayLike,
    T: ArrayLike,
    thetalist0: ArrayLike,
    eomg: float,
    ev: float,
    *,
    maxiterations: int = 20,
) -> tuple[Array, bool]:
    """(thetalist, success) with FKinBody(M, Blist, thetalist) = T.

    Newton-Raphson: theta += pinv(Jb) V_b, [V_b] = log(T_sb^-1 T), until ||omega_b|| <= eomg rad and
    ||v_b|| <= ev m, or maxiterations steps. Modern Robotics, section 6.2.2.
    """
    screws, theta = arguments(Blist, thetalist0, "Blist")
    home, goal = checks.array(M, (4, 4), "M"), checks.pose(T, tolerance=MEMBER)
    for _ in range(max(int(maxiterations), 0) + 1):
        Tsb, Jb = _body(home, screws, theta)
        Vb = _error(Tsb, goal)
        if _is_in_tolerance(Vb, eomg, ev):
            return theta, True
        previous, theta = theta, theta + np.linalg.pinv(Jb) @ Vb
    return previous, False


@checked_numbers(WrongShape)
def IKinSpace(
    Slist: ArrayLike,
    M: ArrayLike,
    T: ArrayLike,
    thetalist0: ArrayLike,
    eomg: float,
    ev: float,
    *,
    maxiterations: int = 20,
) -> tuple[Array, bool]:
    """(thetalist, success) with FKinSpace(M, Slist, thetalist) = T.

    As IKinBody with theta += pinv(Js) V_s, V_s = [Ad T_sb] V_b; eomg and ev bound V_s.
    """
    screws, theta = arguments(Slist, thetalist0, "Slist")
    home, goal = checks.array(M, (4, 4), "M"), checks.pose(T, tolerance=MEMBER)
    for _ in range(max(int(maxiterations), 0) + 1):
        Tsb, Js = _space(home, screws, theta)
        Vs = Adjoint(Tsb) @ _error(Tsb, goal)
        if _is_in_tolerance(Vs, eomg, ev):
            return theta, True
        previous, theta = theta, theta + np.linalg.pinv(Js) @ Vs
    return previous, False


def _error(T: Array, goal: Array) -> Array:
    """The twist (omega, v) that takes T to the goal in unit time, in the frame T."""
    apart, V = np.empty((4, 4)), np.empty(6)
    between(T, goal, apart)
    log6(apart, V)
    return np.concatenate([V[3:], V[:3]])


def _is_in_tolerance(V: Array, eomg: float, ev: float) -> bool:
    return bool(np.linalg.norm(V[:3]) <= eomg and np.linalg.norm(V[3:]) <= ev)


def _space(home: Array, screws: Array, theta: Array) -> tuple[Array, Array]:
    """End-effector pose and space Jacobian."""
    J, T = screws.copy(), np.eye(4)
    for i, motion in enumerate(motions(screws, theta)):
        J[:, i] = Adjoint(T) @ screws[:, i]
        T = T @ motion
    return np.asarray(T @ home), J


def _body(home: Array, screws: Array, theta: Array) -> tuple[Array, Array]:
    """End-effector pose and body Jacobian."""
    J, T = screws.copy(), np.eye(4)
    steps = motions(screws, theta)
    for i in range(len(steps) - 1, -1, -1):
        J[:, i] = Adjoint(T) @ screws[:, i]
        back = np.empty((4, 4))
        between(steps[i], np.eye(4), back)
        T = T @ back
    out = np.empty((4, 4))
    between(T, np.eye(4), out)
    return np.asarray(home @ out), J
