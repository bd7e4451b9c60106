"""Gallery: vehicles on wheels, each against an integration of other equations, or what was published."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import blockdyn as bd
from blockdyn.robots import planning

FINE = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-12}


def wrapped(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi


def cut(value: float, greatest: float) -> float:
    return max(-greatest, min(greatest, value))


def after(
    slopes: Callable[..., list[float]], start: list[float], stop: float, **options: float
) -> np.ndarray:
    return np.asarray(solve_ivp(slopes, (0.0, stop), start, **FINE, **options).y[:, -1])  # type: ignore[call-overload]


def test_lane_change_turns_by_tan_half_a_radian_and_back() -> None:
    """Two arcs of 1 m and curvature tan 0.5, a line between them; the end as published for sl_lanechange."""
    r = bd.load("lane-change").simulate()
    k = math.tan(0.5)
    x = 3.0 + math.sin(k) / k + math.cos(k) + math.sin(k) / k + 4.0
    y = 2.0 * (1.0 - math.cos(k)) / k + math.sin(k)
    np.testing.assert_allclose(r.final("car.pose"), [x, y, 0.0], atol=1e-14)
    np.testing.assert_allclose([x, y], [9.7564, 1.0524], atol=5e-5)


@pytest.mark.parametrize(
    ("start", "goal", "time", "end"),
    [
        ([5.0, 5.0, 0.0], [0.0, 0.0], 11.89, [0.083, 0.056, -2.546]),
        ([8.0, 5.0, math.pi / 2], [5.0, 5.0], 7.14, [5.090, 5.044]),
        ([0.0, 0.0, math.pi / 2], [5.0, 5.0], 10.80, [4.926, 4.933, 0.7325]),
    ],
)
def test_drive_to_point_ends_where_sl_drivepoint_does(
    start: list[float], goal: list[float], time: float, end: list[float]
) -> None:
    r = bd.load("drive-to-point").simulate(parameters={"start": start, "goal": goal})
    assert r.statistics["end"] == pytest.approx(time, abs=0.006)
    np.testing.assert_allclose(r.final("car.pose")[: len(end)], end, atol=6e-4)


def test_drive_along_line_in_coordinates_of_the_line() -> None:
    """d' = -v sin(e), e' = v tan(gamma), with e the heading over that of the line, d to its right."""
    r = bd.load("drive-along-line").simulate()
    norm, slope = math.sqrt(5.0), math.atan2(1.0, 2.0)

    def slopes(t: float, x: np.ndarray) -> list[float]:
        v = min(t, 1.0)
        gamma = cut(0.5 * x[0] - wrapped(x[1]), 1.0)
        return [-v * math.sin(x[1]), v * math.tan(gamma), v * math.cos(x[1])]

    d, e, along = after(slopes, [(5.0 - 10.0 + 4.0) / norm, -slope, 0.0], 15.0, max_step=0.01)
    assert r.final("driver.distance") == pytest.approx(d, abs=1e-6)
    start = (2.0 * 5.0 + 5.0) / norm
    x, y, heading = r.final("car.pose")
    assert (2.0 * x + y) / norm - start == pytest.approx(along, abs=1e-6)
    assert heading - slope == pytest.approx(e, abs=1e-6)


def test_drive_to_pose_in_polar_coordinates_of_the_goal() -> None:
    """rho' = -u cos(alpha), alpha' = u sin(alpha)/rho - w, beta' = -u sin(alpha)/rho, w = u tan(gamma)."""
    r = bd.load("drive-to-pose").simulate()

    def slopes(t: float, x: np.ndarray) -> list[float]:
        rho, alpha, beta = x
        u = min(rho, 1.0)
        w = u * math.tan(cut(math.atan((5.0 * alpha - 2.0 * beta) / rho), 1.0))
        return [-u * math.cos(alpha), u * math.sin(alpha) / rho - w, -u * math.sin(alpha) / rho]

    def arrived(t: float, x: np.ndarray) -> float:
        return float(x[0] - 0.1)

    arrived.terminal = True  # type: ignore[attr-defined]
    s = solve_ivp(slopes, (0, 20), [4.0, 0.0, math.pi / 2], events=arrived, max_step=0.005, **FINE)
    assert r.statistics["end"] == pytest.approx(s.t[-1], abs=1e-6)
    reached = [r.final(f"driver.{name}") for name in ("distance", "alpha", "beta")]
    np.testing.assert_allclose(reached, s.y[:, -1], atol=1e-6)
    assert (r["car.speed"].values < 0.0).all()


def test_pursuit_in_axes_of_the_car() -> None:
    """The goal (a, b) in the car's axes: a' = w b - v + v_g e_x, b' = -w a + v_g e_y. Limited acceleration is
    a lag of 0.1 ms with a limited rate, which tells v to some 1e-4 m/s."""
    r = bd.load("pursuit").simulate()
    times, points = (
        np.array([0.0, 20.0, 48.0, 76.0]),
        np.array([[10, 10], [10, 60], [80, 80], [50, 10]], float),
    )
    legs = np.diff(points, axis=0) / np.diff(times)[:, None]
    x = np.array([10.0, 10.0, 0.0, 0.0, 5.0])  # a, b, heading, integral, v
    for leg, (begin, end) in zip(legs, pairwise(times)):

        def slopes(t: float, x: np.ndarray, leg: np.ndarray = leg) -> list[float]:
            a, b, heading, total, v = x
            error = math.hypot(a, b) - 5.0
            w = v * math.tan(cut(0.5 * math.atan2(b, a), 0.5))
            c, s = math.cos(heading), math.sin(heading)
            lagging = cut(1e4 * (cut(error + 0.1 * total, 5.0) - v), 1.0)
            ahead, left = c * leg[0] + s * leg[1], c * leg[1] - s * leg[0]
            return [w * b - v + ahead, -w * a + left, w, error, lagging]

        x = solve_ivp(slopes, (begin, end), x, method="LSODA", rtol=1e-9, atol=1e-11, max_step=0.05).y[:, -1]
    car = r.final("car.pose")
    c, s = math.cos(x[2]), math.sin(x[2])
    np.testing.assert_allclose(r.final("goal.q"), points[-1], atol=1e-12)
    expected = points[-1] - [c * x[0] - s * x[1], s * x[0] + c * x[1]]
    np.testing.assert_allclose(car[:2], expected, atol=2e-3)
    assert wrapped(car[2] - x[2]) == pytest.approx(0.0, abs=2e-3)


def test_pure_pursuit_by_the_farthest_root_along_the_path() -> None:
    """The target is found by bisection of the distance along the whole path, from where it was last."""
    r = bd.load("pure-pursuit").simulate()
    points = np.array([[10, 10], [10, 60], [80, 80], [50, 10]], float)
    lengths = np.hypot(*np.diff(points, axis=0).T)
    knots = np.concatenate([[0.0], np.cumsum(lengths)])

    def on_path(s: float) -> np.ndarray:
        return np.array([np.interp(s, knots, points[:, 0]), np.interp(s, knots, points[:, 1])])

    step, place, heading, reached = 0.02, np.zeros(2), 0.0, 0.0
    t = 0.0

    def target(place: np.ndarray, reached: float) -> float:
        def gap(s: float) -> float:
            return float(np.hypot(*(on_path(s) - place))) - 5.0

        s = reached
        while s < knots[-1] and gap(s) <= 0.0:
            s = min(s + 0.25, knots[np.searchsorted(knots, s, side="right")])
        if s == reached or gap(s) <= 0.0:
            return s
        return float(brentq(gap, max(s - 0.25, reached), s, xtol=1e-12))

    def turn(place: np.ndarray, heading: float, reached: float) -> tuple[float, float]:
        s = target(place, reached)
        dx, dy = on_path(s) - place
        return cut(0.5 * wrapped(math.atan2(dy, dx) - heading), 0.5), s

    while np.hypot(*(points[-1] - place)) > 0.1 and t < 300.0:
        # the midpoint rule, on arcs
        gamma, reached = turn(place, heading, reached)
        k = math.tan(gamma)
        middle = place + step / 2 * np.array([math.cos(heading), math.sin(heading)])
        gamma, _ = turn(middle, heading + k * step / 2, reached)
        k = math.tan(gamma)
        chord = heading + k * step / 2
        place = place + step * np.sinc(k * step / 2 / np.pi) * np.array([math.cos(chord), math.sin(chord)])
        heading += k * step
        t += step
    assert r.statistics["end"] == pytest.approx(t, abs=0.05)
    np.testing.assert_allclose(r.final("car.pose")[:2], place, atol=0.05)
    assert wrapped(r.final("car.pose")[2] - heading) == pytest.approx(0.0, abs=2e-3)


def test_braitenberg_in_polar_coordinates_of_the_source() -> None:
    """Sensors at r^2 + 4 -+ 4 r sin(alpha), r' = -v cos(alpha), alpha' = v sin(alpha)/r - w."""
    r = bd.load("braitenberg").simulate(stop=150.0)

    def slopes(t: float, x: np.ndarray) -> list[float]:
        rho, alpha, _ = x
        left, right = (
            200.0 / (rho * rho + 4.0 - side * 4.0 * rho * math.sin(alpha) + 200.0) for side in (1, -1)
        )
        v = min(2.0 - left - right, 1.0)
        turn = v * math.tan(5.0 * (left - right))
        return [-v * math.cos(alpha), v * math.sin(alpha) / rho - turn, turn]

    rho, alpha, heading = after(
        slopes, [math.hypot(60.0, 90.0), math.atan2(90.0, 60.0), 0.0], 150.0, max_step=0.1
    )
    x, y, theta = r.final("car.pose")
    assert theta == pytest.approx(heading, abs=1e-5)
    expected = np.array([60.0, 90.0]) - rho * np.array([math.cos(heading + alpha), math.sin(heading + alpha)])
    np.testing.assert_allclose([x, y], expected, atol=1e-5)


def test_parking_ends_between_the_cars_on_the_shortest_path() -> None:
    """Four arcs by Reeds and Shepp: up and down at 1 m/s2 twice, back from rest to rest, two pauses."""
    r = bd.load("parking").simulate()
    np.testing.assert_allclose(r.final("car.pose"), [-5.5, -2.4, 0.0], atol=1e-9)
    # rear-axle centres of the circles: the path is symmetric about its middle, where the heading is -beta
    path = planning.reeds_shepp([0.0, 0.0, 0.0], [-5.5, -2.4, 0.0], 4.5)
    first, second = abs(path.lengths[:2])
    beta = (first + second) / 4.5
    ahead, aside = 2 * math.sin(first / 4.5) - math.sin(beta), 2 * math.cos(first / 4.5) - 1 - math.cos(beta)
    np.testing.assert_allclose([4.5 * ahead, -4.5 * abs(aside)], [-2.75, -1.2], atol=1e-12)
    assert r.final("plan.s") == pytest.approx(path.length, abs=1e-9)
    last = max(event.time for event in r.events if event.path == "plan")
    assert last == pytest.approx(4 * math.sqrt(first) + 2 * second / 1.5 + 1.5 + 2 * 0.5, abs=1e-9)


def test_backing_up_in_coordinates_of_the_trailer() -> None:
    """Pushed at 1 m/s: y' = -cos(phi) sin(theta), theta' = -sin(phi)/d, phi' = -tan(gamma)/L - theta'."""
    r = bd.load("backing-up").simulate()
    L, d, reach = 3.8, 6.0, 4.0

    def slopes(t: float, x: np.ndarray) -> list[float]:
        _, y, theta, phi = x
        u = math.sin(phi) / d + phi + d * (y / reach**2 - 2 * theta / reach)
        turn = -math.sin(phi) / d
        bend = math.tan(cut(math.atan(L * u), 0.8)) / L
        return [-math.cos(phi) * math.cos(theta), -math.cos(phi) * math.sin(theta), turn, -bend - turn]

    start = [-6.0, 4.0, 0.0, 0.3]
    np.testing.assert_allclose(r["trailer.pose"].values[0], start[:3], atol=1e-12)
    end = after(slopes, start, 40.0, max_step=0.01)
    np.testing.assert_allclose([*r.final("trailer.pose"), r.final("trailer.hitch_angle")], end, atol=1e-6)
    assert abs(end[1]) < 0.01


HOUSE = np.zeros((60, 80), bool)
HOUSE[20:40, 15:20] = HOUSE[35:40, 20:55] = HOUSE[0:25, 40:45] = True


def chased(points: np.ndarray, pose: np.ndarray, stop: float, step: float) -> np.ndarray:
    """By the midpoint rule towards the last point of a path 0.2 m away, found by bisection along it."""
    knots = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])

    def gap(s: float) -> float:
        return math.hypot(*(np.interp(s, knots, column) - at for column, at in zip(points.T, pose))) - 0.2

    reached = 0.0
    for _ in range(round(stop / step)):
        before = pose
        for part in (0.5, 1.0):
            while reached < knots[-1] and gap(min(reached + 0.01, knots[-1])) <= 0.0:
                reached = min(reached + 0.01, knots[-1])
            s = reached
            if s < knots[-1] and gap(s) < 0.0:
                s = brentq(gap, s, min(s + 0.01, knots[-1]))
            dx, dy = (np.interp(s, knots, column) - at for column, at in zip(points.T, pose))
            rest = math.hypot(*(points[-1] - pose[:2]))
            v = 0.2 * rest / (rest + 0.1)
            w = 2 * v * (math.cos(pose[2]) * dy - math.sin(pose[2]) * dx) / (dx * dx + dy * dy)
            left, right = cut(v - 0.08 * w, 0.22), cut(v + 0.08 * w, 0.22)  # wheels turn so fast at most
            v, w = (left + right) / 2, (right - left) / 0.16
            heading = pose[2] if part == 1.0 else before[2]
            slope = np.array([v * math.cos(heading), v * math.sin(heading), w])
            pose = before + part * step * slope
    return pose


def test_three_robots_follow_shortest_paths_and_keep_away_from_walls() -> None:
    """Paths by A* again; 20 s of the first robot by other means of following; distances on the map."""
    d = bd.load("three-robots")
    r = d.simulate()
    house = planning.OccupancyMap(HOUSE, 0.1, [-1.0, 0.0])
    ends = {
        "one": ([-0.5, 1.0], [6.5, 1.0]),
        "two": ([2.0, 0.5], [6.0, 3.0]),
        "three": ([6.0, 5.5], [-0.5, 3.0]),
    }
    for name, (start, goal) in ends.items():
        points = np.array(d.blocks[f"path_{name}"].waypoints)
        np.testing.assert_allclose(
            points, planning.astar(house.inflated(0.25), start, goal).points, atol=1e-9
        )
        assert house.inflated(0.2).is_free(r[f"{name}.pose"].values[:, :2]).all()
        np.testing.assert_allclose(r.final(f"{name}.pose")[:2], goal, atol=1e-9)
    tracks = [r[f"{name}.pose"].values[:, :2] for name in ends]
    assert min(np.hypot(*(a - b).T).min() for i, a in enumerate(tracks) for b in tracks[:i]) > 1.2
    early = d.simulate(stop=20.0)
    points = np.array(d.blocks["path_one"].waypoints)
    pose = chased(points, early["one.pose"].values[0], 20.0, 0.005)
    np.testing.assert_allclose(early.final("one.pose"), pose, atol=2e-3)


def test_late_steering_swings_beyond_the_limit_of_its_linear_loop() -> None:
    """At i w the loop of y'' = -(v/L) (ks y' + kd v y), late by tau, is just stable."""
    e = bd.Sweep(bd.load("late-steering")).run(progress=False)
    wheelbase, kd, ks = 2.7, 0.1, 0.8
    v, tau = np.meshgrid(np.linspace(1.0, 12.0, 23), np.linspace(0.02, 1.0, 25), indexing="ij")
    a, b = (v / wheelbase * ks) ** 2, (v / wheelbase * kd * v) ** 2
    w = np.sqrt((a + np.sqrt(a * a + 4.0 * b)) / 2.0)
    ratio = tau * w / np.arctan2(ks * w, kd * v)
    clear = np.abs(ratio - 1.0) > 0.1
    assert clear.sum() > 500
    np.testing.assert_array_equal((np.array(e["late"]).reshape(v.shape) > 0.1)[clear], (ratio > 1.0)[clear])
