"""Gallery: a pendulum swung up, against the energy that each swing can bring, and caught at the top.

The cart does work on the pendulum at the rate -a omega cos(theta) m l. With full acceleration n g towards
where that is positive, a swing from the amplitude p to the amplitude q (from hanging) brings n m g l times
the way that the mass goes to the side: cos p - cos q = n (h(p) + h(q)), where h(p) = sin p up to the
horizontal, 2 - sin p above. Below the horizontal this is q = p + 2 atan n.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import blockdyn as bd

FIRST = np.pi - 3.09


def way(p: float) -> float:
    return np.sin(p) if p < np.pi / 2 else 2.0 - np.sin(p)


def amplitudes(n: float) -> list[float]:
    """Those at which the pendulum turns, until the next swing reaches the top."""
    turns = [FIRST]

    def lacking(q: float) -> float:
        return np.cos(turns[-1]) - np.cos(q) - n * (way(turns[-1]) + way(q))

    while lacking(np.pi) > 0.0:
        turns.append(brentq(lacking, turns[-1] + 1e-9, np.pi, xtol=1e-14))
    return turns


def turning_points(n: float) -> list[float]:
    """The amplitudes at which the run's pendulum turns, before it is caught."""
    r = bd.load("swing-up").simulate(stop=40.0, parameters={"n": n}, rtol=1e-9)
    caught = r.trace("mode.catching")
    end = caught.time[np.argmax(caught.values == 1.0)]
    times = np.unique([event.time for event in r.events if event.path == "pump" and event.time < end])
    still = times[np.abs(r.trace("omega").at(times)) < 1e-6]
    upright = np.remainder(r.trace("theta").at(still) + np.pi, 2 * np.pi) - np.pi
    return list(np.pi - np.abs(upright))


@pytest.mark.parametrize(("n", "swings"), [(0.1, 11), (0.2, 5), (0.3, 3), (0.5, 2), (0.8, 1)])
def test_each_swing_is_wider_by_what_the_cart_can_do(n: float, swings: int) -> None:
    expected = amplitudes(n)
    assert len(expected) - 1 == swings
    np.testing.assert_allclose(turning_points(n), expected, atol=1e-6)


def test_below_the_horizontal_a_swing_is_wider_by_twice_the_angle_of_the_force() -> None:
    np.testing.assert_allclose(turning_points(0.3)[:3], FIRST + 2 * np.arctan(0.3) * np.arange(3), atol=1e-6)


def test_it_is_caught_once_and_held_with_the_cart_where_it_began() -> None:
    r = bd.load("swing-up").simulate(stop=40.0)
    assert r.trace("mode.catching").values.tolist()[-2:] == [1.0, 1.0]
    assert np.count_nonzero(np.diff(r.trace("mode.catching").values)) == 1
    np.testing.assert_allclose([np.sin(r.final("theta")), r.final("x")], 0.0, atol=1e-5)
    assert np.cos(r.final("theta")) > 0.0
