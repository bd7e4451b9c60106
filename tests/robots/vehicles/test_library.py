"""The multirotors of the library: the published numbers, and the physics that follows from them."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

from blockdyn.robots import Multirotor, load_vehicle, vehicle_catalogue, vehicle_from
from blockdyn.robots.library.vehicles import vehicle_data


@pytest.fixture(params=vehicle_catalogue())
def vehicle(request: pytest.FixtureRequest) -> Multirotor:
    return load_vehicle(request.param)


def test_each_names_its_source_and_hovers(vehicle: Multirotor) -> None:
    """Thrusts at hover speed carry the weight and turn nothing; no torque is out of reach."""
    assert len(vehicle.source) > 40
    wrench = vehicle.allocation(wrench=True) @ vehicle.hover_speeds() ** 2
    weight = vehicle.mass * 9.81
    assert wrench[2] == pytest.approx(-weight, rel=1e-12)
    np.testing.assert_allclose(wrench[3:], 0.0, atol=1e-12 * weight)
    assert vehicle.uncontrolled == ()
    assert (np.abs(vehicle.hover_speeds()) < vehicle.numbers("fastest")).all()


def test_each_reads_back_from_its_data(vehicle: Multirotor) -> None:
    assert vehicle_from(vehicle_data(vehicle)) == vehicle


def test_spins_are_balanced(vehicle: Multirotor) -> None:
    assert vehicle.spins.sum() == 0.0


def test_the_x4_has_the_published_derived_quantities() -> None:
    x4 = load_vehicle("x4")
    rotor = x4.rotors[0]
    blades = rotor.blades
    assert blades is not None
    r, rho = rotor.radius, x4.air_density
    derived = {
        blades.blade_inertia(r): 3.240125e-5,
        blades.clamp_inertia: 4e-8,
        blades.static_moment(r, 9.81): 0.004242825,
        rotor.inertia: 6.48825e-5,
        blades.solidity(r): 0.06944943,
        blades.twist: -0.13613568,
        blades.pitch_at_three_quarters: 0.15271631,
        blades.lock_number(r, rho): 2.6780895,
        rotor.thrust: 1.3233618e-5,
        rotor.torque: 1.0697152e-7,
        rotor.torque / rotor.thrust: 0.0080833,
        rotor.torque / (rho * pi * r**2 * r**3): 2.3515102e-4,
        float(x4.hover_speeds()[0]): 860.984,
    }
    for value, published in derived.items():
        assert value == pytest.approx(published, rel=1e-5)


def test_the_crazyflie_hovers_where_its_measured_curves_say() -> None:
    """Foerster: T(u) and w(u) of the 16-bit command u; four rotors carry 27 g."""
    thrust = 0.027 * 9.81 / 4
    a, b, c = 2.130295e-11, 1.032633e-6, 5.484560e-4 - thrust
    u = (-b + sqrt(b * b - 4 * a * c)) / (2 * a)
    speed = 0.04076521 * u + 380.8359
    np.testing.assert_allclose(np.abs(load_vehicle("crazyflie").hover_speeds()), speed, rtol=1e-3)


def test_canted_rotors_of_the_neo_help_to_yaw() -> None:
    """5 degrees of cant add r sin(5 deg) of lever to the drag torque of each rotor."""
    neo = load_vehicle("neo")
    yaw, b = neo.allocation()[2] * neo.spins, 6.8e-6
    levers = np.linalg.norm(neo.hubs[:, :2], axis=1) * np.sin(np.radians(5))
    np.testing.assert_allclose(-yaw, b * (levers + 0.016754 * np.cos(np.radians(5))), rtol=1e-3)


def test_parameters_of_a_file() -> None:
    """Thrust goes with the fourth power of the radius, torque with the fifth."""
    small, large = load_vehicle("x4").rotors[0], load_vehicle("x4", r=0.33).rotors[0]
    assert large.thrust / small.thrust == pytest.approx(16.0, rel=1e-12)
    assert large.torque / small.torque == pytest.approx(32.0, rel=1e-12)
