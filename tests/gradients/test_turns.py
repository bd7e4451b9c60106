"""Derivatives of what follows turns, whose instants are not differentiated: plays and limited rates."""

from __future__ import annotations

from math import acos, pi, sin

import numpy as np
import pytest

import blockdyn as bd

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def oscillator(block):
    """q = a sin t, by two integrators, through a block; and the integral of its output."""
    d = bd.Diagram("oscillator", parameters={"a": 2.0, "w": 0.5})
    v, q = d.add("v", bd.Integrator(bd.expression("a"))), d.add("q", bd.Integrator())
    d.connect(d.add("back", bd.Gain(-1.0)), v, q, "back")
    d.connect(q, d.add("b", block), d.add("x", bd.Integrator()))
    d.log("b", "x")
    return d


def test_a_play():
    """It pushes from asin(w / 2a), turns at pi/2, pushes down from its contact on, and turns at 3 pi/2."""
    d = oscillator(bd.Backlash(width=bd.expression("w")))
    times = [1.0, 2.0, 4.0, 5.0]
    s = d.sensitivities(["a", "w"], ["b"], times, **TIGHT)
    np.testing.assert_allclose(s["b", "a"], [sin(1.0), 1.0, sin(4.0), -1.0], rtol=1e-5)
    np.testing.assert_allclose(s["b", "w"], [-0.5, -0.5, 0.5, 0.5], rtol=1e-5)
    g = d.gradient({"high": {"max": "b"}, "low": {"min": "b"}}, ["a", "w"], stop=6.0, **TIGHT)
    np.testing.assert_allclose(g.matrix, [[1.0, -0.5], [-1.0, 0.5]], rtol=1e-5)


def test_several_plays():
    d = oscillator(bd.Hysteresis(radii=bd.expression("[w, 2*w]"), weights=[0.5, 0.25], k=0.1))
    s = d.sensitivities(["a", "w"], ["b"], [2.0, 5.5], **TIGHT)
    np.testing.assert_allclose(s["b", "a"], [0.1 * sin(2.0) + 0.75, 0.1 * sin(5.5) - 0.75], rtol=1e-5)
    np.testing.assert_allclose(s["b", "w"], [-1.0, 1.0], rtol=1e-5)


@pytest.mark.parametrize("method", ["dopri5", "auto", "rodas5p"])
def test_a_limited_rate(method):
    """It follows a sin t until the slope is -w, at acos(-w / a); behind that y falls by w each second."""
    d = oscillator(bd.RateLimiter(rising=10.0, falling=bd.expression("-w")))
    a, w = 2.0, 0.5
    leaves = acos(-w / a)
    s = d.sensitivities(["a", "w"], ["b"], [1.0, 3.0, 5.0], method=method, **TIGHT)
    y, bounds = a * sin(leaves) - w * (np.array([3.0, 5.0]) - leaves), [3.0 - leaves, 5.0 - leaves]
    np.testing.assert_allclose(s["b"], [a * sin(1.0), *y], rtol=1e-6)
    np.testing.assert_allclose(s["b", "a"], [sin(1.0), sin(leaves), sin(leaves)], rtol=1e-5)
    np.testing.assert_allclose(s["b", "w"], [0.0, *(-bound for bound in bounds)], rtol=1e-5, atol=1e-9)


def test_a_play_at_a_kink():
    """|a sin t| turns at pi, where its slope jumps: the play is left at 0 and pushed from w on."""
    d = oscillator(bd.Abs())
    d.connect("b", d.add("play", bd.Backlash(width=bd.expression("w"))))
    s = d.sensitivities(["a", "w"], ["play"], [2.0, 3.0, pi + 1.0], **TIGHT)
    np.testing.assert_allclose(s["play", "a"], [1.0, sin(3.0), sin(1.0)], rtol=1e-5)
    np.testing.assert_allclose(s["play", "w"], [-0.5, 0.5, -0.5], rtol=1e-5)


def test_a_fit_of_a_play():
    """A width is found from the output of a play, whose level behind a turn is a - w/2."""
    d = oscillator(bd.Backlash(width=bd.expression("w")))
    times = np.linspace(0.1, 6.0, 40)
    truth = d.simulate(stop=6.0, times=times, set={"w": 0.8}, **TIGHT)
    found = d.fit({"time": times, "b": truth.trace("b").values}, ["w"])
    assert found.values["w"] == pytest.approx(0.8, rel=1e-6)
