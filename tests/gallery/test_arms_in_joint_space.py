"""Gallery: arms moved in joint space, against published models and pinocchio."""

from __future__ import annotations

import numpy as np

import blockdyn as bd

from .puma import accelerations, march, moving, quintic, torques

QZ = np.zeros(6)
QF = np.array([np.pi / 4, np.pi / 2, -np.pi / 2, 0, 0, 0])


def test_zero_torque() -> None:
    r = bd.load("zero-torque").simulate(times=[0.0, 1.0, 2.0, 5.0])
    q, qdd = r.trace("arm.q"), r.trace("arm.qdd")
    np.testing.assert_allclose(q.at(1.0), [0.1796, -1.8658, -0.9530, 0.0003, -0.0118, 0], atol=6e-5)
    np.testing.assert_allclose(q.at(2.0), [-0.0503, -1.6456, -1.4191, -0.0007, -0.0426, 0], atol=6e-5)
    np.testing.assert_allclose(q.at(5.0), [0.0004, -1.5887, -1.5111, 0.0003, -0.0432, 0], atol=6e-5)
    np.testing.assert_allclose(qdd.at(0.0), [-0.2462, -8.6829, 3.1462, 0.0021, 0.0603, 0.0001], atol=6e-5)


def test_zero_torque_as_pinocchio_integrates_it() -> None:
    r = bd.load("zero-torque").simulate(rtol=1e-10, atol=1e-12)
    x = march(
        lambda _t, x: np.concatenate([x[6:], accelerations(x[:6], x[6:], QZ)]), np.zeros(12), 0.0, 5.0, 5000
    )
    np.testing.assert_allclose(r.final("arm.q"), x[:6], atol=1e-9)


def test_joint_space() -> None:
    r = bd.load("joint-space").simulate()
    place = r.trace("place")
    np.testing.assert_allclose(place.at(0.0), [0.4521, -0.1500, 0.4318], atol=6e-5)
    np.testing.assert_allclose(place.at(2.5), [0.3583, -0.0140, 0.7371], atol=6e-5)
    np.testing.assert_allclose(place.at(5.0), [0.1205, -0.0917, 0.8636], atol=6e-5)
    np.testing.assert_allclose(r.trace("motion.qd").at(2.5), 1.875 * QF / 5.0, rtol=1e-13)


def computed_torque(period: float) -> tuple[np.ndarray, np.ndarray]:
    x, errors = np.zeros(12), []
    for k in range(round(5.0 / period)):
        q, qd, qdd = quintic(QZ, QF, 5.0, k * period)
        errors.append(q - x[:6])
        tau = torques(x[:6], x[6:], qdd + 20.0 * (q - x[:6]) + 5.0 * (qd - x[6:]))
        x = march(moving(tau), x, 0.0, period)
    return x[:6], np.abs(errors).max(axis=0)


def test_computed_torque() -> None:
    r = bd.load("computed-torque").simulate()
    final, largest = computed_torque(0.005)
    np.testing.assert_allclose(r.final("arm.q"), final, atol=1e-9)
    np.testing.assert_allclose(np.abs(r["error"].values).max(axis=0), largest, atol=1e-9)
    np.testing.assert_allclose(largest, [2e-4, 6e-4, 6e-4, 0, 0, 0], atol=5e-5)
    np.testing.assert_allclose(r.final("arm.q"), QF, atol=1e-4)


def test_a_wrong_model_tracks_worse() -> None:
    diagram = bd.load("computed-torque")
    largest = [
        np.abs(diagram.simulate(parameters={"error": error})["error"].values).max()
        for error in (0.0, 0.1, 0.3)
    ]
    assert largest[0] < 1e-3 < 2 * largest[0] < largest[1] < largest[2]


def feed_forward(slow: float, fast: float) -> tuple[np.ndarray, np.ndarray]:
    x, errors, forward = np.zeros(12), [], QZ
    for k in range(round(5.0 / fast)):
        q, qd, qdd = quintic(QZ, QF, 5.0, k * fast)
        errors.append(q - x[:6])
        if k % round(slow / fast) == 0:
            forward = torques(q, qd, qdd)
        x = march(moving(forward + 100.0 * (q - x[:6]) + 5.0 * (qd - x[6:])), x, 0.0, fast)
    return x[:6], np.abs(errors).max(axis=0)


def test_feed_forward() -> None:
    r = bd.load("feed-forward").simulate()
    final, largest = feed_forward(0.05, 0.002)
    np.testing.assert_allclose(r.final("arm.q"), final, atol=1e-9)
    np.testing.assert_allclose(np.abs(r["error"].values).max(axis=0), largest, atol=1e-8)
    np.testing.assert_allclose(largest[:3], [5.33e-4, 1.013e-2, 7.76e-4], rtol=2e-3)


def test_the_error_of_feed_forward_is_proportional_to_its_hold() -> None:
    diagram = bd.load("feed-forward")
    a, b = (
        np.abs(diagram.simulate(parameters={"slow": slow})["error"].values).max() for slow in (0.01, 0.02)
    )
    np.testing.assert_allclose(b / a, 2.0, rtol=5e-3)
