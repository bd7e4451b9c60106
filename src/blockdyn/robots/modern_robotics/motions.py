"""Chapter 3, rigid motions: the book's functions of SE(3), by its names; twists are (angular, linear)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.checked import guarded
from ..lie import checks
from ..lie.errors import WrongShape
from ..lie.kernels import pose as kernel
from .rotations import FAR, MEMBER, NEAR, ProjectToSO3, VecToso3

Array = NDArray[np.float64]


@guarded(WrongShape)
def RpToTrans(R: Any, p: Any) -> Array:
    """T = [R, p; 0, 1]."""
    T = np.eye(4)
    T[:3, :3] = checks.array(R, (3, 3), "R")
    T[:3, 3] = checks.array(p, (3,), "p")
    return T


@guarded(WrongShape)
def TransToRp(T: Any) -> tuple[Array, Array]:
    """(R, p) of T = [R, p; 0, 1]."""
    T = checks.array(T, (4, 4), "T")
    return T[:3, :3].copy(), T[:3, 3].copy()


@guarded(WrongShape)
def TransInv(T: Any) -> Array:
    """T^-1 = [R^T, -R^T p; 0, 1]."""
    inverse = np.empty((4, 4))
    kernel.invert(checks.array(T, (4, 4), "T"), inverse)
    return inverse


@guarded(WrongShape)
def VecTose3(V: Any) -> Array:
    """[V] = [[omega], v; 0, 0], 4x4, of a twist V = (omega, v)."""
    V = checks.array(V, (6,), "V")
    out = np.zeros((4, 4))
    out[:3, :3] = VecToso3(V[:3])
    out[:3, 3] = V[3:]
    return out


@guarded(WrongShape)
def se3ToVec(se3mat: Any) -> Array:
    """The twist (omega, v) of se3mat = [V]."""
    W = checks.array(se3mat, (4, 4), "se3mat")
    return np.array([W[2, 1], W[0, 2], W[1, 0], W[0, 3], W[1, 3], W[2, 3]])


@guarded(WrongShape)
def Adjoint(T: Any) -> Array:
    """[Ad_T] = [R, 0; [p] R, R], 6x6. Modern Robotics, definition 3.20."""
    T = checks.array(T, (4, 4), "T")
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = T[:3, :3]
    out[3:, :3] = VecToso3(T[:3, 3]) @ T[:3, :3]
    return out


@guarded(WrongShape)
def ScrewToAxis(q: Any, s: Any, h: float) -> Array:
    """S = (s, q x s + h s): point q, unit direction s, pitch h in m/rad. Modern Robotics, section 3.3.2.2."""
    q, s = checks.array(q, (3,), "q"), checks.array(s, (3,), "s")
    return np.concatenate([s, np.cross(q, s) + checks.number(h, "h") * s])


@guarded(WrongShape)
def AxisAng6(expc6: Any) -> tuple[Array, float]:
    """(S, theta) of expc6 = S theta: theta = ||omega||, or ||v|| where that is below 1e-6; zero for zero."""
    expc6 = checks.array(expc6, (6,), "expc6")
    theta = float(np.linalg.norm(expc6[:3]))
    if theta < NEAR:
        theta = float(np.linalg.norm(expc6[3:])) or theta
    return (expc6 / theta if theta else np.zeros(6)), theta


@guarded(WrongShape)
def MatrixExp6(se3mat: Any) -> Array:
    """T = exp(se3mat), se3mat = [S theta]. Modern Robotics, proposition 3.25."""
    W = checks.array(se3mat, (4, 4), "se3mat")
    T = np.empty((4, 4))
    kernel.exp6(np.array([W[0, 3], W[1, 3], W[2, 3], W[2, 1], W[0, 2], W[1, 0]]), T)
    return T


@guarded(WrongShape)
def MatrixLog6(T: Any) -> Array:
    """se3mat with exp(se3mat) = T and an angle within [0, pi], accurate up to both ends.

    Raises NotPose for a matrix that TestIfSE3 would not accept. Modern Robotics, section 3.3.3.2.
    """
    V = np.empty(6)
    kernel.log6(checks.pose(T, tolerance=MEMBER), V)
    return VecTose3(np.concatenate([V[3:], V[:3]]))


@guarded(WrongShape)
def DistanceToSE3(mat: Any) -> float:
    """||[R^T R, 0; last row] - I||, Frobenius, R the rotation part of mat; 1e9 where det R <= 0."""
    mat = checks.array(mat, (4, 4), "mat")
    R = mat[:3, :3]
    if np.linalg.det(R) <= 0.0:
        return FAR
    apart = np.zeros((4, 4))
    apart[:3, :3] = R.T @ R
    apart[3] = mat[3]
    return float(np.linalg.norm(apart - np.eye(4)))


@guarded(WrongShape)
def TestIfSE3(mat: Any) -> bool:
    """Whether DistanceToSE3(mat) < 1e-3."""
    return DistanceToSE3(mat) < MEMBER


@guarded(WrongShape)
def ProjectToSE3(mat: Any) -> Array:
    """The pose with the rotation nearest to that of mat, and the origin of mat."""
    mat = checks.array(mat, (4, 4), "mat")
    return RpToTrans(ProjectToSO3(mat[:3, :3]), mat[:3, 3])


@guarded(WrongShape)
def ad(V: Any) -> Array:
    """[ad_V] = [[omega], 0; [v], [omega]], 6x6: the Lie bracket [ad_V1] V2. Modern Robotics, section 8.2."""
    V = checks.array(V, (6,), "V")
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = VecToso3(V[:3])
    out[3:, :3] = VecToso3(V[3:])
    return out
