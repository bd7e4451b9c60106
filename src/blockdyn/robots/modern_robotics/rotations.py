"""Chapter 3, rotations: the book's functions of SO(3), by its names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import real_numbers
from ...base.checked import guarded
from ..lie import checks
from ..lie.errors import WrongShape
from ..lie.kernels import rotation as kernel
from ..lie.rotations import distance_to_rotation, project_rotation, split_vector

Array = NDArray[np.float64]
NEAR = 1e-6  # what the book's library takes for zero
FAR = 1e9  # its distance of a matrix that is no rotation at all
MEMBER = 1e-3  # its bound on the distance of what it accepts as a rotation or a pose


@guarded(WrongShape)
def NearZero(z: float) -> bool:
    """Whether |z| < 1e-6."""
    return bool(abs(z) < NEAR)


@guarded(WrongShape)
def Normalize(V: Any) -> Array:
    """V / ||V||; 0 stays 0."""
    V = real_numbers(V)
    length = float(np.linalg.norm(V))
    return np.asarray(V / length if length else np.zeros_like(V))


@guarded(WrongShape)
def RotInv(R: Any) -> Array:
    """R^T, the inverse of a rotation matrix."""
    return checks.array(R, (3, 3), "R").T.copy()


@guarded(WrongShape)
def VecToso3(omg: Any) -> Array:
    """[omg], 3x3 and skew-symmetric."""
    x, y, z = checks.array(omg, (3,), "omg").tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


@guarded(WrongShape)
def so3ToVec(so3mat: Any) -> Array:
    """The vector omg of so3mat = [omg]."""
    W = checks.array(so3mat, (3, 3), "so3mat")
    return np.array([W[2, 1], W[0, 2], W[1, 0]])


@guarded(WrongShape)
def AxisAng3(expc3: Any) -> tuple[Array, float]:
    """(omghat, theta): unit axis and angle, rad, of expc3 = omghat theta; a zero axis where theta = 0."""
    return split_vector(checks.array(expc3, (3,), "expc3"))


@guarded(WrongShape)
def MatrixExp3(so3mat: Any) -> Array:
    """R = exp(so3mat), so3mat = [omghat theta]. Modern Robotics, equation 3.51 (Rodrigues)."""
    w = so3ToVec(so3mat)
    R = np.empty((3, 3))
    kernel.exp3(w[0], w[1], w[2], R)
    return R


@guarded(WrongShape)
def MatrixLog3(R: Any) -> Array:
    """so3mat with exp(so3mat) = R and an angle within [0, pi], accurate up to both ends.

    Raises NotRotation for a matrix that TestIfSO3 would not accept. Modern Robotics, section 3.2.3.3.
    """
    return VecToso3(kernel.rotation_vector(checks.rotation(R, tolerance=MEMBER)))


@guarded(WrongShape)
def DistanceToSO3(mat: Any) -> float:
    """||mat^T mat - I||, Frobenius; 1e9 where det mat <= 0."""
    distance = distance_to_rotation(checks.array(mat, (3, 3), "mat"))
    return distance if np.isfinite(distance) else FAR


@guarded(WrongShape)
def TestIfSO3(mat: Any) -> bool:
    """Whether DistanceToSO3(mat) < 1e-3."""
    return DistanceToSO3(mat) < MEMBER


@guarded(WrongShape)
def ProjectToSO3(mat: Any) -> Array:
    """The rotation matrix nearest to mat in the Frobenius norm."""
    return project_rotation(checks.array(mat, (3, 3), "mat"))
