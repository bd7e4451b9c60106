"""Screw and straight-line motions: end poses, SciPy's slerp, twists as derivatives of poses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm, logm
from scipy.spatial.transform import Rotation, Slerp

from blockdyn.robots.lie import GroupError
from blockdyn.robots.trajectories import PoseValues, TrajectoryError, cartesian_motion, screw_motion


def pose(rotation: Rotation, *origin: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation.as_matrix(), origin
    return T


A = pose(Rotation.from_euler("xyz", [0.3, -0.5, 1.0]), 1.0, 2.0, -0.5)
B = pose(Rotation.from_euler("xyz", [-1.2, 0.4, 2.5]), -0.3, 0.5, 1.5)
Motion = Callable[..., PoseValues]
MOTIONS = pytest.mark.parametrize("motion", [screw_motion, cartesian_motion])


X0 = pose(Rotation.identity(), 1.0, 0.0, 1.0)
X1 = np.array([[0.0, 0, 1, 0.1], [1, 0, 0, 0], [0, 1, 0, 4.1], [0, 0, 0, 1]])


def test_examples_of_modern_robotics() -> None:
    """ScrewTrajectory (cubic) and CartesianTrajectory (quintic), 4 poses in 5 s: as in its own examples."""
    screw = screw_motion(X0, X1, 5.0, 4, method="cubic").T[1:3, :3]
    line = cartesian_motion(X0, X1, 5.0, 4, method="quintic").T[1:3, :3]
    np.testing.assert_allclose(
        screw,
        [
            [[0.904, -0.25, 0.346, 0.441], [0.346, 0.904, -0.25, 0.529], [-0.25, 0.346, 0.904, 1.601]],
            [[0.346, -0.25, 0.904, -0.117], [0.904, 0.346, -0.25, 0.473], [-0.25, 0.904, 0.346, 3.274]],
        ],
        rtol=0,
        atol=6e-4,
    )
    np.testing.assert_allclose(
        line,
        [
            [[0.937, -0.214, 0.277, 0.811], [0.277, 0.937, -0.214, 0.0], [-0.214, 0.277, 0.937, 1.651]],
            [[0.277, -0.214, 0.937, 0.289], [0.937, 0.277, -0.214, 0.0], [-0.214, 0.937, 0.277, 3.449]],
        ],
        rtol=0,
        atol=6e-4,
    )


def test_half_a_screw_is_half_the_logarithm() -> None:
    half = screw_motion(A, B, 5.0, 3).T[1]
    np.testing.assert_allclose(half, A @ expm(0.5 * np.real(logm(np.linalg.inv(A) @ B))), atol=1e-12)


def test_line_and_slerp() -> None:
    v = cartesian_motion(A, B, 2.0, 9, method="trapezoidal")
    s = (v.T[:, 0, 3] - A[0, 3]) / (B[0, 3] - A[0, 3])
    for i in range(3):
        np.testing.assert_allclose(v.T[:, i, 3], A[i, 3] + s * (B[i, 3] - A[i, 3]), atol=1e-14)
    slerp = Slerp([0.0, 1.0], Rotation.from_matrix(np.stack([A[:3, :3], B[:3, :3]])))
    np.testing.assert_allclose(v.T[:, :3, :3], slerp(np.clip(s, 0, 1)).as_matrix(), atol=1e-13)


@MOTIONS
@pytest.mark.parametrize("method", ["cubic", "quintic", "trapezoidal"])
def test_begins_and_ends_at_the_given_poses(motion: Motion, method: str) -> None:
    v = motion(A, B, 2.0, [-1.0, 0.5, 2.5, 9.0], start=0.5, method=method)
    np.testing.assert_allclose(v.T, [A, A, B, B], rtol=0, atol=1e-14)
    np.testing.assert_array_equal(v.twist[[0, 3]], 0.0)
    np.testing.assert_allclose(v.twist[2], 0.0, rtol=0, atol=1e-15)  # the end, from the left


@MOTIONS
def test_twist_is_the_velocity_of_the_frame(motion: Motion) -> None:
    h, t = 1e-5, 0.7
    v = motion(A, B, 2.0, [t - h, t, t + h])
    dT = (v.T[2] - v.T[0]) / (2 * h)
    W = dT[:3, :3] @ v.T[1, :3, :3].T
    np.testing.assert_allclose(v.twist[1, :3], dT[:3, 3], rtol=0, atol=1e-8)
    np.testing.assert_allclose(v.twist[1, 3:], [W[2, 1], W[0, 2], W[1, 0]], rtol=0, atol=1e-8)
    body = motion(A, B, 2.0, [t - h, t, t + h], frame="body")
    seen = np.linalg.inv(v.T[1]) @ dT
    np.testing.assert_allclose(body.twist[1, :3], seen[:3, 3], rtol=0, atol=1e-8)
    np.testing.assert_allclose(body.twist[1, 3:], [seen[2, 1], seen[0, 2], seen[1, 0]], rtol=0, atol=1e-8)


@MOTIONS
@pytest.mark.parametrize("frame", ["world", "body"])
def test_acceleration_is_the_rate_of_the_twist(motion: Motion, frame: str) -> None:
    h, t = 1e-5, 0.7
    v = motion(A, B, 2.0, [t - h, t, t + h], frame=frame)
    np.testing.assert_allclose(v.acceleration[1], (v.twist[2] - v.twist[0]) / (2 * h), rtol=0, atol=1e-8)


def test_the_twist_of_a_screw_keeps_its_direction_in_the_body() -> None:
    v = screw_motion(A, B, 2.0, 21, frame="body").twist
    np.testing.assert_allclose(np.outer(v[10], v[5]), np.outer(v[5], v[10]), rtol=0, atol=1e-14)


@MOTIONS
def test_pure_translations_and_half_turns(motion: Motion) -> None:
    moved = A.copy()
    moved[:3, 3] += (1.0, -2.0, 0.5)
    v = motion(A, moved, 1.0, [0.5])
    np.testing.assert_allclose(v.T[0, :3, 3], A[:3, 3] + [0.5, -1.0, 0.25], atol=1e-15)
    np.testing.assert_allclose(v.twist[0], [15 / 8, -15 / 4, 15 / 16, 0, 0, 0], atol=1e-14)
    over = pose(Rotation.from_euler("z", np.pi), 0.0, 0.0, 0.0)
    quarter = motion(np.eye(4), over, 1.0, [0.5]).T[0, :3, :3]
    np.testing.assert_allclose(quarter @ quarter, over[:3, :3], atol=1e-14)


def test_what_is_no_pose_or_no_frame_is_refused() -> None:
    with pytest.raises(GroupError, match="T1"):
        screw_motion(A, np.ones((4, 4)), 1.0)
    with pytest.raises(TrajectoryError, match="world or body"):
        screw_motion(A, B, 1.0, frame="tool")
    with pytest.raises(TrajectoryError, match="speed"):
        cartesian_motion(A, B, 1.0, method="trapezoidal", speed=3.0)


@MOTIONS
@pytest.mark.parametrize("times", [np.zeros((2, 2)), [[0.0, 1.0]], [[[0.5]]]])
def test_instants_are_one_list(motion: Motion, times: Any) -> None:
    with pytest.raises(TrajectoryError, match=r"times .*shape.*\nexpected: one list of instants in s"):
        motion(A, B, 2.0, times)
