"""FollowPath: speeds against closed forms, its errors against their equation; splines and poses as paths."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import blockdyn as bd
from blockdyn.robots import planning

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])


def followed(path: bd.FollowPath, start: list[float] | None = None, **run: float) -> bd.Result:
    d = bd.Diagram()
    driver = d.add("path", path)
    car = d.add("car", bd.Unicycle(initial_pose=start or [0.0, 0.0, 0.0]))
    d.connect(driver["v"], car["v"])
    d.connect(driver["omega"], car["omega"])
    d.connect(car["pose"], driver)
    return d.simulate(rtol=1e-10, atol=1e-12, **run)


def test_on_a_line_the_speed_is_a_trapezoid() -> None:
    """10 m at 1 m/s2 up to 2 m/s and 2 m/s2 down: 2 s, 3.5 s and 1 s."""
    block = bd.FollowPath(waypoints=[[0, 0], [10, 0]], speed=2.0, acceleration=1.0, braking=2.0)
    r = followed(block, stop=8.0)
    t = r["path.v"].time
    v = np.clip(np.minimum(t, 2.0 * (6.5 - t)), 0.0, 2.0)
    np.testing.assert_allclose(r["path.v"].values, v, atol=1e-4)  # at the end ds/dv is infinite
    np.testing.assert_allclose([event.time for event in r.events][:2], [2.0, 5.5], atol=1e-7)
    np.testing.assert_allclose(r.final("car.pose"), [10.0, 0.0, 0.0], atol=1e-9)
    assert r.final("path.v") == 0.0
    assert r.final("path.rest") == 0.0


def test_on_a_circle_the_side_acceleration_is_met() -> None:
    block = bd.FollowPath(arcs=[[4 * math.pi, 0.5]], speed=9.0, side_acceleration=0.5, final_speed=9.0)
    r = followed(block, stop=4.0)
    assert r.final("path.v") == pytest.approx(math.sqrt(0.5 * 2.0), rel=1e-14)
    assert np.abs(r["path.offset"].values).max() < 1e-9


@BOTH
def test_errors_obey_their_equation_over_the_way(compiled: bool) -> None:
    """e' = sin(psi), psi' = -k1 e sin(psi)/psi - k2 psi over the way, by SciPy, while the speed changes."""
    block = bd.FollowPath(
        waypoints=[[-1, 0], [20, 0]], speed=1.5, acceleration=0.5, offset_gain=0.7, heading_gain=1.1
    )
    r = followed(block, [0.0, 0.8, 0.5], stop=5.0, compiled=compiled)

    def slopes(_: float, x: np.ndarray) -> list[float]:
        return [math.sin(x[1]), -0.7 * x[0] * np.sinc(x[1] / np.pi) - 1.1 * x[1]]

    way = 0.5 * 0.5 * 9.0 + 1.5 * 2.0
    e, psi = solve_ivp(slopes, (0, way), [0.8, 0.5], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    assert r.final("path.offset") == pytest.approx(e, abs=1e-7)
    assert r.final("path.alpha") == pytest.approx(-psi, abs=1e-7)


POINTS = [[0.0, 0.0], [3.0, 1.0], [5.0, -2.0], [9.0, 0.0], [8.0, 4.0], [2.0, 5.0]]


@pytest.mark.parametrize("closed", [False, True])
def test_a_spline_is_that_of_scipy_within_its_tolerance(closed: bool) -> None:
    rows = np.array([*POINTS, POINTS[0]] if closed else POINTS)
    knots = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(rows, axis=0).T))])
    curve = CubicSpline(knots, rows, bc_type="periodic" if closed else "natural")
    path = planning.spline(POINTS, closed=closed, tolerance=1e-5)
    s = np.linspace(0.0, path.length, 20001)
    at = path.pose(s)
    u = np.linspace(0.0, knots[-1], 100001)
    many, slope = curve(u), curve(u, 1)
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(many, axis=0).T))])
    assert path.length == pytest.approx(length[-1], abs=1e-4)
    near = np.searchsorted(length, s * length[-1] / path.length).clip(0, len(u) - 1)
    gap, along = at[:, :2] - many[near], slope[near] / np.hypot(*slope[near].T)[:, None]
    across = gap[:, 1] * along[:, 0] - gap[:, 0] * along[:, 1]
    assert np.abs(across).max() < 2e-5  # the tolerance, and a chord's height of the points here
    np.testing.assert_allclose(path.end[:2], rows[-1], atol=1e-9)
    turn = np.exp(1j * at[:, 2]) * (along[:, 0] - 1j * along[:, 1])
    assert np.abs(np.angle(turn)).max() < 0.01


def limited(path: bd.FollowPath, start: list[float], acceleration: float, **run: object) -> bd.Result:
    """A car whose limits are those of the profile, or others."""
    d = bd.Diagram()
    driver = d.add("path", path)
    car = d.add("car", bd.Bicycle(wheelbase=2.6, initial_pose=start, acceleration=acceleration))
    d.connect(driver["v"], car["v"])
    d.connect(driver["gamma"], car["gamma"])
    d.connect(car["pose"], driver)
    return d.simulate(**run)


@pytest.mark.parametrize("start", [[0.0, 0.0, 0.0], [0.0, 0.1, 0.05]])
def test_a_car_with_the_limits_of_the_profile_follows_it_without_chatter(start: list[float]) -> None:
    """Its acceleration is that of the profile to the last bit, so nothing switches but pieces and phases."""
    bends = [[5.0, 0.0], [4.0, 0.2], [3.0, 0.0]]
    block = bd.FollowPath(arcs=bends, speed=2.0, side_acceleration=0.5, wheelbase=2.6)
    r = limited(block, start, 1.0, stop=12.0)
    assert len(r.events) < 40
    assert r.final("path.rest") == pytest.approx(0.0, abs=1e-12)
    assert r.final("path.v") == 0.0
    lags = np.abs(r["car.speed"].values - r["path.v"].values)
    assert lags.max() < 0.02  # where the way is shorter inside the bend


@pytest.mark.parametrize("acceleration", [1.0, 1.5])
def test_it_drives_back_as_reeds_and_shepp_do(acceleration: float) -> None:
    """Three cusps: the end is met, from beside the start too, in the time of the profile."""
    path = planning.reeds_shepp([0.0, 0.0, 0.0], [0.0, 2.5, 0.0], radius=4.5)
    profile = planning.speed_profile(path, 2.0, 1.0, side_acceleration=0.5)
    block = bd.FollowPath(arcs=path.arcs, speed=2.0, side_acceleration=0.5, wheelbase=2.6)
    r = limited(block, [0.0, 0.0, 0.0], acceleration, stop=20.0, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r.final("car.pose"), [0.0, 2.5, 0.0], atol=1e-6)
    arrived = r["path.v"].time[np.flatnonzero(r["path.v"].values)[-1]]
    assert arrived == pytest.approx(profile.duration, abs=1e-3)
    ways = np.sign(r["path.v"].values)
    assert (np.diff(ways[ways != 0.0]) != 0.0).sum() == (np.diff(np.sign(path.lengths)) != 0.0).sum()
    beside = limited(block, [0.0, 0.1, 0.05], acceleration, stop=20.0)
    assert np.abs(beside.final("path.offset")) < 0.02 < np.abs(beside["path.offset"].values).max()


def test_errors_backwards_obey_the_equation_of_those_forwards() -> None:
    """A line driven backwards is one driven forwards, turned by half a turn."""
    gains = {"speed": 1.5, "acceleration": 0.5, "offset_gain": 0.7, "heading_gain": 1.1}
    ahead = followed(bd.FollowPath(arcs=[[20.0, 0.1]], **gains), [0.0, 0.8, 0.5], stop=5.0)
    start = [0.0, 0.0, math.pi]
    back = bd.FollowPath(arcs=[[-20.0, -0.1]], start=start, **gains)
    r = followed(back, [0.0, 0.8, 0.5 + math.pi], stop=5.0)
    np.testing.assert_allclose(r.final("car.pose")[:2], ahead.final("car.pose")[:2], atol=1e-9)
    assert r.final("path.v") == pytest.approx(-ahead.final("path.v"), rel=1e-12)
    assert r.final("path.offset") == pytest.approx(-ahead.final("path.offset"), abs=1e-9)


@pytest.mark.parametrize(
    "told",
    [
        {"spline": POINTS, "side_acceleration": 1.0},
        {"arcs": [[4.0 * math.pi, 0.5]], "side_acceleration": 1.0},
        {"poses": [[0.0, 0.0, 0.0], [6.0, 3.0, 2.0]]},
    ],
)
def test_a_closed_path_is_driven_around_as_often_as_told(told: dict[str, object]) -> None:
    block = bd.FollowPath(closed=True, laps=3, speed=2.0, **told)
    once = bd.FollowPath(closed=True, speed=2.0, **told).curve
    length = once[:, 4].sum()
    start = [*once[0, :3]]
    r = followed(block, start, stop=3.0 * length)
    assert r.final("path.s") == pytest.approx(3.0 * length, rel=1e-12)
    np.testing.assert_allclose(r.final("car.pose")[:2], start[:2], atol=1e-3)
    s, v = r["path.s"].values, r["path.v"].values
    assert v[np.searchsorted(s, length)] > 0.1  # it does not stop after a lap


def test_pure_pursuit_goes_around_too_and_tells_what_is_left_of_the_way() -> None:
    square = bd.PurePursuit(
        waypoints=[[0, 0], [10, 0], [10, 10], [0, 10]], closed=True, laps=2, look_ahead=1.0
    )
    d = bd.Diagram()
    d.add("path", square)
    d.add("car", bd.Bicycle())
    d.connect(d["car"]["pose"], d["path"])
    d.connect(d["path"]["gamma"], d["car"]["gamma"])
    d.connect(d.add("v", bd.Constant(1.0)), d["car"]["v"])
    d.connect(d["path"]["rest"], d.add("near", bd.Compare("<", 0.1)), d.add("end", bd.Stop()))
    r = d.simulate(stop=100.0)
    assert r["path.rest"].values[0] == pytest.approx(80.0)
    assert 75.0 < r.statistics["end"] < 80.0
    with pytest.raises(bd.ParameterError, match="drives forwards only"):
        bd.PurePursuit(arcs=[[1.0, 0.0], [-1.0, 0.1]])


def test_a_path_by_spline_or_poses_is_that_of_planning() -> None:
    """The block and the functions tell one path; a vehicle stays on it."""
    path = planning.spline(POINTS)
    block = bd.FollowPath(spline=POINTS, speed=2.0, side_acceleration=1.0)
    assert block.pieces[:, 4].sum() == pytest.approx(path.length, rel=1e-12)
    r = followed(block, list(path.start), stop=15.0)
    assert np.abs(r["path.offset"].values).max() < 1e-7
    v, kappa = r["path.v"].values, r["path.curvature"].values
    assert (v * v * np.abs(kappa)).max() < 1.0 + 1e-9
    profile = planning.speed_profile(path, 2.0, 1.0, side_acceleration=1.0)
    assert r.final("path.rest") == pytest.approx(0.0, abs=1e-9)
    between = np.interp(0.5 * path.length, r["path.s"].values, r["path.s"].time)
    assert between == pytest.approx(float(profile.time(0.5 * path.length)), abs=0.01)  # linear between rows
    poses = [[0.0, 0.0, 0.0], [4.0, 3.0, 1.0], [0.0, 6.0, 3.0]]
    curves = [planning.dubins(a, b, 1.5) for a, b in pairwise(poses)]
    known = bd.NearestOnPath(poses=poses, radius=1.5)
    assert known.pieces[:, 4].sum() == pytest.approx(sum(curve.length for curve in curves), rel=1e-12)


def test_profiles_of_paths_have_their_closed_forms() -> None:
    line = planning.ArcPath(np.zeros(3), np.zeros(1), np.array([10.0]))
    profile = planning.speed_profile(line, 2.0, 1.0, braking=2.0)
    assert profile.duration == pytest.approx(6.5, rel=1e-14)
    np.testing.assert_allclose(profile.speed([0.0, 0.5, 2.0, 5.0, 9.75, 10.0]), [0, 1, 2, 2, 1, 0], atol=1e-7)
    np.testing.assert_allclose(profile.time([0.0, 0.5, 2.0, 5.0, 9.0, 10.0]), [0, 1, 2, 3.5, 5.5, 6.5])
    circle = planning.ArcPath(np.zeros(3), np.array([0.25]), np.array([30.0]))
    steady = planning.speed_profile(circle, 9.0, 1.0, side_acceleration=1.0, initial=9.0, final=9.0)
    np.testing.assert_allclose(steady.speed([0.0, 15.0, 30.0]), 2.0, rtol=1e-14)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({}, "by one of waypoints, spline, poses, arcs"),
        ({"spline": POINTS, "waypoints": POINTS}, "by one of waypoints, spline, poses, arcs"),
        ({"waypoints": POINTS, "side_acceleration": 1.0}, "corners"),
        ({"waypoints": POINTS, "laps": 2}, "closed: true"),
        ({"waypoints": POINTS, "closed": True, "laps": 0}, "from 1 to 1000"),
        ({"arcs": [[1.0, 0.0]], "closed": True}, "end where they begin"),
        ({"arcs": [[2 * math.pi, 1.0], [0.0, 1.0]]}, "the length of row 2 is 0 m"),
        ({"spline": [[0, 0], [1, 0], [1, 0]]}, "the points 2 and 3 are both"),
        ({"spline": [[0, 0], [1, 0]], "closed": True}, "three or more rows"),
        ({"poses": [[0, 0, 0], [0, 0, 0]]}, "poses that differ"),
        ({"poses": [[0, 0], [1, 0]]}, "x, y, heading"),
        ({"poses": [[0, 0, 0], [5, 0, 0]], "radius": 0.0}, "radius"),
    ],
)
def test_paths_that_are_none_are_told(told: dict[str, object], text: str) -> None:
    with pytest.raises(bd.ParameterError, match=text):
        bd.FollowPath(**told)  # type: ignore[arg-type]


def test_points_without_a_spline_are_told() -> None:
    for points, text in (([[0, 0]], "two or more"), ([0, 1], "shape"), ([[0, 0], [0, 0]], "are both")):
        with pytest.raises(planning.PlanningError, match=text):
            planning.spline(points)
