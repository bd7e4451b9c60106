"""Differential flatness: a vehicle that is given its thrust and torque alone flies the flight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from blockdyn import robots
from blockdyn.robots import trajectories
from blockdyn.robots.trajectories import flat_motion

Array = NDArray[np.float64]

INERTIA = {"xx": 0.004, "yy": 0.0036, "zz": 0.0071, "xy": 3e-4, "xz": -2e-4, "yz": 1e-4}
VEHICLE = robots.load_vehicle("hummingbird").replaced(inertia=INERTIA, linear_drag=(0.35, 0.2, 0.1))
POINTS = [[0, 0, 0], [0, 0, -2], [4, 1, -2], [3, 5, -3], [-2, 2, -1.5], [0, 0, -2]]
FLIGHTS = {
    "eight": trajectories.figure_eight(6.0, 3.0, 2.0, ramp=1.0, turns=2.0, along=True),
    "points": trajectories.minimum_snap(POINTS, speed=5.0, heading=[0.0, 0.0, 0.5, 2.0, 3.0, 3.5]),
    "level": trajectories.helix(2.0, 0.5, -1.5, ramp=1.0, turns=2.0, heading=0.4),
}


def matrix(quaternion: Array) -> Array:
    return np.asarray(Rotation.from_quat(np.roll(quaternion, -1)).as_matrix())


@pytest.mark.parametrize("name", FLIGHTS)
def test_feed_forward_alone_flies_the_flight(name: str) -> None:
    """Newton and Euler with the rotation matrix as the state, integrated by SciPy."""
    flight: Any = FLIGHTS[name]
    m, J, D = VEHICLE.mass, np.array(VEHICLE.inertia), np.diag(VEHICLE.linear_drag)

    def slope(t: float, state: Array) -> Array:
        v, R, w = state[3:6], state[6:15].reshape(3, 3), state[15:]
        inputs = flat_motion(VEHICLE, flight.at([t]))
        force = -inputs.thrust[0] * R[:, 2] - R @ D @ R.T @ v
        spin = np.cross(np.eye(3), w)  # its rows are e_i x w, so it is the matrix of w x
        turning = np.linalg.solve(J, inputs.torque[0] - np.cross(w, J @ w))
        return np.concatenate([v, force / m + [0, 0, VEHICLE.gravity], (R @ spin).ravel(), turning])

    begin, end = flight.start, min(flight.end, flight.start + 4.0)
    first = flat_motion(VEHICLE, flight.at([begin]))
    start = np.concatenate(
        [flight.at([begin]).position[0], np.zeros(3), matrix(first.quaternion[0]).ravel(), first.rates[0]]
    )
    r = solve_ivp(slope, (begin, end), start, method="DOP853", rtol=1e-9, atol=1e-10, max_step=0.05)
    last, flown = flight.at([end]), r.y[:, -1]
    np.testing.assert_allclose(flown[:3], last.position[0], rtol=0, atol=1e-5)
    np.testing.assert_allclose(flown[3:6], last.velocity[0], rtol=0, atol=1e-5)
    attitude = matrix(flat_motion(VEHICLE, last).quaternion[0])
    np.testing.assert_allclose(flown[6:15].reshape(3, 3), attitude, rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", FLIGHTS)
def test_rates_are_those_of_the_attitude(name: str) -> None:
    flight: Any = FLIGHTS[name]
    h = 1e-4
    t = np.linspace(flight.start + 0.1, flight.end - 0.1, 41)
    t = t[np.min(abs(t[:, np.newaxis] - flight.knots), axis=1) > 2 * h]
    before, now, after = (flat_motion(VEHICLE, flight.at(t + k)) for k in (-h, 0.0, h))
    for k in range(t.size):
        turn = Rotation.from_matrix(matrix(before.quaternion[k]).T @ matrix(after.quaternion[k])).as_rotvec()
        np.testing.assert_allclose(turn / (2 * h), now.rates[k], rtol=0, atol=2e-4)
    change = (after.rates - before.rates) / (2 * h)
    np.testing.assert_allclose(change, now.angular_acceleration, rtol=0, atol=2e-2)


def test_hover_is_level_with_the_weight_for_thrust() -> None:
    hover = trajectories.minimum_snap([[0, 0, -1], [0, 0, -1]], times=[0.0, 1.0], heading=0.7)
    values = flat_motion("crazyflie", hover.at([0.5]))
    model = robots.load_vehicle("crazyflie")
    np.testing.assert_allclose(values.thrust, model.mass * model.gravity, rtol=1e-14)
    np.testing.assert_allclose(values.quaternion[0], [np.cos(0.35), 0, 0, np.sin(0.35)], rtol=0, atol=1e-15)
    np.testing.assert_allclose(values.torque, 0.0, rtol=0, atol=1e-18)


def test_a_circle_without_drag_is_a_banked_turn() -> None:
    """tan(bank) = v^2 / (r g), looking along the circle; the thrust carries both."""
    v = trajectories.helix(2.0, 0.0, 2.0, along=True).at([1.0])
    flat = flat_motion(VEHICLE.replaced(linear_drag=(0.0, 0.0, 0.0)), v)
    roll = Rotation.from_quat(np.roll(flat.quaternion[0], -1)).as_euler("ZYX")[2]
    assert roll == pytest.approx(np.arctan2(8.0, VEHICLE.gravity), rel=1e-12)
    assert flat.thrust[0] == pytest.approx(VEHICLE.mass * np.hypot(8.0, VEHICLE.gravity), rel=1e-12)
    np.testing.assert_allclose(flat.angular_acceleration, 0.0, rtol=0, atol=1e-12)


def test_free_fall_has_no_attitude_and_no_number_that_is_none() -> None:
    g = VEHICLE.gravity
    fall = trajectories.helix(1.0, 0.0, 1.0).at([0.0, 1.0])
    acceleration = np.array([[0.0, 0.0, g], [0.0, 0.0, g]])
    still = np.zeros((2, 3))
    values = trajectories.FlightValues(fall.time, still, still, acceleration, still, still, *np.zeros((3, 2)))
    flat = flat_motion(VEHICLE.replaced(linear_drag=(0.0, 0.0, 0.0)), values)
    assert all(np.isfinite(getattr(flat, n)).all() for n in ("rates", "thrust", "torque"))
