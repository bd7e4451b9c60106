"""NRotor on the ground: take-off, touch-down, sliding and sticking at the instants of school physics."""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd
from blockdyn.robots import load_vehicle

G, MU, GEAR = 9.81, 0.4, 0.1
X4 = load_vehicle("x4").replaced(gear=GEAR)
B, MASS = X4.rotors[0].thrust, 4.0
STANDING = [0.0, 0.0, -GEAR]


@pytest.fixture(scope="module")
def result() -> bd.Result:
    """Five vehicles at once, so that one diagram is compiled."""
    d = bd.Diagram("ground")

    def craft(name: str, speeds: Any, **options: Any) -> Any:
        made = d.add(name, bd.NRotor(vehicle=X4, ground=True, friction=MU, **options))
        d.connect(speeds, made["omega"])
        return made

    spins = d.add("spins", bd.Gain(X4.spins))
    ramp = d.add("ramp", bd.Ramp(slope=400.0))
    d.connect(ramp, spins)
    still = d.add("still", bd.Constant(np.zeros(4)))
    half = d.add("half", bd.Constant(X4.hover_speeds() * sqrt(0.5)))  # half the weight stays on the gear
    craft("riser", spins, initial_position=STANDING)
    craft("dropped", still, initial_position=[0, 0, -2.1], initial_velocity=[3.0, 0, 0])
    craft("glider", half, initial_position=STANDING, initial_velocity=[1.2, 0.0, 0])
    drawn = craft("drawn", half, initial_position=STANDING)
    d.connect(d.add("pull", bd.Ramp(slope=[0.0, 5.0, 0.0])), drawn["force"])
    curved = craft("curved", half, initial_position=STANDING, initial_velocity=[2.0, 0, 0])
    d.connect(d.add("side", bd.Constant([0.0, 3.0, 0.0])), curved["force"])
    d.log("riser", "dropped", "glider", "drawn", "curved")
    return d.simulate(stop=5.0, rtol=1e-10, atol=1e-12)


def instants(r: bd.Result, block: str) -> list[float]:
    return [event.time for event in r.events if event.path.startswith(block)]


def test_takes_off_when_its_thrust_is_its_weight(result: bd.Result) -> None:
    """4 b (c t)^2 = m g; then m dv/dt = m g - 4 b c^2 t^2."""
    t0 = sqrt(MASS * G / (4 * B)) / 400.0
    (time,) = set(instants(result, "riser"))
    assert time == pytest.approx(t0, abs=1e-9)
    speed = G * (5.0 - t0) - 4 * B * 400.0**2 * (5.0**3 - t0**3) / (3 * MASS)
    assert result.final("riser.velocity")[2] == pytest.approx(speed, rel=1e-8)
    position = result["riser.position"]
    assert (position.values[position.time.values <= t0 - 1e-6] == STANDING).all()


def test_touches_down_without_a_bounce_and_tells_the_impact(result: bd.Result) -> None:
    """A fall of 2 m at 3 m/s sideways; the impact takes mu v_z of it, then mu g brakes."""
    t1, v_z = sqrt(2 * 2.0 / G), sqrt(2 * G * 2.0)
    left = 3.0 - MU * v_z
    t2 = t1 + left / (MU * G)
    np.testing.assert_allclose(instants(result, "dropped"), [t1, t2], atol=1e-8)
    where = [3.0 * t1 + left**2 / (2 * MU * G), 0.0, -GEAR]
    np.testing.assert_allclose(result.final("dropped.position"), where, atol=1e-7)
    np.testing.assert_array_equal(result.final("dropped.velocity"), 0.0)
    np.testing.assert_allclose(result.final("dropped.touched"), [2.0, v_z, 0.0, 1.0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(result.final("dropped.specific_force"), [0, 0, -G], rtol=1e-12)
    assert result["dropped.position"].values[:, 2].max() < -GEAR + 1e-12


def test_slides_to_rest_on_what_its_thrust_leaves_of_its_weight(result: bd.Result) -> None:
    brake = MU * G / 2
    assert instants(result, "glider")[-1] == pytest.approx(1.2 / brake, abs=1e-8)
    assert result.final("glider.position")[0] == pytest.approx(1.2**2 / (2 * brake), abs=1e-8)
    assert result.final("glider.touched")[0] == 2.0


def test_sticks_until_the_force_exceeds_friction(result: bd.Result) -> None:
    t0 = MU * MASS * G / 2 / 5.0
    (time,) = instants(result, "drawn")
    assert time == pytest.approx(t0, abs=1e-9)
    speed = 5.0 / MASS * (25.0 - t0**2) / 2 - MU * G / 2 * (5.0 - t0)
    assert result.final("drawn.velocity")[1] == pytest.approx(speed, rel=1e-8)


def test_a_slide_under_a_force_from_the_side_follows_a_curve_to_rest(result: bd.Result) -> None:
    """Against SciPy's integration of Coulomb friction in the plane, up to just before it stops."""

    def slopes(t: float, y: Any) -> list[float]:
        v = hypot(y[2], y[3])
        return [y[2], y[3], -MU * G / 2 * y[2] / v, 3.0 / MASS - MU * G / 2 * y[3] / v]

    end = 1.1
    exact = solve_ivp(slopes, (0, end), [0, 0, 2.0, 0.0], rtol=1e-11, atol=1e-13).y[:, -1]
    v = result["curved.velocity"]
    at = [np.interp(end, v.time.values, v.values[:, i]) for i in range(2)]
    np.testing.assert_allclose(at, exact[2:], atol=2e-3)
    assert result.final("curved.touched")[0] == 2.0
    assert len(instants(result, "curved")) < 20


def test_a_start_below_the_ground_is_refused() -> None:
    with pytest.raises(bd.ParameterError, match=r"z at most -0\.1: the ground minus the gear"):
        bd.NRotor(vehicle=X4, ground=True)


def test_motors_of_a_vehicle_on_the_ground_are_still_at_the_start() -> None:
    hummingbird = load_vehicle("hummingbird")
    on_ground = bd.NRotor(vehicle=hummingbird, motors=True, ground=True)
    above = bd.NRotor(vehicle=hummingbird, motors=True, ground=True, initial_position=[0, 0, -1.0])
    np.testing.assert_array_equal(on_ground.constants()["speeds0"], 0.0)
    np.testing.assert_array_equal(above.constants()["speeds0"], hummingbird.hover_speeds())
