"""Flights of the gallery in which a vehicle changes: closed forms, and an equilibrium from a paper."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

import blockdyn as bd
from blockdyn.robots import load_vehicle

Array = NDArray[np.float64]
G = 9.81


def flown(name: str, **settings: Any) -> bd.Result:
    r = bd.load(name).simulate(**settings)
    assert not [key for key in r.statistics if key.startswith("python")], "all of it is machine code"
    return r


# ---- multirotors ----


def test_a_hexarotor_and_an_octorotor_give_the_thrust_that_the_track_needs() -> None:
    """sum b u^2 = m |a - g|, the shafts of the Neo canted by 5 degrees."""
    r = flown("multirotors", times=np.linspace(4.0, 15.0, 100))
    for name, above, mass, thrust in (
        ("hexarotor", 0.0, 2.692, 6.8e-6 * np.cos(np.radians(5))), ("octorotor", -1.5, 1.64, 1e-5),
    ):  # fmt: skip
        away = r[f"{name}.position"].values - r["eight.position"].values - [0, 0, above]
        assert np.linalg.norm(away, axis=1).max() < 0.01
        u = 15.0 - 3.0 / 2 - (15.0 - r["eight.position"].time.values)  # the phase, from the ramp's end on
        a = -np.column_stack([4.0 * np.sin(u), 4.0 * 2.0 * np.sin(2 * u), 0 * u])
        given = thrust * (r[f"{name}.rotor_speeds"].values ** 2).sum(axis=1)
        np.testing.assert_allclose(given, mass * np.linalg.norm(a - [0, 0, G], axis=1), rtol=0.03)


# ---- payload ----


def drop(told: float, load: float, t: Array) -> Array:
    """How far it sinks: m z'' = (m - m0 - told load) g - m0 (Kv (Kp z + z') + Ki int (Kp z + z') dt).

    With the mass m0 that the controller knows: z''' + s (Kv z'' + (Kv Kp + Ki) z' + Ki Kp z) = 0, s = m0/m,
    from z = z' = 0, z'' = (1 - told) g load/m.
    """
    s = 2.692 / (2.692 + load)
    roots = np.roots([1.0, 4.0 * s, (4.0 * 2.0 + 1.0) * s, 2.0 * s])
    weights = np.linalg.solve(np.vander(roots, 3, increasing=True).T, [0, 0, (1 - told) * (1 - s) * G])
    return np.asarray((weights * np.exp(np.outer(t, roots))).sum(axis=1).real)


def test_a_load_that_is_taken_up_pulls_the_vehicle_down_as_its_loops_say() -> None:
    times = np.linspace(5.0, 15.0, 41)
    for told in (1.0, 0.5):
        r = flown("payload", times=times, parameters={"announced": told, "side": 0.0}, rtol=1e-11, atol=1e-13)
        for name, part in (("uninformed", 0.0), ("informed", told)):
            sunk = 3.0 + r[f"{name}.position"].values[:, 2]
            np.testing.assert_allclose(sunk, drop(part, 1.0, times - 5.0), atol=1e-6)


# ---- motor-failure ----


def test_five_rotors_are_enough_for_who_knows_of_it() -> None:
    r = flown("motor-failure", times=np.linspace(0.0, 15.0, 301))
    track = r["circle.position"].values
    vehicles = ("informed", "uninformed")
    away = {name: np.linalg.norm(r[f"{name}.position"].values - track, axis=1) for name in vehicles}
    assert away["informed"].max() == pytest.approx(0.095, abs=0.01)
    assert away["uninformed"].max() == pytest.approx(0.375, abs=0.02)
    assert away["informed"][-1] < 0.02
    carried = 6.8e-6 * np.cos(np.radians(5)) * (r.final("informed.rotor_speeds")[[0, 2, 3, 4, 5]] ** 2).sum()
    assert carried == pytest.approx(2.692 * np.hypot(G, 2.0 * 0.8**2), rel=0.01)


# ---- lost-propeller ----


def test_the_printed_equilibrium_of_three_rotors_is_one() -> None:
    """f1 = f3 = 2.05 N, f2 = 1.02 N: rates (0, 5.69, 18.89) rad/s about n = (0, 0.289, 0.958), z up there.

    Mueller, D'Andrea, Stability and control of a quadrocopter despite the complete loss of one, two, or three
    propellers, ICRA 2014, section III. Accelerations are less than 1 % of what one rotor can do.
    """
    d = bd.Diagram()
    vehicle = bd.load("lost-propeller").blocks["vehicle"].vehicle  # type: ignore[union-attr]
    rates, n = np.array([0.0, 5.69, -18.89]), np.array([0.0, 0.289, -0.958])
    forces = np.array([2.05, 1.02, 2.05, 0.0])
    tilt = np.arctan2(n[1], -n[2])
    craft = d.add("craft", bd.NRotor(
        vehicle, gyroscopic=True, initial_rates=rates, initial_attitude=[-tilt, 0.0, 0.0],
    ))  # fmt: skip
    d.connect(d.add("drive", bd.Constant([1, -1, 1, -1] * np.sqrt(forces / 6.41e-6))), craft["omega"])
    d.connect(d.add("air", bd.Constant([0, 0, 2.75e-3 * 18.89])), craft["torque"])
    d.log(craft)
    first = d.simulate(stop=1e-9)
    up = first["craft.rotation"].values[0].T @ [0, 0, -1]
    np.testing.assert_allclose(up, n, atol=1e-3)
    np.testing.assert_allclose(np.cross(rates, n) / np.linalg.norm(rates), 0.0, atol=1e-3)
    turning = first["craft.angular_acceleration"].values[0]
    assert np.abs(turning).max() < 0.01 * 0.17 * 2.05 / 3.2e-3
    assert abs(first["craft.acceleration"].values[0, 2]) < 0.01 * 2.05 / 0.5


def test_a_quadrotor_that_lost_a_rotor_comes_down_where_it_is_to() -> None:
    r = flown("lost-propeller", times=np.linspace(0.0, 32.0, 641))
    rates = r["vehicle.rates"]
    spinning = rates.values[(rates.time.values > 14.0) & (rates.time.values < 26.0)]
    np.testing.assert_allclose(spinning[:, 2], -18.89, rtol=0.04)  # the wobble's own damping tilts it more
    np.testing.assert_allclose(r.final("vehicle.position"), [3.0, 0.0, -0.1], atol=0.02)
    mode, speed, tilt, _ = r.final("vehicle.touched")
    assert mode == 2.0
    assert speed < 0.6
    assert tilt < 0.4


# ---- battery ----


def test_a_hover_lasts_as_long_as_the_charge_and_the_sag_allow() -> None:
    """Power P is constant: with V_o = V + R P/V of the charge, t = 3600 C/((f - e) P) [V^2/2 - R P ln V].

    From the voltage of the full battery to the one at which the fastest speed is that of hovering flight.
    """
    full, empty, R = 4.2, 3.0, 0.1
    craft = load_vehicle("crazyflie")
    hover = abs(float(craft.hover_speeds()[0]))
    P = 4 * craft.rotors[0].torque * hover**3 / 0.468

    def energy(V: float) -> float:
        return V * V / 2 - R * P * log(V)

    start = (full + sqrt(full**2 - 4 * R * P)) / 2
    end = full * hover / 2618.0
    exact = 3600 * 0.25 / ((full - empty) * P) * (energy(start) - energy(end))
    r = flown("battery")
    speeds = np.abs(r["crazyflie.rotor_speeds"].values[:, 0])
    times, volts = r["crazyflie.battery"].time.values, r["crazyflie.battery"].values[:, 0]
    steady = times > 1.0
    enough = np.interp(exact, times, volts) * 2618.0 / full
    assert enough == pytest.approx(hover, rel=1e-6)
    assert np.abs(speeds[steady & (times < exact - 1.0)] / hover - 1.0).max() < 1e-6
    assert speeds[np.searchsorted(times, exact + 2.0)] < hover * (1 - 1e-4)
    assert 415.0 < exact < 425.0  # the maker's 7 minutes
    assert r.final("crazyflie.touched")[0] == 2.0


# ---- touch-down ----


def test_takes_off_when_the_lagging_rotors_carry_the_weight_and_lands_without_a_bounce() -> None:
    """u = c (t - T + T exp(-t/T)), and 4 b u^2 g(h) = m g with 16/15 of the ground: h = r = 0.1 m."""
    r = flown("touch-down")
    needed = sqrt(0.5 * G / (4 * 5.57e-6 * 16 / 15))
    exact = brentq(lambda t: 90.0 * (t - 0.05 + 0.05 * exp(-t / 0.05)) - needed, 1.0, 6.0, xtol=1e-12)
    contacts = [event.time for event in r.events if event.path == "quadrotor"]
    assert contacts[0] == pytest.approx(exact, abs=1e-7)
    position, touched = r["quadrotor.position"], r["quadrotor.touched"]
    after = position.time.values >= contacts[-1]
    assert np.ptp(position.values[after], axis=0).max() < 1e-3
    np.testing.assert_allclose(position.values[after, 2], -0.1, atol=1e-12)
    assert position.values[:, 2].max() < -0.1 + 1e-9
    assert 0.3 < touched.values[:, 1].max() < 0.45
    np.testing.assert_array_equal(r.final("quadrotor.velocity"), 0.0)
