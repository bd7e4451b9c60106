"""Gallery: drives, stiff, elastic, under digital control, against closed forms and equations by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import blockdyn as bd

G = 107.815


def test_velocity_loop() -> None:
    r = bd.load("velocity-loop").simulate()
    np.testing.assert_allclose(np.abs(r["loop.error"].values).max(), 1.346, atol=6e-4)
    np.testing.assert_allclose(r.trace("loop.w").at(0.399), 49.703, atol=6e-4)
    np.testing.assert_allclose(r.trace("loop.tau").at(0.399), 0.0406, atol=6e-5)
    np.testing.assert_allclose(r["loop.tau"].values.max(), 0.184, atol=6e-4)


def test_velocity_loop_droops_by_load_and_friction() -> None:
    """At constant speed Km Kv (w* - w) = B w + tau_d."""
    B, gain = 817e-6, 0.228 * 0.6
    for load in (0.0, 20.0):
        w = bd.load("velocity-loop").simulate(parameters={"load": load}).trace("loop.w").at(0.399)
        np.testing.assert_allclose(w, (gain * 50.0 - load / G) / (gain + B), atol=1e-4)
    np.testing.assert_allclose(w, 48.355, atol=6e-4)


def test_velocity_loop_with_an_integral() -> None:
    r = bd.load("velocity-loop").simulate(parameters={"load": 20.0, "Ki": 2.0})
    np.testing.assert_allclose(r.trace("loop.w").at(0.399), 49.859, atol=1e-3)


def test_position_loop_lags_by_what_the_speed_needs() -> None:
    """At constant speed Kp e = w (1 - Kff) + (B w + tau_d) / (Km Kv), w = G 1.5 rad/s."""
    w = 1.5 * G
    droop = (817e-6 * w + 20.0 / G) / 0.228
    for part in (0.0, 1.0 / G, 1.0):
        r = bd.load("position-loop").simulate(parameters={"Kff": part})
        np.testing.assert_allclose(
            r.trace("loop.error").at(0.6), (w * (1 - part) + droop) / 4000.0, rtol=2e-4
        )


def test_position_loop_rests_on_its_load() -> None:
    """At rest Kp e = tau_d / (Km Kv)."""
    r = bd.load("position-loop").simulate(stop=2.0)
    np.testing.assert_allclose(r.final("loop.error"), 20.0 / G / 0.228 / 4000.0, rtol=1e-6)


def two_links(q: Any, qd: Any, tau: Any) -> Any:
    """qdd of two rods of 1 m without inertia, 1 kg in the middle of each; angles from the horizontal."""
    c, s = np.cos(q[1]), np.sin(q[1])
    M = np.array([[1.5 + c, 0.25 + c / 2], [0.25 + c / 2, 0.25]])
    bias = np.array([-s / 2 * (2 * qd[0] + qd[1]) * qd[1], s / 2 * qd[0] ** 2])
    return np.linalg.solve(M, tau - bias - weight(q))


def weight(q: Any) -> Any:
    second = 0.5 * np.cos(q[0] + q[1])
    return 9.81 * np.array([1.5 * np.cos(q[0]) + second, second])


def test_flexible_joints() -> None:
    def derivative(t: float, x: Any, rate: float) -> Any:
        motor = np.array([np.clip(50.0 * (t - 1.0), 0.0, 1.0), 0.0])
        tau = 100.0 * (motor - x[:2]) + 20.0 * (np.array([rate, 0.0]) - x[2:])
        return np.concatenate([x[2:], two_links(x[:2], x[2:], tau)])

    r = bd.load("flexible-joints").simulate(times=[1.0, 1.02, 1.4, 4.0])
    x, at = np.zeros(4), [0.0, 1.0, 1.02, 1.4, 4.0]
    for start, stop, rate in zip(at, at[1:], (0.0, 50.0, 0.0, 0.0)):
        solution = solve_ivp(
            derivative, (start, stop), x, args=(rate,), method="Radau", rtol=1e-9, atol=1e-11
        )
        x = solution.y[:, -1]
        np.testing.assert_allclose(r.trace("arm.q").at(stop), x[:2], atol=1e-6)


def test_flexible_joints_rest_where_springs_and_weight_agree() -> None:
    r = bd.load("flexible-joints").simulate(stop=8.0)
    rest = fsolve(lambda q: 100.0 * (np.array([1.0, 0.0]) - q) - weight(q), [1.0, 0.0], xtol=1e-14)
    np.testing.assert_allclose(r.final("arm.q"), rest, atol=1e-8)


def test_series_elastic() -> None:
    r = bd.load("series-elastic").simulate()
    force = bd.load("series-elastic").simulate(every=0.001).trace("drive.Fs")
    arrival = next(event.time for event in r.events if event.path == "drive")
    np.testing.assert_allclose(arrival, 2.361, atol=6e-4)
    before = force.time < arrival
    peak = np.argmax(force.values)
    np.testing.assert_allclose([force.values[peak], force.time[peak]], [1.901, 1.603], atol=6e-4)
    np.testing.assert_allclose(force.values[before].min(), -1.355, atol=2e-3)
    assert r["drive.x2"].values.max() < 0.8 + 1e-12


def test_series_elastic_rests_at_the_obstacle() -> None:
    """170 (1 - x1) - 20 (1 - 0.8) = Fs = 5 (x1 - 0.8), with the gains in full."""
    x1 = (169.9563 - 0.2 * 19.9563 + 4.0) / 174.9563
    r = bd.load("series-elastic").simulate(stop=15.0)
    np.testing.assert_allclose([r.final("drive.x1"), r.final("drive.Fs")], [x1, 5.0 * (x1 - 0.8)], rtol=1e-6)
    np.testing.assert_allclose([x1, 5.0 * (x1 - 0.8)], [0.9715, 0.857], atol=6e-4)


def test_series_elastic_leaves_the_obstacle_and_comes_back() -> None:
    K = np.array([169.9563, 62.9010, -19.9563, 71.1092])

    def derivative(_t: float, x: Any) -> Any:
        u = np.clip(K @ ([1.0, 0.0, 1.0, 0.0] - x), -2.0, 2.0)
        spring = 5.0 * (x[0] - x[2])
        return [x[1], (u - spring) / 0.5, x[3], spring]

    def arrives(_t: float, x: Any) -> float:
        return float(x[2] - 0.8)

    arrives.terminal, arrives.direction = True, 1.0  # type: ignore[attr-defined]
    t, x, times = 1.0, np.zeros(4), []
    for _ in range(2):
        run = solve_ivp(
            derivative, (t, 9.0), x, events=arrives, method="DOP853", rtol=1e-10, atol=1e-12, max_step=0.002
        )
        t, x = run.t[-1], run.y[:, -1] * [1, 1, 1, 0]
        times.append(t)
    assert 5.0 * (x[0] - x[2]) > 0.0  # the second time the spring pushes: the load stays
    r = bd.load("series-elastic").simulate()
    np.testing.assert_allclose([e.time for e in r.events if e.path == "drive"][:2], times, atol=1e-6)
    assert r.trace("drive.x2").at(times[1] + 0.01) == 0.8
