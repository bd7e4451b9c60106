"""Numbers of the Robotics Toolbox's own tests for the Puma 560, and of its two-link arm.

Source: petercorke/robotics-toolbox-matlab, unit_test/RobotTest.m and models/mdl_twolink.m.
"""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import functions as of, load

PI = np.pi
Q = np.array([0, PI / 4, -PI, 1, PI / 4, 0])
X = np.array([0, 1, 0, 0, 2, 0.0])
ZERO = np.zeros(6)


@pytest.fixture(scope="module")
def puma():
    return load("puma560")


def close(found, expected, places=1e-4):
    np.testing.assert_allclose(found, expected, rtol=0, atol=places)


@pytest.mark.parametrize(
    ("pose", "point"),
    [("qz", (0.4521, -0.15, 0.4318)), ("qr", (0.0203, -0.15, 0.8636)), ("qs", (0.8636, -0.1501, -0.0203))],
)
def test_where_the_tool_is(puma, pose, point):
    close(of.fkine(puma, puma.named[pose])[:3, 3], point, 1.1e-4)


def test_nominal_pose(puma):
    expected = [[0, 0, 1, 0.5963], [0, 1, 0, -0.1501], [-1, 0, 0, -0.0144], [0, 0, 0, 1]]
    close(of.fkine(puma, puma.named["qn"]), expected)


def test_gravity_load(puma):
    close(of.gravload(puma, Q), [0, 31.6334, 6.0286, -0.0119, 0.0218, 0])


def test_mass_matrix(puma):
    M = of.inertia(puma, Q)
    close(np.diag(M), [3.6591, 4.4128, 0.9377, 0.1925, 0.1713, 0.1941])
    close(M[0, 1], -0.4042)
    close(of.itorque(puma, Q, np.full(6, 0.5)), [1.6763, 2.1799, 0.6947, 0.0944, 0.0861, 0.0971])


def test_inverse_dynamics(puma):
    close(of.rne(puma, Q, X, X), [-0.9748, 59.1306, 5.9889, -0.0108, 1.8872, 0.0001])
    found = of.rne(puma, ZERO, np.full(6, 5.0), np.ones(6))
    close(found, [-0.4696, 84.2133, 47.9966, 3.1039, 3.0466, 1.5770])


def test_forward_dynamics(puma):
    tau = of.rne(puma, puma.named["qn"], X, X)
    found = of.accel(puma, X, np.full(6, 0.5), tau)
    close(found, [-9.3397, 4.9666, 1.6095, -5.4305, 5.9885, -2.1228])
    close(of.accel(puma, ZERO, ZERO, ZERO), [-0.2462, -8.6829, 3.1462, 0.0021, 0.0603, 0.0001])


def test_manipulability(puma):
    close(of.maniplty(puma, Q), 0.0786)
    close(of.maniplty(puma, Q, part="trans"), 0.1112)
    close(of.maniplty(puma, Q, part="rot"), 2.5936)
    close(of.maniplty(puma, Q, part="trans", method="asada"), 0.2733)


def test_cartesian_inertia(puma):
    close(np.diag(of.cinertia(puma, Q)), [18.0741, 11.2461, 14.1135, 0.1377, 0.4612, 0.3457])


def test_armstrong_puma():
    """Of the data of Armstrong, Khatib and Burdick in modified DH rows."""
    akb = load("puma560akb")
    close(of.gravload(akb, ZERO), [0, -36.98581, 0.24893, 0, 0, 0], 1e-5)
    expected = [4.27397, 6.79669, 1.17867, 0.20399, 0.18169, 0.20587]
    close(np.diag(of.inertia(akb, ZERO)), expected, 1e-5)


@pytest.mark.parametrize(
    ("q", "torque"), [((0, 0), (2, 0.5)), ((0, PI / 2), (1.5, 0)), ((PI / 2, 0), (0, 0))]
)
def test_two_links_held(q, torque):
    arm = load("twolink")
    g = np.linalg.norm(arm.gravity)
    close(of.rne(arm, q, (0, 0), (0, 0)), g * np.array(torque), 1e-12)


def test_wrench_on_two_links():
    """RTB: rne(..., fext=[0 1 0 0 0 0]) is [2 1], of a force that the tip applies: ours is its reaction."""
    arm = load("twolink").with_gravity((0, 0, 0))
    up = np.array([0, 0, 1.0, 0, 0, 0])  # y of the vertical plane
    close(of.rne(arm, (0, 0), (0, 0), (0, 0), -up), (2, 1), 1e-12)
