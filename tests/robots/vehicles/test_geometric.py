"""Geometric control on SE(3), in closed loop with Newton's and Euler's equations written here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from blockdyn.robots import load_vehicle, trajectories
from blockdyn.robots.vehicles.control.geometric import Gains, geometric, upward_pull
from blockdyn.robots.vehicles.control.signals import Body, Motion, Reference

Array = NDArray[np.float64]

# the vehicle and the gains of arXiv 1003.2005, section VI
MASS, J = 4.34, np.diag([0.0820, 0.0845, 0.1377])
GAINS = Gains(16.0 * MASS, 5.6 * MASS, 8.81, 2.54, 0.0)
BODY = Body(MASS, J, np.zeros(3), 9.81)
HOVER = Reference(*np.zeros((5, 3)), 0.0, 0.0, 0.0)


def reference_at(flight: Any) -> Callable[[float], Reference]:
    def at(t: float) -> Reference:
        v = flight.at([t])
        vectors = (v.position, v.velocity, v.acceleration, v.jerk, v.snap)
        return Reference(*(a[0] for a in vectors), v.yaw[0], v.yaw_rate[0], v.yaw_acceleration[0])

    return at


def slope(state: Array, reference: Reference, body: Body = BODY, gains: Gains = GAINS) -> Array:
    """Position, velocity, quaternion (scalar first), rates: a body with the thrust and torque of the law."""
    p, v, q, w = np.split(state, [3, 6, 10])
    R, torque = np.empty((3, 3)), np.empty(3)
    motion = Motion(p, v, q, w)
    up = upward_pull(motion, reference, body, gains, R)
    thrust = geometric(motion, reference, body, gains, float(up > 0.0), R, torque)
    s, u = q[0], q[1:]
    dq = 0.5 * np.concatenate([[-u @ w], s * w + np.cross(u, w)])
    dw = np.linalg.solve(body.J, torque - np.cross(w, body.J @ w))
    drag = R @ (body.drag * (R.T @ v))
    acceleration = [0.0, 0.0, body.gravity] - (thrust * R[:, 2] + drag) / body.mass
    return np.concatenate([v, acceleration, dq + (1.0 - q @ q) * q, dw])


def fly(reference: Callable[[float], Reference], start: Array, end: float, **options: Any) -> Array:
    r = solve_ivp(
        lambda t, x: slope(x, reference(t), **options),
        (0.0, end),
        start,
        rtol=1e-9,
        atol=1e-11,
        max_step=0.05,
    )
    return np.asarray(r.y.T)


def test_linearised_about_hover_the_poles_are_those_of_two_second_order_systems() -> None:
    """m s^2 + k_v s + k_x, three times, and J s^2 + k_W s + k_R about each axis: the angular feed-forward
    takes all coupling of position into attitude away."""
    hover = np.zeros(13)
    hover[6] = 1.0
    h = 1e-5
    directions = np.zeros((12, 13))
    for i in range(12):
        directions[i, i if i < 6 else i + 1] = 1.0
    columns = []
    for i, direction in enumerate(directions):
        size = 0.5 if 6 <= i < 9 else 1.0  # the vector part of a quaternion is half the angle
        change = (slope(hover + h * size * direction, HOVER) - slope(hover - h * size * direction, HOVER)) / (
            2 * h
        )
        change[7:10] *= 2.0
        columns.append(np.delete(change, 6))
    poles = np.linalg.eigvals(np.array(columns).T)
    expected = [*np.tile(np.roots([1.0, 5.6, 16.0]), 3)]
    for moment in np.diag(J):
        expected += [*np.roots([moment, 2.54, 8.81])]
    # triple poles are defined to the cube root of rounding only: polynomials are compared
    np.testing.assert_allclose(np.poly(poles).real, np.poly(expected).real, rtol=1e-5)


@pytest.mark.parametrize("along", [False, True])
def test_who_starts_on_the_flight_stays_on_it(along: bool) -> None:
    flight = trajectories.figure_eight(4.0, 2.0, 2.0, along=along)
    body = Body(MASS, J, np.zeros(3), 9.81)
    vehicle = load_vehicle("x4").replaced(mass=MASS, inertia=J, linear_drag=(0.0, 0.0, 0.0), gravity=9.81)
    flat = trajectories.flat_motion(vehicle, flight.at([0.0]))
    reference = reference_at(flight)
    at_start = reference(0.0)
    start = np.concatenate([at_start.position_ref, at_start.velocity_ref, flat.quaternion[0], flat.rates[0]])
    end = fly(reference, start, 3.0, body=body)[-1]
    # while it turns, this law's heading is not that of the yaw: its rates differ a little at the start
    tolerance = 1e-4 if along else 1e-6
    np.testing.assert_allclose(end[:3], reference(3.0).position_ref, rtol=0, atol=tolerance)


def test_from_upside_down_it_recovers() -> None:
    """Case II of the paper, but for thrust that cannot point down here."""
    R0 = np.array([[1, 0, 0], [0, -0.9995, -0.0314], [0, 0.0314, -0.9995]])
    q0 = np.roll(Rotation.from_matrix(R0).as_quat(), 1)
    flown = fly(lambda t: HOVER, np.concatenate([np.zeros(6), q0, np.zeros(3)]), 8.0)
    upright = 1.0 - 2.0 * (flown[:, 7] ** 2 + flown[:, 8] ** 2)
    assert upright[0] < -0.999
    np.testing.assert_allclose(flown[-1, :6], 0.0, rtol=0, atol=1e-4)
    assert upright[-1] == pytest.approx(1.0, abs=1e-9)


def test_linear_drag_that_is_made_up_for_leaves_no_error() -> None:
    """Straight flight at constant speed against drag: k_x e_x = drag without, nothing with it."""
    body = BODY._replace(drag=np.array([0.6, 0.6, 0.6]))
    velocity = np.array([3.0, 0.0, 0.0])

    def reference(t: float) -> Reference:
        return HOVER._replace(position_ref=velocity * t, velocity_ref=velocity)

    start = np.concatenate([np.zeros(3), velocity, [1.0, 0.0, 0.0, 0.0], np.zeros(3)])
    for make_up, lag in ((0.0, 0.6 * 3.0 / (16.0 * MASS)), (1.0, 0.0)):
        end = fly(reference, start, 8.0, body=body, gains=GAINS._replace(make_up=make_up))[-1]
        np.testing.assert_allclose(reference(8.0).position_ref - end[:3], [lag, 0.0, 0.0], rtol=0, atol=1e-6)
