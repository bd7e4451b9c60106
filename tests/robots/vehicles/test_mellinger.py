"""Mellinger's controller about hover: the poles of its loops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blockdyn.robots.vehicles.control.mellinger import AxisGains, mellinger
from blockdyn.robots.vehicles.control.signals import Body, Motion, Reference

Array = NDArray[np.float64]

MASS, MOMENT, GRAVITY = 0.6, np.array([0.004, 0.005, 0.008]), 9.81
KX, KV = np.array([4.0, 5.0, 6.0]), np.array([2.0, 2.5, 3.0])
KR, KW = np.array([0.4, 0.5, 0.2]), np.array([0.05, 0.06, 0.04])
GAINS = AxisGains(KX, KV, KR, KW, 0.0)
BODY = Body(MASS, np.diag(MOMENT), np.zeros(3), GRAVITY)
HOVER = Reference(*np.zeros((5, 3)), 0.0, 0.0, 0.0)


def slope(state: Array) -> Array:
    """Position, velocity, twice the vector part of the quaternion, rates."""
    p, v, turn, w = np.split(state, 4)
    q = np.concatenate([[np.sqrt(1.0 - turn @ turn / 4.0)], turn / 2.0])
    R, torque = np.empty((3, 3)), np.empty(3)
    thrust = mellinger(Motion(p, v, q, w), HOVER, BODY, GAINS, R, torque)
    dw = (torque - np.cross(w, MOMENT * w)) / MOMENT
    return np.concatenate(
        [v, np.array([0.0, 0.0, GRAVITY]) - thrust / MASS * R[:, 2], q[0] * w + np.cross(q[1:], w), dw]
    )


def test_the_poles_about_hover_are_those_of_the_published_gains() -> None:
    """Level, x with pitch and y with roll: J s^4 + k_w s^3 + k_r s^2 + k_r (k_v s + k_x)/m, since the
    attitude asked for is not fed forward; upwards m s^2 + k_v s + k_x; the nose J s^2 + k_w s + k_r."""
    h = 1e-6
    A = np.array([(slope(h * e) - slope(-h * e)) / (2 * h) for e in np.eye(12)]).T
    expected = np.polymul([MASS, KV[2], KX[2]], [MOMENT[2], KW[2], KR[2]])
    for axis, about in ((0, 1), (1, 0)):
        quick = KR[about] / MASS
        level = [MOMENT[about], KW[about], KR[about], quick * KV[axis], quick * KX[axis]]
        expected = np.polymul(expected, level)
    np.testing.assert_allclose(np.poly(A), expected / expected[0], rtol=1e-5)
