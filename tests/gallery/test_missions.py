"""Gallery: visual servoing and a mission from the ground to the ground, against equations of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import blockdyn as bd

B, K = 1.3233618e-5, 1.0697152e-7
AROUND = np.hypot(2.0, 2.0)  # m, of the points from the middle


def climb_and_turn(_t: float, x: Any) -> Any:
    """Height, climb rate, yaw and its rate above the middle of the points, rotors of at least 5 N."""
    h, up, yaw, rate = x
    theta, wanted = np.arctan2(AROUND, h), np.arctan2(AROUND, 5.0)
    down = 0.3 * 3.0 * (wanted - theta) / np.sin(theta)
    thrust, turn = 39.24 - 4.0 * (down + up), 80.0 * (0.3 * (np.pi / 2 - yaw) - 2.0 * rate) * K / B
    pairs = np.maximum((thrust + np.array([1.0, -1.0]) * turn * B / K) / 4.0, 5.0)
    return [up, 2.0 * pairs.sum() / 4.0 - 9.81, rate, 2.0 * K / B * (pairs[0] - pairs[1]) / 0.149]


def test_visual_servoing_climbs_and_turns_as_its_equations_say() -> None:
    times = [1.0, 3.0, 10.0, 30.0]
    r = bd.load("quadrotor-visual-servoing").simulate(times=times, rtol=1e-8, atol=1e-11)
    assert [name for name in r.statistics if name.startswith("python")] == []
    exact = solve_ivp(
        climb_and_turn, (0.0, 30.0), [0.2, 0, 0, 0], t_eval=times, max_step=0.1, rtol=1e-9, atol=1e-11
    )
    state = r["quadrotor.state"].values
    np.testing.assert_allclose(state[:, 2], -exact.y[0], atol=1e-5)
    np.testing.assert_allclose(state[:, 3], exact.y[2], atol=1e-5)
    assert np.abs(state[:, [0, 1, 4, 5]]).max() < 1e-9  # x, y, pitch, roll, by symmetry


def test_visual_servoing_with_the_original_s_thrust_rests_too_high() -> None:
    """At rest 40 N less 4 N s/m of the rate that the image asks for is the weight, 39.24 N."""

    def asked(h: float) -> float:
        theta = np.arctan2(AROUND, h)
        return float(0.9 * (np.arctan2(AROUND, 5.0) - theta) / np.sin(theta) - 0.19)

    d = bd.load("quadrotor-visual-servoing")
    r = d.simulate(parameters={"carry": 40.0}, stop=80.0, times=[80.0])
    np.testing.assert_allclose(r.final("quadrotor.position"), [0, 0, -brentq(asked, 5.0, 8.0)], atol=1e-4)
    r = d.simulate(parameters={"north": 1.0, "east": -0.5}, stop=120.0, times=[120.0])
    np.testing.assert_allclose(r.final("quadrotor.position"), [0, 0, -5], atol=2e-3)


def test_the_mission_takes_off_where_its_thrust_carries_it_and_lands() -> None:
    d = bd.load("waypoint-mission")
    r = d.simulate(rtol=1e-8, atol=1e-11)
    assert [name for name in r.statistics if name.startswith("python")] == []
    instants = [e.time for e in r.events if e.path == "quadrotor"]
    lift = instants[1]

    def at(name: str) -> Any:
        return r.trace(name).at(lift - 1e-7)

    assert np.array_equal(r.trace("quadrotor.position").at(0.5), np.zeros(3))
    body = Rotation.from_quat(at("quadrotor.quaternion"), scalar_first=True).inv()
    air = body.apply(at("quadrotor.velocity") - at("wind.y"))
    speeds = np.abs(at("quadrotor.rotor_speeds"))
    # the hubs stand on the floor: the nearest that the formula knows is half a radius
    force = -5.57e-6 * (speeds**2).sum() / (1.0 - 0.5**2) * np.array([0.0, 0.0, 1.0])
    force -= speeds.sum() * np.array([1.19e-4, 1.19e-4, 2.32e-4]) * air
    force -= np.linalg.norm(air) * np.array([0.005, 0.005, 0.01]) * air
    np.testing.assert_allclose(body.inv().apply(force)[2], -0.5 * 9.81, rtol=1e-5)

    away = np.linalg.norm(r["quadrotor.position"].values - r["mission.position"].values, axis=1)
    time = r.trace("quadrotor.position").time
    assert away[(time > 3.5) & (time < 19.0)].max() < 0.2
    mode, speed = r["quadrotor.touched"].values[-1, :2]
    assert mode == 2.0
    assert speed < 0.1
    np.testing.assert_allclose(r.final("quadrotor.position"), [-3.0, 2.0, 0.0], atol=0.1)
    assert r.final("quadrotor.position")[2] == 0.0


def test_a_take_off_in_wind_on_motors_that_are_never_off_hops_and_leaves_the_ground() -> None:
    """The thrust is near the weight for long: it hops, and each touch has a time in the air before it."""
    d = bd.load("waypoint-mission")
    r = d.simulate(stop=3.0, set={"mission.points[0, 2]": 0.3, "on.values[0]": 1.0})
    touched = r["quadrotor.touched"]
    downs = np.unique(touched.values[:, 3])
    assert 1 < downs[-1] < 100
    np.testing.assert_array_equal(np.diff(downs), 1.0)
    touches = np.flatnonzero(np.diff(touched.values[:, 3])) + 1
    assert touched.values[touches, 1].min() > 0.0  # m/s, no touch without an impact
    assert np.diff(touched.time.values[touches]).min() > 1e-6  # s in the air
    assert touched.values[-1, 0] == 0.0
    assert r["quadrotor.position"].values[-1, 2] < -0.5
