"""Corners of hybrid runs: large times, many events at one instant, starts and stops on events, empty logs."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def test_five_hundred_balls_at_one_instant(ball, times_of):
    r = ball(0.8, np.full(500, 10.0)).simulate(stop=3)
    found = times_of(r, "v")
    assert len(found) == 500
    np.testing.assert_allclose(found, np.sqrt(20 / 9.81), rtol=1e-14)


def test_a_thousand_edges_of_separate_sources_at_one_instant():
    d = bd.Diagram()
    for i in range(1000):
        d.add(f"s{i}", bd.Step(time=0.3))
    r = d.simulate(stop=1, log=["s0", "s999"])
    assert len(r.events) == 1000
    assert {e.time for e in r.events} == {0.3}


@pytest.mark.parametrize("start", [1e6, -1e3, 0.1])
def test_a_run_that_starts_elsewhere(start):
    d = bd.Diagram()
    x, s = d.add("x", bd.Integrator()), d.add("s", bd.Step(time=start + 1.0))
    d.connect(s, x)
    r = d.simulate(start=start, stop=start + 3.0)
    assert r.final("x") == pytest.approx(2.0, rel=1e-9)
    assert [e.time for e in r.events] == [start + 1.0]


def test_an_oscillator_far_from_zero_time():
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator()), d.add("x", bd.Integrator(1.0))
    d.connect(v, x, d.add("k", bd.Gain(-1.0)), v)
    d.connect(x, d.add("hit", bd.HitCrossing()))
    r = d.simulate(start=1e6, stop=1e6 + 10, rtol=1e-9, atol=1e-11)
    exact = 1e6 + np.pi / 2 + np.pi * np.arange(3)
    np.testing.assert_allclose([e.time for e in r.events], exact, atol=1e-8)


def test_sources_that_have_switched_before_the_start():
    d = bd.Diagram()
    d.add("step", bd.Step(time=1.0, final=5.0))
    d.add("wave", bd.Square(period=2.0))
    d.add("stairs", bd.PiecewiseConstant(times=[1.0, 2.0, 9.0], values=[1.0, 2.0, 3.0]))
    d.add("ramp", bd.Ramp(slope=2.0, start=1.0))
    r = d.simulate(start=3.5, stop=4.0)
    found = [float(r[name].values[0]) for name in ("step", "wave", "stairs", "ramp")]
    assert found == [5.0, -1.0, 2.0, 5.0]


def test_a_wave_with_a_negative_offset_starts_in_its_middle(driven):
    r = driven(bd.Square(period=1.0, offset=-0.25)).simulate(stop=1.0, times=[0.25, 0.75, 1.0])
    np.testing.assert_allclose(r["x"].values, [0.25, -0.25, 0.0], atol=1e-15)


def test_a_reset_and_a_limit_at_one_instant():
    """x reaches its limit 1 at t = 1, when it is also reset to 0.25."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="rising", upper=1.0))
    d.connect(d.add("one", bd.Constant(1.0)), x["u"])
    d.connect(d.add("late", bd.Step(time=1.0)), x["trigger"])
    d.connect(d.add("to", bd.Constant(0.25)), x["value"])
    r = d.simulate(stop=3, times=[0.5, 1.5, 2.5, 3.0])
    np.testing.assert_allclose(r["x"].values, [0.5, 0.75, 1.0, 1.0], atol=1e-13)


def test_a_jump_passes_a_level_that_others_watch():
    """A reset from 1 to 5 passes 3: counted once, at the instant of the jump."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="rising"))
    d.connect(d.add("one", bd.Constant(1.0)), x["u"])
    d.connect(d.add("late", bd.Step(time=1.0)), x["trigger"])
    d.connect(d.add("to", bd.Constant(5.0)), x["value"])
    d.connect(x, d.add("hits", bd.HitCrossing(level=3.0)), d.add("seen", bd.Integrator()))
    r = d.simulate(stop=2)
    assert (r.final("x"), r.final("hits")) == (pytest.approx(6.0), 1.0)
    assert r.final("seen") == pytest.approx(1.0, abs=1e-12)


def test_a_chain_of_switches_settles_at_one_instant():
    """Ten comparisons, each of the one before: all turn at the same instant."""
    d = bd.Diagram()
    blocks = [d.add("ramp", bd.Ramp(slope=1.0))]
    blocks += [d.add(f"c{9 - i}", bd.Compare(operator=">", value=0.5)) for i in range(10)]
    d.connect(*blocks, d.add("x", bd.Integrator()))
    r = d.simulate(stop=2)
    assert r.final("x") == pytest.approx(1.5, rel=1e-13)
    assert {round(e.time, 12) for e in r.events if e.time > 0.1} == {0.5}


def test_the_shortest_of_runs():
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    assert d.simulate(stop=1e-12).final("x") == pytest.approx(1e-12, rel=1e-9)
    assert d.simulate(start=1.0, stop=float(np.nextafter(1.0, 2.0))).final("x") == pytest.approx(
        2.2e-16, rel=0.1
    )


def test_nothing_logged():
    d = bd.Diagram()
    d.connect(d.add("s", bd.Sine()), d.add("x", bd.Integrator()))
    r = d.simulate(stop=1, log=[], states=False)
    assert len(r) == 0
    assert r.complete


def test_a_hundred_thousand_ticks_of_three_clocks():
    d = bd.Diagram()
    t = d.add("t", bd.Clock())
    for name, period in (("a", 1e-3), ("b", 2.5e-3), ("c", 0.7e-3)):
        d.connect(t, d.add(name, bd.ZeroOrderHold(period)))
    r = d.simulate(stop=50)
    for name, period in (("a", 0.001), ("b", 0.0025), ("c", 0.0007)):
        found = r[name].values
        k = np.arange(int(50 / period + 1e-6) + 1)
        np.testing.assert_allclose(found[: len(k)], k * period, rtol=4e-16)


def test_a_result_of_a_coarse_grid_keeps_every_event(ball):
    r = ball(0.95, 1.0).simulate(stop=10, times=[0.0, 10.0])
    assert len(r["x"].values) == 2
    assert len(r.events) == 16


def test_tolerances_by_state():
    d = bd.Diagram()
    a, b = d.add("a", bd.Integrator(1.0)), d.add("b", bd.Integrator(1e-6))
    d.connect(a, d.add("ka", bd.Gain(-1.0)), a)
    d.connect(b, d.add("kb", bd.Gain(-1.0)), b)
    r = d.simulate(stop=2, rtol=1e-8, atol=[1e-8, 1e-14])
    assert r.final("b") == pytest.approx(1e-6 * np.exp(-2), rel=1e-6)


def test_diagram_and_block_parameters_of_a_run():
    d = bd.Diagram(parameters={"k": -1.0})
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("gain", bd.Gain(bd.expression("k"))), x)
    ends = [
        d.simulate(stop=1, rtol=1e-10, **given).final("x")
        for given in ({}, {"parameters": {"k": -2.0}}, {"set": {"x.initial": 3.0}})
    ]
    np.testing.assert_allclose(ends, [np.exp(-1), np.exp(-2), 3 * np.exp(-1)], rtol=1e-7)


@pytest.mark.parametrize("method", ["dopri5", "tsit5", "dop853", "bs32"])
def test_a_ball_on_a_shaking_table(method):
    """Every impact reverses the speed relative to the table; the gap never closes further."""
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator(reset="falling", level=0.0)), d.add("x", bd.Integrator(1.0))
    table = d.add("table", bd.Sine(amplitude=0.1, frequency=10.0))
    gap, to = d.add("gap", bd.Sum("+-")), d.add("to", bd.Expression("1.8 * cos(10 * t) - 0.8 * v"))
    d.connect(d.add("g", bd.Constant(-9.81)), v["u"])
    d.connect(v, x, gap[0])
    d.connect(table, gap[1])
    d.connect(gap, v["trigger"])
    d.connect(v, to, v["value"])
    r = d.simulate(stop=5, rtol=1e-10, atol=1e-12, method=method)
    assert r["gap"].values.min() > -1e-12
    times = [e.time for e in r.events]
    assert len(times) == 7
    trace = r.trace("v")
    for t in times:
        before, after = trace.values[trace.time == t][[0, -1]]
        assert after - np.cos(10 * t) == pytest.approx(-0.8 * (before - np.cos(10 * t)), rel=1e-12)


def test_a_very_narrow_hysteresis_is_not_taken_for_chattering():
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    relay = bd.Relay(switch_on=1e-9, switch_off=-1e-9, on=-1.0, off=1.0, starts_on=True)
    d.connect(x, d.add("switch", relay), x)
    assert len(d.simulate(stop=1 + 1e-5).events) == 5000


def test_events_tell_the_way_that_the_named_value_went_or_nothing():
    """A sine begins to rise beyond 1/2 and falls back; friction and plays watch other values in each mode."""
    d = bd.Diagram()
    wave = d.add("wave", bd.Sine())
    blocks = {
        "top": bd.Saturation(-0.5, 0.5), "bend": bd.Hysteresis(), "play": bd.Backlash(0.5),
        "rate": bd.RateLimiter(rising=0.5, falling=-0.5), "rests": bd.CoulombFriction(),
    }  # fmt: skip
    for name, block in blocks.items():
        d.connect(wave, d.add(name, block)["velocity" if name == "rests" else "u"])
    d.connect(d.add("none", bd.Constant(0.0)), "rests.force")
    events = [e for e in d.simulate(stop=6.0).events if e.kind == "zero crossing" and e.time > 1e-6]
    told = {(e.path, e.detail, e.direction) for e in events}
    assert {("top", "upper", "rising"), ("top", "upper", "falling")} <= told
    assert {
        ("bend", "upper[0]", "rising"),
        ("bend", "lower[0]", "falling"),
        ("bend", "top", "falling"),
    } <= told
    assert {path for path, _, way in told if not way} == {"play", "rate", "rests"}
    assert {path for path, _, way in told if way} == {"top", "bend"}
