"""SecondOrder, SecondOrderIntegrator and Integrator at limits: instants and values in closed form."""

from __future__ import annotations

from math import acos, asin, pi, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

import blockdyn as bd


def times(r: bd.Result, path: str) -> list[float]:
    return [e.time for e in r.events if e.path == path]


def test_a_body_stops_at_its_stops_and_leaves_them_when_it_is_drawn_back() -> None:
    """y'' = cos 2t: v = sin(2t)/2, y = sin(t)^2/2, at 0.2 when sin t = sqrt 0.4; drawn back from pi/4 on.

    From there v = (sin 2t - 1)/2, at rest again after a period.
    """
    d = bd.Diagram()
    u = d.add("u", bd.Expression("cos(2*t)"))
    d.connect(u, d.add("body", bd.SecondOrderIntegrator(upper=0.2)))
    # the rate is held at 0.3 from asin(0.6)/2 until u turns
    d.connect(u, d.add("slow", bd.SecondOrderIntegrator(upper_rate=0.3, lower_rate=[-1.0, -0.1])))
    r = d.simulate(stop=2.0, rtol=1e-11, atol=1e-13)
    assert times(r, "body")[:2] == pytest.approx([asin(sqrt(0.4)), pi / 4], abs=1e-10)
    t = 2.0 - pi / 4
    assert r.final("body.rate") == pytest.approx((np.sin(4.0) - 1.0) / 2, abs=1e-10)
    assert r.final("body.y") == pytest.approx(0.2 - np.cos(4.0) / 4 - t / 2, abs=1e-10)
    first = asin(0.6) / 2
    assert times(r, "slow")[0] == pytest.approx(first, abs=1e-10)
    # held at 0.3 up to pi/4, then v = 0.3 + (sin 2t - 1)/2, in the second element down to -0.1
    low = (pi - asin(0.2)) / 2
    assert times(r, "slow")[-1] == pytest.approx(low, abs=1e-10)
    np.testing.assert_allclose(r.final("slow.rate"), [0.3 + (np.sin(4.0) - 1.0) / 2, -0.1], atol=1e-10)


def test_an_oscillator_pressed_against_its_stop_swings_back_from_rest() -> None:
    """y'' = 4 (1 - y) from 0: y = 1 - cos 2t meets 1.5 at acos(-0.5)/2, then y = 1 + cos(2(t - t1))/2."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(1.0)), d.add("y", bd.SecondOrder(frequency=2.0, damping=0.0, upper=1.5)))
    r = d.simulate(stop=3.0, rtol=1e-11, atol=1e-13)
    hit = acos(-0.5) / 2
    assert times(r, "y")[0] == pytest.approx(hit, abs=1e-10)
    assert r.final("y.y") == pytest.approx(1.0 + 0.5 * np.cos(2.0 * (3.0 - hit)), abs=1e-9)


def test_an_integral_held_by_a_limit_that_moves() -> None:
    """x' = cos 2t below h = 0.3 + 0.1 sin t: there from x = h on, until cos 2t = h' = 0.1 cos t."""
    d = bd.Diagram()
    d.add("x", bd.Integrator(limit_inputs=True))
    d.connect(d.add("u", bd.Expression("cos(2*t)")), d["x"]["u"])
    d.connect(d.add("h", bd.Expression("0.3 + 0.1*sin(t)")), d["x"]["upper_limit"])
    r = d.simulate(stop=1.2, rtol=1e-11, atol=1e-13)
    meets = brentq(lambda t: np.sin(2 * t) / 2 - 0.3 - 0.1 * np.sin(t), 0.1, 0.6)
    leaves = brentq(lambda t: np.cos(2 * t) - 0.1 * np.cos(t), 0.5, 1.0)
    assert times(r, "x") == pytest.approx([meets, leaves], abs=1e-10)
    left = 0.3 + 0.1 * np.sin(leaves) - np.sin(2 * leaves) / 2
    assert r.final("x") == pytest.approx(left + np.sin(2.4) / 2, abs=1e-10)


@pytest.mark.parametrize("compiled", [True, False])
def test_limits_that_jump_push_the_integral_and_let_it_be(compiled: bool) -> None:
    """x = t below a limit of 2, then 0.5, then 3: at the second it jumps, from the third it goes on from 0.5.

    A reset at 2.5 takes it to 1.
    """
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(limit_inputs=True, reset="rising"))
    d.connect(d.add("u", bd.Constant(1.0)), x["u"])
    d.connect(
        d.add("h", bd.PiecewiseConstant(times=[0.0, 1.0, 2.0], values=[2.0, 0.5, 3.0])), x["upper_limit"]
    )
    d.connect(d.add("edge", bd.Step(time=2.5)), x["trigger"])
    d.connect(d.add("one", bd.Constant(1.0)), x["value"])
    r = d.simulate(times=[0.5, 1.0, 1.5, 2.25, 2.5, 3.0], compiled=compiled)
    np.testing.assert_allclose(r["x"].values, [0.5, 0.5, 0.5, 0.75, 1.0, 1.5], atol=1e-12)


def test_limits_as_numbers_and_as_inputs_contradict() -> None:
    with pytest.raises(bd.ParameterError, match="makes the limits inputs"):
        bd.Integrator(limit_inputs=True, upper=1.0)
