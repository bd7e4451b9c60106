"""Backlash: instants of contact and of turns in closed form, and the play operator on paths of corners."""

from __future__ import annotations

from math import acos, asin, pi

import numpy as np
import pytest

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])


def times(r: bd.Result, path: str) -> list[float]:
    return [e.time for e in r.events if e.path == path]


@pytest.mark.parametrize("method", ["bs32", "tsit5", "dop853", "radau5"])
def test_a_sine_through_a_play(method: str) -> None:
    """Contact at asin r; lost at pi/2; taken up again 2 r lower, and so on; y is sin t -+ r in contact."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Sine()), d.add("y", bd.Backlash(width=0.5)), d.add("area", bd.Integrator()))
    r = d.simulate(stop=7.0, method=method, rtol=1e-10, atol=1e-12)
    down, up = pi / 2 + acos(0.5), 3 * pi / 2 + acos(0.5)
    assert times(r, "y") == pytest.approx([asin(0.25), pi / 2, down, 3 * pi / 2, up], abs=1e-10)
    assert r.final("y") == pytest.approx(np.sin(7.0) - 0.25, abs=1e-14)
    # the integral of y, piece by piece
    a = asin(0.25)
    area = np.cos(a) - 0.25 * (pi / 2 - a) + 0.75 * (down - pi / 2)
    area += np.cos(down) + 0.25 * (3 * pi / 2 - down) - 0.75 * (up - 3 * pi / 2)
    area += np.cos(up) - np.cos(7.0) - 0.25 * (7.0 - up)
    assert r.final("area") == pytest.approx(area, abs=1e-8)


@BOTH
def test_on_corners_and_jumps_it_is_the_play_operator(compiled: bool) -> None:
    """y is the value within u -+ width/2 nearest to the last one, from corner to corner and jump to jump."""
    rng = np.random.default_rng(4)
    values = rng.uniform(-2.0, 2.0, (12, 2))
    knots = np.arange(12.0)
    width = np.array([0.8, 1.7])
    d = bd.Diagram()
    d.connect(
        d.add("line", bd.PiecewiseLinear(times=knots, values=values)),
        d.add("y", bd.Backlash(width, initial=0.3)),
    )
    d.connect(
        d.add("jumps", bd.PiecewiseConstant(times=knots, values=values)), d.add("z", bd.Backlash(width, 0.3))
    )
    r = d.simulate(times=knots, compiled=compiled)
    y, expected = np.array([0.3, 0.3]), []
    for u in values:
        y = np.clip(y, u - width / 2, u + width / 2)
        expected.append(y)
    np.testing.assert_allclose(r["y"].values[:-1], expected[:-1], atol=1e-12)
    np.testing.assert_allclose(r["z"].values, expected, atol=1e-12)


def test_goes_on_where_another_run_ended() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Sine()), d.add("y", bd.Backlash(width=0.5)))
    whole = d.simulate(stop=7.0)
    for split in (1.0, 2.0, 3.0, 5.0):
        first = d.simulate(stop=split)
        second = d.simulate(start=split, stop=7.0, initial=first.final_states())
        assert second.final("y") == pytest.approx(whole.final("y"), abs=1e-13)
        assert times(second, "y")[-1] == pytest.approx(times(whole, "y")[-1], abs=1e-11)


def test_a_signal_that_comes_to_rest_does_not_rattle() -> None:
    """exp(-t) settles to rounding: two or three events, not one for each last bit."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("minus", bd.Gain(-1.0)), x)
    d.connect(x, d.add("y", bd.Backlash(width=0.1, initial=0.98)))
    r = d.simulate(stop=60.0)
    assert len(times(r, "y")) < 10
    assert r.final("y") == pytest.approx(0.05, abs=1e-6)


def test_a_width_below_zero_is_refused() -> None:
    with pytest.raises(bd.ParameterError, match=r"Backlash\.width"):
        bd.Backlash(width=-1.0)


def test_turns_of_any_size_end_contact_once() -> None:
    """At the turn of k sin, k - (k - r) - r is not 0 but rounding, of either sign: no contact of its own."""
    sizes = np.array([-3.0, -2.0, -1.1, 0.7, 2.3, 1e6])
    widths = np.array([0.2, 0.2, 0.3, 0.1, 0.7, 1.0])
    d = bd.Diagram()
    d.connect(d.add("u", bd.Sine()), d.add("k", bd.Gain(sizes)), d.add("y", bd.Backlash(widths)))
    r = d.simulate(stop=3 * pi)
    assert len(times(r, "y")) == 7 * sizes.size  # contact, three times a turn and the next contact
