"""Relay, saturation, dead zone, comparisons: switching times and values at their closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

TIGHT = {"rtol": 1e-10, "atol": 1e-12}
METHODS = [
    pytest.param({"method": "dopri5"}, id="dopri5"),
    pytest.param({"method": "tsit5"}, id="tsit5"),
    pytest.param({"method": "dop853"}, id="dop853"),
    pytest.param({"method": "rk4", "step": 1e-3}, id="rk4"),
    pytest.param({"method": "rodas5p"}, id="rodas5p"),
    pytest.param({"method": "radau5"}, id="radau5"),
    pytest.param({"method": "bdf"}, id="bdf"),
]


def relay_loop(plant: bd.Block, **relay: float) -> bd.Diagram:
    d = bd.Diagram()
    turn, switch = d.add("turn", bd.Gain(-1.0)), d.add("switch", bd.Relay(**relay))
    d.connect(d.add("x", plant), turn, switch, "x")
    return d


def test_relay_and_integrator_make_a_triangle(times_of):
    """dx/dt = +-1 between -0.5 and 0.5: switching at 0.5 + k, exactly."""
    d = relay_loop(bd.Integrator(), switch_on=0.5, switch_off=-0.5, on=1.0, off=-1.0)
    r = d.simulate(stop=20.2)
    np.testing.assert_allclose(times_of(r, "switch"), 0.5 + np.arange(20), rtol=1e-13)
    assert r.final("x") == pytest.approx(-0.2, abs=1e-12)


@pytest.mark.parametrize("how", METHODS)
def test_thermostat_switches_on_its_exponentials(times_of, how):
    """5 dx/dt = u - x, u = 10 until x = 6, 0 until x = 4: 5 log(10/4) s, then 5 log(6/4) s apart."""
    d = bd.Diagram()
    switch = d.add("switch", bd.Relay(switch_on=-4.0, switch_off=-6.0, on=10.0, off=0.0, starts_on=True))
    x = d.add("x", bd.TransferFunction(num=[1.0], den=[5.0, 1.0]))
    d.connect(x, d.add("turn", bd.Gain(-1.0)), switch, x)
    r = d.simulate(stop=30, **({"rtol": 1e-9, "atol": 1e-11} | how))
    first, cool, heat = 5 * np.log(10 / 4), 5 * np.log(6 / 4), 5 * np.log(6 / 4)
    exact = first + np.concatenate([[0.0], np.cumsum(np.tile([cool, heat], 12))])
    exact = exact[exact < 30]
    found = times_of(r, "switch")
    assert len(found) == len(exact) == 13
    np.testing.assert_allclose(found, exact, atol=1e-6)


def test_relay_of_vectors_switches_each_element_by_itself(times_of):
    d = relay_loop(bd.Integrator([0.0, 0.25]), switch_on=0.5, switch_off=-0.5, on=1.0, off=-1.0)
    r = d.simulate(stop=10.1)
    exact = np.sort(np.concatenate([0.5 + np.arange(10), 0.75 + np.arange(10)]))
    np.testing.assert_allclose(times_of(r, "switch"), exact[exact < 10.1], rtol=1e-13)


def test_saturation_of_a_sine(driven, times_of):
    """2 sin t is beyond 1 between pi/6 and 5 pi/6."""
    d = bd.Diagram()
    s = d.add("s", bd.Sine(amplitude=2.0))
    d.connect(s, d.add("limit", bd.Saturation()), d.add("area", bd.Integrator()))
    r = d.simulate(stop=7, **TIGHT)
    np.testing.assert_allclose(times_of(r, "limit"), np.pi * np.array([1, 5, 7, 11, 13]) / 6, rtol=1e-12)
    half = 2 * 2 * (1 - np.cos(np.pi / 6)) + 2 * np.pi / 3
    assert d.simulate(stop=np.pi, **TIGHT).final("area") == pytest.approx(half, rel=1e-10)


@pytest.mark.parametrize("how", METHODS)
def test_saturated_loop_leaves_the_limit_on_time(times_of, how):
    """dx/dt = sat(-4 x) from x = 2: x = 2 - t until t = 1.75, then e^(-4 (t - 1.75)) / 4."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(2.0))
    d.connect(x, d.add("k", bd.Gain(-4.0)), d.add("limit", bd.Saturation()), x)
    r = d.simulate(stop=3, **(TIGHT | how))
    np.testing.assert_allclose(times_of(r, "limit"), [1.75], atol=1e-9)
    assert r.final("x") == pytest.approx(np.exp(-5.0) / 4, rel=1e-5)


def test_saturation_at_its_limit_from_the_start():
    d = bd.Diagram()
    d.connect(
        d.add("t", bd.Ramp(slope=-1.0, initial=3.0)),
        d.add("limit", bd.Saturation()),
        d.add("x", bd.Integrator()),
    )
    r = d.simulate(stop=4, **TIGHT)
    assert r["limit"].values[0] == 1.0
    assert r.final("x") == pytest.approx(2.0, abs=1e-10)


def test_dead_zone_of_a_ramp(times_of):
    d = bd.Diagram()
    ramp = d.add("ramp", bd.Ramp(slope=1.0, initial=-2.0))
    d.connect(ramp, d.add("gap", bd.DeadZone(lower=-0.5, upper=0.7)), d.add("x", bd.Integrator()))
    r = d.simulate(stop=4)
    np.testing.assert_allclose(times_of(r, "gap"), [1.5, 2.7], rtol=1e-14)
    assert r.final("x") == pytest.approx(-(1.5**2) / 2 + 1.3**2 / 2, rel=1e-12)


def test_abs_and_sign_change_branch_at_zero(times_of):
    d = bd.Diagram()
    s = d.add("s", bd.Sine())
    d.connect(s, d.add("size", bd.Abs()), d.add("area", bd.Integrator()))
    d.connect(s, d.add("way", bd.Sign()), d.add("time", bd.Integrator()))
    r = d.simulate(stop=10, **TIGHT)
    assert r.final("area") == pytest.approx(6 + 1 + np.cos(10), rel=1e-9)
    assert r.final("time") == pytest.approx(np.pi - (10 - 3 * np.pi), abs=1e-10)
    found = times_of(r, "way")  # leaving zero at the start is one too
    np.testing.assert_allclose(found[found > 1e-6], np.pi * np.arange(1, 4), rtol=1e-13)


def test_bang_bang_of_two_integrators_is_time_optimal():
    """d2x/dt2 = -sign(x + v |v| / 2) from x = 1 rests at the origin at t = 2 (Pontryagin)."""
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator()), d.add("x", bd.Integrator(1.0))
    law = d.add("law", bd.Expression("x + v * abs(v) / 2"))
    late = d.add("switch", bd.Relay(switch_on=1e-3, switch_off=-1e-3, on=-1.0, off=1.0, starts_on=True))
    d.connect(v, x, law["x"])
    d.connect(v, law["v"])
    d.connect(law, late, v)
    r = d.simulate(stop=2, **TIGHT)
    assert np.hypot(r.final("x"), r.final("v")) < 0.1
    event = next(e.time for e in r.events if e.path == "switch")
    # x = 1 - t^2/2, v = -t: 1 - t^2/2 - t^2/2 = -1e-3
    assert event == pytest.approx(np.sqrt(1.001), rel=1e-12)


@pytest.mark.parametrize("method", ["dopri5", "tsit5", "dop853", "bs32"])
def test_a_signal_that_rests_at_its_level_asks_for_no_short_steps(method):
    """From the switching on, x - v^2 / 2 rests at the relay's level: a parabola is exact in any step."""
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator()), d.add("x", bd.Integrator(1.0))
    law = d.add("law", bd.Expression("x + v * abs(v) / 2"))
    late = d.add("switch", bd.Relay(switch_on=1e-3, switch_off=-1e-3, on=-1.0, off=1.0, starts_on=True))
    d.connect(v, x, law["x"])
    d.connect(v, law["v"])
    d.connect(law, late, v)
    r = d.simulate(stop=1.9, method=method, max_steps=1000, **TIGHT)
    speed = 1.9 - 2 * np.sqrt(1.001)
    assert r.final("v") == pytest.approx(speed, rel=1e-9)
    assert r.final("x") == pytest.approx(speed**2 / 2 - 1e-3, rel=1e-9)


def test_comparison_passes_where_the_signals_meet(times_of):
    """t^2 - 2 t >= 1 from t = 1 + sqrt 2 on."""
    d = bd.Diagram()
    a = d.add("a", bd.Expression("t ** 2 - 2 * t"))
    d.connect(a, d.add("c", bd.Compare(operator=">=", value=1.0)), d.add("x", bd.Integrator()))
    r = d.simulate(stop=4)
    np.testing.assert_allclose(times_of(r, "c"), [1 + np.sqrt(2)], rtol=1e-14)
    assert r.final("x") == pytest.approx(3 - np.sqrt(2), rel=1e-12)


def test_two_crossings_within_one_step(times_of):
    """(t - 5)^2 < 1e-6 for 2 ms of 1000 s: both edges are seen with the longest step free."""
    d = bd.Diagram()
    a = d.add("a", bd.Expression("(t - 5) ** 2"))
    d.connect(a, d.add("c", bd.Compare(operator="<", value=1e-6)), d.add("x", bd.Integrator()))
    r = d.simulate(stop=10)
    np.testing.assert_allclose(times_of(r, "c"), [4.999, 5.001], rtol=1e-9)
    assert r.final("x") == pytest.approx(0.002, rel=1e-6)


def test_a_signal_that_only_touches_its_level(driven):
    """sin t - 1 touches zero at pi/2 and does not pass it: no change of the counted number either way."""
    d = bd.Diagram()
    d.connect(
        d.add("s", bd.Sine(bias=-1.0)),
        d.add("c", bd.Compare(operator=">", value=1e-9)),
        d.add("x", bd.Integrator()),
    )
    assert d.simulate(stop=6).final("x") == 0.0


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("block", "start", "slope", "exact"),
    [
        (bd.Compare(operator=">"), 0.0, 1.0, 2.0),
        (bd.Compare(operator=">="), 0.0, -1.0, 0.0),
        (bd.Compare(operator="=="), 0.0, 1.0, 0.0),
        (bd.Compare(operator="!="), 0.0, 1.0, 2.0),
        (bd.Sign(), 0.0, 1.0, 2.0),
        (bd.Sign(), 0.0, -1.0, -2.0),
        (bd.Abs(), 0.0, 1.0, 2.0),
        (bd.Abs(), 0.0, -1.0, 2.0),
        (bd.Saturation(), 1.0, 1.0, 2.0),
        (bd.Saturation(), -1.0, -1.0, -2.0),
        (bd.DeadZone(), 0.5, 1.0, 2.0),
        (bd.Relay(), 0.0, -1.0, 0.0),
        (bd.Expression("floor(a)"), 0.0, -0.25, -2.0),
        (bd.Expression("max(a, -a)"), 0.0, -1.0, 2.0),
    ],
)
@pytest.mark.parametrize("late", [0.0, 1.0])
def test_a_signal_that_sits_at_the_level_and_leaves_it(block, start, slope, exact, late, compiled):
    """The branch taken at the level itself does not outlive that instant, at the start of a run or later."""
    d = bd.Diagram()
    ramp = d.add("ramp", bd.Ramp(slope=slope, initial=start, start=late))
    d.connect(ramp, d.add("block", block), d.add("x", bd.Integrator()))
    y0 = start if block.kind() == "Saturation" else 0.0
    y0 = float(block.operator in (">=", "==")) if block.kind() == "Compare" else y0
    r = d.simulate(stop=late + 2.0, compiled=compiled)
    assert r.final("x") == pytest.approx(y0 * late + exact, abs=1e-9)


def test_switch_changes_at_the_exact_instant():
    """Switch by a step's value: 2 t before 1.5 s, -1 after."""
    d = bd.Diagram()
    s = d.add("choose", bd.Switch())
    d.connect(d.add("late", bd.Step(time=1.5)), s["control"])
    d.connect(d.add("after", bd.Constant(-1.0)), s["then"])
    d.connect(d.add("before", bd.Ramp(slope=2.0)), s["otherwise"])
    d.connect(s, d.add("x", bd.Integrator()))
    r = d.simulate(stop=3)
    assert r.final("x") == pytest.approx(1.5**2 - 1.5, rel=1e-13)


def test_expression_with_min_max_and_where():
    d = bd.Diagram()
    d.connect(d.add("f", bd.Expression("where(t > 2, min(t, 3), max(1, t))")), d.add("x", bd.Integrator()))
    r = d.simulate(stop=5, **TIGHT)
    # 1 until 1, t until 3, 3 until 5
    assert r.final("x") == pytest.approx(1 + 4 + 6, rel=1e-12)


def test_floor_and_remainder_make_a_sawtooth():
    d = bd.Diagram()
    d.connect(d.add("saw", bd.Expression("t % 0.7")), d.add("x", bd.Integrator()))
    r = d.simulate(stop=7.35, **TIGHT)
    assert r.final("x") == pytest.approx(10 * 0.7**2 / 2 + 0.35**2 / 2, rel=1e-9)
