"""SE(3): poses, 4x4, [R, p; 0 0 0 1]; twists (linear, angular) are their velocities and logarithms."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from . import checks, rotations
from .checks import WrongShape
from .kernels import motion, pose as kernel

Array = NDArray[np.float64]


@checked_numbers(WrongShape)
def screw(point: ArrayLike, axis: ArrayLike, pitch: float = 0.0) -> Array:
    """(v, w) = (point x axis + pitch axis, axis); pitch in m/rad, infinite for a translation along the axis.

    Raises GroupError for an axis whose length is not 1. Source: Modern Robotics, section 3.3.2.2.
    """
    a = checks.unit(axis, 3, "axis")
    if np.isinf(pitch):
        return np.concatenate([a, np.zeros(3)])
    v = np.cross(checks.array(point, (3,), "point"), a) + checks.number(pitch, "pitch") * a
    return np.concatenate([v, a])


@checked_numbers(WrongShape)
def unit_screw(V: ArrayLike) -> tuple[Array, float]:
    """The unit screw S and the distance d with V = S d: d = |w|, or |v| if w = 0; both 0 for V = 0."""
    V = checks.array(V, (6,), "V")
    length = float(np.linalg.norm(V[3:])) or float(np.linalg.norm(V[:3]))
    return (V / length, length) if length else (np.zeros(6), 0.0)


@checked_numbers(WrongShape)
def screw_parts(S: ArrayLike) -> tuple[Array, Array, float]:
    """Point (nearest to the origin), direction and pitch of a screw; a translation has an infinite pitch.

    A screw that is not normalised is normalised, with a NonUnitScrew warning.
    """
    S = checks.array(S, (6,), "S")
    checks.warn_of_non_unit(S[3:, None], S[:3, None])
    S, _ = unit_screw(S)
    v, w = S[:3], S[3:]
    if not w.any():
        return np.zeros(3), v, float("inf")
    return np.cross(w, v), w, float(w @ v)


@checked_numbers(WrongShape)
def pose(R: Any = None, p: Any = None) -> Array:
    """The pose of an orientation (default: identity) and an origin, m (default: 0). Raises GroupError."""
    T = checks.IDENTITY.copy()
    if R is not None:
        T[:3, :3] = checks.rotation(R)
    if p is not None:
        T[:3, 3] = checks.array(p, (3,), "p")
    return T


@checked_numbers(WrongShape)
def parts(T: ArrayLike) -> tuple[Array, Array]:
    """R and p of a pose. Raises GroupError."""
    T = checks.pose(T)
    return T[:3, :3].copy(), T[:3, 3].copy()


@checked_numbers(WrongShape)
def inverse(T: ArrayLike) -> Array:
    """[R^T, -R^T p; 0, 1]. Raises GroupError."""
    out = np.empty((4, 4))
    kernel.invert(checks.pose(T), out)
    return out


@checked_numbers(WrongShape)
def skew6(V: ArrayLike) -> Array:
    """[V] = [[w], v; 0, 0] of a twist V = (v, w). V (6,), result (4, 4)."""
    V = checks.array(V, (6,), "V")
    out = np.zeros((4, 4))
    out[:3, :3] = rotations.skew(V[3:])
    out[:3, 3] = V[:3]
    return out


@checked_numbers(WrongShape)
def vex6(W: ArrayLike) -> Array:
    """V of W = [V]. W (4, 4), result (6,)."""
    W = checks.array(W, (4, 4), "W")
    return np.concatenate([W[:3, 3], rotations.vex(W[:3, :3])])


@checked_numbers(WrongShape)
def exp6(V: ArrayLike) -> Array:
    """exp [V] = [exp [w], J(w) v; 0, 1], J the left Jacobian of SO(3): the motion along one screw.

    Accurate to rounding at every angle. Source: Modern Robotics (Lynch, Park 2017), section 3.3.3.
    """
    T = np.empty((4, 4))
    kernel.exp6(checks.array(V, (6,), "V"), T)
    return T


@checked_numbers(WrongShape)
def log6(T: ArrayLike) -> Array:
    """V = (v, w) with exp6(V) = T and |w| <= pi, accurate near 0 and pi. Raises GroupError."""
    V = np.empty(6)
    kernel.log6(checks.pose(T), V)
    return V


@checked_numbers(WrongShape)
def adjoint(T: ArrayLike) -> Array:
    """Ad(T) = [R, [p] R; 0, R] (6, 6): V_s = Ad(T_sb) V_b; wrenches transform by its inverse transpose.

    Raises GroupError.
    """
    out = np.empty((6, 6))
    kernel.adjoint(checks.pose(T), out)
    return out


@checked_numbers(WrongShape)
def bracket(V: ArrayLike) -> Array:
    """ad(V) = [[w], [v]; 0, [w]] (6, 6): the Lie bracket [V, U] = ad(V) U."""
    out = np.empty((6, 6))
    kernel.bracket(checks.array(V, (6,), "V"), out)
    return out


@checked_numbers(WrongShape)
def left_jacobian6(V: ArrayLike) -> Array:
    """J (6, 6) with the twist of exp6(V) in fixed axes = J dV/dt.

    Source: Barfoot, State Estimation for Robotics (2017), section 7.1.5.
    """
    out = np.empty((6, 6))
    kernel.left_jacobian6(checks.array(V, (6,), "V"), out)
    return out


@checked_numbers(WrongShape)
def left_jacobian6_inverse(V: ArrayLike) -> Array:
    """J (6, 6) with dV/dt = J twist, |w| < 2 pi."""
    out = np.empty((6, 6))
    kernel.left_jacobian6_inverse(checks.array(V, (6,), "V"), out)
    return out


@checked_numbers(WrongShape)
def interpolate(T0: ArrayLike, T1: ArrayLike, s: float) -> Array:
    """Pose from T0 (s = 0) to T1 (s = 1): origin on a line, orientation by slerp. Raises GroupError."""
    out = np.empty((4, 4))
    motion.interpolate(checks.pose(T0, "T0"), checks.pose(T1, "T1"), checks.number(s, "s"), out)
    return out


@checked_numbers(WrongShape)
def interpolate_screw(T0: ArrayLike, T1: ArrayLike, s: float) -> Array:
    """T0 exp(s log(T0^-1 T1)): along one screw. Raises GroupError."""
    out = np.empty((4, 4))
    arguments = checks.pose(T0, "T0"), checks.pose(T1, "T1"), checks.number(s, "s")
    motion.interpolate_screw(*arguments, out, np.empty(6), np.empty((4, 4)))
    return out


@checked_numbers(WrongShape)
def delta(T0: ArrayLike, T1: ArrayLike, *, frame: Literal["world", "body"] = "world") -> Array:
    """The small motion (dx, dy, dz, dRx, dRy, dRz) from T0 to T1, to first order (tr2delta).

    frame "world": p1 - p0 and the skew part of R1 R0^T, as Jacobians in world axes require;
    "body": both in the axes of T0. Raises GroupError.
    """
    out = np.empty(6)
    rule = motion.delta_world if frame == "world" else motion.delta_body
    rule(checks.pose(T0, "T0"), checks.pose(T1, "T1"), out)
    return out


@checked_numbers(WrongShape)
def pose_of_delta(d: ArrayLike) -> Array:
    """I + [d] (delta2tr): the pose of a small motion, to first order; exp6 is exact."""
    out = np.empty((4, 4))
    motion.pose_of_delta(checks.array(d, (6,), "d"), out)
    return out


@checked_numbers(WrongShape)
def pose_error(T0: ArrayLike, T1: ArrayLike) -> Array:
    """(p1 - p0, log(R1 R0^T)) in world axes: motion from T0 to T1, exact for all. Raises GroupError."""
    out = np.empty(6)
    motion.pose_error(checks.pose(T0, "T0"), checks.pose(T1, "T1"), out)
    return out


@checked_numbers(WrongShape)
def project_pose(M: ArrayLike) -> Array:
    """The pose with the origin of a 4x4 matrix, and the rotation nearest to its 3x3 part."""
    M = checks.array(M, (4, 4), "M")
    return pose(rotations.project_rotation(M[:3, :3]), M[:3, 3])


@checked_numbers(WrongShape)
def is_pose(M: ArrayLike, *, tolerance: float = checks.TOLERANCE) -> bool:
    """True if M is in SE(3) to a tolerance."""
    if checks.shape_of(M) != (4, 4):
        return False
    M = checks.array(M, (4, 4), "M")
    last = abs(M[3] - (0.0, 0.0, 0.0, 1.0)).max()
    return rotations.is_rotation(M[:3, :3], tolerance=tolerance) and bool(last < tolerance)
