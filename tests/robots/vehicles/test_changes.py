"""Multirotors made into others: payload, errors, failures, other air."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import InvalidRobot, Multirotor, RobotWarning, Rotor, load_vehicle, vehicle_from

RNG = np.random.default_rng(3)


def cloud(points: np.ndarray, masses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Centre of mass and inertia about it of point masses, from the definition."""
    c = masses @ points / masses.sum()
    d = points - c
    return c, sum(m * ((x @ x) * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, d))  # type: ignore[return-value]


def test_payload_is_the_sum_of_two_clouds_of_points() -> None:
    craft, load = RNG.normal(size=(6, 3)), RNG.normal(size=(5, 3)) + np.array([0.3, 0.1, 0.4])
    m1, m2 = RNG.uniform(0.5, 1.0, 6), RNG.uniform(0.1, 0.3, 5)
    c1, I1 = cloud(craft, m1)
    c2, I2 = cloud(load, m2)
    c, whole = cloud(np.vstack([craft, load]), np.concatenate([m1, m2]))
    base = load_vehicle("octorotor").replaced(
        mass=m1.sum(), inertia=I1, sensors={"imu": [0.1, 0, 0]}, gear=3.0
    )
    heavy = base.payload(m2.sum(), at=c2 - c1, inertia=I2)
    assert heavy.mass == pytest.approx(m1.sum() + m2.sum())
    np.testing.assert_allclose(heavy.inertia, whole, rtol=1e-12)
    np.testing.assert_allclose(heavy.hubs, base.hubs - (c - c1), rtol=1e-12)
    np.testing.assert_allclose(heavy.places["imu"], np.array([0.1, 0, 0]) - (c - c1), rtol=1e-12)
    assert heavy.gear == pytest.approx(3.0 - (c - c1)[2])


def test_perturbed_numbers_stay_within_the_fraction_and_are_those_of_a_body() -> None:
    base = load_vehicle("crazyflie")
    for seed in range(30):
        wrong = base.perturb(0.3, seed)
        moments = np.linalg.eigvalsh(np.array(wrong.inertia))
        assert moments[2] <= moments[0] + moments[1] + 1e-18
        ratios = [wrong.mass / base.mass, *(wrong.numbers("thrust") / base.numbers("thrust"))]
        ratios += [*(wrong.numbers("torque") / base.numbers("torque"))]
        ratios += [*(moments / np.linalg.eigvalsh(np.array(base.inertia)))]
        assert 0.7 <= min(ratios) <= max(ratios) <= 1.3
        assert len({round(r, 9) for r in ratios[:9]}) == 9
    assert base.perturb(0.3, 5) == base.perturb(0.3, 5) != base.perturb(0.3, 6)
    np.testing.assert_allclose(base.perturb(0.0, 1).inertia, base.inertia, rtol=1e-12)


def test_a_failed_rotor_gives_its_fraction() -> None:
    base = load_vehicle("neo")
    A, B = base.allocation(wrench=True), base.failure(2, 0.25).allocation(wrench=True)
    factor = np.array([1.0, 0.25, 1.0, 1.0, 1.0, 1.0])
    np.testing.assert_allclose(B, A * factor, rtol=1e-15)
    assert vehicle_from({"name": "neo", "failure": {"rotor": 2, "gives": 0.25}}) == base.failure(2, 0.25)


def test_a_quadrotor_without_a_rotor_cannot_hover_and_the_axis_is_named() -> None:
    broken = load_vehicle("hummingbird").failure(1)
    with pytest.raises(InvalidRobot, match=r"cannot hover: .*yaw"):
        broken.hover_speeds()


def test_uncontrolled_axes_are_named() -> None:
    """Without drag torque no rotor yaws a flat machine; in a row along x none rolls it."""
    flat = load_vehicle("octorotor").with_rotors(torque=0.0)
    assert flat.uncontrolled == ("yaw",)
    row = tuple(Rotor([x, 0, 0], s, 1e-5, 1e-7) for x, s in ((-0.3, 1), (-0.1, -1), (0.1, 1), (0.3, -1)))
    assert Multirotor("row", 1.0, [0.1, 0.2, 0.2], row).uncontrolled == ("roll",)


def test_thin_air_weakens_all_that_air_does() -> None:
    base = load_vehicle("hummingbird")
    thin = base.with_air_density(base.air_density / 2)
    for name in ("thrust", "torque", "in_plane_drag", "axial_drag", "translational_lift"):
        np.testing.assert_allclose(thin.numbers(name), base.numbers(name) / 2, rtol=1e-15)
    np.testing.assert_allclose(thin.quadratic_drag, np.array(base.quadratic_drag) / 2, rtol=1e-15)
    assert (thin.mass, thin.inertia) == (base.mass, base.inertia)


def test_changes_of_a_diagram_are_the_methods_in_their_order() -> None:
    spec = {"name": "crazyflie", "mass": 0.03, "rotor": {"thrust": 2e-8}, "gravity": 1.62,
            "air_density": 1.0, "perturb": {"fraction": 0.1, "seed": 4},
            "payload": {"mass": 0.01, "at": [0, 0, 0.02]}}  # fmt: skip
    base = load_vehicle("crazyflie").replaced(mass=0.03).with_rotors(thrust=2e-8).with_gravity(1.62)
    changed = base.with_air_density(1.0).perturb(0.1, 4).payload(0.01, [0, 0, 0.02])
    assert vehicle_from(spec) == changed


def test_arms_of_another_length_give_torques_in_proportion() -> None:
    base = load_vehicle("neo")
    A, B = base.allocation(wrench=True), base.with_arms(1.5).allocation(wrench=True)
    np.testing.assert_allclose(B[:3], A[:3])
    upright = load_vehicle("hummingbird")
    ratio = upright.with_arms(1.5).allocation()[:3] / upright.allocation()[:3]
    np.testing.assert_allclose(ratio, [[1.5] * 4, [1.5] * 4, [1.0] * 4])
    with pytest.raises(InvalidRobot, match="arms"):
        base.with_arms(0.0)


def test_a_published_inertia_that_no_body_has_by_one_percent_is_a_warning() -> None:
    rotors = load_vehicle("hummingbird").rotors
    with pytest.warns(RobotWarning, match="triangle inequality"):
        vehicle = Multirotor("published", 0.5, [1.0e-2, 1.0e-2, 2.02e-2], rotors)
    assert vehicle.inertia[2][2] == 2.02e-2
    with pytest.raises(InvalidRobot, match="triangle inequality"):
        Multirotor("mistyped", 0.5, [1.0e-2, 1.0e-2, 2.2e-2], rotors)
