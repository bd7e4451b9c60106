"""Jacobians of the centres of mass: what they add up to, their derivatives, and the weight they carry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn.robots import RobotWarning, UnknownFrame, functions as of, load

Q = np.array([0, np.pi / 4, -np.pi, 1, np.pi / 4, 0])


def test_gravity_of_the_puma_by_its_centres_of_mass() -> None:
    """Source: petercorke/robotics-toolbox-matlab, unit_test/RobotTest.m."""
    found = of.gravjac("puma560", Q)
    np.testing.assert_allclose(found.torque, [0, 31.6334, 6.0286, -0.0119, 0.0218, 0], atol=1e-4)
    np.testing.assert_array_equal(found.jacobian, of.jacobian("puma560", Q))


@pytest.mark.parametrize("seed", range(3))
def test_weight_is_the_slope_of_potential_energy(seed: int, tree: Any) -> None:
    robot = tree(seed, 7).robot
    q, d = np.random.default_rng(seed).normal(size=7), 1e-6
    slope = [
        (of.potential_energy(robot, q + d * e) - of.potential_energy(robot, q - d * e)) / (2 * d)
        for e in np.eye(7)
    ]
    np.testing.assert_allclose(of.gravjac(robot, q).torque, slope, rtol=1e-7, atol=1e-7)
    rows = of.gravjac(robot, np.stack([q, 2 * q]))
    np.testing.assert_allclose(rows.torque[1], of.gravload(robot, 2 * q), rtol=1e-12, atol=1e-12)
    assert rows.jacobian.shape == (2, 6, 7)


@pytest.mark.parametrize("seed", range(3))
def test_kinetic_energy_is_that_of_the_bodies(seed: int, tree: Any) -> None:
    """M = sum of m Jv' Jv + Jw' R I R' Jw over the links, and the armatures."""
    robot = tree(seed, 6).robot
    q = np.random.default_rng(seed).normal(size=6)
    M = np.diag([joint.motor_inertia for joint in robot.moving])
    for link in robot.links:
        J, R = of.com_jacobian(robot, q, link.name), of.fkine(robot, q, of=link.name)[:3, :3]
        M += link.mass * J[:3].T @ J[:3] + J[3:].T @ R @ np.array(link.inertia) @ R.T @ J[3:]
    np.testing.assert_allclose(of.inertia(robot, q), M, rtol=0, atol=1e-12 * np.abs(M).max())


def test_derivatives_are_those_of_differences(tree: Any) -> None:
    robot, rng = tree(4, 6).robot, np.random.default_rng(4)
    q, qd, d = rng.normal(size=6), rng.normal(size=6), 1e-6
    link = robot.links[-1].name
    change = of.com_jacobian(robot, q + d * qd, link) - of.com_jacobian(robot, q - d * qd, link)
    np.testing.assert_allclose(of.com_jacobian_dot(robot, q, qd, link), change / (2 * d), atol=1e-7)
    growth = of.inertia(robot, q + d * qd) - of.inertia(robot, q - d * qd)
    np.testing.assert_allclose(of.inertia_dot(robot, q, qd), growth / (2 * d), atol=1e-6)


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(UnknownFrame, match="link9"):
        of.com_jacobian("puma560", Q, "link9")
    with pytest.warns(RobotWarning, match="no masses"):
        of.gravjac(load("planar2").with_gravity((0, 0, -1)), (0.1, 0.2))
