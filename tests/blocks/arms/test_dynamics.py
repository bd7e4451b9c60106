"""Blocks of dynamics, against the unit tests of the Robotics Toolbox, worked examples and identities."""

from __future__ import annotations

import math

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots import load

from .one_block import fed, shown

Q = [0.0, math.pi / 4, -math.pi, 1.0, math.pi / 4, 0.0]
X = [0.0, 1.0, 0.0, 0.0, 2.0, 0.0]
BOOK = "modern_robotics_3r"


def test_numbers_of_the_toolbox() -> None:
    """Unit tests of the Robotics Toolbox for MATLAB for the Puma 560, to the digits that it gives."""
    robot = "puma560"
    g = shown(bd.Gravload(robot), q=Q)["g"]
    np.testing.assert_allclose(g, [0, 31.6334, 6.0286, -0.0119, 0.0218, 0], atol=6e-5)
    M = shown(bd.Inertia(robot), q=Q)["M"]
    np.testing.assert_allclose(np.diag(M), [3.6591, 4.4128, 0.9377, 0.1925, 0.1713, 0.1941], atol=6e-5)
    assert M[0, 1] == pytest.approx(-0.4042, abs=6e-5)
    tau = shown(bd.RNE(robot), q=Q, qd=X, qdd=X)["tau"]
    np.testing.assert_allclose(tau, [-0.9748, 59.1306, 5.9889, -0.0108, 1.8872, 0.0001], atol=6e-5)
    Lambda = np.diag(shown(bd.CartesianInertia(robot), q=Q)["Lambda"])
    np.testing.assert_allclose(Lambda, [18.0741, 11.2461, 14.1135, 0.1377, 0.4612, 0.3457], atol=6e-5)
    five, one = np.full(6, 5.0), np.full(6, 1.0)
    tau = shown(bd.RNE(robot), q=np.zeros(6), qd=five, qdd=one)["tau"]
    np.testing.assert_allclose(tau, [-0.4696, 84.2133, 47.9966, 3.1039, 3.0466, 1.5770], atol=6e-5)


@pytest.mark.parametrize(
    ("q", "load_"), [([0.0, 0.0], [2.0, 0.5]), ([0.0, math.pi / 2], [1.5, 0.0]), ([math.pi / 2, 0.0], [0, 0])]
)
def test_two_links_upright(q: list[float], load_: list[float]) -> None:
    """Masses of 1 kg in the middle of links of 1 m: the moments of their weights, by hand."""
    np.testing.assert_allclose(shown(bd.Gravload("twolink"), q=q)["g"], 9.81 * np.array(load_), atol=1e-14)


def test_numbers_of_the_book() -> None:
    """Worked examples of MassMatrix, VelQuadraticForces, GravityForces, InverseDynamics in Modern Robotics.

    The first screw of the examples has the length sqrt 2, that of the robot here the length 1. The wrench
    of the examples is what the tip applies, moment first, in the frame of the tip: here turned round.
    """
    k = np.array([math.sqrt(2), 1.0, 1.0])
    q, qd = k * [0.1, 0.1, 0.1], k * [0.1, 0.2, 0.3]
    M = np.outer(k, k) * shown(bd.Inertia(BOOK), q=q)["M"]
    expected = [
        [22.5433380, -0.307146754, -0.00718426391],
        [-0.307146754, 1.96850717, 0.432157368],
        [-0.00718426391, 0.432157368, 0.191630858],
    ]
    np.testing.assert_allclose(M, expected, rtol=2e-8)
    C = shown(bd.Coriolis(BOOK), q=q, qd=qd)["C"]
    np.testing.assert_allclose(k * (C @ qd), [0.26453118, -0.05505157, -0.00689132], atol=1e-8)
    g = shown(bd.Gravload(BOOK), q=q)["g"]
    np.testing.assert_allclose(k * g, [28.40331262, -37.64094817, -5.4415892], atol=1e-8)
    R = shown(bd.FKine(BOOK), q=q)["T"][:3, :3]
    wrench = -np.tile(R @ np.ones(3), 2)
    tau = shown(bd.RNE(BOOK), q=q, qd=qd, qdd=k * [2.0, 1.5, 1.0], wrench=wrench)["tau"]
    np.testing.assert_allclose(k * tau, [74.69616155, -33.06766016, -3.23057314], atol=1e-8)


def test_switches_of_inverse_dynamics() -> None:
    robot = load("puma560")
    whole = shown(bd.RNE(robot), q=Q, qd=X, qdd=X)["tau"]
    light = shown(bd.RNE(robot, gravity=False), q=Q, qd=X, qdd=X)["tau"]
    np.testing.assert_allclose(whole - light, shown(bd.Gravload(robot), q=Q)["g"], atol=1e-12)
    smooth = shown(bd.RNE(robot, friction=False), q=Q, qd=X, qdd=X)["tau"]
    lost = shown(bd.Friction(robot), qd=X)["tau"]
    np.testing.assert_allclose(whole - smooth, lost, atol=1e-12)
    joint = robot.joint("joint2")
    gear = abs(joint.gear)
    assert lost[1] == pytest.approx(gear**2 * joint.viscous + gear * joint.coulomb[0])
    assert not np.any(shown(bd.Friction(robot), qd=np.zeros(6))["tau"])


def test_the_coriolis_matrix_keeps_energy() -> None:
    """dM/dt - 2 C is skew; dM/dt by differences of the mass matrix."""
    h = 1e-6
    q, qd = np.array([0.3, 0.7, -0.9, 0.4, 1.1, -0.2]), np.array([0.5, -0.3, 0.8, 1.0, -0.7, 0.2])
    ahead, behind = (shown(bd.Inertia("puma560"), q=q + s * h * qd)["M"] for s in (1, -1))
    C = shown(bd.Coriolis("puma560"), q=q, qd=qd)["C"]
    N = (ahead - behind) / (2 * h) - 2 * C
    np.testing.assert_allclose(N, -N.T, atol=1e-8)


def test_inverse_dynamics_undoes_forward_dynamics() -> None:
    """The torque that comes back is the one that went in, along a whole motion with a wrench on the tool."""
    d = bd.Diagram("circle")
    robot = {"name": "puma560", "without_friction": "coulomb", "payload": {"mass": 2.0}}
    tau = d.add("tau", bd.Sine(amplitude=[5.0, 40.0, 20.0, 1.0, 1.0, 0.5], frequency=1.0))
    push = d.add("push", bd.Constant([1.0, -2.0, 3.0, 0.1, 0.2, -0.3]))
    arm, back = d.add("arm", bd.FDyn(robot, pose="qn")), d.add("back", bd.RNE(robot))
    d.connect(tau, arm["tau"])
    d.connect(push, [arm["wrench"], back["wrench"]])
    for name in ("q", "qd", "qdd"):
        d.connect(arm[name], back[name])
    r = d.simulate(stop=1.0)
    np.testing.assert_allclose(r["back"].values, r["tau"].values, atol=1e-9)


def test_no_cartesian_inertia_for_two_joints() -> None:
    with pytest.raises(bd.ParameterError, match=r"twolink, 2 joints.*\n.*six joints or more"):
        bd.CartesianInertia("twolink")


def test_a_signal_for_another_number_of_joints_is_refused() -> None:
    with pytest.raises(bd.DiagramError, match="vector 6"):
        fed(bd.Gravload("puma560"), q=[0.1, 0.2]).simulate(stop=1.0)


def test_torque_of_inertia() -> None:
    """Unit test of the Robotics Toolbox: itorque at half a radian per second squared in every joint."""
    tau = shown(bd.ITorque("puma560"), q=Q, qdd=np.full(6, 0.5))["tau"]
    np.testing.assert_allclose(tau, [1.6763, 2.1799, 0.6947, 0.0944, 0.0861, 0.0971], atol=6e-5)


def test_torque_of_a_wrench() -> None:
    """Two stretched links of 1 m, upright: a force upwards at the end has arms of 2 m and 1 m."""
    wrench = [0.0, 0.0, 3.0, 0.0, 0.0, 0.0]
    tau = shown(bd.EndEffectorForces("twolink"), q=np.zeros(2), wrench=wrench)["tau"]
    np.testing.assert_allclose(tau, [6.0, 3.0], atol=1e-14)
