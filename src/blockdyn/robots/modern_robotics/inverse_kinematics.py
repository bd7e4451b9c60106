"""Chapter 6: inverse kinematics by Newton's method from a guess."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.checked import guarded
from ..lie import checks
from ..lie.errors import WrongShape
from ..lie.kernels.pose import between, log6
from .kinematics import arguments, motions
from .motions import Adjoint
from .rotations import MEMBER

Array = NDArray[np.float64]


@guarded(WrongShape)
def IKinBody(
    Blist: Any, M: Any, T: Any, thetalist0: Any, eomg: float, ev: float, *, maxiterations: int = 20
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
        if _within(Vb, eomg, ev):
            return theta, True
        previous, theta = theta, theta + np.linalg.pinv(Jb) @ Vb
    return previous, False


@guarded(WrongShape)
def IKinSpace(
    Slist: Any, M: Any, T: Any, thetalist0: Any, eomg: float, ev: float, *, maxiterations: int = 20
) -> tuple[Array, bool]:
    """(thetalist, success) with FKinSpace(M, Slist, thetalist) = T.

    As IKinBody with theta += pinv(Js) V_s, V_s = [Ad T_sb] V_b; eomg and ev bound V_s.
    """
    screws, theta = arguments(Slist, thetalist0, "Slist")
    home, goal = checks.array(M, (4, 4), "M"), checks.pose(T, tolerance=MEMBER)
    for _ in range(max(int(maxiterations), 0) + 1):
        Tsb, Js = _space(home, screws, theta)
        Vs = Adjoint(Tsb) @ _error(Tsb, goal)
        if _within(Vs, eomg, ev):
            return theta, True
        previous, theta = theta, theta + np.linalg.pinv(Js) @ Vs
    return previous, False


def _error(T: Array, goal: Array) -> Array:
    """The twist (omega, v) that takes T to the goal in unit time, in the frame T."""
    apart, V = np.empty((4, 4)), np.empty(6)
    between(T, goal, apart)
    log6(apart, V)
    return np.concatenate([V[3:], V[:3]])


def _within(V: Array, eomg: float, ev: float) -> bool:
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
