"""Both limits of a signal at an event are in the result, and the list of events says what happened when."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def twice(trace) -> list[tuple[float, float, float]]:
    """Instants that the trace holds twice: time, limit from the left, limit from the right."""
    at = np.nonzero(np.diff(trace.time) == 0.0)[0]
    return [(float(trace.time[i]), float(trace.values[i]), float(trace.values[i + 1])) for i in at]


def test_a_step_has_a_left_and_a_right_limit():
    d = bd.Diagram()
    ramp, step, s = (
        d.add("ramp", bd.Ramp()),
        d.add("step", bd.Step(time=0.5, initial=-1.0, final=3.0)),
        d.add("s", bd.Sum("++")),
    )
    d.connect(ramp, s[0])
    d.connect(step, s[1])
    r = d.simulate(stop=1)
    assert (0.5, -0.5, 3.5) in twice(r.trace("s"))


def test_a_step_at_the_start_shows_its_final_value():
    d = bd.Diagram()
    d.connect(d.add("step", bd.Step(time=0.0)), d.add("x", bd.Integrator()))
    r = d.simulate(stop=1)
    assert r["step"].values[0] == 1.0
    assert r.final("x") == pytest.approx(1.0, rel=1e-14)


def test_a_step_at_the_end_shows_its_final_value():
    d = bd.Diagram()
    d.connect(d.add("step", bd.Step(time=1.0)), d.add("k", bd.Gain(2.0)))
    d.connect("k", d.add("x", bd.Integrator()))
    r = d.simulate(stop=1)
    assert r.final("k") == 2.0
    assert r.final("x") == 0.0


def test_a_tick_has_both_limits_in_the_plants_input():
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("h", bd.ZeroOrderHold(0.5)), d.add("sum", bd.Sum("++"))[0])
    d.connect("t", "sum[1]")
    found = twice(d.simulate(stop=1.2).trace("sum"))
    assert (0.5, 0.5, 1.0) in found
    assert (1.0, 1.5, 2.0) in found


def test_a_reset_has_both_limits():
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="rising", level=2.0))
    d.connect(d.add("u", bd.Constant(4.0)), x["u"])
    d.connect(x, x["trigger"])
    d.connect(d.add("to", bd.Constant(-1.0)), x["value"])
    found = twice(d.simulate(stop=0.8).trace("x"))
    np.testing.assert_allclose(found, [(0.5, 2.0, -1.0)], rtol=1e-13)


def test_a_relay_has_both_limits():
    d = bd.Diagram()
    d.connect(
        d.add("t", bd.Clock()),
        d.add("relay", bd.Relay(switch_on=0.7, switch_off=0.0, on=5.0)),
        d.add("k", bd.Sum("++"))[0],
    )
    d.connect("t", "k[1]")
    found = twice(d.simulate(stop=1).trace("k"))
    np.testing.assert_allclose(found, [(0.7, 0.7, 5.7)], rtol=1e-14)


def test_states_have_both_limits_too(ball):
    r = ball(0.5).simulate(stop=2)
    ((time, left, right),) = twice(r.trace("v.x"))
    assert right == pytest.approx(-0.5 * left, rel=1e-15)
    assert time == pytest.approx(np.sqrt(20 / 9.81), rel=1e-14)


def test_the_list_of_events():
    d = bd.Diagram()
    d.connect(
        d.add("step", bd.Step(time=0.25)),
        d.add("x", bd.Integrator()),
        d.add("limit", bd.Saturation(lower=-0.5, upper=0.5)),
    )
    d.connect("x", d.add("h", bd.ZeroOrderHold(0.1)))
    r = d.simulate(stop=1)
    found = [(e.time, e.path, e.kind, e.detail) for e in r.events if e.path != "h"]
    assert [f[1:] for f in found] == [("step", "time", ""), ("limit", "zero crossing", "upper")]
    np.testing.assert_allclose([f[0] for f in found], [0.25, 0.75], rtol=1e-14)


def test_events_are_in_order_of_time():
    d = bd.Diagram()
    d.add("wave", bd.Square(period=0.3))
    d.connect(d.add("s", bd.Sine(frequency=9.0)), d.add("hit", bd.HitCrossing()))
    times = [e.time for e in d.simulate(stop=5).events]
    assert times == sorted(times)
    assert len(times) > 40


def test_a_grid_time_at_an_event_shows_the_right_limit():
    d = bd.Diagram()
    d.connect(d.add("step", bd.Step(time=0.5)), d.add("k", bd.Gain(2.0)))
    r = d.simulate(stop=1, times=[0.25, 0.5, 0.75])
    assert r["k"].values.tolist() == [0.0, 2.0, 2.0]
    assert r["k"].time.values.tolist() == [0.25, 0.5, 0.75]


def test_a_grid_returns_exactly_its_times():
    d = bd.Diagram()
    d.connect(d.add("s", bd.Square(period=0.3)), d.add("x", bd.Integrator()))
    times = np.sort(np.random.default_rng(1).uniform(0, 3, 200))
    r = d.simulate(stop=3, times=times)
    np.testing.assert_array_equal(r["x"].time.values, times)
    every = d.simulate(stop=3, every=0.1)
    np.testing.assert_allclose(every["x"].time.values, np.arange(31) / 10, atol=1e-15)


def test_the_first_and_the_last_instant_are_in_the_result():
    d = bd.Diagram()
    d.connect(d.add("s", bd.Sine()), d.add("x", bd.Integrator()))
    r = d.simulate(start=-1.5, stop=2.25)
    assert (r["x"].time.values[0], r["x"].time.values[-1]) == (-1.5, 2.25)


def test_an_event_at_the_stop_time_is_handled():
    d = bd.Diagram()
    d.connect(d.add("ramp", bd.Ramp()), d.add("limit", bd.Saturation(upper=2.0)), d.add("x", bd.Integrator()))
    r = d.simulate(stop=2.0)
    assert r.final("limit") == 2.0
    assert r.final("x") == pytest.approx(2.0, rel=1e-13)
