"""Ticks that only read: sampled blocks that nothing listens to see the solution, and do not disturb it."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.sweeps.sweep import Sweep

FAST, SLOW = 0.05, 1 / 7  # s


def swing(*, sensors: bool, error: bool = False, drives: bool = False) -> bd.Diagram:
    """x = cos t, its zeros counted, pushed at t = 0.5 where a constant 1 joins x'; sampled by two clocks."""
    d = bd.Diagram("swing")
    x, v = d.add("x", bd.Integrator(1.0)), d.add("v", bd.Integrator(0.0))
    push = d.add("push", bd.Step(time=0.5, initial=0.0, final=1.0))
    rate = d.add("rate", bd.Sum("++"))
    d.connect(v, rate[0])
    d.connect(push, rate[1])
    d.connect(rate, x)
    d.connect(x, d.add("minus", bd.Gain(-1.0)), v)
    d.connect(x, d.add("hits", bd.HitCrossing()))
    if sensors:
        d.connect(x, d.add("seen", bd.ZeroOrderHold(FAST)), d.add("late", bd.UnitDelay(FAST)))
        d.connect(d["seen"], d.add("double", bd.Gain(2.0)))
        d.connect(d["late"], d.add("rare", bd.ZeroOrderHold(SLOW, offset=0.01)))
        d.connect(push, d.add("pushed", bd.ZeroOrderHold(FAST)))
    if error:
        d.connect(d["seen"] - x, d.add("error", bd.Record("error")))
    if drives:
        d.connect(d["seen"], d.add("far", bd.Integrator(0.0)))
    return d


def exact(t):
    """x and v: up to 0.5 cos t and -sin t, then a turn about x = 0, v = -1."""
    t = np.asarray(t, float)
    s = np.maximum(t - 0.5, 0.0)
    x, v = np.cos(np.minimum(t, 0.5)), -np.sin(np.minimum(t, 0.5))
    return x * np.cos(s) + (v + 1.0) * np.sin(s)


SIGNALS = ["x", "seen", "late", "double", "rare", "pushed"]
METHODS = ["dopri5", "dop853", "bs32", "rodas5p", "radau5", "rk4", "ab4"]


@pytest.mark.parametrize("method", METHODS)
def test_what_only_reads_changes_nothing(method):
    """The same steps, states and events, to the last bit, with sensors and without."""
    settings = {"stop": 6.0, "method": method, "rtol": 1e-8, "atol": 1e-10}
    settings |= {"step": 0.0625} if method in ("rk4", "ab4") else {}
    alone = swing(sensors=False).simulate(log=["x"], **settings)
    watched = swing(sensors=True).simulate(log=SIGNALS, **settings)
    np.testing.assert_array_equal(watched.trace("x").time, alone.trace("x").time)
    np.testing.assert_array_equal(watched.trace("x").values, alone.trace("x").values)
    assert [(e.time, e.path) for e in watched.events] == [(e.time, e.path) for e in alone.events]
    assert watched.provenance.statistics["steps"] == alone.provenance.statistics["steps"]
    heard = swing(sensors=True, error=True).simulate(log=SIGNALS, **settings)
    at = np.isin(heard.trace("x").time, alone.trace("x").time)
    assert set(alone.trace("x").values) <= set(heard.trace("x").values[at])
    assert heard.provenance.statistics["steps"] == alone.provenance.statistics["steps"]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("method", ["dopri5", "dop853", "radau5"])
def test_samples_are_the_solution_at_their_ticks(method, compiled):
    settings = {"method": method, "rtol": 1e-9, "atol": 1e-11, "compiled": compiled}
    r = swing(sensors=True, error=True).simulate(stop=6.0, log=SIGNALS, **settings)
    seen, late, rare = (r.trace(name) for name in ("seen", "late", "rare"))
    ticks = np.arange(121) / 20
    np.testing.assert_array_equal(seen.time, ticks)
    np.testing.assert_allclose(seen.values, exact(ticks), atol=2e-8)
    np.testing.assert_array_equal(late.values, [0.0, *seen.values[:-1]])
    np.testing.assert_array_equal(r.trace("double").at(ticks), 2.0 * seen.values)
    slow = 0.01 + np.arange(42) / 7
    np.testing.assert_allclose(rare.time[:-1], [0.0, *slow], atol=1e-15)
    np.testing.assert_array_equal(rare.values[1:-1], late.at(slow))
    np.testing.assert_array_equal(r.trace("pushed").values, ticks >= 0.5)  # the tick at 0.5 is after the push
    error = r.trace("error")
    left, right = (error.values[error.time == 2.05][i] for i in (0, -1))
    np.testing.assert_allclose(left, exact(2.0) - exact(2.05), atol=4e-8)
    assert abs(right) < 1e-15
    given = swing(sensors=True).simulate(log=SIGNALS, times=[0.5, 2.05, 2.06, 6.0], **settings)
    np.testing.assert_array_equal(given["seen"].values, seen.at([0.5, 2.05, 2.06, 6.0]))
    np.testing.assert_array_equal(given["pushed"].values, 1.0)


def test_the_two_forms_agree_and_a_run_goes_on():
    d = swing(sensors=True, error=True)
    compiled, plain = (d.simulate(stop=3.0, log=SIGNALS, compiled=c) for c in (True, False))
    for name in [*SIGNALS, "error"]:
        np.testing.assert_array_equal(compiled.trace(name).time, plain.trace(name).time)
        np.testing.assert_allclose(compiled.trace(name).values, plain.trace(name).values, atol=1e-12)
    first = d.simulate(stop=1.02, log=SIGNALS)
    later = d.simulate(start=1.02, stop=3.0, initial=first.final_states(), log=SIGNALS)
    for name in ("seen", "late", "rare"):
        ticks = later.trace(name).time[1:]
        np.testing.assert_allclose(later.trace(name).values[1:], compiled.trace(name).at(ticks), atol=1e-6)


def test_what_drives_the_plant_ends_steps():
    """One integrator behind a sensor, and each of its ticks is an instant: all ticks of that clock are."""
    drives, reads = (swing(sensors=True, drives=d) for d in (True, False))
    settings = {"stop": 6.0, "log": ["x"], "rtol": 1e-6}
    steps = [d.simulate(**settings).provenance.statistics["steps"] for d in (drives, reads)]
    assert steps[0] >= 120 > 2 * steps[1]
    assert drives.compile().plan.reading == {1}
    assert reads.compile().plan.reading == {0, 1}
    r = drives.simulate(stop=6.0, log=["x", "far", "seen"], rtol=1e-9)
    np.testing.assert_allclose(r.final("far"), FAST * r.trace("seen").values[:120].sum(), rtol=1e-12)


def test_a_sweep_measures_samples_between_steps():
    """Means of held values are sums; the steps counted are those of single runs."""
    d = swing(sensors=True)
    single = d.simulate(stop=6.0, log=["seen", "x"], rtol=1e-7)
    measures = {"mean": {"mean": "seen"}, "highest": {"max": "seen"}, "x": {"mean": "x"}, "steps": "steps"}
    sweep = Sweep(d, {"v.initial": [0.0, 0.25]}, measures, stop=6.0, rtol=1e-7)
    data = sweep.run(progress=False).dataset
    np.testing.assert_allclose(data["mean"][0], single.trace("seen").values[:120].mean(), rtol=1e-12)
    assert float(data["highest"][0]) == single.trace("seen").values.max()
    assert int(data["steps"][0]) == single.provenance.statistics["steps"]
    times = np.linspace(0.0, 6.0, 60001)
    np.testing.assert_allclose(data["x"][0], np.trapezoid(exact(times), times) / 6.0, atol=1e-7)


@pytest.mark.parametrize("compiled", [True, False])
def test_an_error_at_a_tick_has_its_time(compiled):
    """1/(t - 1), sampled every 0.125 s, has no value at 1; steps go beyond."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Expression("t - 1")), d.add("held", bd.ZeroOrderHold(0.125)))
    d.connect(d["held"], d.add("inverse", bd.Expression("1 / u")))
    d.connect(d.add("one", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    with pytest.raises(bd.RunError) as refused:
        d.simulate(stop=100.0, log=["inverse"], compiled=compiled)
    assert (refused.value.path, refused.value.time) == ("inverse", 1.0)
