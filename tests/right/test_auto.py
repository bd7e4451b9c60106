"""Auto: explicit until the diagram is stiff, implicit as long as it is; events and ticks all along."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.base.progress import Bar
from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.methods.data import InvalidMethod

TOLERANCES = {"rtol": 1e-8, "atol": 1e-11}


def pendulum() -> bd.Diagram:
    """theta'' = -9.81 sin theta."""
    d = bd.Diagram()
    law = d.add("law", bd.Expression("-9.81 * sin(theta)"))
    d.add("theta", bd.Integrator(2.0))
    d.connect(law, d.add("omega", bd.Integrator(0.0)), "theta")
    d.connect("theta", law["theta"])
    return d


def test_where_nothing_is_stiff_it_is_dopri5_to_the_last_bit() -> None:
    auto, plain = (pendulum().simulate(stop=20.0, method=name) for name in ("auto", "dopri5"))
    for path in plain.signals:
        np.testing.assert_array_equal(auto[path].time, plain[path].time)
        np.testing.assert_array_equal(auto[path].values, plain[path].values)
    assert auto.statistics["evaluations"] == plain.statistics["evaluations"]
    assert auto.statistics["switches"] == auto.statistics["implicit steps"] == 0
    assert "jacobians" not in auto.statistics
    assert not auto.notices


def pole(speed: float) -> bd.Diagram:
    """x' = speed (cos t - x) - sin t from x = 1, which is cos t at any speed; a ramp beside it."""
    d = bd.Diagram()
    wave, slope = d.add("cos", bd.Sine(phase=np.pi / 2.0)), d.add("sin", bd.Sine())
    law = d.add("law", bd.Expression("k * (c - x) - s"))
    d.connect(d.add("k", bd.Constant(speed)), law["k"])
    d.connect(wave, law["c"])
    d.connect(slope, law["s"])
    d.connect(d.add("x", bd.Integrator(1.0)), law["x"])
    d.connect(law, "x")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("ramp", bd.Integrator(0.0)))
    return d


@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10, 1e-12])
def test_a_settled_pole_is_noticed_at_any_tolerance(rtol: float) -> None:
    """At tight ones the error keeps explicit steps, 1e5 within 10 s, short of the bound of stability."""
    r = pole(1e4).simulate(stop=10.0, method="auto", rtol=rtol, atol=rtol, max_step=np.inf)
    assert r.statistics["steps"] < 10_000
    assert r.final("x") == pytest.approx(np.cos(10.0), abs=10.0 * rtol)


def with_level(d: bd.Diagram, source: str, level: float) -> bd.Diagram:
    """A relay that turns on where a signal rises through a level."""
    d.connect(source, d.add("relay", bd.Relay(level, level - 10.0, 1.0, 0.0)))
    return d


@pytest.mark.parametrize("compiled", [True, False])
def test_it_says_when_it_switched_and_how_many_steps_each_took(compiled: bool) -> None:
    r = pole(1e5).simulate(stop=1.0, method="auto", compiled=compiled)
    told = r.statistics
    assert told["switches"] == 1
    assert 0.0 < told["stiff from"] < 0.01
    assert told["steps"] - 300 < told["implicit steps"] < told["steps"] < 500
    assert told["jacobians"] == told["implicit steps"]
    assert not r.notices  # nothing is to be done about it
    assert r.final("x") == pytest.approx(np.cos(1.0), abs=1e-6)


@pytest.mark.parametrize(("method", "told"), [("dopri5", True), ("auto", False)])
def test_the_progress_of_a_stiff_run_says_early_what_to_take(
    monkeypatch: pytest.MonkeyPatch, method: str, told: bool
) -> None:
    words: list[str] = []
    monkeypatch.setattr(Bar, "show", lambda self, done, text: words.append(text))
    pole(1e5).simulate(stop=5.0, method=method, progress=True)
    assert any("stiff: method='auto'" in text for text in words) == told


def test_values_between_the_steps_of_both_methods() -> None:
    r = pole(1e5).simulate(stop=3.0, method="auto", every=1e-3, **TOLERANCES)
    x = r.trace("x")
    np.testing.assert_allclose(x.values, np.cos(x.time), atol=1e-6)


@pytest.mark.parametrize("time", [0.1, 0.7123456789])
def test_events_are_as_exact_as_under_explicit_methods(time: float) -> None:
    r = with_level(pole(1e5), "ramp", time).simulate(stop=1.0, method="auto", **TOLERANCES)
    assert r.statistics["switches"] == 1
    assert [e.time for e in r.events if e.path == "relay"] == pytest.approx([time], abs=1e-12)


def test_events_of_a_stiff_state() -> None:
    """-cos t rises through -1/2 at pi / 3."""
    d = pole(1e5)
    d.connect("x", d.add("minus", bd.Gain(-1.0)))
    r = with_level(d, "minus", -0.5).simulate(stop=2.0, method="auto", **TOLERANCES)
    assert r.statistics["switches"] >= 1
    assert [e.time for e in r.events if e.path == "relay"] == pytest.approx([np.pi / 3.0], abs=1e-8)


def sampled_pole() -> bd.Diagram:
    """x' = 1e5 (u - x), u held for 1 ms each: at a tick x is the u of the tick before."""
    d = bd.Diagram()
    d.connect(d.add("r", bd.Sine(frequency=20.0)), d.add("u", bd.ZeroOrderHold(1e-3)))
    law = d.add("law", bd.Expression("1e5 * (u - x)"))
    d.connect("u", law["u"])
    d.connect(d.add("x", bd.Integrator(0.0)), law["x"])
    d.connect(law, "x")
    return d


@pytest.mark.parametrize("method", ["auto", "rodas5p"])
def test_ticks_over_a_fast_pole(method: str) -> None:
    """Each tick excites the pole; what the tick before showed of the first step saves the rejected ones."""
    r = sampled_pole().simulate(stop=0.5, method=method)
    ticks, held = r["u"].time, r["u"].values
    np.testing.assert_array_equal(np.unique(ticks[(ticks > 0.0) & (ticks < 0.5)]), np.arange(1, 500) / 1e3)
    assert held[-1] == np.sin(20.0 * 0.5)
    assert r.final("x") == pytest.approx(np.sin(20.0 * 0.499), abs=1e-6)
    assert r.statistics["rejected"] < 100


def speeds_in_turn() -> bd.Diagram:
    """x' = k (1 - x), where k is 1, then 1e5 from t = 1 to 2, then 1 again; from then on x goes to 3."""
    d = bd.Diagram()
    law = d.add("law", bd.Expression("k * (u - x)"))
    rise, fall = bd.Step(time=1.0, initial=1.0, final=1e5), bd.Step(time=2.0, final=1.0 - 1e5)
    d.connect(d.add("rise", rise) + d.add("fall", fall), law["k"])
    d.connect(d.add("u", bd.Step(time=2.0, initial=1.0, final=3.0)), law["u"])
    d.connect(d.add("x", bd.Integrator(0.0)), law["x"])
    d.connect(law, "x")
    return d


def test_there_and_back() -> None:
    r = speeds_in_turn().simulate(stop=20.0, method="auto", **TOLERANCES)
    assert r.statistics["switches"] == 2
    assert 1.0 < r.statistics["stiff from"] < 1.01
    assert 0 < r.statistics["implicit steps"] < r.statistics["steps"]
    assert r.final("x") == pytest.approx(3.0 - 2.0 * np.exp(-18.0), abs=1e-9)
    grid = speeds_in_turn().simulate(stop=20.0, method="auto", times=[0.5, 1.5, 3.0], **TOLERANCES)
    at = grid.trace("x").values
    np.testing.assert_allclose(at, [1.0 - np.exp(-0.5), 1.0, 3.0 - 2.0 * np.exp(-1.0)], atol=1e-7)


def test_oscillations_that_no_pole_limits_stay_explicit() -> None:
    """x'' = -1e6 x: the error asks for short steps, not the stability."""
    d = bd.Diagram()
    d.connect(d.add("a", bd.Gain(-1e6)), d.add("v", bd.Integrator(0.0)), d.add("x", bd.Integrator(1.0)), "a")
    r = d.simulate(stop=0.1, method="auto", **TOLERANCES)
    assert r.statistics["switches"] == 0


def test_again_and_in_slices_are_the_same_bits() -> None:
    program = speeds_in_turn().compile()
    settings = {"stop": 20.0, "method": "auto", **TOLERANCES}
    plain = program.simulate(**settings)
    for other in (program.simulate(**settings), program.simulate(**settings, every=0.01)):
        assert other.final("x") == plain.final("x")
        assert other.statistics["steps"] == plain.statistics["steps"]


def test_a_touch_while_it_is_stiff() -> None:
    """From the touch on u is -1."""
    d = pole(1e5)
    touched = d.simulate(stop=2.0, method="auto", touches=[(1.0, {"one.value": -1.0})])
    assert touched.final("ramp") == pytest.approx(0.0, abs=1e-9)
    assert touched.final("x") == pytest.approx(np.cos(2.0), abs=1e-6)
    assert touched.statistics["switches"] == 1
    assert not [text for text in touched.notices if "difference" in text]


def test_a_method_of_your_own_can_give_way_too() -> None:
    tsit5 = METHODS["tsit5"]
    mine = bd.Method("mine", "Tsitouras, then Rodas5P", "none", tsit5.data, stiff=METHODS["rodas5p"])
    r = pole(1e5).simulate(stop=1.0, method=mine)
    assert r.statistics["switches"] == 1
    assert r.final("x") == pytest.approx(np.cos(1.0), abs=1e-6)
    for name, stiff in (
        ("bs32", "rodas5p"),
        ("rk4", "rodas5p"),
        ("tsit5", "dopri5"),
        ("tsit5", "auto"),
    ):
        with pytest.raises(InvalidMethod, match="stiff"):
            bd.Method("mine", "", "", METHODS[name].data, stiff=METHODS[stiff])
