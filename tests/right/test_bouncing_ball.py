"""The bouncing ball: impacts at their closed form, several at once, Zeno, no fall through the floor."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import RunError, Zeno

FIXED = ("rk4", "heun", "ab4")
EVERY = ("dopri5", "tsit5", "dop853", "bs32", *FIXED)


def test_twelve_bounces_to_a_relative_error_of_1e_12(ball, impacts, times_of):
    exact = impacts(0.8, 10.0, 12)
    r = ball(0.8).simulate(stop=float(exact[11]) + 0.05)
    found = times_of(r, "v")
    assert len(found) == 12
    np.testing.assert_allclose(found, exact, rtol=1e-12)


@pytest.mark.parametrize("method", EVERY)
def test_sixteen_impacts_to_rounding(ball, impacts, times_of, method):
    more = {"step": 0.01} if method in FIXED else {}
    r = ball(0.95, 1.0).simulate(stop=10, method=method, **more)
    exact = impacts(0.95, 1.0, 17)
    exact = exact[exact < 10.0]
    found = times_of(r, "v")
    assert len(found) == len(exact)
    assert np.abs(found - exact).max() < 1e-13


@pytest.mark.parametrize("max_step", [0.01, 0.3, np.inf])
def test_impacts_do_not_depend_on_the_longest_step(ball, impacts, times_of, max_step):
    r = ball(0.8).simulate(stop=8, max_step=max_step)
    np.testing.assert_allclose(times_of(r, "v"), impacts(0.8, 10.0, 4)[:4], rtol=1e-12)


@pytest.mark.parametrize("rtol", [1e-3, 1e-9])
def test_height_between_impacts_is_the_parabola(ball, impacts, rtol):
    times = np.linspace(0.0, 8.0, 401)
    r = ball(0.8).simulate(stop=8, rtol=rtol, times=times)
    hits = impacts(0.8, 10.0, 6)
    first = np.sqrt(2 * 10.0 * 9.81)
    exact = []
    for t in times:
        k = int(np.searchsorted(hits, t, side="right"))
        if k == 0:
            exact.append(10.0 - 9.81 / 2 * t * t)
        else:
            s = t - hits[k - 1]
            exact.append(first * 0.8**k * s - 9.81 / 2 * s * s)
    np.testing.assert_allclose(r["x"].values, exact, atol=1e-11)


def test_never_below_the_floor(ball):
    r = ball(0.9).simulate(stop=20)
    assert r["x"].values.min() > -1e-12


def test_past_the_accumulation_point_is_zeno(ball):
    accumulation = np.sqrt(2 / 9.81) * (1 + 2 * 0.9 / (1 - 0.9))
    with pytest.raises(Zeno) as caught:
        ball(0.9, 1.0).simulate(stop=10)
    assert accumulation == pytest.approx(8.579, abs=1e-3)
    assert caught.value.time == pytest.approx(accumulation, abs=1e-9)
    assert caught.value.path == "v"
    assert "v" in str(caught.value)
    assert 'on_zeno="stop"' in str(caught.value)
    assert caught.value.count > 100


def test_a_zeno_run_keeps_what_it_has(ball, impacts, times_of):
    with pytest.raises(Zeno) as caught:
        ball(0.9, 1.0).simulate(stop=10)
    partial = caught.value.partial
    assert not partial.complete
    np.testing.assert_allclose(times_of(partial, "v")[:50], impacts(0.9, 1.0, 50), rtol=1e-11)
    assert partial["x"].values.min() > -1e-9


def test_zeno_can_end_a_run_quietly(ball):
    r = ball(0.9, 1.0).simulate(stop=10, on_zeno="stop")
    assert not r.complete
    assert r.final("x") == pytest.approx(0.0, abs=1e-9)


def test_two_balls_as_a_vector_hit_at_once(ball, impacts, times_of):
    r = ball(0.8, [10.0, 10.0]).simulate(stop=8)
    found = times_of(r, "v")
    np.testing.assert_allclose(found, np.repeat(impacts(0.8, 10.0, 4), 2)[: len(found)], rtol=1e-12)
    assert len(found) == 8
    one = ball(0.8, 10.0).simulate(stop=8).final("x")
    np.testing.assert_allclose(r.final("x"), [one, one], rtol=1e-12)


def two(e1: float, h1: float, e2: float, h2: float) -> bd.Diagram:
    d = bd.Diagram()
    for name, e, h in (("a", e1, h1), ("b", e2, h2)):
        g = d.add(f"g{name}", bd.Constant(-9.81))
        v = d.add(f"v{name}", bd.Integrator(reset="falling", level=0.0))
        x = d.add(f"x{name}", bd.Integrator(h))
        d.connect(g, v["u"])
        d.connect(v, x, v["trigger"])
        d.connect(v, d.add(f"e{name}", bd.Gain(-e)), v["value"])
    return d


def test_two_balls_of_separate_blocks_hit_at_once(times_of, impacts):
    r = two(0.8, 10.0, 0.8, 10.0).simulate(stop=10)
    exact = impacts(0.8, 10.0, 12)
    exact = exact[exact < 10]
    for name in ("va", "vb"):
        np.testing.assert_allclose(times_of(r, name), exact, rtol=1e-12)
    assert r.final("xa") == r.final("xb") > -1e-12


def test_two_balls_that_hit_at_once_and_leave_differently(times_of, impacts):
    r = two(0.8, 5.0, 0.5, 5.0).simulate(stop=2.5)
    for name, e in (("va", 0.8), ("vb", 0.5)):
        exact = impacts(e, 5.0, 9)
        np.testing.assert_allclose(times_of(r, name), exact[exact < 2.5], rtol=1e-11)


def test_two_balls_at_different_times(times_of, impacts):
    r = two(0.8, 10.0, 0.7, 3.0).simulate(stop=3.5)
    for name, e, h in (("va", 0.8, 10.0), ("vb", 0.7, 3.0)):
        exact = impacts(e, h, 9)
        np.testing.assert_allclose(times_of(r, name), exact[exact < 3.5], rtol=1e-11)


def test_a_ball_thrown_up_from_the_floor(ball, times_of):
    """It leaves without an event and comes back after 2 v/g."""
    r = ball(0.8, 0.0, 5.0).simulate(stop=1.5)
    np.testing.assert_allclose(times_of(r, "v"), [10.0 / 9.81], rtol=1e-12)


def test_a_ball_thrown_down_at_the_floor_bounces_at_the_start(ball):
    r = ball(0.8, 0.0, -5.0).simulate(stop=0.5)
    assert r["x"].values.min() >= -1e-12
    assert r.final("x") == pytest.approx(4.0 * 0.5 - 9.81 / 2 * 0.25, rel=1e-9)


def test_a_ball_let_go_on_the_floor_does_not_fall_through(ball):
    with pytest.raises(RunError):
        ball(0.8, 0.0, 0.0).simulate(stop=1)


def test_a_ball_that_does_not_bounce_does_not_fall_through(ball, impacts):
    """Restitution 0: at rest on the floor its speed falls again at once; that is an error, not a fall."""
    with pytest.raises(RunError) as caught:
        ball(0.0).simulate(stop=5)
    assert caught.value.time == pytest.approx(impacts(0.0, 10.0, 1)[0], abs=1e-9)
    assert caught.value.path == "v"
    assert caught.value.partial["x"].values.min() > -1e-9


def test_speed_just_before_and_just_after_an_impact(ball, impacts):
    r = ball(0.8).simulate(stop=2)
    trace = r.trace("v")
    at = np.nonzero(np.diff(trace.time) == 0.0)[0]
    speed = np.sqrt(2 * 9.81 * 10)
    assert len(at) == 1
    np.testing.assert_allclose(trace.values[[at[0], at[0] + 1]], [-speed, 0.8 * speed], rtol=1e-12)


def test_energy_is_kept_when_e_is_one(ball):
    r = ball(1.0, 1.0).simulate(stop=60, rtol=1e-9)
    energy = 9.81 * r["x"].values + r["v"].values ** 2 / 2
    np.testing.assert_allclose(energy, 9.81, rtol=1e-10)


def test_bouncing_on_a_slanted_step_size_grid(ball, impacts, times_of):
    """Fixed steps are cut at impacts and go on from there."""
    r = ball(0.8).simulate(stop=8, method="rk4", step=0.037)
    np.testing.assert_allclose(times_of(r, "v"), impacts(0.8, 10.0, 4), rtol=1e-12)
