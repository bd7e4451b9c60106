"""SciPy's stiff methods run through the same events, ticks and output grids as the native ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

METHODS = pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA"])


@METHODS
def test_bouncing_ball(ball, impacts, times_of, method):
    r = ball(0.8).simulate(stop=8, method=method, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(times_of(r, "v"), impacts(0.8, 10.0, 4), atol=1e-6)
    assert r["x"].values.min() > -1e-8


@METHODS
def test_square_wave_into_an_integrator(driven, method):
    r = driven(bd.Square(period=1 / 3.3)).simulate(stop=10, method=method, rtol=1e-8, atol=1e-10)
    phase = 10 % (1 / 3.3)
    assert r.final("x") == pytest.approx(min(phase, 1 / 3.3 - phase), abs=1e-6)


@METHODS
def test_limits_that_release(driven, method):
    r = driven(bd.Expression("cos(t)"), bd.Integrator(lower=-0.5, upper=0.5)).simulate(
        stop=3, method=method, rtol=1e-9, atol=1e-11
    )
    assert r.final("x") == pytest.approx(0.5 + np.sin(3) - 1, abs=1e-6)


@METHODS
def test_stiff_van_der_pol_against_scipy(method):
    mu = 1000.0
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator(0.0)), d.add("x", bd.Integrator(2.0))
    law = d.add("law", bd.Expression("mu * (1 - x * x) * v - x", coefficients={"mu": mu}))
    d.connect(v, x, law["x"])
    d.connect(v, law["v"])
    d.connect(law, v)
    r = d.simulate(stop=500, method=method, rtol=1e-8, atol=1e-10, max_step=np.inf)
    reference = solve_ivp(
        lambda t, y: [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]],
        (0, 500),
        [2.0, 0.0],
        method="Radau",
        rtol=1e-10,
        atol=1e-12,
    )
    assert r.final("x") == pytest.approx(reference.y[0, -1], rel=1e-5)
    assert r.statistics["steps"] < 5000


@METHODS
def test_ticks(method):
    d = bd.Diagram()
    d.connect(
        d.add("x", bd.Integrator(1.0)), d.add("h", bd.ZeroOrderHold(0.1)), d.add("k", bd.Gain(-1.0)), "x"
    )
    r = d.simulate(stop=2, method=method, rtol=1e-9, atol=1e-12)
    assert r.final("x") == pytest.approx(0.9**20, abs=1e-8)


@METHODS
def test_fifty_hertz_crossings(method):
    d = bd.Diagram()
    d.connect(
        d.add("s", bd.Sine(frequency=2 * np.pi * 50, phase=0.3)),
        d.add("hits", bd.HitCrossing(direction="rising")),
    )
    d.connect("s", d.add("x", bd.Integrator()))
    assert d.simulate(stop=1, method=method).final("hits") == 50


@METHODS
def test_zeno_is_reported(ball, method):
    with pytest.raises(bd.RunError) as caught:
        ball(0.5, 1.0).simulate(stop=10, method=method)
    assert caught.value.path == "v"
    assert caught.value.time == pytest.approx(np.sqrt(2 / 9.81) * 3, abs=1e-4)


@METHODS
def test_the_same_bits_twice(ball, method):
    a, b = (ball(0.7).simulate(stop=3, method=method) for _ in range(2))
    assert a.trace("x.y").identical(b.trace("x.y"))
