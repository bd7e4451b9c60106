"""Stiff methods run through the same events, ticks and output grids as the explicit ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

METHODS = pytest.mark.parametrize("method", ["rodas5p", "bdf", "radau5"])


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


def prothero_robinson(level: float) -> bd.Diagram:
    """x' = -1e6 (x - cos t) - sin t from x = 1: x = cos t, to which all else falls within microseconds."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    f = d.add("f", bd.Expression("-1e6 * (x - cos(t)) - sin(t)"))
    d.connect(x, f["x"])
    d.connect(f, x)
    d.connect(x, d.add("hits", bd.HitCrossing(level)))
    return d


@pytest.mark.parametrize("rtol", [1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize("level", [0.3, -0.3, -0.9])
@METHODS
def test_passages_of_a_stiff_solution_are_counted_once(method, level, rtol):
    r = prothero_robinson(level).simulate(stop=100, method=method, rtol=rtol)
    turns = 2 * np.pi * np.arange(17)
    exact = np.sort([*(turns + np.arccos(level)), *(turns - np.arccos(level))])
    times = [e.time for e in r.events]
    np.testing.assert_allclose(times, exact[(exact > 0) & (exact < 100)], atol=50 * rtol)
    assert [e.direction for e in r.events] == [("falling", "rising")[k % 2] for k in range(len(times))]


@METHODS
def test_ticks_that_change_nothing_do_not_start_a_stiff_solution_afresh(method):
    d = prothero_robinson(0.3)
    d.connect("x", d.add("held", bd.ZeroOrderHold(0.5)))
    r = d.simulate(stop=100, method=method, rtol=1e-4)
    assert r.statistics["state events"] == 32
    assert r.statistics["time events"] == 0
    ticks = np.arange(200) * 0.5
    held = r["held"].sel(time=ticks + 0.25, method="pad").values
    np.testing.assert_allclose(held, np.cos(ticks), atol=2e-3)


@METHODS
def test_a_corner_is_an_end_of_what_the_solver_knows(method):
    """x' = |cos t|: the slope is the same on both sides of its zeros, the motion behind them is not."""
    d = bd.Diagram()
    d.connect(d.add("c", bd.Expression("cos(t)")), d.add("abs", bd.Abs()), d.add("x", bd.Integrator()))
    r = d.simulate(stop=50.0, method=method, rtol=1e-10, max_step=np.inf)
    turns, rest = divmod(50.0 + np.pi / 2, np.pi)
    assert r.final("x") == pytest.approx(2 * turns - np.cos(rest), abs=1e-6)
    assert r.statistics["state events"] == 16
