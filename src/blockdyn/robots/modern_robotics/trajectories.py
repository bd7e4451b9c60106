"""Chapter 9: time scalings and straight trajectories, in joint space, along a screw, and of the origin."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ..lie import checks
from ..lie.checks import WrongShape
from ..lie.kernels.motion import interpolate, interpolate_screw
from .rigid_motions import MEMBER

Array = NDArray[np.float64]


@checked_numbers(WrongShape)
def CubicTimeScaling(Tf: float, t: float) -> float:
    """s = 3 (t / Tf)^2 - 2 (t / Tf)^3: at rest at 0 and at Tf. Modern Robotics, section 9.2.2.1."""
    r = 1.0 * t / Tf
    return float(r * r * (3.0 - 2.0 * r))


@checked_numbers(WrongShape)
def QuinticTimeScaling(Tf: float, t: float) -> float:
    """s = 10 (t / Tf)^3 - 15 (t / Tf)^4 + 6 (t / Tf)^5: also without acceleration at the ends."""
    r = 1.0 * t / Tf
    return float(r * r * r * (10.0 + r * (6.0 * r - 15.0)))


@checked_numbers(WrongShape)
def JointTrajectory(thetastart: ArrayLike, thetaend: ArrayLike, Tf: float, N: float, method: float) -> Array:
    """Rows (N, n) from thetastart to thetaend on a straight line, one every Tf / (N - 1) s.

    method: 3 for cubic time scaling, 5 for quintic. Raises WrongShape.
    """
    start = real_numbers(thetastart).ravel()
    end = checks.array(thetaend, start.shape, "thetaend")
    return np.array([(1.0 - s) * start + s * end for s in _scalings(Tf, N, method)])


@checked_numbers(WrongShape)
def ScrewTrajectory(Xstart: ArrayLike, Xend: ArrayLike, Tf: float, N: float, method: float) -> list[Array]:
    """N poses along one screw: X = Xstart exp(log(Xstart^-1 Xend) s). Raises GroupError."""
    V, work = np.empty(6), np.empty((4, 4))

    def along(A: Array, B: Array, s: float, X: Array) -> None:
        interpolate_screw(A, B, s, X, V, work)

    return _poses(Xstart, Xend, _scalings(Tf, N, method), along)


@checked_numbers(WrongShape)
def CartesianTrajectory(
    Xstart: ArrayLike, Xend: ArrayLike, Tf: float, N: float, method: float
) -> list[Array]:
    """N poses from Xstart to Xend: the origin on a line, R = Rstart exp(log(Rstart^T Rend) s)."""
    return _poses(Xstart, Xend, _scalings(Tf, N, method), interpolate)


def _scalings(Tf: float, N: float, method: float) -> list[float]:
    """s at N instants from 0 to Tf; its ends are 0 and 1 exactly."""
    count = int(N)
    if count < 2:
        raise WrongShape("N", f"found {N}", "at least 2 points")
    if method not in (3, 5):
        raise WrongShape("method", f"found {method!r}", "3 (cubic) or 5 (quintic)")
    if not Tf > 0.0:
        raise WrongShape("Tf", f"found {Tf}", "a time above 0 s")
    scaling = CubicTimeScaling if method == 3 else QuinticTimeScaling
    return [scaling(count - 1.0, i) for i in range(count)]


def _poses(
    Xstart: ArrayLike,
    Xend: ArrayLike,
    scalings: list[float],
    between: Callable[[Array, Array, float, Array], None],
) -> list[Array]:
    start = checks.pose(Xstart, "Xstart", tolerance=MEMBER)
    end = checks.pose(Xend, "Xend", tolerance=MEMBER)
    poses = [np.empty((4, 4)) for _ in scalings]
    for s, X in zip(scalings, poses, strict=True):
        between(start, end, s, X)
    poses[0][:], poses[-1][:] = start, end
    return poses
