"""SE(2): rotations and poses of the plane, 2x2 and 3x3; twists (vx, vy, omega). In rad and m."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from . import checks
from .checks import WrongShape, not_pose, not_rotation
from .kernels.angles import wrap_angle

Array = NDArray[np.float64]
ROTATION = "expected columns of length 1 at right angles, determinant +1"
POSE = "expected [R, p; 0 0 1] (3, 3) with R a rotation of the plane"


@checked_numbers(WrongShape)
def rot2(angle: float) -> Array:
    """[cos, -sin; sin, cos]: the planar rotation by an angle."""
    return _make_rotation(angle)


def _make_rotation(angle: float) -> Array:
    x = checks.number(angle, "angle")
    R = np.empty((2, 2))
    R[0, 0] = R[1, 1] = math.cos(x)
    R[1, 0] = s = math.sin(x)
    R[0, 1] = -s
    return R


@checked_numbers(WrongShape)
def angle2(R: ArrayLike) -> float:
    """The angle in [-pi, pi] of a planar rotation or pose. Raises GroupError."""
    R = parts2(R)[0] if checks.shape_of(R) == (3, 3) else _rotation2(R)
    return math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])


@checked_numbers(WrongShape)
def pose2(x: float = 0.0, y: float = 0.0, angle: float = 0.0) -> Array:
    """[R, p; 0 0 1] (3, 3), R by the angle, p = (x, y)."""
    T = checks.IDENTITY[:3, :3].copy()
    T[:2, :2] = _make_rotation(angle)
    T[:2, 2] = checks.number(x, "x"), checks.number(y, "y")
    return T


@checked_numbers(WrongShape)
def parts2(T: ArrayLike) -> tuple[Array, Array]:
    """R (2, 2) and p (2,) of a planar pose. Raises GroupError."""
    T = _pose2(T)
    return T[:2, :2].copy(), T[:2, 2].copy()


@checked_numbers(WrongShape)
def inverse2(T: ArrayLike) -> Array:
    """[R^T, -R^T p; 0, 1]. Raises GroupError."""
    R, p = parts2(T)
    out = np.eye(3)
    out[:2, :2], out[:2, 2] = R.T, -R.T @ p
    return out


@checked_numbers(WrongShape)
def skew2(V: ArrayLike) -> Array:
    """[V] = [0, -omega, vx; omega, 0, vy; 0, 0, 0] of V = (vx, vy, omega)."""
    x, y, w = checks.array(V, (3,), "V")
    return np.array([[0.0, -w, x], [w, 0.0, y], [0.0, 0.0, 0.0]])


@checked_numbers(WrongShape)
def vex2(W: ArrayLike) -> Array:
    """V of W = [V], (3,); for any 3x3 matrix, omega is from the skew part of its upper left 2x2."""
    W = checks.array(W, (3, 3), "W")
    return np.array([W[0, 2], W[1, 2], 0.5 * (W[1, 0] - W[0, 1])])


@checked_numbers(WrongShape)
def exp2(V: ArrayLike) -> Array:
    """exp [V] (3, 3): the motion of the twist V = (vx, vy, omega) over unit time, an arc about one point.

        R = rot2(omega),   p = [a, -b; b, a] v,   a = sin(omega) / omega,   b = (1 - cos(omega)) / omega

    Source: Modern Robotics (Lynch, Park 2017), section 3.3.3, for motions of a plane.
    """
    x, y, w = checks.array(V, (3,), "V").tolist()
    a, b = quotients(w)
    return pose2(a * x - b * y, b * x + a * y, w)


@checked_numbers(WrongShape)
def log2(T: ArrayLike) -> Array:
    """V = (vx, vy, omega) with exp2(V) = T and omega in [-pi, pi]. Raises GroupError."""
    _, (x, y) = parts2(T)
    w = angle2(T)
    a, b = quotients(w)
    size = a * a + b * b
    return np.array([(a * x + b * y) / size, (a * y - b * x) / size, w])


@checked_numbers(WrongShape)
def adjoint2(T: ArrayLike) -> Array:
    """Ad(T) = [R, (y, -x); 0, 1] (3, 3), p = (x, y): V_s = Ad(T_sb) V_b. Raises GroupError."""
    R, (x, y) = parts2(T)
    out = np.eye(3)
    out[:2, :2], out[:2, 2] = R, (y, -x)
    return out


@checked_numbers(WrongShape)
def interpolate2(A: ArrayLike, B: ArrayLike, s: float) -> Array:
    """Pose from A (s = 0) to B (s = 1): origin on a line, angle the shorter way. Raises GroupError."""
    p, q, share = parts2(A)[1], parts2(B)[1], checks.number(s, "s")
    x, y = p + share * (q - p)
    start = angle2(A)
    return pose2(float(x), float(y), start + share * wrap_angle(angle2(B) - start))


@checked_numbers(WrongShape)
def lift2(T: ArrayLike) -> Array:
    """The pose (4, 4) of a planar pose, which is a motion in the x-y plane. Raises GroupError."""
    R, p = parts2(T)
    out = np.eye(4)
    out[:2, :2], out[:2, 3] = R, p
    return out


@checked_numbers(WrongShape)
def is_rotation2(M: ArrayLike, *, tolerance: float = checks.TOLERANCE) -> bool:
    """True if M is in SO(2) to a tolerance on the elements of M^T M - I."""
    return checks.shape_of(M) == (2, 2) and not checks.defect(checks.array(M, (2, 2), "M"), tolerance)[0]


@checked_numbers(WrongShape)
def is_pose2(M: ArrayLike, *, tolerance: float = checks.TOLERANCE) -> bool:
    """True if M is in SE(2) to a tolerance."""
    if checks.shape_of(M) != (3, 3):
        return False
    M = checks.array(M, (3, 3), "M")
    last = float(abs(M[2] - (0.0, 0.0, 1.0)).max())
    return is_rotation2(M[:2, :2], tolerance=tolerance) and last < tolerance


def quotients(x: float) -> tuple[float, float]:
    """sin x / x and (1 - cos x) / x, accurate near 0."""
    if x == 0.0:
        return 1.0, 0.0
    half = math.sin(0.5 * x)
    return math.sin(x) / x, 2.0 * half * half / x


def _rotation2(R: ArrayLike) -> Array:
    matrix = checks.array(R, (2, 2), "R")
    problem, distance = checks.defect(matrix, checks.TOLERANCE)
    if problem:
        raise not_rotation("R", problem, distance, ROTATION)
    return matrix


def _pose2(T: ArrayLike) -> Array:
    matrix = checks.array(T, (3, 3), "T")
    problem, _ = checks.defect(matrix[:2, :2], checks.TOLERANCE)
    if problem:
        raise not_pose("T", f"the rotation part {problem}", POSE)
    if abs(matrix[2] - (0.0, 0.0, 1.0)).max() > checks.TOLERANCE:
        raise not_pose("T", f"the last row is {matrix[2].tolist()}", POSE)
    return matrix
