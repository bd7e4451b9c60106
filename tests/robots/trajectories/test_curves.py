"""Curves: closed forms, derivatives, ramps without a jump, and what is refused."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from blockdyn.robots.trajectories import FlightCurve, TrajectoryError, figure_eight, helix, lissajous

CURVES = [
    figure_eight(6.0, 3.0, 1.5, ramp=2.0, turns=3.0, along=True, centre=[1.0, 2.0, -3.0]),
    helix(2.0, 1.0, -1.5, ramp=1.0, turns=2.0, along=True, start=0.5),
    lissajous([1.0, 2.0, 0.5], [1.0, 2.0, 3.0], 1.0, ramp=1.5, turns=2.0, shift=0.3, heading=0.7),
]
# central differences of order eight: of the value at k and -k steps
EIGHTH = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
NAMES = ("position", "velocity", "acceleration", "jerk", "snap")


def slope(values: np.ndarray, h: float) -> np.ndarray:
    """The derivative of all but four values at either end."""
    count = len(values) - 8
    return np.asarray(sum(c * values[k : k + count] for k, c in enumerate(EIGHTH)) / h)


@pytest.mark.parametrize("curve", CURVES, ids=["eight", "helix", "lissajous"])
def test_each_derivative_is_that_of_the_one_before(curve: FlightCurve) -> None:
    for begin, end in pairwise(curve.knots):
        v = curve.at(np.linspace(begin, end, 2001)[:-1])
        h = v.time[1] - v.time[0]
        pairs = [*pairwise(NAMES), ("yaw_rate", "yaw_acceleration")]
        for name, next_name in pairs:
            derivative = getattr(v, next_name)[4:-4]
            largest = max(1.0, abs(derivative).max())
            np.testing.assert_allclose(slope(getattr(v, name), h), derivative, rtol=0, atol=1e-7 * largest)
        np.testing.assert_allclose(slope(np.unwrap(v.yaw), h), v.yaw_rate[4:-4], rtol=0, atol=1e-7)


@pytest.mark.parametrize("curve", CURVES, ids=["eight", "helix", "lissajous"])
def test_ramps_have_no_jump_up_to_the_snap(curve: FlightCurve) -> None:
    before, after = curve.at(curve.knots - 1e-9), curve.at(curve.knots + 1e-9)
    for name in NAMES:
        np.testing.assert_allclose(getattr(before, name), getattr(after, name), rtol=0, atol=1e-5)
    rest = curve.at([curve.start, curve.end + 1.0])
    for name in NAMES[1:]:
        np.testing.assert_allclose(getattr(rest, name), 0.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("curve", CURVES[:2], ids=["eight", "helix"])
def test_along_the_curve_the_nose_points_where_it_flies(curve: FlightCurve) -> None:
    v = curve.at(1001)
    moving = np.linalg.norm(v.velocity[:, :2], axis=1) > 1e-6
    direction = np.arctan2(v.velocity[:, 1], v.velocity[:, 0])[moving]
    np.testing.assert_allclose(np.exp(1j * v.yaw[moving]), np.exp(1j * direction), rtol=0, atol=1e-9)


def test_a_circle_is_flown_at_constant_speed_towards_its_centre() -> None:
    v = helix(2.0, 0.0, 1.5, along=True, centre=[1.0, 0.0, -1.0]).at([0.0, 1.0, 2.5])
    arm = v.position - [1.0, 0.0, -1.0]
    np.testing.assert_allclose(np.linalg.norm(v.velocity, axis=1), 3.0, rtol=1e-14)
    np.testing.assert_allclose(v.acceleration, -(1.5**2) * arm, rtol=0, atol=1e-14)
    np.testing.assert_allclose(v.snap, 1.5**4 * arm, rtol=0, atol=1e-13)
    np.testing.assert_allclose(v.yaw_rate, 1.5, rtol=1e-14)
    np.testing.assert_allclose(v.yaw[0], np.pi / 2, rtol=1e-14)


def test_a_helix_climbs_and_an_eight_is_fastest_where_it_crosses() -> None:
    v = helix(1.0, 0.5, 2.0, turns=3.0).at(3)
    np.testing.assert_allclose(v.position[:, 2], [0.0, -0.75, -1.5], rtol=0, atol=1e-14)
    eight = figure_eight(6.0, 3.0, 1.5).at(np.linspace(0.0, 2 * np.pi / 1.5, 1001))
    speeds = np.linalg.norm(eight.velocity, axis=1)
    assert speeds.max() == pytest.approx(1.5 * np.hypot(3.0, 3.0), rel=1e-14)
    np.testing.assert_allclose(np.ptp(eight.position, axis=0), [6.0, 3.0, 0.0], rtol=1e-4, atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"frequency": 0.0}, "other than 0"),
        ({"ramp": -1.0}, "zero or more"),
        ({"ramp": 10.0, "turns": 1.0}, "at least 1.59155, which the ramps take"),
        ({"amplitude": [1.0, 2.0]}, "three numbers"),
        ({"amplitude": [0.0, 0.0, 1.0], "along": True}, "this one is vertical"),
    ],
)
def test_what_is_no_curve_is_refused(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(TrajectoryError, match=what):
        lissajous(**{"amplitude": [1.0, 1.0, 0.0], "ratio": [1.0, 2.0, 0.0], "frequency": 1.0, **changes})


def test_a_flight_without_end_has_no_even_instants() -> None:
    with pytest.raises(TrajectoryError, match="no end"):
        helix(1.0, 0.0, 1.0).at(10)
