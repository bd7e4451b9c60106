"""Chapter 3: the book's functions of SO(3) and SE(3), by its names; twists are (angular, linear)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ..lie import checks
from ..lie.checks import WrongShape
from ..lie.kernels import pose as pose_kernel, rotation as rotation_kernel
from ..lie.rotations import distance_to_rotation, project_rotation, split_vector

Array = NDArray[np.float64]
NEAR = 1e-6  # the book's library treats smaller values as zero
FAR = 1e9  # the book's distance of a matrix whose determinant is not positive
MEMBER = 1e-3  # its bound on the distance of a matrix accepted as a rotation or a pose


@checked_numbers(WrongShape)
def NearZero(z: float) -> bool:
    """True if |z| < 1e-6."""
    return bool(abs(z) < NEAR)


@checked_numbers(WrongShape)
def Normalize(V: ArrayLike) -> Array:
    """V / ||V||; 0 stays 0."""
    V = real_numbers(V)
    length = float(np.linalg.norm(V))
    return np.asarray(V / length if length else np.zeros_like(V))


@checked_numbers(WrongShape)
def RotInv(R: ArrayLike) -> Array:
    """R^T, the inverse of a rotation matrix."""
    return checks.array(R, (3, 3), "R").T.copy()


@checked_numbers(WrongShape)
def VecToso3(omg: ArrayLike) -> Array:
    """[omg], 3x3 and skew-symmetric."""
    x, y, z = checks.array(omg, (3,), "omg").tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


@checked_numbers(WrongShape)
def so3ToVec(so3mat: ArrayLike) -> Array:
    """The vector omg of so3mat = [omg]."""
    W = checks.array(so3mat, (3, 3), "so3mat")
    return np.array([W[2, 1], W[0, 2], W[1, 0]])


@checked_numbers(WrongShape)
def AxisAng3(expc3: ArrayLike) -> tuple[Array, float]:
    """(omghat, theta): unit axis and angle, rad, of expc3 = omghat theta; a zero axis if theta = 0."""
    return split_vector(checks.array(expc3, (3,), "expc3"))


@checked_numbers(WrongShape)
def MatrixExp3(so3mat: ArrayLike) -> Array:
    """R = exp(so3mat), so3mat = [omghat theta]. Modern Robotics, equation 3.51 (Rodrigues)."""
    w = so3ToVec(so3mat)
    R = np.empty((3, 3))
    rotation_kernel.exp3(w[0], w[1], w[2], R)
    return R


@checked_numbers(WrongShape)
def MatrixLog3(R: ArrayLike) -> Array:
    """so3mat with exp(so3mat) = R and an angle within [0, pi], accurate up to both ends.

    Raises GroupError for a matrix that TestIfSO3 would not accept. Modern Robotics, section 3.2.3.3.
    """
    return VecToso3(rotation_kernel.rotation_vector(checks.rotation(R, tolerance=MEMBER)))


@checked_numbers(WrongShape)
def DistanceToSO3(mat: ArrayLike) -> float:
    """||mat^T mat - I||, Frobenius; 1e9 if det mat <= 0."""
    distance = distance_to_rotation(checks.array(mat, (3, 3), "mat"))
    return distance if np.isfinite(distance) else FAR


@checked_numbers(WrongShape)
def TestIfSO3(mat: ArrayLike) -> bool:
    """True if DistanceToSO3(mat) < 1e-3."""
    return DistanceToSO3(mat) < MEMBER


@checked_numbers(WrongShape)
def ProjectToSO3(mat: ArrayLike) -> Array:
    """The rotation matrix nearest to mat in the Frobenius norm."""
    return project_rotation(checks.array(mat, (3, 3), "mat"))


@checked_numbers(WrongShape)
def RpToTrans(R: ArrayLike, p: ArrayLike) -> Array:
    """T = [R, p; 0, 1]."""
    T = np.eye(4)
    T[:3, :3] = checks.array(R, (3, 3), "R")
    T[:3, 3] = checks.array(p, (3,), "p")
    return T


@checked_numbers(WrongShape)
def TransToRp(T: ArrayLike) -> tuple[Array, Array]:
    """(R, p) of T = [R, p; 0, 1]."""
    T = checks.array(T, (4, 4), "T")
    return T[:3, :3].copy(), T[:3, 3].copy()


@checked_numbers(WrongShape)
def TransInv(T: ArrayLike) -> Array:
    """T^-1 = [R^T, -R^T p; 0, 1]."""
    inverse = np.empty((4, 4))
    pose_kernel.invert(checks.array(T, (4, 4), "T"), inverse)
    return inverse


@checked_numbers(WrongShape)
def VecTose3(V: ArrayLike) -> Array:
    """[V] = [[omega], v; 0, 0], 4x4, of a twist V = (omega, v)."""
    V = checks.array(V, (6,), "V")
    out = np.zeros((4, 4))
    out[:3, :3] = VecToso3(V[:3])
    out[:3, 3] = V[3:]
    return out


@checked_numbers(WrongShape)
def se3ToVec(se3mat: ArrayLike) -> Array:
    """The twist (omega, v) of se3mat = [V]."""
    W = checks.array(se3mat, (4, 4), "se3mat")
    return np.array([W[2, 1], W[0, 2], W[1, 0], W[0, 3], W[1, 3], W[2, 3]])


@checked_numbers(WrongShape)
def Adjoint(T: ArrayLike) -> Array:
    """[Ad_T] = [R, 0; [p] R, R], 6x6. Modern Robotics, definition 3.20."""
    T = checks.array(T, (4, 4), "T")
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = T[:3, :3]
    out[3:, :3] = VecToso3(T[:3, 3]) @ T[:3, :3]
    return out


@checked_numbers(WrongShape)
def ScrewToAxis(q: ArrayLike, s: ArrayLike, h: float) -> Array:
    """S = (s, q x s + h s): point q, unit direction s, pitch h in m/rad. Modern Robotics, section 3.3.2.2."""
    q, s = checks.array(q, (3,), "q"), checks.array(s, (3,), "s")
    return np.concatenate([s, np.cross(q, s) + checks.number(h, "h") * s])


@checked_numbers(WrongShape)
def AxisAng6(expc6: ArrayLike) -> tuple[Array, float]:
    """(S, theta) of expc6 = S theta: theta = ||omega||, or ||v|| if ||omega|| < 1e-6; zero for zero."""
    expc6 = checks.array(expc6, (6,), "expc6")
    theta = float(np.linalg.norm(expc6[:3]))
    if theta < NEAR:
        theta = float(np.linalg.norm(expc6[3:])) or theta
    return (expc6 / theta if theta else np.zeros(6)), theta


@checked_numbers(WrongShape)
def MatrixExp6(se3mat: ArrayLike) -> Array:
    """T = exp(se3mat), se3mat = [S theta]. Modern Robotics, proposition 3.25."""
    W = checks.array(se3mat, (4, 4), "se3mat")
    T = np.empty((4, 4))
    pose_kernel.exp6(np.array([W[0, 3], W[1, 3], W[2, 3], W[2, 1], W[0, 2], W[1, 0]]), T)
    return T


@checked_numbers(WrongShape)
def MatrixLog6(T: ArrayLike) -> Array:
    """se3mat with exp(se3mat) = T and an angle within [0, pi], accurate up to both ends.

    Raises GroupError for a matrix that TestIfSE3 would not accept. Modern Robotics, section 3.3.3.2.
    """
    V = np.empty(6)
    pose_kernel.log6(checks.pose(T, tolerance=MEMBER), V)
    return VecTose3(np.concatenate([V[3:], V[:3]]))


@checked_numbers(WrongShape)
def DistanceToSE3(mat: ArrayLike) -> float:
    """||[R^T R, 0; last row] - I||, Frobenius, R the rotation part of mat; 1e9 if det R <= 0."""
    mat = checks.array(mat, (4, 4), "mat")
    R = mat[:3, :3]
    if np.linalg.det(R) <= 0.0:
        return FAR
    apart = np.zeros((4, 4))
    apart[:3, :3] = R.T @ R
    apart[3] = mat[3]
    return float(np.linalg.norm(apart - np.eye(4)))


@checked_numbers(WrongShape)
def TestIfSE3(mat: ArrayLike) -> bool:
    """True if DistanceToSE3(mat) < 1e-3."""
    return DistanceToSE3(mat) < MEMBER


@checked_numbers(WrongShape)
def ProjectToSE3(mat: ArrayLike) -> Array:
    """The pose with the origin of mat, and the rotation nearest to its 3x3 part."""
    mat = checks.array(mat, (4, 4), "mat")
    return RpToTrans(ProjectToSO3(mat[:3, :3]), mat[:3, 3])


@checked_numbers(WrongShape)
def ad(V: ArrayLike) -> Array:
    """[ad_V] = [[omega], 0; [v], [omega]], 6x6: the Lie bracket [ad_V1] V2. Modern Robotics, section 8.2."""
    V = checks.array(V, (6,), "V")
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = VecToso3(V[:3])
    out[3:, :3] = VecToso3(V[3:])
    return out
