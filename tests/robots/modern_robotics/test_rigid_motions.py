"""Chapters 3 and 9 of Modern Robotics: the worked examples of the library that accompanies the book.

Numbers: NxRLab/ModernRobotics, packages/Python/modern_robotics/core.py, and the book's manual.
"""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn.modern_robotics as mr
from blockdyn.robots.lie import GroupError, WrongShape

so3 = [[0, -3, 2], [3, 0, -1], [-2, 1, 0]]
cyclic = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
quarter = [[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 3], [0, 0, 0, 1]]
far = [[1.0, 0.0, 0.0, 1.2], [0.0, 0.1, -0.95, 1.5], [0.0, 1.0, 0.1, -0.9], [0.0, 0.0, 0.1, 0.98]]
near = [
    [0.675, 0.150, 0.720, 1.2],
    [0.370, 0.771, -0.511, 5.4],
    [-0.630, 0.619, 0.472, 3.6],
    [0.003, 0.002, 0.01, 0.9],
]
start = [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]]
end = [[0, 0, 1, 0.1], [1, 0, 0, 0], [0, 1, 0, 4.1], [0, 0, 0, 1]]


def close(found, expected, digits=8):
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.51 * 10.0**-digits)


def test_all_47_functions_are_there():
    assert len(mr.__all__) == 47
    assert all(callable(getattr(mr, name)) for name in mr.__all__)


def test_rotations():
    assert mr.NearZero(-1e-7)
    assert not mr.NearZero(1e-5)
    close(mr.Normalize([1, 2, 3]), [0.26726124, 0.53452248, 0.80178373])
    close(mr.RotInv(cyclic), np.transpose(cyclic))
    close(mr.VecToso3([1, 2, 3]), so3)
    close(mr.so3ToVec(so3), [1, 2, 3])
    axis, angle = mr.AxisAng3([1, 2, 3])
    close(axis, [0.26726124, 0.53452248, 0.80178373])
    close(angle, 3.7416573867739413, 15)
    close(
        mr.MatrixExp3(so3),
        [
            [-0.69492056, 0.71352099, 0.08929286],
            [-0.19200697, -0.30378504, 0.93319235],
            [0.69297817, 0.6313497, 0.34810748],
        ],
    )
    close(mr.MatrixLog3(cyclic), 1.20919958 * np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]))


def test_distances_and_projections():
    R = np.array(far)[:3, :3]
    close(mr.DistanceToSO3(R), 0.08835, 5)
    close(mr.DistanceToSE3(far), 0.134931, 6)
    assert not mr.TestIfSO3(R)
    assert not mr.TestIfSE3(far)
    assert mr.TestIfSO3(cyclic)
    assert mr.TestIfSE3(quarter)
    assert mr.DistanceToSO3(-np.eye(3)) == 1e9
    projected = [
        [0.67901136, 0.14894516, 0.71885945],
        [0.37320708, 0.77319584, -0.51272279],
        [-0.63218672, 0.61642804, 0.46942137],
    ]
    close(mr.ProjectToSO3(np.array(near)[:3, :3]), projected)
    T = mr.ProjectToSE3(near)
    close(T[:3, :3], projected)
    np.testing.assert_array_equal(T[:, 3], [1.2, 5.4, 3.6, 1])
    np.testing.assert_array_equal(T[3], [0, 0, 0, 1])


def test_motions():
    R, p = mr.TransToRp(quarter)
    np.testing.assert_array_equal(mr.RpToTrans(R, p), quarter)
    np.testing.assert_array_equal(p, [0, 0, 3])
    close(mr.TransInv(quarter), [[1, 0, 0, 0], [0, 0, 1, -3], [0, -1, 0, 0], [0, 0, 0, 1]])
    close(mr.VecTose3([1, 2, 3, 4, 5, 6]), [[0, -3, 2, 4], [3, 0, -1, 5], [-2, 1, 0, 6], [0, 0, 0, 0]])
    close(mr.se3ToVec(mr.VecTose3([1, 2, 3, 4, 5, 6])), [1, 2, 3, 4, 5, 6])
    close(
        mr.Adjoint(quarter),
        [
            [1, 0, 0, 0, 0, 0],
            [0, 0, -1, 0, 0, 0],
            [0, 1, 0, 0, 0, 0],
            [0, 0, 3, 1, 0, 0],
            [3, 0, 0, 0, 0, -1],
            [0, 0, 0, 0, 1, 0],
        ],
    )
    close(
        mr.ad([1, 2, 3, 4, 5, 6]),
        [
            [0, -3, 2, 0, 0, 0],
            [3, 0, -1, 0, 0, 0],
            [-2, 1, 0, 0, 0, 0],
            [0, -6, 5, 0, -3, 2],
            [6, 0, -4, 3, 0, -1],
            [-5, 4, 0, -2, 1, 0],
        ],
    )
    close(mr.ScrewToAxis([3, 0, 0], [0, 0, 1], 2), [0, 0, 1, 0, -3, 2])
    S, theta = mr.AxisAng6([1, 0, 0, 1, 2, 3])
    close(S, [1, 0, 0, 1, 2, 3])
    assert theta == 1.0
    assert mr.AxisAng6([0, 0, 0, 0, 2, 0])[1] == 2.0


def test_exponential_and_logarithm_of_motions():
    twist = [[0, 0, 0, 0], [0, 0, -1.57079632, 2.35619449], [0, 1.57079632, 0, 2.35619449], [0, 0, 0, 0]]
    close(mr.MatrixExp6(twist), quarter, 7)
    close(mr.MatrixLog6(quarter), twist, 7)
    exact = np.array([0, 0, 0, np.pi / 2, 0, 0])
    np.testing.assert_allclose(mr.se3ToVec(mr.MatrixLog6(quarter))[:3], exact[3:], atol=1e-15)


@pytest.mark.parametrize("angle", [1e-9, np.pi - 1e-9])
def test_logarithms_hold_where_the_angle_ends(angle):
    """Where the accompanying library returns zero, or loses half of the digits."""
    w = angle * np.array([0.36, -0.48, 0.8])
    np.testing.assert_allclose(mr.so3ToVec(mr.MatrixLog3(mr.MatrixExp3(mr.VecToso3(w)))), w, rtol=2e-15)
    V = np.concatenate([w, [1.0, 2.0, 3.0]])
    np.testing.assert_allclose(mr.se3ToVec(mr.MatrixLog6(mr.MatrixExp6(mr.VecTose3(V)))), V, rtol=1e-14)


def test_nothing_has_no_axis_and_no_angle():
    np.testing.assert_array_equal(mr.AxisAng3([0, 0, 0])[0], [0, 0, 0])
    assert mr.AxisAng6(np.zeros(6))[1] == 0.0


def test_time_scalings():
    close(mr.CubicTimeScaling(2, 0.6), 0.216, 15)
    close(mr.QuinticTimeScaling(2, 0.6), 0.16308, 15)
    assert mr.CubicTimeScaling(3, 3) == mr.QuinticTimeScaling(3, 3) == 1.0


def test_joint_trajectory():
    first, last = [1, 0, 0, 1, 1, 0.2, 0, 1], [1.2, 0.5, 0.6, 1.1, 2, 2, 0.9, 1]
    rows = mr.JointTrajectory(first, last, 4, 6, 3)
    close(rows[1], [1.0208, 0.052, 0.0624, 1.0104, 1.104, 0.3872, 0.0936, 1], 12)
    close(rows[3], [1.1296, 0.324, 0.3888, 1.0648, 1.648, 1.3664, 0.5832, 1], 12)
    np.testing.assert_array_equal(rows[[0, -1]], [first, last])


def test_screw_and_cartesian_trajectories():
    screw = mr.ScrewTrajectory(start, end, 5, 4, 3)
    close(
        screw[1][:3],
        [[0.904, -0.25, 0.346, 0.441], [0.346, 0.904, -0.25, 0.529], [-0.25, 0.346, 0.904, 1.601]],
        3,
    )
    close(
        screw[2][:3],
        [[0.346, -0.25, 0.904, -0.117], [0.904, 0.346, -0.25, 0.473], [-0.25, 0.904, 0.346, 3.274]],
        3,
    )
    line = mr.CartesianTrajectory(start, end, 5, 4, 5)
    close(
        line[1][:3],
        [[0.937, -0.214, 0.277, 0.811], [0.277, 0.937, -0.214, 0], [-0.214, 0.277, 0.937, 1.651]],
        3,
    )
    close(
        line[2][:3],
        [[0.277, -0.214, 0.937, 0.289], [0.937, 0.277, -0.214, 0], [-0.214, 0.937, 0.277, 3.449]],
        3,
    )
    for poses in (screw, line):
        assert len(poses) == 4
        np.testing.assert_array_equal(poses[0], start)
        np.testing.assert_array_equal(poses[3], end)


def test_what_is_no_rotation_pose_or_trajectory_is_refused():
    with pytest.raises(GroupError, match="off by"):
        mr.MatrixLog3(np.array(far)[:3, :3])
    with pytest.raises(GroupError, match="Xend"):
        mr.ScrewTrajectory(start, far, 5, 4, 3)
    with pytest.raises(WrongShape, match=r"3 \(cubic\) or 5 \(quintic\)"):
        mr.JointTrajectory([0], [1], 1, 5, 4)
    with pytest.raises(WrongShape, match="at least 2"):
        mr.JointTrajectory([0], [1], 1, 1, 3)
    with pytest.raises(WrongShape, match=r"thetaend: found shape \(2,\)"):
        mr.JointTrajectory([0], [1, 2], 1, 5, 3)
