"""GeneralizedPlay: y moves to the nearest value between two curves, at corners, jumps and turns alike."""

from __future__ import annotations

import re
from math import asin, pi

import numpy as np
import pytest

import blockdyn as bd

POINTS, LOWER, UPPER = [-2.0, 0.0, 1.0, 3.0], [-1.0, -0.8, 0.0, 1.0], [-1.0, 0.2, 0.9, 1.0]


@pytest.mark.parametrize("compiled", [True, False])
def test_follows_the_operator_between_the_curves(compiled: bool) -> None:
    """From one corner or jump of u to the next it is y = min(max(y, lower(u)), upper(u))."""
    knots = np.arange(14.0)
    path = np.random.default_rng(8).uniform(-4.0, 4.0, (14, 2))
    path[0] = 0.0
    d = bd.Diagram()
    block = bd.GeneralizedPlay(POINTS, LOWER, UPPER, initial=[-0.5, 0.1])
    d.connect(d.add("line", bd.PiecewiseLinear(times=knots, values=path)), d.add("y", block))
    d.connect(d.add("jumps", bd.PiecewiseConstant(times=knots, values=path)), d.add("z", block))
    r = d.simulate(times=knots, compiled=compiled)
    y, expected = np.array([-0.5, 0.1]), []
    for u in path:
        y = np.clip(y, np.interp(u, POINTS, LOWER), np.interp(u, POINTS, UPPER))
        expected.append(y)
    np.testing.assert_allclose(r["y"].values[:-1], expected[:-1], atol=1e-11)
    np.testing.assert_allclose(r["z"].values, expected, atol=1e-11)


def test_contact_and_turns_are_located_and_parallel_lines_are_a_backlash() -> None:
    """3 sin t meets its edges at asin 0.1 and, behind each turn, 0.6 lower."""
    d = bd.Diagram()
    u = d.add("u", bd.Sine(amplitude=3.0))
    lines = bd.GeneralizedPlay([-1.0, 1.0], [-1.3, 0.7], [-0.7, 1.3], outside="extrapolate")
    d.connect(u, d.add("y", lines))
    d.connect(u, d.add("z", bd.Backlash(0.6)))
    r = d.simulate(stop=5.0, rtol=1e-9)
    times = [e.time for e in r.events if e.path == "y"]
    assert times == pytest.approx([asin(0.1), pi / 2, pi - asin(0.8), 3 * pi / 2], abs=1e-10)
    np.testing.assert_allclose(r["y"].values, r["z"].values, atol=1e-10)


@pytest.mark.parametrize(
    ("curves", "message"),
    [
        (([0.0, 0.0], [0.0, 1.0], [0.0, 1.0]), "increasing breakpoints"),
        (([0.0, 1.0], [0.0, 1.0, 2.0], [0.0, 1.0]), "lower"),
        (([0.0, 1.0], [1.0, 0.5], [2.0, 2.0]), "values that do not decrease"),
        (([0.0, 1.0], [0.0, 1.0], [0.5, 0.9]), "at 1 lower is 1, upper 0.9"),
    ],
)
def test_curves_that_are_none(curves: tuple[list[float], ...], message: str) -> None:
    with pytest.raises(bd.ParameterError, match=re.escape(message)):
        bd.GeneralizedPlay(*curves)
