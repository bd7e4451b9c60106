"""Quadrotor: rigid-body mechanics in flight, and the published flight of the X-4 model."""

from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import blockdyn as bd

SPINS = np.array([1.0, -1.0, 1.0, -1.0])
HOVER = 860.984  # rad/s, RTB's X-4: sqrt(m g / (4 b)) with b = Ct rho pi r^4
B = 0.0048 * 1.184 * pi * 0.165**4
K = B * 0.165 * sqrt(0.0048 / 2)


def flight(omega: object, vehicle: bd.Quadrotor, **settings: object) -> bd.Result:
    d = bd.Diagram()
    d.connect(d.add("omega", bd.Constant(omega)), d.add("quad", vehicle))
    return d.simulate(**{"rtol": 1e-10, "atol": 1e-12, **settings})


def world(r: bd.Result) -> np.ndarray:
    """The rotation from body to world at the end, by SciPy."""
    return Rotation.from_quat(r.final("quad.quaternion"), scalar_first=True).as_matrix()


def test_coefficients_are_those_of_the_rotor() -> None:
    assert bd.Quadrotor().b == pytest.approx(B, rel=1e-7)
    assert bd.Quadrotor().k == pytest.approx(K, rel=1e-7)


def test_hovers_at_the_published_speed() -> None:
    speed = sqrt(4.0 * 9.81 / (4 * B))
    assert speed == pytest.approx(HOVER, abs=5e-4)
    r = flight(
        SPINS * sqrt(4.0 * 9.81 / (4 * 1.3233618e-5)),
        bd.Quadrotor(initial_position=[1.0, 2.0, -3.0]),
        stop=10.0,
    )
    np.testing.assert_allclose(r.final("quad.position"), [1.0, 2.0, -3.0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(r.final("quad.state")[3:], 0.0, rtol=0, atol=1e-10)


def test_falls_freely_and_evenly_with_still_rotors() -> None:
    """z is down: z = g t^2 / 2, whatever the attitude; nothing is undefined at zero rotor speed."""
    tilted = bd.Quadrotor(initial_attitude=[0.4, -0.3, 2.0], initial_velocity=[1.0, 0.0, 0.0])
    r = flight(np.zeros(4), tilted, stop=2.0)
    np.testing.assert_allclose(r.final("quad.position"), [2.0, 0.0, 0.5 * 9.81 * 4.0], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(world(r), Rotation.from_euler("ZYX", [2.0, -0.3, 0.4]).as_matrix(), atol=1e-12)


def test_thrust_acts_along_minus_z_of_the_body() -> None:
    """Rolled by 90 degrees, right side down: the thrust pulls to the right, +y."""
    r = flight(900.0 * SPINS, bd.Quadrotor(initial_attitude=[pi / 2, 0.0, 0.0], gravity=0.0), stop=1.0)
    expected = [0.0, 0.5 * 4 * 1.3233618e-5 * 900.0**2 / 4.0, 0.0]
    np.testing.assert_allclose(r.final("quad.position"), expected, rtol=0, atol=1e-10)


def test_each_rotor_turns_the_body_the_physical_way() -> None:
    """Front: nose up; right: right side up, so rolls left; back: nose down; left: rolls right. The body turns
    against the rotor that turns faster."""
    w = HOVER * SPINS
    signs = []
    for i in range(4):
        more = w.copy()
        more[i] *= 1.01
        signs.append(np.sign(np.round(flight(more, bd.Quadrotor(), stop=0.01).final("quad.rates"), 6)))
    np.testing.assert_array_equal(signs, [[0, 1, -1], [-1, 0, 1], [0, -1, -1], [1, 0, 1]])


def test_one_rotors_torques_have_their_size() -> None:
    """About y: d b w^2, about z: k w^2, over a time in which the body hardly turns."""
    t = 1e-4
    rates = flight([500.0, 0.0, 0.0, 0.0], bd.Quadrotor(), stop=t).final("quad.rates")
    expected = [0.0, 0.315 * B * 500.0**2 / 0.082 * t, -K * 500.0**2 / 0.149 * t]
    np.testing.assert_allclose(rates, expected, rtol=1e-6, atol=1e-11)


INERTIA = np.array([[0.08, 0.01, 0.005], [0.01, 0.12, -0.004], [0.005, -0.004, 0.19]])


def test_torque_free_rotation_conserves_momentum_and_energy() -> None:
    start = [0.1, 3.0, 0.2]  # near the unstable middle axis: it tumbles
    r = flight(
        np.zeros(4),
        bd.Quadrotor(inertia=INERTIA, initial_rates=start, initial_attitude=[0.3, 0.2, 0.1]),
        stop=20.0,
    )
    rates = r["quad.rates"].values
    energy = 0.5 * np.einsum("ti,ij,tj->t", rates, INERTIA, rates)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)
    attitude = Rotation.from_quat(r["quad.quaternion"].values, scalar_first=True)
    momentum = attitude.apply(rates @ INERTIA)
    np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), rtol=0, atol=1e-7)
    assert rates[:, 1].min() < -1.0


def test_steady_spin_turns_the_attitude_by_rate_times_time() -> None:
    r = flight(
        np.zeros(4), bd.Quadrotor(initial_rates=[0.0, 0.0, 2.0], initial_attitude=[0.0, 0.5, 0.0]), stop=1.0
    )
    expected = Rotation.from_euler("y", 0.5) * Rotation.from_rotvec([0.0, 0.0, 2.0])
    np.testing.assert_allclose(world(r), expected.as_matrix(), rtol=0, atol=1e-9)


def test_quaternion_keeps_its_length_for_a_hundred_seconds() -> None:
    r = flight(
        np.zeros(4), bd.Quadrotor(initial_rates=[1.0, 4.0, -2.0], inertia=INERTIA), stop=100.0, rtol=1e-6
    )
    q = np.stack([r[f"quad.q[{i}]"].values for i in range(4)])
    np.testing.assert_allclose(np.linalg.norm(q, axis=0), 1.0, rtol=0, atol=1e-5)


def test_a_quaternion_of_another_length_returns_to_unit_length_without_turning() -> None:
    """d|q|/dt = (1 - |q|^2) |q|: the length is 1 / sqrt(1 + c exp(-2 t))."""
    still = bd.Quadrotor(initial_attitude=[2.0, 1.0, -1.0, 0.5])
    r = flight(np.zeros(4), still, stop=1.0)
    expected = Rotation.from_quat([2.0, 1.0, -1.0, 0.5], scalar_first=True).as_matrix()
    np.testing.assert_allclose(world(r), expected, rtol=0, atol=1e-12)


def test_bus_holds_yaw_pitch_roll_their_rates_and_the_velocity_seen_by_the_body() -> None:
    roll, pitch, yaw = 0.3, -0.5, 2.5
    v, w, dt = np.array([1.0, 2.0, 3.0]), np.array([0.2, -0.4, 0.7]), 1e-5
    vehicle = bd.Quadrotor(
        initial_attitude=[roll, pitch, yaw], initial_velocity=v, initial_rates=w, gravity=0.0
    )
    r = flight(np.zeros(4), vehicle, times=[0.0, dt, 2 * dt], stop=2 * dt)
    state = r["quad.state"].values
    R = Rotation.from_euler("ZYX", [yaw, pitch, roll])
    np.testing.assert_allclose(state[0, 3:6], [yaw, pitch, roll], rtol=0, atol=1e-12)
    np.testing.assert_allclose(state[0, 6:9], R.inv().apply(v), rtol=0, atol=1e-12)
    np.testing.assert_allclose(state[1, 9:], (state[2, 3:6] - state[0, 3:6]) / (2 * dt), rtol=0, atol=1e-6)


def test_wrong_parameters_are_refused() -> None:
    for wrong in (
        {"inertia": [1.0, -1.0, 1.0]},
        {"inertia": [1.0, 1.0, 2.1]},
        {"initial_attitude": [1.0, 0.0]},
        {"initial_position": [1.0, 0.0]},
    ):
        with pytest.raises(bd.ParameterError, match="expected"):
            bd.Quadrotor(**wrong)  # type: ignore[arg-type]


GALLERY = Path(bd.__file__).parent / "diagrams" / "gallery" / "quadrotor-corke.yaml"


def test_gallery_flight_reproduces_the_published_run() -> None:
    """x, y, z, yaw of sl_quadrotor; 0.01 because that model adds blade flapping and this one does not."""
    r = bd.load(GALLERY).simulate(times=[1.0, 2.0, 4.0, 10.0])
    expected = [[-0.139, 0.029, -1.555, 0.0], [-0.561, 0.283, -3.577, 0.0], [0.056, 1.002, -4.759, 0.139]]
    np.testing.assert_allclose(r["quadrotor.state"].values[:3, :4], expected, rtol=0, atol=0.01)


def test_gallery_flight_settles_above_its_height_by_the_feed_forwards_excess() -> None:
    """(40 N - 4 kg 9.81 m/s2) / 4 N/m = 0.19 m; and the nose turns on through half turns at 0.2 rad/s."""
    r = bd.load(GALLERY).simulate(times=[60.0], stop=60.0, parameters={"radius": 0.0})
    state = r.final("quadrotor.state")
    assert state[2] == pytest.approx(-4.19, abs=1e-4)
    assert state[9] == pytest.approx(0.2, abs=1e-4)
