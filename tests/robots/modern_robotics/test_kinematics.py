"""Chapters 4 to 6 of Modern Robotics: worked examples of NxRLab/ModernRobotics, Jacobians as derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn.modern_robotics as mr
from blockdyn.robots.lie import NonUnitScrew, WrongShape

M = [[-1, 0, 0, 0], [0, 1, 0, 6], [0, 0, -1, 2], [0, 0, 0, 1]]
BODY = np.array([[0, 0, -1, 2, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0.1]]).T
SPACE = np.array([[0, 0, 1, 4, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, -1, -6, 0, -0.1]]).T
FOUR = np.array([[0, 0, 1, 0, 0.2, 0.2], [1, 0, 0, 2, 0, 3], [0, 1, 0, 0, 2, 1], [1, 0, 0, 0.2, 0.3, 0.4]]).T
ANGLES = [0.2, 1.1, 0.1, 1.2]


def test_forward_kinematics():
    T = [[0, 1, 0, -5], [1, 0, 0, 4], [0, 0, -1, 1.68584073], [0, 0, 0, 1]]
    np.testing.assert_allclose(mr.FKinBody(M, BODY, [np.pi / 2, 3, np.pi]), T, atol=1e-8)
    np.testing.assert_allclose(mr.FKinSpace(M, SPACE, [np.pi / 2, 3, np.pi]), T, atol=1e-8)


def test_jacobians():
    Jb = [
        [-0.04528405, 0.99500417, 0, 1],
        [0.74359313, 0.09304865, 0.36235775, 0],
        [-0.66709716, 0.03617541, -0.93203909, 0],
        [2.32586047, 1.66809, 0.56410831, 0.2],
        [-1.44321167, 2.94561275, 1.43306521, 0.3],
        [-2.06639565, 1.82881722, -1.58868628, 0.4],
    ]
    Js = [
        [0, 0.98006658, -0.09011564, 0.95749426],
        [0, 0.19866933, 0.4445544, 0.28487557],
        [1, 0, 0.89120736, -0.04528405],
        [0, 1.95218638, -2.21635216, -0.51161537],
        [0.2, 0.43654132, -2.43712573, 2.77535713],
        [0.2, 2.96026613, 3.23573065, 2.22512443],
    ]
    np.testing.assert_allclose(mr.JacobianBody(FOUR, ANGLES), Jb, atol=1e-8)
    np.testing.assert_allclose(mr.JacobianSpace(FOUR, ANGLES), Js, atol=1e-8)


def test_jacobians_give_the_velocity_of_the_end_effector():
    home, theta, rate, h = (
        mr.RpToTrans(np.eye(3), [1, 2, 3]),
        np.array(ANGLES),
        np.array([1.0, -2.0, 0.5, 3.0]),
        1e-6,
    )
    ahead, behind = (mr.FKinSpace(home, FOUR, theta + s * h * rate) for s in (1, -1))
    T, change = mr.FKinSpace(home, FOUR, theta), (ahead - behind) / (2 * h)
    np.testing.assert_allclose(
        mr.JacobianSpace(FOUR, theta) @ rate, mr.se3ToVec(change @ mr.TransInv(T)), atol=1e-7
    )
    body = mr.Adjoint(mr.TransInv(home)) @ FOUR
    np.testing.assert_allclose(mr.FKinBody(home, body, theta), T, atol=1e-14)
    np.testing.assert_allclose(
        mr.JacobianBody(body, theta) @ rate, mr.se3ToVec(mr.TransInv(T) @ change), atol=1e-7
    )


GOAL = [[0, 1, 0, -5], [1, 0, 0, 4], [0, 0, -1, 1.6858], [0, 0, 0, 1]]


def test_inverse_kinematics():
    theta, success = mr.IKinBody(BODY, M, GOAL, [1.5, 2.5, 3], 0.01, 0.001)
    assert success is True
    np.testing.assert_allclose(theta, [1.57073819, 2.999667, 3.14153913], atol=1e-8)
    theta, success = mr.IKinSpace(SPACE, M, GOAL, [1.5, 2.5, 3], 0.01, 0.001)
    assert success is True
    np.testing.assert_allclose(theta, [1.57073783, 2.99966384, 3.1415342], atol=1e-8)


@pytest.mark.parametrize("solve", [mr.IKinBody, mr.IKinSpace])
def test_inverse_kinematics_out_of_reach_says_so(solve):
    away = np.array(GOAL, float)
    away[1, 3] = 40.0
    theta, success = solve(BODY if solve is mr.IKinBody else SPACE, M, away, [1.5, 2.5, 3], 0.01, 0.001)
    assert success is False
    assert theta.shape == (3,)


def test_screws_that_do_not_fit_are_refused():
    with pytest.raises(WrongShape, match=r"Slist: found shape \(3, 6\)"):
        mr.FKinSpace(M, SPACE.T, [0, 0, 0])
    with pytest.raises(WrongShape, match=r"thetalist: found shape \(2,\)\nexpected: shape \(3,\)"):
        mr.FKinSpace(M, SPACE, [0, 0])


def test_a_screw_that_is_not_unit_is_used_as_it_is_with_a_warning():
    with pytest.warns(NonUnitScrew, match=r"1 \(length 2\)") as caught:
        T = mr.FKinSpace(np.eye(4), [[0], [0], [2], [0], [0], [0]], [0.5])
    assert caught[0].filename == __file__
    np.testing.assert_allclose(T[:2, :2], [[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]], atol=1e-15)
