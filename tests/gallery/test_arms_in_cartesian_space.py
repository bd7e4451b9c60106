"""Gallery: arms whose tool is told where to go, against published models, z-transforms and pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd

from .puma import DATA, MODEL, TOOL, VISCOUS, march, pinocchio

QN = np.array([0, np.pi / 4, np.pi, 0, np.pi / 4, 0])


def test_resolved_rate() -> None:
    r = bd.load("resolved-rate").simulate()
    np.testing.assert_allclose(r.final("place"), [0.5958, 0.0999, -0.0144], atol=6e-5)
    np.testing.assert_allclose(
        r.final("joints"), [0.4172, 0.8026, 3.1063, 0.5526, 0.8826, -0.3732], atol=6e-5
    )


def test_the_drift_of_resolved_rate_is_that_of_eulers_method() -> None:
    diagram = bd.load("resolved-rate")
    drift = [diagram.simulate(parameters={"period": h}).final("displacement")[0] for h in (0.05, 0.005)]
    np.testing.assert_allclose(drift[0], -5.3e-4, atol=5e-6)
    np.testing.assert_allclose(drift[0] / drift[1], 10.0, rtol=0.02)


def test_resolved_rate_circle_is_a_first_order_lag() -> None:
    """p+ = p + a (c - p) has the transfer function a / (z - 1 + a), here at z = exp(2 pi i f T)."""
    place = bd.load("resolved-rate-circle").simulate().trace("place")
    z = np.exp(2j * np.pi * 0.2 * 0.05)
    lag = 0.25 / (z - 1 + 0.25)
    points = (place.values[100:, :2] - [0.596303, -0.15005]) @ [1, 1j]  # from 5 s on, one per tick
    wanted = 0.05 * lag * np.exp(2j * np.pi * 0.2 * place.time[100:])
    assert np.abs(points - wanted).max() < 1e-4
    np.testing.assert_allclose([abs(lag), np.angle(lag)], [0.9771, -0.2480], atol=6e-5)


def test_resolved_rate_circle_turns_the_wrist_by_ninety_degrees() -> None:
    r = bd.load("resolved-rate-circle").simulate()
    turn = r.trace("delta").values[:, 4]
    assert turn[0] == pytest.approx(-1.0)
    assert np.abs(turn[r.trace("delta").time > 1.5]).max() < 0.003
    assert np.abs(r["delta"].values[:, [3, 5]]).max() < 0.05


def held_torque(q: Any, qd: Any, goal: Any) -> Any:
    """Khatib's law for this task, from pinocchio's Jacobian, its rate, inertia and bias."""
    pinocchio.computeJointJacobiansTimeVariation(MODEL, DATA, q, qd)
    pinocchio.updateFramePlacements(MODEL, DATA)
    axes = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
    J = pinocchio.getFrameJacobian(MODEL, DATA, TOOL, axes)
    Jd = pinocchio.getFrameJacobianTimeVariation(MODEL, DATA, TOOL, axes)
    M = pinocchio.crba(MODEL, DATA, q)
    M = np.triu(M) + np.triu(M, 1).T
    weight = np.linalg.inv(J @ np.linalg.solve(M, J.T))
    place = DATA.oMf[TOOL]
    error = np.concatenate([goal[:3, 3] - place.translation, pinocchio.log3(goal[:3, :3] @ place.rotation.T)])
    v, motion = J @ qd, np.array([1, 1, 0, 1, 1, 1.0])
    contact = 100.0 * min(place.translation[2] + 0.2, 0.0)
    F = weight @ (motion * (100.0 * error - 50.0 * v) - (1 - motion) * 20.0 * v - Jd @ qd)
    F[2] += -5.0 + 20.0 * (-5.0 - contact)
    return J.T @ F + pinocchio.nonLinearEffects(MODEL, DATA, q, qd)


def pressed(_t: float, x: Any, tau: Any) -> Any:
    """The arm without friction, pushed back by the wall."""
    pinocchio.computeJointJacobians(MODEL, DATA, x[:6])
    pinocchio.updateFramePlacements(MODEL, DATA)
    J = pinocchio.getFrameJacobian(MODEL, DATA, TOOL, pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    push = -100.0 * min(DATA.oMf[TOOL].translation[2] + 0.2, 0.0)
    return np.concatenate([x[6:], pinocchio.aba(MODEL, DATA, x[:6], x[6:], tau + J[2] * push)])


def test_operational_space() -> None:
    goal = np.array([[0, 0, 1, 0.8], [0, 1, 0, 0.2], [-1, 0, 0, 0], [0, 0, 0, 1.0]])
    r = bd.load("operational-space").simulate()
    x = np.concatenate([QN, np.zeros(6)])
    for _ in range(400):
        tau = held_torque(x[:6], x[6:], goal)
        x = march(lambda t, x, tau=tau: pressed(t, x, tau), x, 0.0, 0.005)
    np.testing.assert_allclose(r.final("arm.q"), x[:6], atol=2e-5)
    np.testing.assert_allclose(r.final("contact"), -5.0, atol=1e-3)
    np.testing.assert_allclose(r.final("place")[2], -0.25, atol=1e-5)
    assert VISCOUS.all()  # the diagram's arm has none of it


def test_operational_space_decouples_along_the_wall() -> None:
    """Where nothing presses, x and y follow e'' + 50 e' + 100 e = 0."""
    diagram = bd.load("operational-space")
    r = diagram.simulate(
        stop=1.0,
        parameters={"force": 0.0, "wall": -10.0, "period": 0.001},
    )
    place = r.trace("place")
    fast, slow = np.sort(np.roots([1, 50, 100]).real)
    t = 0.9
    left = (slow * np.exp(fast * t) - fast * np.exp(slow * t)) / (slow - fast)
    start = np.array([0.596303, -0.15005])
    np.testing.assert_allclose(place.at(t)[:2] - [0.8, 0.2], left * (start - [0.8, 0.2]), rtol=0.01)


def test_floor_circle() -> None:
    """The floor bears what is asked for and, at rest, the weight that the controller does not know."""
    diagram = bd.load("floor-circle")
    exact = diagram.simulate(parameters={"load": 0.0})
    np.testing.assert_allclose(exact["arm.lam"].values, 2.0, rtol=1e-7)
    way = exact["displacement"].values
    np.testing.assert_allclose(np.hypot(way[:, 0] + 0.1, way[:, 1]), 0.1, atol=1e-9)
    assert np.abs(way[:, 2]).max() < 1e-9
    loaded = diagram.simulate()
    np.testing.assert_allclose(loaded["arm.lam"].values[0], 2.0 + 0.1 * 9.81, rtol=1e-12)
    way = loaded["displacement"].values
    assert np.abs(way[:, 2]).max() < 1e-9
    assert 2e-5 < np.abs(np.hypot(way[:, 0] + 0.1, way[:, 1]) - 0.1).max() < 1e-4
