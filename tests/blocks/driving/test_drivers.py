"""Drivers: their errors in closed form, what was published of them, and angles without a cut."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
FINE = {"rtol": 1e-10, "atol": 1e-12}


def to_point(start: list[float], goal: list[float]) -> bd.Diagram:
    """The model sl_drivepoint of the Robotics Toolbox, with the gains of its sliders as they are saved."""
    d = bd.Diagram()
    limits = {"speed_limit": 1.0, "acceleration": 1.0, "steering_limit": 1.0, "initial_speed": 1.0}
    car = d.add("car", bd.Bicycle(initial_pose=start, **limits))
    driver = d.add("driver", bd.DriveToPoint(speed_gain=0.5294117647, steering_gain=2.0235294118))
    d.connect(car["pose"], driver["pose"])
    d.connect(d.add("goal", bd.Constant(goal)), driver["goal"])
    d.connect(driver["v"], car["v"])
    d.connect(driver["turn"], car["gamma"])
    d.connect(driver["distance"], d.add("near", bd.Compare("<", 0.1)), d.add("end", bd.Stop()))
    return d


@pytest.mark.parametrize(
    ("start", "goal", "time", "end", "compiled"),
    [
        ([5.0, 5.0, 0.0], [0.0, 0.0], 11.89, [0.083, 0.056, -2.546], True),
        ([8.0, 5.0, math.pi / 2], [5.0, 5.0], 7.14, [5.090, 5.044], True),
        ([8.0, 5.0, math.pi / 2], [5.0, 5.0], 7.14, [5.090, 5.044], False),
        ([0.0, 0.0, math.pi / 2], [5.0, 5.0], 10.80, [4.926, 4.933, 0.7325], True),
    ],
)
def test_drives_to_points_as_the_model_of_the_toolbox_does(
    start: list[float], goal: list[float], time: float, end: list[float], compiled: bool
) -> None:
    r = to_point(start, goal).simulate(stop=30.0, compiled=compiled, rtol=1e-7, atol=1e-9)
    assert r.statistics["end"] == pytest.approx(time, abs=0.006)
    np.testing.assert_allclose(r.final("car.pose")[: len(end)], end, atol=0.0006)
    assert math.hypot(*(r.final("car.pose")[:2] - goal)) == pytest.approx(0.1, abs=1e-9)


def test_a_goal_that_is_circled_is_seen_without_a_jump_but_directly_behind() -> None:
    """A vehicle on a circle beside the goal: alpha is continuous modulo a turn."""
    d = bd.Diagram()
    robot = d.add("robot", bd.Unicycle(initial_pose=[2.0, -3.0, 0.5]))
    driver = d.add("driver", bd.DriveToPoint())
    d.connect(d.add("v", bd.Constant(1.0)), robot["v"])
    d.connect(d.add("omega", bd.Constant(0.8)), robot["omega"])
    d.connect(robot["pose"], driver["pose"])
    d.connect(d.add("goal", bd.Constant([0.0, 0.0])), driver["goal"])
    r = d.simulate(stop=40.0, max_step=0.05)
    alpha, pose = r["driver.alpha"], r["robot.pose"].values
    seen = np.arctan2(-pose[:, 1], -pose[:, 0]) - pose[:, 2]
    np.testing.assert_allclose(np.exp(1j * alpha.values), np.exp(1j * seen), atol=1e-9)
    assert alpha.values.min() >= -math.pi - 1e-9
    assert alpha.values.max() <= math.pi + 1e-9
    jumps = np.abs(np.diff(alpha.values)) > 1.0
    behind = [e for e in r.events if e.path == "driver" and e.detail == "behind"]
    assert jumps.sum() == len(behind) == 5  # once a turn: 40 s of 2 pi/0.8 s


@pytest.mark.parametrize(("speed", "wheelbase"), [(1.0, 1.0), (3.0, 2.5)])
def test_errors_along_a_line_are_those_of_a_damped_oscillator(speed: float, wheelbase: float) -> None:
    """d'' + v kh/L d' + v^2 kd/L d = 0: the poles of the linear model."""
    d = bd.Diagram()
    car = d.add("car", bd.Bicycle(wheelbase=wheelbase, initial_pose=[0.0, 2.0, math.atan2(1.0, 2.0)]))
    driver = d.add("driver", bd.DriveAlongLine(line=[1, -2, 4], distance_gain=0.3, steering_gain=0.8))
    d.connect(car["pose"], driver["pose"])
    d.connect(driver["turn"], car["gamma"])
    d.connect(d.add("v", bd.Constant(speed)), car["v"])
    model = d.linearize(["v"], ["driver.distance"])
    expected = np.roots([1.0, speed * 0.8 / wheelbase, speed**2 * 0.3 / wheelbase])
    poles = np.array([pole.value if hasattr(pole, "value") else pole for pole in np.linalg.eigvals(model.A)])
    for root in expected:
        assert np.abs(poles - root).min() < 1e-9
    r = d.simulate(stop=20.0, set={"car.initial_pose": [0.0, 3.0, 0.0]})
    assert abs(r.final("driver.distance")) < 0.05


def test_onto_a_line_as_the_model_of_the_toolbox_with_a_speed_that_begins_at_1() -> None:
    d = bd.Diagram()
    car = d.add("car", bd.Bicycle(speed_limit=1.0, initial_pose=[5.0, 5.0, 0.0]))
    driver = d.add("driver", bd.DriveAlongLine(line=[1, -2, 4]))
    d.connect(car["pose"], driver["pose"])
    d.connect(driver["turn"], car["gamma"])
    d.connect(d.add("v", bd.Constant(1.0)), car["v"])
    np.testing.assert_allclose(
        d.simulate(stop=15.0, **FINE).final("car.pose")[:2], [18.547, 11.273], atol=0.0006
    )


def to_pose(start: list[float], goal: list[float]) -> bd.Diagram:
    d = bd.Diagram()
    robot = d.add("robot", bd.Unicycle(initial_pose=start))
    driver = d.add("driver", bd.DriveToPose(k_rho=1.0, k_alpha=5.0, k_beta=-2.0))
    d.connect(robot["pose"], driver["pose"])
    d.connect(d.add("goal", bd.Constant(goal)), driver["goal"])
    d.connect(driver["v"], robot["v"])
    d.connect(driver["omega"], robot["omega"])
    return d


@pytest.mark.parametrize(
    ("start", "goal", "compiled", "stop"),
    [
        ([5.5, 9.0, math.pi], [5.0, 5.0, math.pi / 2], True, 4.0),
        ([9.0, 5.0, 0.0], [5.0, 5.0, math.pi / 2], True, 4.0),
        ([9.0, 5.0, 0.0], [5.0, 5.0, math.pi / 2], False, 0.4),
        ([1.0, 5.0, 0.3], [5.0, 5.0, 0.0], True, 4.0),
        ([5.0, 1.0, 7.0], [5.0, 5.0, -2.0], True, 4.0),
    ],
)
def test_the_way_to_a_pose_is_that_of_its_polar_coordinates(
    start: list[float], goal: list[float], compiled: bool, stop: float
) -> None:
    """rho' = -rho cos(alpha), alpha' = sin(alpha) - omega, beta' = -sin(alpha), by SciPy."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    ahead = dx * math.cos(start[2]) + dy * math.sin(start[2])
    way = 1.0 if ahead >= -1e-12 else -1.0

    def wrapped(angle: float) -> float:
        return (angle + math.pi) % (2 * math.pi) - math.pi

    bearing = math.atan2(way * dy, way * dx)
    polar = [math.hypot(dx, dy), wrapped(bearing - start[2]), wrapped(goal[2] - bearing)]

    def slopes(t: float, x: np.ndarray) -> list[float]:
        rho, alpha, beta = x
        omega = 5.0 * alpha - 2.0 * beta
        return [-rho * math.cos(alpha), math.sin(alpha) - omega, -math.sin(alpha)]

    expected = solve_ivp(slopes, (0, stop), polar, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
    r = to_pose(start, goal).simulate(stop=stop, compiled=compiled, **FINE)
    reached = [r.final(f"driver.{name}") for name in ("distance", "alpha", "beta")]
    np.testing.assert_allclose(reached, expected, atol=1e-7)
    assert np.sign(r.final("driver.v")) == way


def test_the_direction_to_a_pose_is_chosen_once() -> None:
    """A goal that starts behind and then overtakes is still driven to backwards."""
    d = bd.Diagram()
    robot, driver = d.add("robot", bd.Unicycle()), d.add("driver", bd.DriveToPose())
    d.connect(robot["pose"], driver["pose"])
    d.connect(d.add("x", bd.Ramp(slope=5.0, initial=-1.0)), d.add("goal", bd.Mux(3))[0])
    d.connect(d.add("y", bd.Constant(0.1)), "goal[1]")
    d.connect(d.add("theta", bd.Constant(0.0)), "goal[2]")
    d.connect("goal", driver["goal"])
    d.connect(driver["v"], robot["v"])
    d.connect(driver["omega"], robot["omega"])
    assert (d.simulate(stop=3.0)["driver.v"].values < 0.0).all()


@BOTH
@pytest.mark.parametrize(("x", "heading"), [(2.0, 0.0), (-2.0, math.pi)])
def test_beta_jumps_where_the_vehicle_crosses_the_line_ahead_of_its_goal(
    x: float, heading: float, compiled: bool
) -> None:
    """With the goal at the origin along +x or -x, and a pose that passes (x, 0) upwards at 1 s."""
    d = bd.Diagram()
    pose = d.add("pose", bd.Mux(count=3))
    for i, block in enumerate([bd.Constant(x), bd.Ramp(initial=-1.0), bd.Constant(heading + math.pi)]):
        d.connect(d.add(f"u{i}", block), pose[i])
    driver = d.add("driver", bd.DriveToPose())
    d.connect(pose, driver["pose"])
    d.connect(d.add("goal", bd.Constant([0.0, 0.0, heading])), driver["goal"])
    r = d.simulate(stop=2.0, compiled=compiled)
    jumps = [event for event in r.events if event.detail == "beta_behind"]
    assert [event.time for event in jumps] == [pytest.approx(1.0, abs=1e-9)]
    before, after = r.trace("driver.beta").at([1.0 - 1e-6, 1.0 + 1e-6])
    assert abs(after - before) == pytest.approx(2.0 * math.pi, abs=1e-5)
    assert np.ptp(r["driver.alpha"].values) < math.pi / 2


def chased(block: bd.Block, start: list[float]) -> bd.Diagram:
    d = bd.Diagram()
    car = d.add("car", bd.Bicycle(initial_pose=start))
    path = d.add("path", block)
    d.connect(car["pose"], path)
    d.connect(path["gamma"], car["gamma"])
    d.connect(d.add("v", bd.Constant(1.0)), car["v"])
    return d


@pytest.mark.parametrize(
    ("curvature", "compiled", "stop"), [(0.25, True, 10.0), (-0.2, True, 10.0), (-0.2, False, 1.0)]
)
def test_on_a_circle_pure_pursuit_stays_on_it(curvature: float, compiled: bool, stop: float) -> None:
    """A circle along a tangent of a circle, through another point of it, is that circle."""
    path = bd.PurePursuit(arcs=[[12.0, curvature]], start=[1.0, 2.0, 0.5], look_ahead=1.5)
    r = chased(path, [1.0, 2.0, 0.5]).simulate(stop=stop, compiled=compiled, **FINE)
    np.testing.assert_allclose(r["path.curvature"].values, curvature, atol=1e-9)
    centre = [1.0 - math.sin(0.5) / curvature, 2.0 + math.cos(0.5) / curvature]
    distance = np.hypot(*(r["car.pose"].values[:, :2] - centre).T)
    np.testing.assert_allclose(distance, 1 / abs(curvature), atol=1e-9)


def test_the_target_is_a_look_ahead_away_on_the_path_and_only_goes_forwards() -> None:
    """A hairpin whose ways are 1 m apart, and a look-ahead of 2 m: no jump from one to the other."""
    corners = [[0.0, 0.0], [20.0, 0.0], [20.0, 1.0], [0.0, 1.0]]
    d = chased(bd.PurePursuit(waypoints=corners, look_ahead=2.0), [0.0, -0.5, 0.0])
    r = d.simulate(stop=35.0, max_step=0.1)
    target, place = r["path.target"].values, r["car.pose"].values[:, :2]
    first = r["path.target"].time < 17.0
    assert (target[first, 1] == 0.0).all()
    np.testing.assert_allclose(np.hypot(*(target - place)[first].T), 2.0, atol=1e-12)
    assert (np.diff(target[first, 0]) >= -1e-12).all()
    assert target[-1, 1] == pytest.approx(1.0, abs=1e-12)
    assert target[-1, 0] < 15.0


def test_far_from_the_path_the_nearest_point_is_aimed_at_and_near_the_end_the_end() -> None:
    d = chased(bd.PurePursuit(waypoints=[[0.0, 0.0], [9.0, 0.0]], look_ahead=1.0), [3.0, 4.0, 0.0])
    r = d.simulate(stop=0.0)
    np.testing.assert_allclose(r.final("path.target"), [3.0, 0.0], atol=1e-15)
    before = d.simulate(stop=0.0, set={"car.initial_pose": [-3.0, 1.0, 0.0]})
    np.testing.assert_array_equal(before.final("path.target"), [0.0, 0.0])
    near = d.simulate(stop=0.0, set={"car.initial_pose": [8.5, 0.1, 0.0]})
    np.testing.assert_allclose(near.final("path.target"), [9.0, 0.0], atol=1e-15)
    assert near.final("path.rest") == pytest.approx(math.hypot(0.5, 0.1), rel=1e-14)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"waypoints": [[0, 0], [1, 2], [1, 2], [3, 3]]}, r"the points 2 and 3 are both \(1, 2\)"),
        ({"waypoints": [[0, 0]]}, "two or more rows x, y"),
        ({"arcs": [[1.0, 0.5], [0.0, 0.1]]}, "the length of row 2 is 0 m"),
        ({}, "by one of waypoints, spline, poses, arcs"),
        ({"waypoints": [[0, 0], [1, 1]], "look_ahead": 0.0}, "look_ahead"),
    ],
)
def test_paths_that_are_none_are_refused(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        bd.PurePursuit(**wrong)


def test_a_vehicle_of_braitenberg_that_sees_the_light_ahead_drives_to_it() -> None:
    """By symmetry straight on, at 2 - 2 s(r) with s of both sensors, 1 m to either side."""
    d = bd.Diagram()
    robot, driver = d.add("robot", bd.Unicycle()), d.add("driver", bd.Braitenberg())
    for name, left in (("left", 1.0), ("right", -1.0)):
        eye = bd.FieldSensor(sources=[[30.0, 0.0, 50.0, 50.0]], at=[0.0, left])
        d.connect(robot["pose"], d.add(name, eye), driver[name])
    d.connect(driver["v"], robot["v"])
    d.connect(driver["turn"], robot["omega"])
    r = d.simulate(stop=10.0, **FINE)

    def slope(t: float, x: np.ndarray) -> list[float]:
        return [2.0 - 100.0 / ((30.0 - x[0]) ** 2 + 51.0)]

    x = solve_ivp(slope, (0, 10), [0.0], method="DOP853", rtol=1e-12, atol=1e-13).y[0, -1]
    np.testing.assert_allclose(r.final("robot.pose"), [x, 0.0, 0.0], atol=1e-8)


def test_it_turns_to_where_the_field_is_stronger() -> None:
    d = bd.Diagram()
    d.add("pose", bd.Constant([0.0, 0.0, 0.0]))
    for name, left in (("left", 1.0), ("right", -1.0)):
        d.connect("pose", d.add(name, bd.FieldSensor(sources=[[5.0, 5.0, 9.0, 1.0]], at=[0.0, left])))
    driver = d.add("driver", bd.Braitenberg(steering_gain=5.0))
    d.connect("left", driver["left"])
    d.connect("right", driver["right"])
    expected = 5.0 * (9.0 / (25.0 + 16.0 + 1.0) - 9.0 / (25.0 + 36.0 + 1.0))
    assert d.simulate(stop=0.0).final("driver.turn") == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("line", [[0.0, 0.0, 1.0], [1.0, 2.0]])
def test_a_line_without_a_direction_is_refused(line: list[float]) -> None:
    with pytest.raises(bd.ParameterError, match="a and b are not both zero"):
        bd.DriveAlongLine(line=line)
