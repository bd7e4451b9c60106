"""Square waves into an integrator and an RC filter at awkward frequencies: exact, whatever the tolerance."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import blockdyn as bd

FREQUENCIES = (1.0, 1.3, 3.3, 7.77)


@pytest.mark.parametrize("rtol", [1e-3, 1e-6])
@pytest.mark.parametrize("f", FREQUENCIES)
def test_into_an_integrator(driven, f, rtol):
    """The triangle: at t its distance from the last multiple of the period, at most half of it."""
    times = np.linspace(0, 10, 257)
    r = driven(bd.Square(period=1 / f)).simulate(stop=10, rtol=rtol, times=times)
    phase = np.mod(times, 1 / f)
    np.testing.assert_allclose(r["x"].values, np.minimum(phase, 1 / f - phase), atol=1e-13)


@pytest.mark.parametrize("f", FREQUENCIES)
def test_into_an_rc_filter(driven, f):
    """dx/dt = 2 (u - x): exponentials from edge to edge."""
    r = driven(bd.Square(period=1 / f), bd.TransferFunction(num=[2.0], den=[1.0, 2.0])).simulate(
        stop=10, rtol=1e-10, atol=1e-12
    )
    edges = np.append(np.arange(0, 10, 0.5 / f), 10.0)
    x, u = 0.0, 1.0
    for a, b in pairwise(edges):
        x, u = u + (x - u) * np.exp(-2.0 * (b - a)), -u
    assert r.final("x") == pytest.approx(x, abs=1e-10)


@pytest.mark.parametrize("f", FREQUENCIES)
def test_edges_are_the_nearest_doubles_to_their_fractions(driven, times_of, f):
    period = Fraction(1 / f).limit_denominator(10**6) if f in (1.0,) else Fraction(str(1 / f))
    r = driven(bd.Square(period=1 / f)).simulate(stop=10)
    found = times_of(r, "source")
    exact = [float(period * k / 2) for k in range(1, int(Fraction(20) / period) + 2)]
    exact = [t for t in exact if t <= 10]
    np.testing.assert_allclose(found[found > 0], exact, rtol=3e-16)


def test_edges_do_not_drift_in_a_long_run(times_of):
    d = bd.Diagram()
    d.add("wave", bd.Square(period=0.1))
    r = d.simulate(stop=1000)
    found = times_of(r, "wave")
    np.testing.assert_array_equal(
        found[1:], [float(Fraction(k, 20)) for k in range(1, 20001)][: len(found) - 1]
    )


def test_an_integrator_ends_at_nothing_before_the_step(driven):
    """No step sees the other side of the jump at 1 s."""
    r = driven(bd.Step(time=1.0, final=1e6)).simulate(stop=2, times=[0.5, 1.0, 2.0])
    assert r["x"].values[:2].tolist() == [0.0, 0.0]
    assert r.final("x") == pytest.approx(1e6, rel=1e-14)


def test_duty_of_a_square_wave(driven):
    r = driven(bd.Square(period=0.3, duty=0.1, amplitude=0.5, bias=0.5)).simulate(stop=30)
    assert r.final("x") == pytest.approx(3.0, rel=1e-12)


def test_two_waves_that_share_their_edges():
    """3 Hz and 6 Hz: the product is 1 only in quarters; edges coincide exactly, so that no sliver is left."""
    d = bd.Diagram()
    a, b, p = (
        d.add("a", bd.Square(period=0.2)),
        d.add("b", bd.Square(period=0.1)),
        d.add("p", bd.Product("**")),
    )
    d.connect(a, p[0])
    d.connect(b, p[1])
    d.connect(p, d.add("x", bd.Integrator()))
    r = d.simulate(stop=10)
    assert abs(r.final("x")) < 1e-13
    instants = {e.time for e in r.events}
    assert len(instants) <= 201
