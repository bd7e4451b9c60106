"""Kernels of estimation: second order along true motions, their Jacobian, scalar measurements in a row."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from blockdyn.robots.vehicles.estimation.error_state import (
    ATTITUDE,
    BIAS_A,
    BIAS_G,
    ERROR_A,
    ERROR_G,
    ERRORS,
    STATES,
    Inertial,
    Q,
    Workspace,
    advance,
    carry,
)
from blockdyn.robots.vehicles.estimation.kalman import Correction, begin, observe

Array = NDArray[np.float64]


def room() -> Workspace:
    return Workspace(np.zeros((5, 3, 3)), np.zeros((ERRORS, ERRORS)), np.zeros((2, 4)))


def readings(t: float) -> tuple[Array, Array]:
    """A specific force and rates of a lively flight."""
    return (
        np.array([np.sin(3 * t), 2 * np.cos(2 * t), -9.0 + np.sin(5 * t)]),
        np.array([2 * np.cos(3 * t), np.sin(2 * t) - 0.5, 1.0 + np.sin(t)]),
    )


def start() -> Array:
    x = np.zeros(STATES)
    x[:Q] = [1.0, -2.0, 3.0, 0.5, -1.0, 2.0]
    x[Q:BIAS_A] = Rotation.from_rotvec([0.4, -0.7, 1.1]).as_quat(scalar_first=True)
    x[BIAS_A : BIAS_G + 3] = [0.1, -0.2, 0.3, 0.02, -0.01, 0.03]
    return x


def propagated(step: float, end: float) -> Array:
    x, P, space = start(), np.zeros((ERRORS, ERRORS)), room()
    for k in range(round(end / step)):
        advance(x, P, Inertial(*readings(k * step), np.zeros(ERRORS), 9.81, step), space)
    return x


def test_propagation_follows_newton_and_the_kinematics_to_second_order() -> None:
    first = start()

    def slope(t: float, y: Array) -> Array:
        force, rates = readings(t)
        R, w = y[6:].reshape(3, 3), rates - first[BIAS_G : BIAS_G + 3]
        spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        push = R @ (force - first[BIAS_A : BIAS_A + 3]) + [0.0, 0.0, 9.81]
        return np.concatenate([y[3:6], push, (R @ spin).ravel()])

    R = Rotation.from_quat(first[Q:BIAS_A], scalar_first=True).as_matrix()
    exact = solve_ivp(slope, (0.0, 1.0), np.concatenate([first[:Q], R.ravel()]), rtol=1e-11, atol=1e-12).y[
        :, -1
    ]
    errors = []
    for step in (0.01, 0.005):
        x = propagated(step, 1.0)
        R = Rotation.from_quat(x[Q:BIAS_A], scalar_first=True).as_matrix()
        errors.append([np.abs(x[:Q] - exact[:6]).max(), np.abs(R.ravel() - exact[6:]).max()])
    assert np.max(errors) < 2e-3
    np.testing.assert_allclose(np.divide(*errors), 4.0, rtol=0.25)


def moved(x: Array, e: Array) -> Array:
    """The state that errs by e from x."""
    y = x.copy()
    y[:Q] += e[:ATTITUDE]
    turn = Rotation.from_quat(x[Q:BIAS_A], scalar_first=True) * Rotation.from_rotvec(e[ATTITUDE:ERROR_A])
    y[Q:BIAS_A] = turn.as_quat(scalar_first=True)
    y[BIAS_A : BIAS_G + 3] += e[ERROR_A:]
    return y


def apart(x: Array, y: Array) -> Array:
    """The error of x against y."""
    frames = [Rotation.from_quat(state[Q:BIAS_A], scalar_first=True) for state in (x, y)]
    turn = (frames[0].inv() * frames[1]).as_rotvec()
    return np.concatenate([y[:Q] - x[:Q], turn, (y - x)[BIAS_A : BIAS_G + 3]])


@pytest.mark.parametrize("step", [0.002, 0.02])
def test_the_covariance_is_carried_by_the_jacobian_of_the_propagation(step: float) -> None:
    """Against differences; that of the exponential, 1 + O(w T), is left out of what the bias turns."""
    imu, space, h = Inertial(*readings(0.3), np.zeros(ERRORS), 9.81, step), room(), 1e-6

    def step_of(e: Array) -> Array:
        y = moved(start(), e)
        advance(y, np.zeros((ERRORS, ERRORS)), imu, space)
        return y

    middle = step_of(np.zeros(ERRORS))
    F = np.zeros((ERRORS, ERRORS))
    carry(np.eye(ERRORS), space.frames, step, F)
    difference = np.column_stack(
        [(apart(middle, step_of(h * e)) - apart(middle, step_of(-h * e))) / (2 * h) for e in np.eye(ERRORS)]
    )
    rest = np.abs(F.T - difference)
    turning = np.linalg.norm(readings(0.3)[1]) * step
    assert rest[:, ERROR_G:].max() < turning * step
    assert rest[:, :ERROR_G].max() < 1e-8


def test_measurements_one_by_one_are_those_of_all_at_once() -> None:
    """K = P H' (H P H' + R)^-1, P - K H P; with the exact one, P stays positive to the end."""
    random = np.random.default_rng(4)
    A = random.standard_normal((6, 6))
    P, z, variances = A @ A.T, random.standard_normal(4), np.array([0.1, 2.0, 1e-3, 0.5])
    H, rows = np.zeros((4, 6)), random.standard_normal((4, 3))
    c, Q = Correction(*np.zeros((3, 6))), P.copy()
    begin(c)
    for k, at in enumerate((0, 3, 2, 0)):
        H[k, at : at + 3] = rows[k]
        observe(c, Q, at, (rows[k, 0], rows[k, 1], rows[k, 2]), z[k], variances[k])
    K = P @ H.T @ np.linalg.inv(H @ P @ H.T + np.diag(variances))
    np.testing.assert_allclose(c.change, K @ z, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(Q, P - K @ H @ P, rtol=0, atol=1e-10)
    for _ in range(50):  # of a sensor 1e12 times better than what is known
        observe(c, Q, 0, (1.0, 1.0, 1.0), 0.0, 1e-24)
    assert np.linalg.eigvalsh(Q).min() > -1e-15
