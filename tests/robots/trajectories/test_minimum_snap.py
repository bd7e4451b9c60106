"""Minimum snap: the optimum of an independent quadratic programme, continuous, within its limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import polynomial
from numpy.typing import NDArray

from blockdyn.robots.trajectories import (
    FlightPath,
    TrajectoryError,
    minimum_snap,
    read_flight,
    read_waypoints,
)

Array = NDArray[np.float64]

POINTS = np.array([[0, 0, 0], [2, 1, -1], [3, 4, -1.5], [-1, 5, -3], [-2, 0, -2], [0, -1, -1.0]])
TIMES = np.array([0.5, 1.7, 3.0, 5.5, 7.0, 8.2])


def row(degree: int, order: int, t: float) -> Array:
    """What multiplies the coefficients in a derivative at t."""
    unit = np.eye(degree + 1)
    return np.array([polynomial.polyval(t, polynomial.polyder(e, order)) for e in unit])


def squared(order: int, degree: int, T: float) -> Array:
    """The matrix of the integral of a squared derivative, by Gauss's rule, which is exact."""
    nodes, weights = np.polynomial.legendre.leggauss(degree + 1)
    rows = np.array([row(degree, order, t) for t in 0.5 * T * (nodes + 1.0)])
    return np.asarray(0.5 * T * (rows.T * weights) @ rows)


def quadratic_programme(points: Array, T: Array, order: int, rest: int) -> tuple[Array, float]:
    """Coefficients and cost by the KKT system in all coefficients, with continuity as constraints."""
    degree = 2 * order - 1
    n, m = degree + 1, len(T)
    cost = np.zeros((m * n, m * n))
    constraints, values = [], []
    for i, t in enumerate(T):
        cost[i * n : (i + 1) * n, i * n : (i + 1) * n] = squared(order, degree, t)
        for at, point in ((0.0, points[i]), (t, points[i + 1])):
            constraint = np.zeros(m * n)
            constraint[i * n : (i + 1) * n] = row(degree, 0, at)
            constraints.append(constraint)
            values.append(point)
    for k in range(1, rest + 1):
        for i, at in ((0, 0.0), (m - 1, T[-1])):
            constraint = np.zeros(m * n)
            constraint[i * n : (i + 1) * n] = row(degree, k, at)
            constraints.append(constraint)
            values.append(np.zeros(points.shape[1]))
    for i in range(m - 1):
        for k in range(1, order):
            constraint = np.zeros(m * n)
            constraint[i * n : (i + 1) * n] = row(degree, k, T[i])
            constraint[(i + 1) * n : (i + 2) * n] = -row(degree, k, 0.0)
            constraints.append(constraint)
            values.append(np.zeros(points.shape[1]))
    C, v = np.array(constraints), np.array(values)
    kkt = np.block([[cost, C.T], [C, np.zeros((len(C), len(C)))]])
    solution = np.linalg.solve(kkt, np.vstack([np.zeros((m * n, points.shape[1])), v]))[: m * n]
    return solution.reshape(m, n, -1).transpose(0, 2, 1), float(np.sum(solution * (cost @ solution)))


def snap_cost(flight: FlightPath) -> float:
    total = 0.0
    for piece, T in zip(flight.table[1:-1, :3, 1:], np.diff(flight.knots), strict=True):
        total += sum(c @ squared(4, 7, T) @ c for c in piece)
    return total


def test_it_is_the_optimum_of_the_quadratic_programme() -> None:
    flight = minimum_snap(POINTS, times=TIMES, heading=[0.0, 0.5, 2.0, 1.0, -1.0, 0.0])
    c, cost = quadratic_programme(POINTS, np.diff(TIMES), 4, 3)
    scale = np.diff(TIMES)[:, np.newaxis, np.newaxis] ** np.arange(8)
    np.testing.assert_allclose(flight.table[1:-1, :3, 1:] * scale, c * scale, rtol=0, atol=1e-8)
    assert snap_cost(flight) == pytest.approx(cost, rel=1e-9)
    heading = np.array([[0.0], [0.5], [2.0], [1.0], [-1.0], [0.0]])
    turn, _ = quadratic_programme(heading, np.diff(TIMES), 2, 1)
    np.testing.assert_allclose(flight.table[1:-1, 3, 1:5], turn[:, 0], rtol=0, atol=1e-10)


def test_it_meets_the_points_at_their_times_and_is_smooth_at_them() -> None:
    """The optimum is continuous up to the sixth derivative, without having been asked to."""
    flight = minimum_snap(POINTS, times=TIMES)
    before, after = flight.at(np.nextafter(TIMES[1:-1], 0.0)), flight.at(TIMES[1:-1])
    np.testing.assert_allclose(after.position, POINTS[1:-1], rtol=0, atol=1e-13)
    for name in ("position", "velocity", "acceleration", "jerk", "snap"):
        left, right = getattr(before, name), getattr(after, name)
        np.testing.assert_allclose(left, right, rtol=0, atol=1e-10 * max(1.0, abs(right).max()))
    for order in (5, 6):
        for i, T in enumerate(np.diff(TIMES)[:-1]):
            left = row(7, order, T) @ flight.table[1 + i, :3, 1:].T
            right = row(7, order, 0.0) @ flight.table[2 + i, :3, 1:].T
            np.testing.assert_allclose(left, right, rtol=0, atol=1e-8 * max(1.0, abs(right).max()))
    ends = flight.at(TIMES[[0, -1]])
    for name in ("velocity", "acceleration", "jerk"):
        np.testing.assert_allclose(getattr(ends, name), 0.0, rtol=0, atol=1e-11)
    np.testing.assert_allclose(flight.at([0.0, 9.0]).position, POINTS[[0, -1]], rtol=0, atol=0)


def test_from_rest_to_rest_it_is_the_polynomial_of_degree_seven() -> None:
    """35 s^4 - 84 s^5 + 70 s^6 - 20 s^7; its greatest speed is 35/16 of the mean, as for any take-off."""
    flight = minimum_snap([[0, 0, 0], [0, 0, -2.0]], speed=1.0)
    assert flight.end == pytest.approx(2.0 * 35 / 16, rel=1e-9)
    s = np.linspace(0.0, 1.0, 21)
    height = 2.0 * polynomial.polyval(s, [0, 0, 0, 0, 35, -84, 70, -20])
    np.testing.assert_allclose(-flight.at(s * flight.end).position[:, 2], height, rtol=0, atol=1e-12)


@pytest.mark.parametrize("best_times", [False, True])
@pytest.mark.parametrize("limits", [{"speed": 3.0}, {"speed": 9.0, "acceleration_limit": 2.0}])
def test_limits_are_reached_and_never_exceeded(limits: dict[str, float], best_times: bool) -> None:
    flight = minimum_snap(POINTS, best_times=best_times, **limits)
    v = flight.at(20_001)
    fastest = np.linalg.norm(v.velocity, axis=1).max() / limits["speed"]
    hardest = np.linalg.norm(v.acceleration, axis=1).max() / limits.get("acceleration_limit", np.inf)
    assert max(fastest, hardest) == pytest.approx(1.0, abs=1e-5)


NEAR = np.array([0.2, 0.2 + 1e-9, 0.5, 0.5 + 1e-3, 0.5 + 2e-3, 0.8, 0.8 + 1e-6])


def test_points_on_the_optimum_change_nothing_however_close_they_are() -> None:
    """Rest to rest is a polynomial of degree 7: the optimum with fewer constraints meets the others too."""
    c = [0, 0, 0, 0, 35, -84, 70, -20]
    times = np.concatenate([[0.0], NEAR, [1.0]])
    points = np.outer(polynomial.polyval(times, c), [2.0, -1.0, 0.5])
    flight = minimum_snap(points, times=times)
    s = np.concatenate([np.linspace(0.0, 1.0, 501)[:-1], NEAR])
    v = flight.at(s)
    for order, name in enumerate(("position", "velocity", "acceleration", "jerk", "snap")):
        exact = np.outer(polynomial.polyval(s, polynomial.polyder(c, order)), [2.0, -1.0, 0.5])
        tolerance = (2e-8, 2e-7, 2e-6, 5e-5, 2e-3)[order]  # rounding of points by their distances
        np.testing.assert_allclose(getattr(v, name), exact, rtol=0, atol=tolerance)


@pytest.mark.parametrize("best_times", [False, True])
@pytest.mark.parametrize("limits", [{"speed": 3.0}, {"speed": 3.0, "acceleration_limit": 4.0}])
def test_a_flight_depends_continuously_on_points_that_come_together(
    limits: dict[str, float], best_times: bool
) -> None:
    def flight(e: float) -> FlightPath:
        points = [[0, 0, 0], [1, 0.3, 0], [1 + e, 0.3, 0], [2 + e, 0.8, -0.5], [4, 0, 0]]
        return minimum_snap(points, best_times=best_times, **limits)

    ends = np.array([flight(e).end for e in (1e-3, 1e-4, 1e-6, 1e-8)])
    assert np.all(abs(ends - ends[-1]) < [1e-2, 1e-3, 1e-4, 1e-6])
    assert abs(flight(1e-6).at(1001).position).max() < 4.0 + 1e-9


@pytest.mark.parametrize("limits", [{"speed": 3.0}, {"speed": 3.0, "acceleration_limit": 4.0}])
@pytest.mark.parametrize("extra", [[0.05], [2.95], [1e-9], [3.0 - 1e-9], [1.5, 1.501, 1.502], [2.0, 1.99]])
def test_points_on_a_straight_way_cost_little_time(extra: list[float], limits: dict[str, float]) -> None:
    straight = minimum_snap([[0, 0, 0], [3, 0, 0]], **limits).end
    flight = minimum_snap([[x, 0, 0] for x in (0.0, *extra, 3.0)], **limits)
    assert flight.end < 1.6 * straight
    x = flight.at(2001).position[:, 0]
    assert x.min() > -1e-3
    assert x.max() < 3.001


@pytest.mark.parametrize("e", [1e-9, 1e-4, 1e-2])
def test_a_short_segment_after_a_moving_start_keeps_the_flight_near(e: float) -> None:
    flight = minimum_snap([[0, 0, 0], [e, 0, 0], [3, 0, 0]], speed=3.0, velocity0=[1.0, 0.0, 0.0])
    v = flight.at(2001)
    assert abs(v.position).max() < 3.0 + 1e-6
    assert np.linalg.norm(v.velocity, axis=1).max() == pytest.approx(3.0, abs=1e-5)


def test_places_far_from_the_origin_are_met_as_well() -> None:
    near, far = (minimum_snap(POINTS + shift, times=TIMES) for shift in (0.0, [4e5, 5e6, 0.0]))
    np.testing.assert_allclose(far.at(101).snap, near.at(101).snap, rtol=0, atol=1e-6)


def test_limits_are_met_with_speed_at_the_ends_too() -> None:
    flight = minimum_snap(POINTS, speed=3.0, velocity0=[1.0, 2.0, 0.0], velocityf=[0.0, 0.0, 1.5])
    v = flight.at(20_001)
    np.testing.assert_allclose(v.velocity[[0, -1]], [[1.0, 2.0, 0.0], [0.0, 0.0, 1.5]], rtol=0, atol=1e-12)
    assert np.linalg.norm(v.velocity, axis=1).max() == pytest.approx(3.0, abs=1e-5)


def test_no_other_sharing_of_the_time_has_less_snap() -> None:
    best = minimum_snap(POINTS, speed=3.0, best_times=True)
    T = np.diff(best.knots)
    least = snap_cost(best)
    assert least < snap_cost(minimum_snap(POINTS, times=np.linspace(0.0, best.end, len(POINTS))))
    rng = np.random.default_rng(1)
    for size in (1e-3, 1e-2, 1e-1):
        for _ in range(4):
            other = T * np.exp(size * rng.normal(size=T.size))
            other *= T.sum() / other.sum()
            assert snap_cost(minimum_snap(POINTS, times=np.append(0.0, np.cumsum(other)))) > least


def test_headings_turn_the_short_way() -> None:
    """The yaw of a slow turn to the left, logged between -pi and pi, is that turn."""
    turn = np.linspace(2.0, 6.0, 6)
    logged = np.angle(np.exp(1j * turn))
    exact, read = (minimum_snap(POINTS, times=TIMES, heading=each).at(101) for each in (turn, logged))
    np.testing.assert_allclose(read.yaw, exact.yaw, rtol=0, atol=1e-12)
    np.testing.assert_allclose(read.yaw_rate, exact.yaw_rate, rtol=0, atol=1e-12)


def test_it_rests_at_its_stops() -> None:
    flight = minimum_snap(POINTS, times=TIMES, stops=[1, 3])
    v = flight.at(TIMES[[1, 3]])
    for name in ("velocity", "acceleration", "jerk"):
        np.testing.assert_allclose(getattr(v, name), 0.0, rtol=0, atol=1e-12)
    first = minimum_snap(POINTS[:2], times=TIMES[:2])
    np.testing.assert_allclose(flight.table[1, :3], first.table[1, :3], rtol=0, atol=1e-12)


def test_along_the_path_the_nose_points_where_it_flies_also_where_it_starts_and_stops() -> None:
    flight = minimum_snap(POINTS, times=TIMES, along=True, stops=[2])
    v = flight.at(20_001)
    moving = np.linalg.norm(v.velocity[:, :2], axis=1) > 1e-4
    direction = np.arctan2(v.velocity[:, 1], v.velocity[:, 0])
    error = np.angle(np.exp(1j * (direction - v.yaw)))
    np.testing.assert_allclose(error[moving], 0.0, rtol=0, atol=1e-8)
    # the rates are those of the yaw; at the stop it turns on the spot, and they know nothing of that
    yaw, h = np.unwrap(v.yaw), v.time[1]
    inside = abs(v.time[:, np.newaxis] - TIMES).min(axis=1) > 3 * h
    h = v.time[1] - v.time[0]
    np.testing.assert_allclose(np.gradient(yaw, h)[inside], v.yaw_rate[inside], rtol=0, atol=1e-3)
    np.testing.assert_allclose(
        np.gradient(v.yaw_rate, h)[inside], v.yaw_acceleration[inside], rtol=0, atol=2e-2
    )
    # the first velocities point as the snap does, the last ones against it
    snap = flight.at(TIMES[[0, -1]]).snap
    yaws = flight.at([0.0, 9.0]).yaw
    np.testing.assert_allclose(yaws[0], np.arctan2(snap[0, 1], snap[0, 0]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(yaws[1], np.arctan2(-snap[1, 1], -snap[1, 0]), rtol=0, atol=1e-9)


def test_a_vertical_segment_looks_where_the_next_one_goes() -> None:
    flight = minimum_snap(
        [[0, 0, 0], [0, 0, -2], [0, 4, -2.0]], speed=1.0, stops=[1], along=True, heading=0.25
    )
    np.testing.assert_allclose(flight.at(50).yaw, 0.25 + np.pi / 2, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"times": [0, 1, 2, 2, 4, 5]}, "point 3 does not"),
        ({"times": [0, 1, 2]}, "6 instants"),
        ({"times": None}, "instants of the points, or the greatest speed"),
        ({"times": None, "speed": -1.0}, "greater than zero"),
        ({"speed": 4.0}, "m/s, which segment 3 reaches"),
        ({"acceleration_limit": 1.0}, "m/s2, which segment"),
        ({"stops": [7]}, "numbers of points, 0 to 5"),
        ({"heading": [0.0, 1.0]}, "6 numbers, one per point"),
        ({"velocity0": [1.0, 2.0]}, "three numbers"),
        ({"times": None, "speed": 1.0, "velocityf": [2.0, 0.0, 0.0]}, "at most as fast as the speed"),
        ({"points": [[0, 0, 0]]}, "at least 2 points"),
        ({"points": [[0, 0], [1, 1]]}, r"a row \(x, y, z\) per point"),
        ({"points": [[0, 0, 0], [1, 0, np.nan]]}, "finite numbers"),
        ({"points": POINTS[[0, 1, 1, 2]], "times": None, "speed": 1.0}, "points 1 and 2 are one"),
        ({"best_times": True}, "not given together with times"),
    ],
)
def test_what_cannot_be_flown_is_refused(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(TrajectoryError, match=what):
        minimum_snap(**{"points": POINTS, "times": TIMES, **changes})


def test_flights_come_from_files(tmp_path: Path) -> None:
    flight = minimum_snap(POINTS, times=TIMES, heading=np.linspace(0.0, 1.0, 6))
    table = tmp_path / "points.csv"
    lines = (
        f"{t!r},{x!r},{y!r},{z!r},{k / 5!r}"
        for k, (t, (x, y, z)) in enumerate(zip(TIMES.tolist(), POINTS.tolist(), strict=True))
    )
    table.write_text("t,x,y,z,yaw\n" + "\n".join(lines))
    np.testing.assert_allclose(minimum_snap(**read_waypoints(table)).table, flight.table, rtol=0, atol=1e-14)
    pieces = tmp_path / "pieces.csv"
    header = ["duration"] + [f"{axis}^{k}" for axis in ("x", "y", "z", "yaw") for k in range(8)]
    rows = np.column_stack([np.diff(TIMES), flight.table[1:-1, :4, 1:].reshape(5, -1)])
    np.savetxt(pieces, rows, "%.17g", ",", header=",".join(header), comments="")
    same = read_flight(pieces, start=0.5)
    np.testing.assert_allclose(same.at(101).snap, flight.at(101).snap, rtol=0, atol=1e-9)
    np.testing.assert_allclose(same.at([9.0]).yaw, 1.0, rtol=0, atol=1e-12)
    up = read_flight(pieces, z_up=True).at([1.0])
    np.testing.assert_allclose(up.position * [1, -1, -1], read_flight(pieces).at([1.0]).position)
    pieces.write_text(pieces.read_text().replace("duration", "Duration [s]", 1))
    np.testing.assert_array_equal(read_flight(pieces, start=0.5).table, same.table)
    table.write_text("id,X[m],Y [m],z(m),Time[s],Yaw[rad]\n7,1,2,3,0.5,0.1\n8,4,5,6,1.5,0.2\n")
    named = read_waypoints(table)
    assert named["points"].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert (named["times"].tolist(), named["heading"].tolist()) == ([0.5, 1.5], [0.1, 0.2])
    table.write_text("t[ms],x,y,z\n500,1,2,3\n1500,4,5,6\n")
    assert read_waypoints(table)["times"].tolist() == [0.5, 1.5]
    for line in ("t,x[mm],y,z", "t,x,y,z,yaw [deg]"):
        table.write_text(f"{line}\n0,0,0,0{',0' * line.count('yaw')}\n")
        with pytest.raises(TrajectoryError, match=r"points\.csv"):
            read_waypoints(table)
    table.write_text("t,x,y,z\n0,0,0,0\n1,0,zero,0\n")
    with pytest.raises(TrajectoryError, match=r"points.csv, line 3, column y is 'zero'"):
        read_waypoints(table)
    table.write_text("t,x,y,z\n0,0,0,0\n")
    with pytest.raises(TrajectoryError, match="columns duration"):
        read_flight(table)
    with pytest.raises(TrajectoryError, match=r"none\.csv"):
        read_waypoints(tmp_path / "none.csv")
