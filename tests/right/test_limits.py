"""Integrators with limits and resets: stop at the limit, leave it on time, jump exactly."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def limited_sine(t: np.ndarray) -> np.ndarray:
    """dx/dt = cos t within +-0.5: at the limit from pi/6 to pi/2, then 0.5 + sin t - 1 down to -0.5 at pi."""
    t = np.asarray(t)
    first = np.minimum(np.sin(np.minimum(t, np.pi / 2)), 0.5)
    s = np.mod(t - np.pi / 2, 2 * np.pi)  # 0 where cos turns negative
    later = np.where(
        s < np.pi, np.maximum(0.5 - (1 - np.cos(s)), -0.5), np.minimum(-0.5 + (1 + np.cos(s)), 0.5)
    )
    return np.where(t < np.pi / 2, first, later)


@pytest.mark.parametrize("method", ["dopri5", "tsit5", "dop853", "bs32", "rodas5p"])
def test_limits_release(driven, method):
    d = driven(bd.Expression("cos(t)"), bd.Integrator(lower=-0.5, upper=0.5))
    times = np.linspace(0, 20, 501)
    r = d.simulate(stop=20, times=times, method=method, **TIGHT)
    np.testing.assert_allclose(r["x"].values, limited_sine(times), atol=1e-8)


def test_limits_are_reached_and_left_at_the_closed_form(driven, times_of):
    r = driven(bd.Expression("cos(t)"), bd.Integrator(lower=-0.5, upper=0.5)).simulate(stop=10, **TIGHT)
    exact = np.pi * np.array([1 / 6, 1 / 2, 1, 3 / 2, 2, 5 / 2, 3])
    np.testing.assert_allclose(times_of(r, "x"), exact, atol=1e-9)


def test_limits_are_never_passed(driven):
    r = driven(bd.Expression("cos(t)"), bd.Integrator(lower=-0.5, upper=0.5)).simulate(stop=50, refine=5)
    assert r["x"].values.max() <= 0.5 + 1e-14
    assert r["x"].values.min() >= -0.5 - 1e-14


def test_integer_limits_count(driven):
    r = driven(bd.Constant(3.0), bd.Integrator(lower=-2, upper=2)).simulate(stop=10)
    assert r.final("x") == 2.0


def test_limits_of_each_element(driven):
    r = driven(
        bd.Constant([1.0, 1.0, -1.0]), bd.Integrator([0.0, 0.0, 0.0], upper=[0.25, 5.0, 1.0], lower=-0.5)
    ).simulate(stop=2)
    np.testing.assert_allclose(r.final("x"), [0.25, 2.0, -0.5], rtol=1e-14)


def test_start_at_the_limit_pushing_out_and_pushing_in(driven):
    for way, end in ((1.0, 1.0), (-1.0, 0.0)):
        r = driven(bd.Constant(way), bd.Integrator(1.0, lower=0.0, upper=1.0)).simulate(stop=3)
        assert r.final("x") == pytest.approx(end, abs=1e-15)


def test_square_wave_between_limits(driven):
    """+-1 with period 2 and limits 0 ... 0.4: up in 0.4 s, down in 0.4 s, every period."""
    r = driven(bd.Square(period=2.0), bd.Integrator(lower=0.0, upper=0.4)).simulate(
        stop=10, times=[0.2, 0.4, 0.9, 1.1, 1.4, 1.9, 2.1, 9.25]
    )
    np.testing.assert_allclose(r["x"].values, [0.2, 0.4, 0.4, 0.3, 0.0, 0.0, 0.1, 0.15], atol=1e-13)


def test_reset_by_its_own_value_makes_a_sawtooth(times_of):
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="rising", level=0.3))
    d.connect(d.add("one", bd.Constant(1.0)), x["u"])
    d.connect(x, x["trigger"])
    r = d.simulate(stop=3.1)
    np.testing.assert_allclose(times_of(r, "x"), 0.3 * np.arange(1, 11), rtol=1e-12)
    assert r.final("x") == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("level", [1e-3, 0.02])
def test_a_fast_sawtooth(level, times_of):
    """Teeth much shorter than the steps between them: x is reset every `level` seconds."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="rising", level=level))
    d.connect(d.add("one", bd.Constant(1.0)), x["u"])
    d.connect(x, x["trigger"])
    r = d.simulate(stop=200.5 * level)
    np.testing.assert_allclose(times_of(r, "x"), level * np.arange(1, 201), rtol=1e-10)


@pytest.mark.parametrize("stop", [1.0, 20.0])
def test_a_fast_sawtooth_in_a_long_run(stop, times_of):
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="rising", level=0.004))
    d.connect(d.add("one", bd.Constant(1.0)), x["u"])
    d.connect(x, x["trigger"])
    found = times_of(d.simulate(stop=stop), "x")
    assert len(found) in (round(stop / 0.004) - 1, round(stop / 0.004))
    np.testing.assert_allclose(found, 0.004 * np.arange(1, len(found) + 1), rtol=1e-10)


@pytest.mark.parametrize(
    ("edge", "times"),
    [("rising", [1, 2, 3]), ("falling", [0.5, 1.5, 2.5]), ("either", [0.5, 1, 1.5, 2, 2.5, 3])],
)
def test_reset_on_the_edges_of_a_square_wave(edge, times, times_of):
    """The wave starts high at 0, which is no edge."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(5.0, reset=edge))
    d.connect(d.add("one", bd.Constant(1.0)), x["u"])
    d.connect(d.add("wave", bd.Square(amplitude=0.5, bias=0.5, period=1.0)), x["trigger"])
    r = d.simulate(stop=3.2)
    assert r.final("x") == pytest.approx(3.2 - times[-1], abs=1e-13)
    trace = r.trace("x")
    jumps = trace.time[np.nonzero(np.diff(trace.values) < -0.1)[0]]
    np.testing.assert_array_equal(jumps, np.array(times, float))


def test_reset_to_a_value_given_by_another_block():
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="rising"))
    d.connect(d.add("two", bd.Constant(2.0)), x["u"])
    d.connect(d.add("late", bd.Step(time=1.0)), x["trigger"])
    d.connect(d.add("to", bd.Ramp(slope=10.0)), x["value"])
    assert d.simulate(stop=1.5).final("x") == pytest.approx(11.0, rel=1e-13)


def test_reset_beyond_a_limit_goes_to_the_limit():
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="rising", lower=0.0, upper=1.0))
    d.connect(d.add("down", bd.Constant(-0.5)), x["u"])
    d.connect(d.add("late", bd.Step(time=1.0)), x["trigger"])
    d.connect(d.add("to", bd.Constant(9.0)), x["value"])
    assert d.simulate(stop=2).final("x") == pytest.approx(0.5, rel=1e-13)


def test_pid_with_integer_limits_winds_up_no_further():
    """An integral clamped at 2 leaves it as soon as the error turns."""
    d = bd.Diagram()
    d.connect(
        d.add("e", bd.Step(time=5.0, initial=1.0, final=-1.0)),
        d.add("c", bd.PID(kp=0, ki=1, lower=-2, upper=2, anti_windup="limited-integral")),
    )
    r = d.simulate(stop=6, times=[1.0, 4.0, 5.0, 5.5, 6.0])
    np.testing.assert_allclose(r["c"].values, [1.0, 2.0, 2.0, 1.5, 1.0], atol=1e-12)
