"""Coulomb friction: a body stops at the closed form, stays, and breaks away on time."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def slider(force: bd.Block, speed: float, **friction: float) -> bd.Diagram:
    """A unit mass on a rough floor, pulled by a force."""
    d = bd.Diagram("slider")
    pull, v, x = d.add("pull", force), d.add("v", bd.Integrator(speed)), d.add("x", bd.Integrator())
    rub, total = d.add("rub", bd.CoulombFriction(**friction)), d.add("total", bd.Sum("++"))
    d.connect(pull, total[0])
    d.connect(pull, rub["force"])
    d.connect(v, rub["velocity"])
    d.connect(rub, total[1])
    d.connect(total, v, x)
    return d


def test_a_sliding_body_stops_and_stays(times_of):
    """v = 1 - 2 t: rest at t = 1/2, x = 1/4."""
    r = slider(bd.Constant(0.0), 1.0, coulomb=2.0).simulate(stop=3)
    np.testing.assert_allclose(times_of(r, "rub")[:1], [0.5], rtol=1e-14)
    assert r.final("x") == pytest.approx(0.25, rel=1e-13)
    assert abs(r.final("v")) < 1e-14
    assert r.final("rub") == 0.0


def test_with_viscous_friction_it_stops_at_the_logarithm(times_of):
    """dv/dt = -c - b v: rest at log(1 + b v0 / c) / b."""
    c, b, v0 = 0.8, 1.5, 4.0
    r = slider(bd.Constant(0.0), v0, coulomb=c, viscous=b).simulate(stop=5, rtol=1e-10, atol=1e-12)
    stop = np.log(1 + b * v0 / c) / b
    np.testing.assert_allclose(times_of(r, "rub")[:1], [stop], rtol=1e-8)
    assert r.final("x") == pytest.approx((v0 - c * stop) / b, rel=1e-8)
    assert abs(r.final("v")) < 1e-12


def test_it_breaks_away_when_the_force_exceeds_its_bound(times_of):
    """Force t, static bound 1.5, sliding friction 1: x = integral of (t - 1) twice from t = 1.5 on."""
    r = slider(bd.Ramp(slope=1.0), 0.0, coulomb=1.0, breakaway=1.5).simulate(stop=4, rtol=1e-10, atol=1e-12)
    s = 4.0 - 1.5
    assert times_of(r, "rub")[0] == pytest.approx(1.5, abs=1e-12)
    assert r.final("v") == pytest.approx(0.5 * s + s * s / 2, rel=1e-10)
    assert r.final("x") == pytest.approx(0.5 * s * s / 2 + s**3 / 6, rel=1e-10)


def test_a_body_in_a_spring_comes_to_rest_within_the_dead_band():
    """d2x/dt2 = -x - sign(v): each half swing ends 2 closer, 5.3 -> -3.3 -> 1.3 -> 0.7."""
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator()), d.add("x", bd.Integrator(5.3))
    spring, rub, total = (
        d.add("spring", bd.Gain(-1.0)),
        d.add("rub", bd.CoulombFriction()),
        d.add("total", bd.Sum("++")),
    )
    d.connect(x, spring, [rub["force"], total[0]])
    d.connect(v, rub["velocity"])
    d.connect(rub, total[1])
    d.connect(total, v, x)
    r = d.simulate(stop=15, rtol=1e-10, atol=1e-12, times=[np.pi, 2 * np.pi, 3 * np.pi, 12.0, 15.0])
    np.testing.assert_allclose(r["x"].values, [-3.3, 1.3, 0.7, 0.7, 0.7], atol=1e-8)
    assert abs(r.final("v")) < 1e-12


def test_it_slides_back_where_the_force_is_stronger_than_friction(times_of):
    """Up a slope: decelerates at 3 + 1, comes back at 3 - 1."""
    r = slider(bd.Constant(-3.0), 2.0, coulomb=1.0).simulate(stop=2.5)
    assert times_of(r, "rub")[0] == pytest.approx(0.5, rel=1e-13)
    assert r.final("x") == pytest.approx(0.5 - 4.0, rel=1e-12)


def test_a_body_at_rest_under_a_small_force_does_not_creep():
    r = slider(bd.Sine(amplitude=0.9, frequency=3.0), 0.0, coulomb=1.0).simulate(stop=50)
    assert r.final("x") == 0.0
    assert r.final("v") == 0.0
