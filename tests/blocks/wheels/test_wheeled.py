"""Vehicles on wheels: arcs in closed form, limits at their instants, and what cannot be."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

from .ways import rolled

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
START = (1.0, 2.0, 3.0)
EXACT = 2e-13  # after ways of some 60 m


def driven(block: bd.Block, *demands: bd.Block) -> bd.Diagram:
    d = bd.Diagram()
    d.add("robot", block)
    for k, demand in enumerate(demands):
        d.connect(d.add(f"u{k}", demand), f"robot[{k}]")
    return d


def times(r: bd.Result) -> list[float]:
    return [event.time for event in r.events if event.path == "robot"]


@BOTH
@pytest.mark.parametrize(("v", "omega"), [(2.0, 0.7), (-1.5, 0.4), (1.0, -1e-7), (3.0, 0.0), (0.0, 1.0)])
def test_a_unicycle_rolls_on_the_circle_of_its_constant_rates(v: float, omega: float, compiled: bool) -> None:
    d = driven(bd.Unicycle(initial_pose=START), bd.Constant(v), bd.Constant(omega))
    r = d.simulate(stop=20.0, rtol=1e-3, compiled=compiled)
    x, y, heading = (v / omega if omega else 0.0), 0.0, 3.0 + 20.0 * omega
    if omega:
        x, y = START[0] + v / omega * (math.sin(heading) - math.sin(3.0)), START[1]
        y += v / omega * (math.cos(3.0) - math.cos(heading))
    else:
        x, y, _ = rolled(START, 20.0 * v, 0.0)
    error = 1e-8 if omega == -1e-7 else EXACT  # of the closed form itself: v/omega times rounding
    np.testing.assert_allclose(r.final("robot.pose"), [x, y, heading], atol=error, rtol=0)
    assert r.final("robot.distance") == pytest.approx(20.0 * v, abs=EXACT)


@BOTH
def test_a_bicycle_keeps_to_its_circles_however_its_speed_changes(compiled: bool) -> None:
    """From rest at 1.5 m/s2 to 3 m/s, the wheel at 0.3, -0.2 and 0 rad; then braked at 4.5 m/s2 to a stop."""
    speed = bd.PiecewiseConstant(times=[0.0, 1.0, 18.0], values=[0.0, 3.0, 0.0])
    wheel = bd.PiecewiseConstant(times=[0.0, 5.0, 9.0], values=[0.3, -0.2, 0.0])
    car = bd.Bicycle(wheelbase=2.0, acceleration=1.5, braking=4.5, initial_pose=START)
    r = driven(car, speed, wheel).simulate(stop=20.0, rtol=1e-3, compiled=compiled)
    ways = [(3.0 + 6.0, math.tan(0.3) / 2.0), (12.0, math.tan(-0.2) / 2.0), (27.0 + 1.0, 0.0)]
    pose = START
    for length, curvature in ways:
        pose = rolled(pose, length, curvature)
    np.testing.assert_allclose(r.final("robot.pose"), pose, atol=EXACT, rtol=0)
    assert r.final("robot.distance") == pytest.approx(49.0, abs=EXACT)
    for instant in (3.0, 18.0 + 3.0 / 4.5):
        assert min(abs(t - instant) for t in times(r)) < 1e-14


@BOTH
def test_a_differential_drive_turns_about_the_centre_that_its_wheels_share(compiled: bool) -> None:
    robot = bd.DifferentialDrive(wheel_radius=[0.1, 0.11], track=0.5, slip=[0.0, 0.1], initial_pose=START)
    r = driven(robot, bd.Constant(3.0), bd.Constant(5.0)).simulate(stop=30.0, compiled=compiled)
    left, right = 0.1 * 3.0, 0.11 * 0.9 * 5.0
    speed, rate = (left + right) / 2, (right - left) / 0.5
    np.testing.assert_allclose(
        r.final("robot.pose"), rolled(START, 30.0 * speed, rate / speed), atol=EXACT, rtol=0
    )
    np.testing.assert_allclose(r.final("robot.wheel_angles"), [90.0, 150.0], rtol=1e-14)


def test_wheels_that_turn_against_each_other_turn_on_the_spot() -> None:
    r = driven(bd.DifferentialDrive(), bd.Constant(-2.0), bd.Constant(2.0)).simulate(stop=50.0)
    np.testing.assert_allclose(r.final("robot.pose")[:2], 0.0, atol=1e-15)
    assert r.final("robot.turn_rate") * 50.0 == pytest.approx(50.0 * 2 * 0.05 * 2.0 / 0.3, rel=1e-14)


def test_inputs_that_flow_are_integrated_to_the_tolerance() -> None:
    """dtheta/dt = cos t: theta = sin t; x and y by SciPy on the equations as they are printed."""
    d = driven(bd.Unicycle(), bd.Sine(amplitude=0.5, bias=1.0), bd.Sine(phase=math.pi / 2))
    r = d.simulate(stop=30.0, rtol=1e-10, atol=1e-12)

    def slopes(t: float, x: np.ndarray) -> list[float]:
        v = 1.0 + 0.5 * math.sin(t)
        return [v * math.cos(x[2]), v * math.sin(x[2]), math.cos(t)]

    expected = solve_ivp(slopes, (0, 30), [0, 0, 0], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    np.testing.assert_allclose(r.final("robot.pose"), expected, atol=1e-8)


@BOTH
def test_speed_brakes_through_zero_faster_than_it_grows(compiled: bool) -> None:
    """From 4 m/s to -2 m/s: braked at 4, gone after 1 s, then 1 m/s2 until -2 at 3 s; the limit is -2."""
    robot = bd.Unicycle(speed_limit=5.0, reverse_limit=2.0, acceleration=1.0, braking=4.0, initial_speed=4.0)
    r = driven(robot, bd.Constant(-7.0), bd.Constant(0.0)).simulate(
        times=[0.5, 1.0, 2.0, 3.0, 4.0], compiled=compiled
    )
    np.testing.assert_allclose(r["robot.speed"].values, [2.0, 0.0, -1.0, -2.0, -2.0], atol=1e-13)
    assert times(r) == pytest.approx([1.0, 3.0], abs=1e-13)
    np.testing.assert_allclose(r.final("robot.pose")[0], 2.0 - 2.0 - 2.0, atol=1e-13)


@BOTH
def test_a_demand_is_followed_within_the_limits_and_left_where_it_gets_too_fast(compiled: bool) -> None:
    """gamma = sin t, limit 1/2, rate 0.9: the limit is reached at 0.5/0.9, left at 5 pi/6; the sine then
    falls more slowly than 0.9 until its cosine is -0.9, and is left there."""
    car = bd.Bicycle(steering_limit=0.5, steering_rate=0.9)
    r = driven(car, bd.Constant(1.0), bd.Sine()).simulate(stop=3.0, rtol=1e-10, atol=1e-12, compiled=compiled)
    left = math.acos(-0.9)
    for instant in (0.5 / 0.9, 5 * math.pi / 6, left):
        assert min(abs(t - instant) for t in times(r)) < 1e-11
    assert r.final("robot.steering") == pytest.approx(math.sin(left) - 0.9 * (3.0 - left), abs=1e-11)


def test_the_rate_that_limits_a_followed_speed_changes_with_its_sign() -> None:
    """v = 1 - 2 t: falling at 2, free while braking is 3; below zero it may grow by 1 only."""
    demand = bd.Ramp(slope=-2.0, initial=1.0)
    robot = bd.Unicycle(acceleration=1.0, braking=3.0, initial_speed=1.0)
    r = driven(robot, demand, bd.Constant(0.0)).simulate(times=[0.25, 0.5, 1.0, 2.0])
    np.testing.assert_allclose(r["robot.speed"].values, [0.5, 0.0, -0.5, -1.5], atol=1e-12)


def test_a_run_goes_on_where_another_ended() -> None:
    def build() -> bd.Diagram:
        car = bd.Bicycle(acceleration=0.5, steering_rate=0.2, initial_pose=START)
        return driven(car, bd.Sine(amplitude=2.0), bd.Sine(frequency=0.7))

    whole = build().simulate(stop=9.0, rtol=1e-11, atol=1e-13)
    for split in (1.0, 4.0, 7.0):
        first = build().simulate(stop=split, rtol=1e-11, atol=1e-13)
        second = build().simulate(start=split, stop=9.0, initial=first.final_states(), rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(second.final("robot.pose"), whole.final("robot.pose"), atol=1e-9)


def test_its_linear_model_is_that_of_the_textbook() -> None:
    """At rest on the x axis: dx/dt = v, dtheta/dt = omega; rolling at 2 m/s: dy/dt = 2 theta."""
    d = driven(bd.Unicycle(), bd.Constant(2.0), bd.Constant(0.0))
    model = d.linearize(["u0", "u1"], ["robot.pose"])
    s = 1j
    gain = model.C @ np.linalg.solve(s * np.eye(len(model.A)) - model.A, model.B) + model.D
    np.testing.assert_allclose(gain, [[1 / s, 0], [0, 2 / s**2], [0, 1 / s]], atol=1e-12)


@pytest.mark.parametrize("limit", [math.pi / 2, 2.0])
def test_a_wheel_that_steers_by_90_degrees_is_no_bicycle(limit: float) -> None:
    with pytest.raises(bd.ParameterError, match=r"Bicycle\.steering_limit is .*\n?.*less than pi/2"):
        bd.Bicycle(steering_limit=limit)


@pytest.mark.parametrize(
    ("kind", "wrong", "words"),
    [
        (bd.Bicycle, {"wheelbase": 0.0}, "wheelbase"),
        (bd.Bicycle, {"initial_steering": 1.2}, "at most the steering limit, 1"),
        (bd.Unicycle, {"speed_limit": -1.0}, "speed_limit"),
        (bd.Unicycle, {"initial_pose": [0.0, 0.0]}, "three numbers"),
        (bd.DifferentialDrive, {"wheel_radius": [0.1, 0.1, 0.1]}, "a number, or two: left, right"),
        (bd.DifferentialDrive, {"track": 0.0}, "track"),
        (bd.DifferentialDrive, {"vehicle": "turtlebot"}, "did you mean `turtlebot3-burger`"),
        (bd.Bicycle, {"vehicle": "turtlebot3-burger"}, "is of DifferentialDrive"),
    ],
)
def test_what_no_vehicle_has_is_refused(kind: type[bd.Block], wrong: dict[str, object], words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        kind(**wrong)


def test_vehicles_of_the_library_have_the_numbers_of_their_makers() -> None:
    """The Burger turns on the spot at 2.75 rad/s by its wheels; its maker says 2.84."""
    fast = driven(bd.DifferentialDrive(vehicle="turtlebot3-burger"), bd.Constant(-9.0), bd.Constant(9.0))
    assert fast.simulate(stop=1.0).final("robot.turn_rate") == pytest.approx(0.22 / 0.08, rel=1e-12)
    car = driven(bd.Bicycle(vehicle="bmw-320i"), bd.Constant(99.0), bd.Constant(2.0))
    r = car.simulate(stop=10.0)
    assert r.final("robot.speed") == 50.8
    assert r.final("robot.turn_rate") == pytest.approx(50.8 * math.tan(1.066) / 2.5789128, rel=1e-12)


def test_what_a_study_varies_are_parameters_of_the_vehicle() -> None:
    d = driven(bd.DifferentialDrive(vehicle="turtlebot3-burger"), bd.Constant(5.0), bd.Constant(5.0))
    for factor in (1.0, 1.02):
        r = d.simulate(stop=10.0, set={"robot.wheel_radius": 0.033 * factor})
        assert r.final("robot.distance") == pytest.approx(50.0 * 0.033 * factor, rel=1e-13)


def test_a_ramp_late_in_a_run_ends_once() -> None:
    """At 1e5 s an instant is known to 1.5e-11 s, in which 1000 m/s2 add 1.5e-8 m/s."""
    demand = bd.Step(time=1e5, final=1.0)
    r = driven(bd.Unicycle(acceleration=1e3), demand, bd.Constant(0.0)).simulate(stop=1e5 + 2.0)
    assert times(r) == pytest.approx([1e5 + 1e-3], abs=1e-10)
    assert r.final("robot.speed") == 1.0


def test_a_wheel_loses_no_more_than_its_way() -> None:
    for block in (bd.Bicycle, bd.DifferentialDrive, bd.OmniBase):
        with pytest.raises(bd.ParameterError, match="slip"):
            block(slip=1.5)
