"""Trajectories and control of Modern Robotics: worked examples, documented law, the limit of small steps."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn.modern_robotics as mr
from blockdyn.robots.lie import WrongShape

pytestmark = pytest.mark.filterwarnings("ignore::blockdyn.robots.lie.checks.NonUnitScrew")

TORQUES = np.array(
    [
        [3.63, -6.58, -5.57],
        [3.74, -5.55, -5.5],
        [4.31, -0.68, -5.19],
        [5.18, 5.63, -4.31],
        [5.85, 8.17, -2.59],
        [5.78, 2.79, -1.7],
        [4.99, -5.3, -1.19],
        [4.08, -9.41, 0.07],
        [3.56, -10.1, 0.97],
        [3.49, -9.41, 1.23],
    ]
)


def motion(arm, steps: int, **options):
    tips = np.ones((10, 6))
    return mr.ForwardDynamicsTrajectory(
        arm.theta, arm.rate, TORQUES, arm.g, tips, *arm.true, 0.1, steps, **options
    )


def test_forward_dynamics_trajectory_by_eulers_method(arm):
    thetas, rates = motion(arm, 8)
    assert thetas.shape == rates.shape == (10, 3)
    np.testing.assert_array_equal(thetas[0], arm.theta)
    np.testing.assert_array_equal(rates[0], arm.rate)
    np.testing.assert_allclose(thetas[-1], [-0.4638, 3.6318, -7.6319], atol=6e-5)


def test_forward_dynamics_trajectory_to_a_tolerance(arm):
    """The same torques, the motion as a differential equation; and Euler's method on its way there."""
    thetas, rates = motion(arm, 1, rtol=1e-10)
    exact = [-0.42408944, 3.20766257, -4.99222099]
    np.testing.assert_allclose(thetas[-1], exact, atol=6e-9)
    np.testing.assert_allclose(rates[-1], [-0.01694, -4.79912, 0.37744], atol=6e-6)
    coarse, fine = motion(arm, 1000)[0][-1], motion(arm, 2000)[0][-1]
    np.testing.assert_allclose(2 * fine - coarse, exact, atol=1e-3)


def test_inverse_dynamics_trajectory_is_inverse_dynamics_row_by_row(arm):
    thetas, rates = motion(arm, 1)
    torques = mr.InverseDynamicsTrajectory(thetas, rates, rates, arm.g, 0, *arm.true)
    expected = mr.InverseDynamics(thetas[4], rates[4], rates[4], arm.g, np.zeros(6), *arm.true)
    np.testing.assert_array_equal(torques[4], expected)


def torque(arm, **options):
    return mr.ComputedTorque(
        arm.theta, arm.rate, np.full(3, 0.2), arm.g, *arm.true, np.ones(3), [2, 1.2, 2], np.full(3, 0.1),
        1.3, 1.2, 1.1, **options,
    )  # fmt: skip


def test_computed_torque_is_the_documented_law(arm):
    """M (ddthetad + Kp e + Ki eint + Kd de) + h, written out."""
    e, de = 1.0 - arm.theta, np.array([2, 1.2, 2]) - arm.rate
    wanted = 0.1 + 1.3 * e + 1.2 * 0.2 + 1.1 * de
    bias = mr.VelQuadraticForces(arm.theta, arm.rate, *arm.true) + mr.GravityForces(
        arm.theta, arm.g, *arm.true
    )
    np.testing.assert_allclose(torque(arm), mr.MassMatrix(arm.theta, *arm.true) @ wanted + bias, rtol=1e-12)
    np.testing.assert_allclose(torque(arm), [108.99792489, -32.20323245, -3.69870084], atol=1e-8)


def test_computed_torque_as_the_library_has_it(arm):
    expected = [133.0052524649953, -29.942233243760633, -3.03276856161724]
    np.testing.assert_allclose(torque(arm, as_library=True), expected, rtol=1e-13)


def test_gains_may_differ_between_joints(arm):
    same = mr.ComputedTorque(
        arm.theta, arm.rate, np.full(3, 0.2), arm.g, *arm.true, np.ones(3), [2, 1.2, 2], np.full(3, 0.1),
        [1.3, 1.3, 1.3], [1.2] * 3, np.full(3, 1.1),
    )  # fmt: skip
    np.testing.assert_allclose(same, torque(arm), rtol=1e-14)


def test_simulate_control_of_three_rows_as_the_library_has_it(arm):
    """The second source document's example: JuliaRobotics/ModernRoboticsBook.jl, simulate_control."""
    wanted = np.array([[0.1] * 3, [0.2] * 3, [0.3] * 3])
    torques, thetas = mr.SimulateControl(
        arm.theta, arm.rate, arm.g, np.ones((3, 6)), *arm.true,
        wanted, np.full((3, 3), 0.1), np.zeros((3, 3)), arm.g, *arm.true[:2],
        20, 10, 18, 0.1, 4, as_library=True,
    )  # fmt: skip
    expected = [
        [29.24657131, -42.79507917, -6.91623487],
        [93.51129525, -24.49384662, -0.00376585],
        [45.36120881, -39.63237417, -5.62032943],
    ]
    np.testing.assert_allclose(torques, expected, atol=1e-8)
    expected = [
        [0.10978032, 0.11798404, 0.07840146],
        [0.12939639, 0.14341136, 0.02630369],
        [0.16704754, 0.18696079, 0.03958381],
    ]
    np.testing.assert_allclose(thetas, expected, atol=1e-8)


def test_simulate_control_with_the_wrong_model_as_the_library_has_it(arm):
    """Reference rates by backward differences, as the example makes them."""
    N = 100
    wanted = mr.JointTrajectory(arm.theta, [np.pi / 2, np.pi, 1.5 * np.pi], 1, N, 5)
    dt = 1 / (N - 1.0)
    rates, accelerations = np.zeros((N, 3)), np.zeros((N, 3))
    rates[1:] = np.diff(wanted, axis=0) / dt
    accelerations[1:] = np.diff(rates, axis=0) / dt
    torques, thetas = mr.SimulateControl(
        arm.theta, arm.rate, arm.g, np.ones((N, 6)), *arm.true, wanted, rates, accelerations,
        arm.wrong_g, *arm.wrong[:2], 20, 10, 18, dt, 8, as_library=True,
    )  # fmt: skip
    np.testing.assert_allclose(torques[0], [-14.26408, -54.06797, -11.26545], atol=6e-6)
    np.testing.assert_allclose(thetas[-1], [1.56344, 3.07995, 4.52270], atol=6e-6)
    np.testing.assert_allclose(abs(thetas - wanted).max(axis=0), [0.0377, 0.0616, 0.4394], atol=6e-5)


def errors_with_the_wrong_model(arm, N: int) -> np.ndarray:
    """Errors along the exact quintic in N rows."""
    t = np.linspace(0, 1, N)[:, None]
    way = np.array([np.pi / 2, np.pi, 1.5 * np.pi]) - arm.theta
    wanted = arm.theta + way * (10 * t**3 - 15 * t**4 + 6 * t**5)
    rates = way * (30 * t**2 - 60 * t**3 + 30 * t**4)
    accelerations = way * (60 * t - 180 * t**2 + 120 * t**3)
    _, thetas = mr.SimulateControl(
        arm.theta, arm.rate, arm.g, np.ones((N, 6)), *arm.true, wanted, rates, accelerations,
        arm.wrong_g, *arm.wrong[:2], 20, 10, 18, 1 / (N - 1), 1,
    )  # fmt: skip
    np.testing.assert_array_equal(thetas[0], arm.theta)
    return thetas - wanted


def test_simulate_control_tends_to_the_continuous_law(arm):
    """Extrapolated from two step sizes: the largest errors of the same loop as a differential equation."""
    coarse, fine = errors_with_the_wrong_model(arm, 2001), errors_with_the_wrong_model(arm, 4001)[::2]
    np.testing.assert_allclose(abs(2 * fine - coarse).max(axis=0), [0.02304, 0.08654, 0.41507], rtol=1e-3)


def test_a_plot_is_drawn_where_it_is_asked_for(arm):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    still = np.zeros((2, 3))
    arguments = (
        still[0],
        still[0],
        arm.g,
        0,
        *arm.true,
        still,
        still,
        still,
        arm.g,
        *arm.true[:2],
        1,
        1,
        1,
        0.01,
        1,
    )
    mr.SimulateControl(*arguments)
    assert not plt.get_fignums()
    mr.SimulateControl(*arguments, plot=True)
    assert len(plt.gca().lines) == 6
    plt.close("all")


def test_histories_that_do_not_fit_are_refused(arm):
    with pytest.raises(WrongShape, match=r"Ftipmat: found shape \(9, 6\)\nexpected: shape \(10, 6\)"):
        mr.ForwardDynamicsTrajectory(arm.theta, arm.rate, TORQUES, arm.g, np.ones((9, 6)), *arm.true, 0.1, 8)
    with pytest.raises(WrongShape, match=r"intRes: found 0"):
        mr.ForwardDynamicsTrajectory(arm.theta, arm.rate, TORQUES, arm.g, 0, *arm.true, 0.1, 0)
    with pytest.raises(WrongShape, match=r"dthetamat: found shape \(3,\)"):
        mr.InverseDynamicsTrajectory(TORQUES, arm.rate, TORQUES, arm.g, 0, *arm.true)
