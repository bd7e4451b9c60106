"""Cubic, quintic and trapezoidal: boundary conditions, published numbers, and what is refused."""

from __future__ import annotations

from itertools import pairwise
from math import pi
from typing import Any

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.interpolate import BPoly

from blockdyn.robots.trajectories import TrajectoryError, cubic, point_to_point, quintic, trapezoidal

Q0, QF = np.array([0.2, -1.0, 3.0]), np.array([1.5, 0.5, 3.0])


def test_time_scalings_of_modern_robotics() -> None:
    """CubicTimeScaling(2, 0.6) = 0.216, QuinticTimeScaling(2, 0.6) = 0.16308 (Lynch, Park, chapter 9)."""
    assert cubic(0.0, 1.0, 2.0, [0.6]).q == pytest.approx(0.216, abs=1e-15)
    assert quintic(0.0, 1.0, 2.0, [0.6]).q == pytest.approx(0.16308, abs=1e-15)


def test_greatest_speed_of_the_puma_demonstration() -> None:
    """15/8 of the mean speed, at half time: 0.2945 and 0.5890 rad/s in sl_jspace of the Robotics Toolbox."""
    v = quintic(np.zeros(3), [pi / 4, pi / 2, -pi / 2], 5.0, [2.5])
    np.testing.assert_allclose(v.qd[0], 15 / 8 * np.array([pi / 4, pi / 2, -pi / 2]) / 5, rtol=1e-14)
    np.testing.assert_allclose(v.qd[0], [0.2945, 0.5890, -0.5890], atol=5e-5)
    np.testing.assert_allclose(v.qdd[0], 0.0, atol=1e-14)


def test_default_trapezoid_is_that_of_lspb() -> None:
    """V = 1.5 (qf - q0) / T and blends of a third of the time, as the Robotics Toolbox has it."""
    v = trapezoidal(0.0, 1.0, 1.0, [0.0, 1 / 6, 1 / 3, 0.5, 2 / 3 - 1e-9, 0.9, 1.0])
    np.testing.assert_allclose(v.qd, [0.0, 0.75, 1.5, 1.5, 1.5, 0.45, 0.0], atol=1e-12)
    np.testing.assert_allclose(v.q[[2, 3, 6]], [0.25, 0.5, 1.0], rtol=1e-14)
    np.testing.assert_allclose(v.qdd[[1, 3, 5]], [4.5, 0.0, -4.5], rtol=1e-14)


@pytest.mark.parametrize("method", ["cubic", "quintic", "trapezoidal"])
def test_velocity_integrates_to_position_and_so_on(method: str) -> None:
    """Within each polynomial the four outputs are derivatives of one another, whatever they start from."""
    pieces = point_to_point(Q0, QF, 1.7, method=method, start=0.4)
    edges = [0.0, *pieces.knots, 2.5]
    for a, b in pairwise(edges):
        first = a + 1e-12 if a == pieces.knots[-1] else a  # the last instant is the motion's
        v = pieces.at(np.linspace(first, np.nextafter(b, a), 201))
        for lower, upper in ((v.q, v.qd), (v.qd, v.qdd), (v.qdd, v.jerk)):
            moved = cumulative_simpson(upper, x=v.time, axis=0, initial=0)
            np.testing.assert_allclose(lower - lower[0], moved, rtol=0, atol=2e-7)


def test_ends_are_as_given_and_the_polynomial_is_the_only_one() -> None:
    """Compared with SciPy's polynomial through the same derivatives."""
    T, first, last = 1.3, [0.3, -0.7, 2.0], [1.1, 0.4, -3.0]
    times = np.linspace(0.0, T * (1 - 1e-12), 50)
    rates = {"qd0": first[1], "qdf": last[1]}
    five = quintic(first[0], last[0], T, times, **rates, qdd0=first[2], qddf=last[2])
    three = cubic(first[0], last[0], T, times, **rates)
    for found, order in ((five, 3), (three, 2)):
        exact = BPoly.from_derivatives([0.0, T], [first[:order], last[:order]])
        for derivative, values in enumerate((found.q, found.qd, found.qdd, found.jerk)):
            np.testing.assert_allclose(values, exact(times, derivative), rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize("method", ["cubic", "quintic", "trapezoidal"])
def test_rests_before_and_after(method: str) -> None:
    v = point_to_point(Q0, QF, 2.0, method=method, start=1.0).at([-5.0, 0.999, 3.0 + 1e-12, 100.0])
    np.testing.assert_array_equal(v.q, [Q0, Q0, QF, QF])
    for rates in (v.qd, v.qdd, v.jerk):
        np.testing.assert_array_equal(rates, 0.0)


def test_one_of_speed_blend_time_and_acceleration_gives_the_others() -> None:
    """Moving by 2 in 3 s at 0.8: t_b = 0.5, a = 1.6."""
    times = np.linspace(0.0, 3.0, 31)
    wanted = trapezoidal(1.0, -1.0, 3.0, times, speed=0.8).q
    np.testing.assert_allclose(trapezoidal(1.0, -1.0, 3.0, times, blend_time=0.5).q, wanted, atol=1e-14)
    np.testing.assert_allclose(trapezoidal(1.0, -1.0, 3.0, times, acceleration=1.6).q, wanted, atol=1e-14)
    triangle = trapezoidal(0.0, 2.0, 2.0, times, acceleration=2.0)
    assert triangle.qd.max() == pytest.approx(2.0, abs=0.1)
    np.testing.assert_allclose(triangle.q, trapezoidal(0.0, 2.0, 2.0, times, speed=2.0).q, atol=1e-7)


@pytest.mark.parametrize(
    ("argument", "given", "remedy"),
    [
        ("speed", {"speed": 0.5}, "greater than 1 and at most 2 .* duration between 4 and 8 s"),
        ("speed", {"speed": 1.0}, "greater than 1"),
        ("speed", {"speed": 2.01}, "at most 2"),
        (
            "speed",
            {"q0": [0.0, 0.0], "qf": [2.0, 6.0], "speed": 1.5},
            "greater than 3 and at most 6 for joint 1",
        ),
        ("blend_time", {"blend_time": 1.1}, "at most 1 s, half of the time"),
        ("blend_time", {"blend_time": -0.1}, "greater than 0"),
        ("acceleration", {"acceleration": 1.5}, "at least 2 for joint 0, .* at least 2.3094 s"),
        ("blend_time", {"speed": 1.5, "blend_time": 0.5}, "give one"),
        ("speed", {"q0": [0.0, 0.0], "qf": [2.0, 6.0], "speed": [1.5, 4.0, 1.0]}, "2 numbers"),
        ("duration", {"duration": 0.0}, "greater than 0"),
        ("duration", {"duration": 1e-200, "method": "quintic"}, "long enough"),
        ("duration", {"duration": "long"}, "a number"),
        ("q0", {"q0": float("nan")}, "finite"),
        ("method", {"method": "septic"}, "quintic, cubic, trapezoidal"),
        ("qd0", {"qd0": 1.0}, "quintic or cubic takes it"),
        ("speed", {"speed": 1.0, "method": "cubic"}, "trapezoidal takes it"),
    ],
)
def test_motions_that_cannot_be_made(argument: str, given: dict[str, Any], remedy: str) -> None:
    """Moving by 2 in 2 s."""
    with pytest.raises(TrajectoryError, match=remedy) as error:
        point_to_point(**{"q0": 0.0, "qf": 2.0, "duration": 2.0, "method": "trapezoidal", **given})
    assert error.value.argument == argument


def test_a_joint_that_stays_needs_no_speed() -> None:
    v = trapezoidal([0.0, 1.0], [2.0, 1.0], 2.0, 5, speed=1.5)
    np.testing.assert_array_equal(v.q[:, 1], 1.0)


def test_the_table_has_one_shape_whatever_the_numbers() -> None:
    """A sweep over the targets must not compile again: coinciding knots leave unused rows."""
    shapes = {
        point_to_point(np.zeros(2), qf, 1.0, method="trapezoidal", **v).table.shape
        for qf, v in (([1.0, 2.0], {}), ([1.0, 0.0], {}), ([1.0, 1.0], {"blend_time": 0.5}))
    }
    assert len(shapes) == 1
