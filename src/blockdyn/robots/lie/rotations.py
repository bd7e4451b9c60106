"""SO(3): rotation matrices, rotation vectors (axis times angle, rad), axis and angle."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from . import checks
from .checks import WrongShape, not_rotation
from .kernels import rotation as kernel
from .kernels.angles import turn

Array = NDArray[np.float64]


@checked_numbers(WrongShape)
def skew(w: ArrayLike) -> Array:
    """[w], the matrix of the cross product: [w] u = w x u. w (3,), result (3, 3)."""
    x, y, z = checks.array(w, (3,), "w")
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


@checked_numbers(WrongShape)
def vex(W: ArrayLike) -> Array:
    """w of W = [w]; for any matrix, the vector of its skew-symmetric part. W (3, 3), result (3,)."""
    W = checks.array(W, (3, 3), "W")
    return 0.5 * np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]])


@checked_numbers(WrongShape)
def rotx(angle: float) -> Array:
    """Rotation about x by an angle in rad."""
    return _about(0, angle)


@checked_numbers(WrongShape)
def roty(angle: float) -> Array:
    """Rotation about y by an angle in rad."""
    return _about(1, angle)


@checked_numbers(WrongShape)
def rotz(angle: float) -> Array:
    """Rotation about z by an angle in rad."""
    return _about(2, angle)


def _about(axis: int, angle: float) -> Array:
    R = checks.IDENTITY[:3, :3].copy()
    turn(axis, checks.number(angle, "angle"), R)
    return R


@checked_numbers(WrongShape)
def exp3(w: ArrayLike) -> Array:
    """exp [w] = I + sin x / x [w] + (1 - cos x) / x^2 [w]^2, x = |w|: the rotation by x rad about w.

    Accurate to rounding at every angle. Source: Modern Robotics (Lynch, Park 2017), section 3.2.3.
    """
    w = checks.array(w, (3,), "w")
    R = np.empty((3, 3))
    kernel.exp3(w[0], w[1], w[2], R)
    return R


@checked_numbers(WrongShape)
def log3(R: ArrayLike) -> Array:
    """The rotation vector w of R, |w| <= pi: exp3(log3(R)) = R.

    Accurate to rounding near 0 and near pi; at pi, where w and -w are the same rotation, the last nonzero
    element is positive. Raises GroupError.
    """
    return np.array(kernel.rotation_vector(checks.rotation(R)))


@checked_numbers(WrongShape)
def axis_angle(R: ArrayLike) -> tuple[Array, float]:
    """Unit axis and angle in [0, pi] of R; the axis is 0 if the angle is 0. Raises GroupError."""
    return split_vector(log3(R))


@checked_numbers(WrongShape)
def split_vector(w: ArrayLike) -> tuple[Array, float]:
    """Unit axis and angle of a rotation vector; the axis is 0 if the angle is 0."""
    w = checks.array(w, (3,), "w")
    largest = float(abs(w).max())
    if largest == 0.0:
        return np.zeros(3), 0.0
    angle = largest * float(np.linalg.norm(w / largest))  # no square underflows
    return w / angle, angle


@checked_numbers(WrongShape)
def rotation_axis_angle(axis: ArrayLike, angle: float) -> Array:
    """The rotation by an angle, rad, about an axis of any length but 0. Raises WrongShape."""
    direction, length = split_vector(axis)
    if length == 0.0:
        raise WrongShape("axis", "it has length 0", "a direction")
    return exp3(direction * checks.number(angle, "angle"))


@checked_numbers(WrongShape)
def rotation_oa(o: ArrayLike, a: ArrayLike) -> Array:
    """[n, o, a] with the approach a (z) unchanged and o (y) made perpendicular to it; of any lengths.

    Raises WrongShape if the two are parallel.
    """
    z, _ = split_vector(a)
    x, length = split_vector(np.cross(split_vector(o)[0], z))
    if length < 1e-12:
        raise WrongShape("o and a", "they are parallel, or one has length 0", "two directions")
    return np.array([x, np.cross(z, x), z]).T


@checked_numbers(WrongShape)
def left_jacobian3(w: ArrayLike) -> Array:
    """J with omega = J dw/dt: angular velocity in fixed axes from the rate of the rotation vector.

    J = I + (1 - cos x) / x^2 [w] + (x - sin x) / x^3 [w]^2; J^T gives it in the rotating axes.
    """
    w = checks.array(w, (3,), "w")
    J = np.empty((3, 3))
    kernel.left_jacobian3(w[0], w[1], w[2], J)
    return J


@checked_numbers(WrongShape)
def left_jacobian3_inverse(w: ArrayLike) -> Array:
    """J with dw/dt = J omega, |w| < 2 pi: I - [w] / 2 + (1 - (x / 2) cot(x / 2)) / x^2 [w]^2."""
    w = checks.array(w, (3,), "w")
    J = np.empty((3, 3))
    kernel.left_jacobian3_inverse(w[0], w[1], w[2], J)
    return J


@checked_numbers(WrongShape)
def project_rotation(M: ArrayLike) -> Array:
    """The rotation nearest to a matrix in the Frobenius norm: U diag(1, 1, det U V^T) V^T of its SVD.

    Raises GroupError if M has rank 1 or 0: the nearest rotation is not unique.
    Source: Umeyama, IEEE Trans. PAMI 13(4), 1991.
    """
    U, values, Vt = np.linalg.svd(checks.array(M, (3, 3), "M"))
    if values[1] <= 1e-12 * values[0]:
        raise not_rotation("M", f"its rank is {int(values[0] > 0)}, many are equally near", float("inf"))
    U[:, 2] *= np.sign(np.linalg.det(U @ Vt))
    return np.asarray(U @ Vt)


@checked_numbers(WrongShape)
def distance_to_rotation(M: ArrayLike) -> float:
    """||M^T M - I||, Frobenius; infinite if det M <= 0."""
    M = checks.array(M, (3, 3), "M")
    return float(np.linalg.norm(M.T @ M - np.eye(3))) if np.linalg.det(M) > 0.0 else float("inf")


@checked_numbers(WrongShape)
def is_rotation(M: ArrayLike, *, tolerance: float = checks.TOLERANCE) -> bool:
    """True if M is in SO(3) to a tolerance on its distance."""
    return checks.shape_of(M) == (3, 3) and distance_to_rotation(M) < tolerance
