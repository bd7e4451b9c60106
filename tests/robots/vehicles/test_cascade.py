"""The cascade about hover: the poles of its loops, one inside the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blockdyn.robots.vehicles.control.cascade import Loops, Workspace, cascade, cascade_mode, velocity_error
from blockdyn.robots.vehicles.control.signals import Body, Motion, Reference

Array = NDArray[np.float64]

KP, KV, KI, KQ, KW = 2.0, 4.0, 1.0, 10.0, 40.0
LOOPS = Loops(
    np.full(3, KP), np.full(3, KV), np.full(3, KI), np.array([KQ, KQ, 4.0]), np.array([KW, KW, 16.0]),
    1.0 / np.full(3, KV), 5.0, 2.5, 1e300, 0.0,
)  # fmt: skip
INERTIA = np.array([[0.004, 3e-4, 0.0], [3e-4, 0.005, 0.0], [0.0, 0.0, 0.008]])
BODY = Body(0.6, INERTIA, np.zeros(3), 9.81)
HOVER = Reference(*np.zeros((5, 3)), 0.0, 0.0, 0.0)


def room() -> Workspace:
    return Workspace(np.zeros(3), np.empty((3, 3)), np.empty((3, 3)), *np.empty((3, 4)))


def slope(state: Array) -> Array:
    """Position, velocity, integral, quaternion (scalar first), rates."""
    p, v, integral, q, w = np.split(state, [3, 6, 9, 13])
    motion, torque, space = Motion(p, v, q, w), np.empty(3), room()
    mode = cascade_mode(motion, HOVER, integral, BODY, LOOPS, space)
    assert mode == 0
    thrust = cascade(motion, HOVER, integral, BODY, LOOPS, space, mode, torque)
    dq = 0.5 * np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)])
    dw = np.linalg.solve(INERTIA, torque - np.cross(w, INERTIA @ w))
    acceleration = np.array([0.0, 0.0, 9.81]) - thrust / BODY.mass * space.R[:, 2]
    return np.concatenate([v, acceleration, velocity_error(motion, HOVER, LOOPS, mode), dq, dw])


def test_the_poles_about_hover_are_those_of_the_nested_loops() -> None:
    """Level: (s^2 + K_w s + K_w K_q) s^3 + K_w K_q (K_v s^2 + (K_v K_p + K_i) s + K_i K_p), twice; upwards
    s^3 + K_v s^2 + (K_v K_p + K_i) s + K_i K_p; the nose s^2 + K_w s + K_w K_q."""
    hover, h = np.zeros(16), 1e-6
    hover[9] = 1.0
    columns = []
    for i in [*range(9), *range(10, 16)]:
        step = np.zeros(16)
        step[i] = h * (0.5 if 9 < i < 13 else 1.0)  # the vector part of a quaternion is half the angle
        change = (slope(hover + step) - slope(hover - step)) / (2 * h)
        change[10:13] *= 2.0
        columns.append(np.delete(change, 9))
    outer = np.array([KV, KV * KP + KI, KI * KP])
    level = np.polyadd(np.polymul([1.0, KW, KW * KQ], [1.0, 0.0, 0.0, 0.0]), KW * KQ * outer)
    upwards, nose = np.concatenate([[1.0], outer]), [1.0, 16.0, 64.0]
    expected = np.polymul(np.polymul(level, level), np.polymul(upwards, nose))
    poles = np.linalg.eigvals(np.array(columns).T)
    assert poles.real.max() < 0.0
    np.testing.assert_allclose(np.poly(poles).real, expected, rtol=1e-5)


def test_limits_cut_in_their_order() -> None:
    """Far away: the asked-for speed is the limit, towards the place; the thrust tilts to its limit."""
    still = Motion(np.array([100.0, 0.0, 30.0]), np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3))
    space, torque = room(), np.empty(3)
    slow = LOOPS._replace(k_v=np.full(3, 40.0))
    mode = cascade_mode(still, HOVER, np.zeros(3), BODY, slow, space)
    assert mode == 1 + 4
    error = velocity_error(still, HOVER, slow, mode)
    np.testing.assert_allclose(error, -5.0 * still.position / np.linalg.norm(still.position), rtol=1e-14)
    cascade(still, HOVER, np.zeros(3), BODY, slow, space, mode, torque)
    np.testing.assert_allclose(np.hypot(*space.R_ref[:2, 2]) / space.R_ref[2, 2], 2.5, rtol=1e-12)
    above = still._replace(position=np.array([0.0, 0.0, -30.0]))
    assert cascade_mode(above, HOVER, np.zeros(3), BODY, slow, space) == 1 + 2
