"""A motion lives on a closed interval: its last instant has its derivatives, and is not yet at rest."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn import modern_robotics as mr
from blockdyn.robots.trajectories import (
    cartesian_motion,
    cubic,
    quintic,
    screw_motion,
    segments,
    trapezoidal,
    via_points,
)

TURN = np.array([[0.0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
ROUNDING = 1e-13


def test_a_quintic_ends_with_the_rates_that_are_given() -> None:
    v = quintic(0.0, 1.0, 2.0, 5, start=0.3, qdf=0.7, qddf=-0.4)
    assert (v.q[-1], v.qd[-1], v.qdd[-1]) == pytest.approx((1.0, 0.7, -0.4), abs=ROUNDING)
    assert quintic(0.0, 1.0, 2.0, [2.3 + 1e-9], start=0.3, qdf=0.7).qd[0] == 0.0


def test_a_cubic_ends_decelerating() -> None:
    """q = 3 s^2 - 2 s^3 with s = t / T: qdd = 6 / T^2 at the start, -6 / T^2 at the end, jerk -12 / T^3."""
    v = cubic(0.0, 1.0, 2.0, 3)
    np.testing.assert_allclose(v.qdd, [1.5, 0.0, -1.5], atol=ROUNDING)
    np.testing.assert_allclose(v.jerk, -1.5, atol=ROUNDING)


def test_a_trapezoid_ends_on_its_parabola() -> None:
    """V = 1.5 d / T and blends of T / 3: qdd = 4.5 d / T^2, 0, -4.5 d / T^2."""
    v = trapezoidal([0.0, 1.0], [1.0, -1.0], 3.0, 3)
    np.testing.assert_allclose(v.qdd, [[0.5, -1.0], [0.0, 0.0], [-0.5, 1.0]], atol=ROUNDING)


def test_points_are_passed_and_the_last_one_reached_at_the_given_rate() -> None:
    v = via_points([[0.0, 0], [1, 0], [1, 2]], 9, speed=0.5, blend_time=0.2, qdf=0.1, blend="parabolic")
    np.testing.assert_allclose(v.qd[-1], [0.1, 0.1], atol=ROUNDING)
    assert v.qdd[-1, 1] == pytest.approx((0.1 - 0.5) / 0.2, abs=1e-12)


@pytest.mark.parametrize("motion", [cartesian_motion, screw_motion])
def test_a_frame_ends_with_the_acceleration_of_its_scaling(motion: object) -> None:
    """At the end ds/dt = 0 and d2s/dt2 = -6 / T^2: a turn of pi/2 ends at -6 (pi/2) / T^2 rad/s2."""
    v = motion(np.eye(4), TURN, 2.0, 5, method="cubic")  # type: ignore[operator]
    np.testing.assert_allclose(v.acceleration[-1, 3:], [0.0, 0.0, -1.5 * np.pi / 2], atol=ROUNDING)
    np.testing.assert_allclose(v.T[-1], TURN, atol=1e-14)


@pytest.mark.parametrize("start", [0.0, 0.1, 1e6, -7.3])
@pytest.mark.parametrize("duration", [0.2, 0.3, 1 / 3, 2.0])
def test_rounding_of_the_times_does_not_leave_the_motion(start: float, duration: float) -> None:
    step = duration / 7
    times = [start + i * step for i in range(8)]  # its last one may lie a rounding beside start + duration
    assert cubic(0.0, 1.0, duration, times, start=start).jerk[-1] < 0.0
    pieces = segments([0.0, 1.0, 3.0], segment_times=[duration, duration], start=start)
    for end in (pieces.knots[-1], np.nextafter(pieces.knots[-1], np.inf)):
        assert pieces.at([end]).qd[0] == pytest.approx(2.0 / duration, rel=1e-6)


def test_modern_robotics_ends_where_it_should() -> None:
    """JointTrajectory(..., method 5) of the book's library: its last row is the target itself."""
    rows = mr.JointTrajectory([1.0, 0, 0, 1, 1, 0.2, 0, 1], [1.2, 0.5, 0.6, 1.1, 2, 2, 0.9, 1], 4, 6, 3)
    np.testing.assert_allclose(rows[-1], [1.2, 0.5, 0.6, 1.1, 2, 2, 0.9, 1], atol=1e-15)
