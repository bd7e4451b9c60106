"""What holds for every arm in every state, on random trees."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.integrate import solve_ivp

from blockdyn.robots import functions as of, load

seeds = st.integers(0, 10_000)
some = settings(max_examples=30)


def state(seed: int, n: int, count: int = 3) -> np.ndarray:
    return np.random.default_rng(seed + 77).normal(size=(count, n))


def rate_of(function: Any, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """d/dt along qd, by Richardson's extrapolation of central differences: errors of order h^6."""
    h = 1e-2
    central = [(function(q + s * qd) - function(q - s * qd)) / (2 * s) for s in (h, h / 2, h / 4)]
    second = [(4 * b - a) / 3 for a, b in pairwise(central)]
    return (16 * second[1] - second[0]) / 15


@given(seed=seeds, n=st.integers(1, 7))
@some
def test_mass_matrix_is_symmetric_and_positive(tree: Any, seed: int, n: int) -> None:
    robot = tree(seed, n).robot
    M = of.inertia(robot, state(seed, n)[0])
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0


@given(seed=seeds, n=st.integers(1, 6))
@some
def test_coriolis_matrix_is_half_the_rate_of_the_mass_matrix_but_for_a_skew_part(
    tree: Any, seed: int, n: int
) -> None:
    robot = tree(seed, n).robot
    q, qd, _ = state(seed, n)
    C = of.coriolis(robot, q, qd)
    Md = rate_of(lambda x: of.inertia(robot, x), q, qd)
    skew = Md - 2 * C
    size = 1 + np.abs(Md).max()
    assert np.abs(skew + skew.T).max() < 1e-6 * size
    np.testing.assert_allclose(C + C.T, Md, atol=1e-6 * size)
    torque = of.coriolis_torque(robot, q, qd)
    np.testing.assert_allclose(C @ qd, torque, atol=1e-11 * (1 + np.abs(torque).max()))


@given(seed=seeds, n=st.integers(1, 8))
@some
def test_inverse_dynamics_undoes_forward_dynamics(tree: Any, seed: int, n: int) -> None:
    robot = tree(seed, n).robot
    q, qd, tau = state(seed, n)
    wrench = state(seed + 1, 6, 1)[0]
    qdd = of.accel(robot, q, qd, tau, wrench)
    found = of.rne(robot, q, qd, qdd, wrench)
    np.testing.assert_allclose(found, tau, atol=1e-10 * (1 + np.abs(of.rne(robot, q, qd, 0 * q)).max()))


@given(seed=seeds, n=st.integers(1, 7))
@some
def test_torque_is_the_sum_of_its_parts(tree: Any, seed: int, n: int) -> None:
    robot = tree(seed, n).robot
    joints = tuple(replace(joint, viscous=0.3, coulomb=(0.2, 0.7)) for joint in robot.joints)
    robot = replace(robot, joints=joints)
    q, qd, qdd = state(seed, n)
    wrench = state(seed + 1, 6, 1)[0]
    parts = (
        of.inertia(robot, q) @ qdd + of.coriolis(robot, q, qd) @ qd + of.gravload(robot, q)
        + 0.3 * qd + np.where(qd > 0, 0.2, -0.7) - of.jacobian(robot, q).T @ wrench
    )  # fmt: skip
    found = of.rne(robot, q, qd, qdd, wrench)
    np.testing.assert_allclose(found, parts, atol=1e-10 * (1 + np.abs(parts).max()))


@given(seed=seeds, n=st.integers(1, 7))
@some
def test_jacobian_is_the_rate_of_the_pose(tree: Any, seed: int, n: int) -> None:
    robot = tree(seed, n).robot
    q, qd, _ = state(seed, n)
    T = of.fkine(robot, q)
    Td = rate_of(lambda x: of.fkine(robot, x), q, qd)
    spin = Td[:3, :3] @ T[:3, :3].T
    expected = np.concatenate([Td[:3, 3], [spin[2, 1], spin[0, 2], spin[1, 0]]])
    np.testing.assert_allclose(of.jacobian(robot, q) @ qd, expected, atol=1e-6 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("frame", ["world", "body", "space"])
def test_jacobian_dot_is_the_rate_of_the_jacobian(tree: Any, frame: Any) -> None:
    robot = tree(8, 6).robot
    q, qd, _ = state(8, 6)
    expected = rate_of(lambda x: of.jacobian(robot, x, frame=frame), q, qd)
    np.testing.assert_allclose(of.jacobian_dot(robot, q, qd, frame=frame), expected, atol=1e-6)


@pytest.mark.parametrize("kind", ["rpy", "xyz", "yxz", "arm", "euler", "exp"])
def test_analytic_jacobian_is_the_rate_of_the_angles(tree: Any, kind: str) -> None:
    from blockdyn.robots import lie

    def angles(q: np.ndarray) -> np.ndarray:
        R = of.fkine(robot, q)[:3, :3]
        if kind == "euler":
            return lie.euler(R)
        if kind == "exp":
            return lie.log3(R)
        return lie.rpy(R, order="zyx" if kind == "rpy" else kind)

    robot = tree(4, 6, serial=True).robot
    q, qd, _ = 0.3 * state(4, 6)
    expected = rate_of(angles, q, qd)
    np.testing.assert_allclose(of.jacobian(robot, q, angles=kind)[3:] @ qd, expected, atol=1e-6)


@given(seed=seeds)
@some
def test_turning_the_world_changes_no_torque(tree: Any, seed: int) -> None:
    made = tree(seed, 5)
    robot, turn = made.robot, tree(seed + 1, 1).tool
    moved = replace(robot, base=turn @ np.array(robot.base), gravity=tuple(turn[:3, :3] @ made.gravity))
    q, qd, qdd = state(seed, 5)
    wrench = state(seed, 6, 1)[0]
    turned = np.concatenate([turn[:3, :3] @ wrench[:3], turn[:3, :3] @ wrench[3:]])
    expected = of.rne(robot, q, qd, qdd, wrench)
    size = 1 + np.abs(expected).max()
    np.testing.assert_allclose(of.rne(moved, q, qd, qdd, turned), expected, atol=1e-11 * size)
    np.testing.assert_allclose(
        of.jacobian(moved, q, frame="body"), of.jacobian(robot, q, frame="body"), atol=1e-11
    )


def test_gravity_load_is_the_slope_of_the_potential(tree: Any) -> None:
    robot = tree(2, 5).robot
    q = state(2, 5)[0]
    slope = [rate_of(lambda x: of.potential_energy(robot, x), q, e) for e in np.eye(5)]
    np.testing.assert_allclose(of.gravload(robot, q), slope, atol=1e-6)


def test_kinetic_energy_is_half_the_quadratic_form_of_the_mass_matrix(tree: Any) -> None:
    robot = tree(6, 7).robot
    q, qd, _ = state(6, 7)
    expected = 0.5 * qd @ of.inertia(robot, q) @ qd
    assert of.kinetic_energy(robot, q, qd) == pytest.approx(expected, rel=1e-12)


def test_energy_is_kept_without_friction() -> None:
    """The Puma falls freely for 10 s."""
    robot = load("puma560").without_friction()
    nothing = np.zeros(6)

    def energy(x: np.ndarray) -> float:
        return of.kinetic_energy(robot, x[:6], x[6:]) + of.potential_energy(robot, x[:6])

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[6:], of.accel(robot, x[:6], x[6:], nothing)])

    start = np.concatenate([robot.named["qn"], nothing])
    run = solve_ivp(rate, (0, 10), start, method="DOP853", rtol=1e-9, atol=1e-9)
    swing = max(of.kinetic_energy(robot, x[:6], x[6:]) for x in run.y.T)
    assert max(abs(energy(x) - energy(start)) for x in run.y.T) < 1e-5 * swing
