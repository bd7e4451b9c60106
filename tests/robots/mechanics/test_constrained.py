"""Constrained forward dynamics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn.robots import Joint, Link, Robot, functions as of, load


@pytest.fixture
def bead() -> Robot:
    """A mass of 2 kg on two crossed slides, x and z."""
    joints = (
        Joint("x", "prismatic", "base", axis=(1, 0, 0)),
        Joint("z", "prismatic", "carriage", axis=(0, 0, 1)),
    )
    return Robot("bead", joints, (Link("carriage"), Link("bead", 2.0)))


def test_bead_on_a_circle_is_a_pendulum(bead: Robot) -> None:
    """Of p . v = 0 the multiplier is -m (v^2 + g . p) / L^2; along the circle only gravity accelerates."""
    angle, rate, length = 0.7, 1.3, 0.5
    p = length * np.array([np.sin(angle), -np.cos(angle)])
    v = length * rate * np.array([np.cos(angle), np.sin(angle)])
    Je, Je_dot = ([[a[0], 0, a[1], 0, 0, 0]] for a in (p, v))
    held = of.constrained_accel(bead, p, v, (0, 0), Je, Je_dot=Je_dot)
    g = np.array([0, -9.81])
    assert held.lam[0] == pytest.approx(-2 * (v @ v + g @ p) / length**2, rel=1e-12)
    along = np.array([np.cos(angle), np.sin(angle)])
    assert held.qdd @ along == pytest.approx(-9.81 * np.sin(angle), rel=1e-12)
    np.testing.assert_allclose(held.F, held.lam[0] * np.array(Je[0]), atol=1e-12)


def test_same_as_the_linear_system_of_the_textbook() -> None:
    """[M, -A^T; A, 0] (qdd, lam) = (tau - h, -Adot qd), solved whole."""
    robot = load("puma560").without_friction()
    rng = np.random.default_rng(3)
    q, qd, tau = robot.named["qn"] + 0.1 * rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)
    Je = rng.normal(size=(3, 6))
    A = Je @ of.jacobian(robot, q)
    M, h = of.inertia(robot, q), of.rne(robot, q, qd, np.zeros(6))
    whole = np.block([[M, -A.T], [A, np.zeros((3, 3))]])
    right = np.concatenate([tau - h, -Je @ of.jacobian_dot_qd(robot, q, qd)])
    expected = np.linalg.solve(whole, right)
    held = of.constrained_accel(robot, q, qd, tau, Je)
    np.testing.assert_allclose(np.concatenate([held.qdd, held.lam]), expected, rtol=1e-9)


def test_redundant_rows_are_found_and_change_nothing() -> None:
    robot = load("puma560").without_friction()
    q, qd, tau = robot.named["qn"], np.full(6, 0.3), np.zeros(6)
    floor = np.array([[0, 0, 1.0, 0, 0, 0], [1.0, 0, 0, 0, 0, 0]])
    alone = of.constrained_accel(robot, q, qd, tau, floor)
    more = of.constrained_accel(robot, q, qd, tau, [*floor, 2 * floor[0] - floor[1]])
    assert (alone.redundant, more.redundant) == (0, 1)
    np.testing.assert_allclose(more.qdd, alone.qdd, rtol=1e-12)
    np.testing.assert_allclose(more.F, alone.F, rtol=1e-10, atol=1e-12)


def test_baumgarte_pulls_back(bead: Robot) -> None:
    """A floor at z = 0, missed by 1 mm and 1 cm/s: zdd = -2 d w zd - w^2 z."""
    held = of.constrained_accel(
        bead, (0, 1e-3), (0, 1e-2), (0, 0), [0, 0, 1, 0, 0, 0], violation=[1e-3], gain=20, damping=0.7
    )
    assert held.qdd[1] == pytest.approx(-2 * 0.7 * 20 * 1e-2 - 400 * 1e-3, rel=1e-12)


def test_projection_keeps_the_constraint_with_least_energy() -> None:
    from blockdyn.robots.mechanics.bodies import work_shape
    from blockdyn.robots.mechanics.constraints import Equations, least_motion

    robot = load("puma560")
    rng = np.random.default_rng(1)
    q, qd, rows = robot.named["qn"], rng.normal(size=6), rng.normal(size=(2, 6))
    change: Any = np.empty(6)
    equations = Equations(rows, rows @ qd, np.empty((2, 6)), np.empty((2, 2)))
    assert least_motion(robot.table(), q, equations, np.empty(work_shape(6)), change) == 0
    np.testing.assert_allclose(rows @ (qd - change), 0, atol=1e-12)
    blind = np.linalg.svd(rows)[2][2:]  # motions that the constraint allows
    np.testing.assert_allclose(blind @ of.inertia(robot, q) @ change, 0, atol=1e-12)
