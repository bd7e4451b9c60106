"""Lines through points with blends: closed forms at corners, limits kept, and what is refused."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson

from blockdyn.robots.trajectories import TrajectoryError, segments, via_points

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [-1.0, 2.0]])


@pytest.mark.parametrize("blend", ["parabolic", "quintic"])
@pytest.mark.parametrize("ends", [{}, {"qd0": [0.3, -0.2], "qdf": [0.0, 0.5]}])
def test_speed_is_kept_and_position_and_speed_are_continuous(blend: str, ends: dict[str, Any]) -> None:
    """The mstraj of the Robotics Toolbox exceeds its limit in the first and last blend."""
    limit = np.array([0.5, 0.8])
    pieces = segments(SQUARE, speed=limit, blend_time=[0.2, 0.3, 0.1, 0.4], blend=blend, **ends)
    v = pieces.at(np.linspace(-0.1, pieces.knots[-1] + 0.1, 20_001))
    assert (abs(v.qd).max(axis=0) <= limit + 1e-12).all()
    assert abs(v.qd[:, 0]).max() == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(v.q[[0, -1]], SQUARE[[0, -1]], rtol=0, atol=0)
    inside = (v.time > pieces.knots[0]) & (v.time < pieces.knots[-1])
    at_rest = cumulative_simpson(v.qd[inside], x=v.time[inside], axis=0, initial=0)
    np.testing.assert_allclose(v.q[inside] - v.q[inside][0], at_rest, rtol=0, atol=1e-5)
    before, after = pieces.at(np.nextafter(pieces.knots, -np.inf)), pieces.at(pieces.knots)
    np.testing.assert_allclose(before.q, after.q, rtol=0, atol=1e-13)
    inner = slice(1, -1) if ends else slice(None)
    np.testing.assert_allclose(before.qd[inner], after.qd[inner], rtol=0, atol=1e-13)
    if blend == "quintic":
        np.testing.assert_allclose(before.qdd[inner], after.qdd[inner], rtol=0, atol=1e-11)


def test_ends_have_the_given_rates() -> None:
    v = segments(SQUARE, speed=1.0, blend_time=0.5, qd0=[0.4, 0.1], qdf=-0.3, start=2.0)
    np.testing.assert_allclose(v.at([2.0]).qd, [[0.4, 0.1]], rtol=0, atol=1e-15)
    np.testing.assert_allclose(v.at(np.nextafter(v.knots[-1:], 0)).qd, [[-0.3, -0.3]], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("blend", "part"), [("parabolic", 1 / 8), ("quintic", 3 / 32)])
def test_corners_are_passed_at_the_known_distance(blend: str, part: float) -> None:
    """Craig's blends: at the point's time the motion is (v1 - v0) t_a / 8 away, inside the corner."""
    v = via_points([[0.0], [4.0], [0.0]], [4.0], segment_times=4.0, blend_time=1.0, blend=blend)
    speed = 4.0 / 3.5
    assert v.q[0, 0] == pytest.approx(4.0 - 2 * speed * part, rel=1e-14)
    assert v.qd[0, 0] == pytest.approx(0.0, abs=1e-14)


def test_example_of_craig() -> None:
    """Introduction to Robotics (3rd ed.), example 7.4: 10, 35, 25, 10 degrees in 2, 1, 3 s at 50 deg/s2.

    Printed there, rounded: blends of 0.27, 0.47, 0.098, 0.102 s, speeds 13.50, -10, -5.10 deg/s.
    """
    first, last = 2 - sqrt(4 - 2 * 25 / 50), 3 - sqrt(9 - 2 * 15 / 50)
    speeds = [50 * first, -10.0, -50 * last]
    blends = [first, (speeds[0] + 10.0) / 50, (speeds[2] + 10.0) / 50, last]
    np.testing.assert_allclose(blends, [0.27, 0.47, 0.098, 0.102], atol=2.1e-3)
    pieces = segments(
        [10.0, 35.0, 25.0, 10.0], segment_times=[2.0, 1.0, 3.0], blend_time=blends, blend="parabolic"
    )
    np.testing.assert_allclose(pieces.at([1.0, 2.5, 4.5]).qd, speeds, rtol=1e-13)
    np.testing.assert_allclose(pieces.at([0.1, 2.0, 3.0, 5.95]).qdd, [50, -50, 50, 50], rtol=1e-12)


def test_the_slowest_joint_sets_the_time() -> None:
    """1 / 0.5, 2 / 1, 2 / 0.5 s between the points, and half a blend at each end."""
    pieces = segments(SQUARE, speed=[0.5, 1.0], blend_time=0.4)
    assert pieces.knots[-1] == pytest.approx(2.2 + 2.0 + 4.2, rel=1e-15)


def test_sharp_corners() -> None:
    """The demand of a vehicle that is to reach each corner: no blends, speeds that jump."""
    pieces = segments(SQUARE, speed=1.0)
    np.testing.assert_allclose(pieces.knots, [0.0, 1.0, 3.0, 5.0], rtol=1e-15)
    v = pieces.at([0.0, 1.0, 2.0, 3.0, 5.0])
    np.testing.assert_allclose(v.q, [[0, 0], [1, 0], [1, 1], [1, 2], [-1, 2]], atol=1e-14)
    np.testing.assert_allclose(v.qd, [[1, 0], [0, 1], [0, 1], [-1, 0], [-1, 0]], atol=1e-14)
    np.testing.assert_array_equal(v.qdd, 0.0)


def test_segments_too_short_for_their_blends_take_longer() -> None:
    pieces = segments([0.0, 0.1, 0.2], speed=10.0, blend_time=1.0)
    assert pieces.knots[-1] == pytest.approx(3.0)
    assert pieces.at([1.4, 1.6]).q.tolist() == sorted(pieces.at([1.4, 1.6]).q.tolist())


def test_a_point_given_twice_is_a_pause() -> None:
    pieces = segments([0.0, 1.0, 1.0, 2.0], segment_times=[2.0, 1.0, 2.0], blend_time=0.5)
    np.testing.assert_allclose(pieces.at(np.linspace(2.25, 2.75, 9)).q, 1.0, atol=1e-14)


@pytest.mark.parametrize(
    ("argument", "given", "remedy"),
    [
        ("segment_times", {"segment_times": [1, 0.3, 1], "blend_time": 0.4}, "0.4 s, .* segment 1"),
        ("segment_times", {"segment_times": [0.5, 1, 1], "blend_time": 0.4}, "0.6 s, .* segment 0"),
        ("segment_times", {}, "either segment_times or speed"),
        ("segment_times", {"segment_times": 1.0, "speed": 1.0}, "either"),
        ("segment_times", {"segment_times": [1.0, 2.0]}, "3 numbers"),
        ("speed", {"speed": [1.0, 0.0]}, "every joint"),
        ("qd0", {"speed": 1.0, "qd0": 2.0}, "at most the speed"),
        ("points", {"points": [1.0], "speed": 1.0}, "at least 2 points"),
        ("points", {"points": [1.0, 1.0], "speed": 1.0}, "points that differ"),
        ("blend", {"speed": 1.0, "blend": "round"}, "quintic or parabolic"),
    ],
)  # fmt: skip
def test_motions_that_cannot_be_made(argument: str, given: dict[str, Any], remedy: str) -> None:
    with pytest.raises(TrajectoryError, match=remedy) as error:
        segments(**{"points": SQUARE, **given})
    assert error.value.argument == argument


@pytest.mark.parametrize("blend", ["parabolic", "quintic"])
@pytest.mark.parametrize("scale", [1e-290, 1e-60, 1e60, 1e120])
def test_times_of_any_size_give_a_motion_or_say_why(scale: float, blend: str) -> None:
    """Time scaled by s leaves the way as it is and divides rates by powers of s; no number may hold them."""
    points, times = [[0.0], [1.0], [0.5]], np.array([0.0, 0.7, 1.0, 1.4, 2.0])
    given: dict[str, Any] = {"segment_times": scale, "blend_time": 0.2 * scale, "blend": blend}
    if 1e-100 < scale < 1e80 or (scale > 1.0 and blend == "parabolic"):
        usual = segments(points, segment_times=1.0, blend_time=0.2, blend=blend).at(times).q
        scaled = segments(points, **given).at(scale * times).q
        np.testing.assert_allclose(scaled, usual, rtol=0, atol=1e-9)
    else:
        with pytest.raises(TrajectoryError, match="no number holds"):
            segments(points, **given)
