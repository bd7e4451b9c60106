"""Measures of runs against closed forms: sines, exponentials, step responses, a bouncing ball, a relay."""

from __future__ import annotations

import math

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.compiler.compile import compile_diagram
from blockdyn.solvers import layout
from blockdyn.solvers.loop.entry import compiled_calls
from blockdyn.sweeps.measures.declared import Measures
from blockdyn.sweeps.place.base import make_base

from .ball import Ball
from .measured_rows import measured_rows


def measured(diagram, declared, **simulation):
    """The measures of one run, by name; and the rows per step that they asked for."""
    measures = Measures(declared, diagram)
    program = compile_diagram(measures.diagram).with_log(list(measures.signals))
    compiled = measures.compiled(program)
    base = make_base(program, simulation, compiled.elements, refine=compiled.refine)
    run = base.run(base.settings, base.problem, program.memory())
    begin, advance = compiled_calls(program.addresses, run)
    rows, events = [], []
    status, done = begin(), False
    while True:
        piece, happened = run.empty_log()
        rows.append(piece)
        events.append(happened)
        if done or status not in (0, layout.FULL, layout.PAUSED):
            break
        run.work.budget = 100
        status = advance()
        done = status == layout.DONE
    found = measured_rows(compiled, rows, np.concatenate(events), end=run.time)
    complete = measures.finish(found[None])[0]
    return dict(zip(measures.names, complete.tolist(), strict=True)) | {"refine": compiled.refine}


def oscillator():
    """x = sin t, v = cos t."""
    d = bd.Diagram("oscillator")
    x, v = d.add("x", bd.Integrator(0.0)), d.add("v", bd.Integrator(1.0))
    d.connect(v, x)
    d.connect(-x, v)
    return d


def test_measures_of_a_sine_over_a_period():
    declared = {
        "top": {"max": "x"}, "bottom": {"min": "x"}, "span": {"peak_to_peak": "x"},
        "largest": {"max": "abs(x)"},
        "least": {"min": "abs(x)"}, "net": {"integral": "x"}, "iae": {"absolute": "x"}, "itae": {"itae": "x"},
        "mean": {"mean": "x"}, "rms": {"rms": "x"}, "first": {"initial": "v"}, "last": {"final": "v"},
        "share": {"time_above": "x", "level": 0.5}, "low": {"time_below": "x", "level": 0.0},
        "ups": {"count": "v", "above": 0.0}, "downs": {"count": "v", "below": 0.0},
        "when": {"time_to": "x", "above": 0.5}, "fallen": {"time_to": "x", "below": -0.5},
        "never": {"time_to": "x", "above": 1.5}, "end": "end_time", "power": {"mean": "x**2 + v**2"},
        "ratio": {"value": "rms / iae"},
    }  # fmt: skip
    found = measured(oscillator(), declared, stop=2 * math.pi, rtol=1e-6, atol=1e-9)
    expected = {
        "top": 1, "bottom": -1, "span": 2, "largest": 1, "least": 0, "net": 0, "iae": 4, "itae": 4 * math.pi,
        "mean": 0, "rms": math.sqrt(0.5), "first": 1, "last": 1, "share": 1 / 3, "low": 0.5, "ups": 1,
        "downs": 1,
        "when": math.pi / 6, "fallen": 7 * math.pi / 6, "never": math.nan, "end": 2 * math.pi, "power": 1,
        "ratio": math.sqrt(0.5) / 4, "refine": 4,
    }  # fmt: skip
    assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_windows_cut_steps_where_they_begin_and_end():
    window = {"after": 1.0, "before": 2.5}
    declared = {
        "i": {"integral": "x", **window}, "a": {"absolute": "v", **window}, "m": {"max": "v", **window},
        "first": {"initial": "x", **window}, "last": {"final": "x", **window},
        "mean": {"mean": "x", **window}, "beyond": {"max": "x", "after": 10.0},
        "reached": {"time_to": "v", "below": 0.0, "after": 1.0},
    }  # fmt: skip
    found = measured(oscillator(), declared, stop=4.0, rtol=1e-10, atol=1e-12)
    net = math.cos(1) - math.cos(2.5)
    expected = {
        "i": net, "a": 2 - math.sin(1) - math.sin(2.5), "m": math.cos(1), "first": math.sin(1),
        "last": math.sin(2.5), "mean": net / 1.5, "beyond": math.nan, "reached": math.pi / 2 - 1, "refine": 4,
    }  # fmt: skip
    assert found == pytest.approx(expected, abs=1e-8, nan_ok=True)


def settled(z, w, band):
    """When a step response of second order enters a band for good: from its closed form, by bisection."""
    wd = w * math.sqrt(1 - z * z)

    def error(t):
        return -math.exp(-z * w * t) * (math.cos(wd * t) + z * w / wd * math.sin(wd * t))

    t = np.linspace(0, 20 / (z * w), 400_001)
    last = np.flatnonzero(np.abs(np.array([error(s) for s in t])) > band)[-1]
    low, high = t[last], t[last + 1]
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if abs(error(middle)) > band else (low, middle)
    return low


def second_order(z, w, size=1.0, start=1.0):
    d = bd.Diagram("second order")
    d.add("plant", bd.TransferFunction(num=[w * w], den=[1.0, 2 * z * w, w * w]))
    d.connect(d.add("u", bd.Step(time=start, final=size)), "plant")
    return d


@pytest.mark.parametrize("size", [1.0, -2.0])
def test_step_response_of_second_order(size):
    z, w = 0.3, 2.0
    declared = {
        "overshoot": {"overshoot": "plant", "target": size}, "to_the_end": {"overshoot": "plant"},
        "settling": {"settling_time": "plant", "after": 1.0},
        "fifth": {"settling_time": "plant", "tolerance": 0.05 * abs(size), "target": size, "after": 1.0},
        "too_early": {"settling_time": "plant", "before": 1.5, "target": size},
    }  # fmt: skip
    found = measured(second_order(z, w, size), declared, stop=41.0, rtol=1e-9, atol=1e-12)
    past = math.exp(-math.pi * z / math.sqrt(1 - z * z))
    assert found["overshoot"] == pytest.approx(past, rel=1e-7)
    assert found["to_the_end"] == pytest.approx(past, rel=1e-7)
    assert found["settling"] == pytest.approx(settled(z, w, 0.02), rel=1e-6)
    assert found["fifth"] == pytest.approx(settled(z, w, 0.05), rel=1e-6)
    assert math.isnan(found["too_early"])


def test_first_order_rises_and_settles_by_its_logarithms():
    d = bd.Diagram("first order")
    d.connect(
        d.add("u", bd.Step(time=0.5, final=3.0)), d.add("y", bd.TransferFunction(num=[1], den=[2.0, 1.0]))
    )
    declared = {
        "rise": {"rise_time": "y"}, "half": {"rise_time": "y", "low": 0.0, "high": 0.5, "target": 3.0},
        "settling": {"settling_time": "y", "after": 0.5}, "over": {"overshoot": "y"},
        "from_above": {"rise_time": "3 - y", "target": 0.0},
    }  # fmt: skip
    found = measured(d, declared, stop=60.5, rtol=1e-9, atol=1e-12)
    assert found["rise"] == pytest.approx(2 * math.log(9), rel=1e-7)
    assert found["from_above"] == pytest.approx(2 * math.log(9), rel=1e-7)
    assert found["half"] == pytest.approx(2 * math.log(2) + 0.5, rel=1e-7)
    assert found["settling"] == pytest.approx(2 * math.log(50), rel=1e-6)
    assert found["over"] == 0.0


def test_times_of_a_step_response_in_many_steps():
    """y = 1 - exp(-t / T), T = 0.5 s, in steps of 1 ms: T ln 9 from 10 to 90 %, T ln 20 to 95 %."""
    d = bd.Diagram("lag")
    d.connect(d.add("u", bd.Constant(1.0)), d.add("y", bd.TransferFunction(num=[1.0], den=[0.5, 1.0])))
    measures = {
        "rise": {"rise_time": "y", "target": 1.0},
        "fall": {"rise_time": "-y", "target": -1.0},
        "settled": {"settling_time": "y", "target": 1.0, "band": 0.05},
        "late": {"settling_time": "-y", "target": -1.0, "tolerance": 0.05},
    }
    m = measured(d, measures, stop=5.0, max_step=1e-3)
    exact = [0.5 * math.log(9.0), 0.5 * math.log(9.0), 0.5 * math.log(20.0), 0.5 * math.log(20.0)]
    np.testing.assert_allclose([m[name] for name in measures], exact, rtol=1e-10)


def test_bouncing_ball():
    d = bd.Diagram("ball")
    d.add("ball", Ball(h0=0.8))  # falls for 0.4 s, and is up for 0.64, 0.512, 0.4096 s then
    declared = {
        "bounces": {"count": "ball"}, "named": {"count": "ball.floor"},
        "late": {"count": "ball", "after": 1.0},
        "first": {"time_to": "ball"}, "second": {"time_to": "ball", "after": 0.4 + 1e-9},
        "top": {"max": "ball.height", "after": 0.4}, "fastest": {"min": "ball.speed"},
        "up": {"max": "ball.speed"},
        "leaps": {"count": "ball.speed", "above": 0.0}, "low": {"min": "ball.height"},
        "area": {"integral": "ball.height", "before": 0.4},
    }  # fmt: skip
    found = measured(d, declared, stop=1.8, rtol=1e-9, atol=1e-12)
    expected = {
        "bounces": 3, "named": 3, "late": 2, "first": 0.4, "second": 0.64 - 1e-9, "top": 0.512,
        "fastest": -4.0,
        "up": 3.2, "leaps": 3, "low": 0.0, "area": 0.8 * 0.4 - 10 * 0.4**3 / 6, "refine": 4,
    }  # fmt: skip
    assert found == pytest.approx(expected, abs=1e-11)


def test_relay_with_hysteresis_switches_where_its_input_says():
    d = bd.Diagram("relay")
    d.connect(
        d.add("wave", bd.Sine(frequency=2 * math.pi)),
        d.add("relay", bd.Relay(switch_on=0.5, switch_off=-0.5)),
    )
    declared = {
        "events": {"count": "relay"}, "on": {"mean": "relay"}, "rises": {"count": "relay", "above": 0.5},
        "first": {"time_to": "relay", "above": 0.5}, "rms": {"rms": "relay"},
        "span": {"peak_to_peak": "relay"},
    }  # fmt: skip
    found = measured(d, declared, stop=3.0)
    assert found["refine"] == 1  # it is held between events: the ends of steps say everything
    assert found["events"] == 6
    assert found["rises"] == 3
    assert found["first"] == pytest.approx(1 / 12, abs=1e-12)
    assert found["on"] == pytest.approx(0.5, abs=1e-12)
    assert found["rms"] == pytest.approx(math.sqrt(0.5), abs=1e-12)
    assert found["span"] == 1.0


def test_share_of_saturation():
    d = bd.Diagram("saturated")
    d.connect(d.add("wave", bd.Sine(frequency=1.0)), d.add("cut", bd.Saturation(lower=-0.5, upper=0.5)))
    d.connect("cut", d.add("x", bd.Integrator()))
    found = measured(
        d, {"share": {"saturated": "cut"}, "cuts": {"count": "cut"}}, stop=2 * math.pi, rtol=1e-8
    )
    assert found["share"] == pytest.approx(2 / 3, abs=1e-12)
    assert found["cuts"] == 4


def test_a_run_that_ends_at_its_start_has_defined_measures():
    d = oscillator()
    d.connect(d.add("now", bd.Constant(1.0)), d.add("stop", bd.Stop()))
    declared = {
        "max": {"max": "v"}, "final": {"final": "v"}, "area": {"integral": "v"}, "mean": {"mean": "v"},
        "rms": {"rms": "v"}, "late": {"max": "v", "after": 1.0}, "settling": {"settling_time": "v"},
        "rise": {"rise_time": "v"}, "n": {"count": "v", "above": 0.5}, "to": {"time_to": "v", "above": 0.5},
        "end": "end_time", "steps": "steps",
    }  # fmt: skip
    found = measured(d, declared, stop=1.0)
    expected = {
        "max": 1, "final": 1, "area": 0, "mean": math.nan, "rms": math.nan, "late": math.nan, "settling": 0,
        "rise": math.nan, "n": 0, "to": 0, "end": 0, "steps": 0, "refine": 4,
    }  # fmt: skip
    assert found == pytest.approx(expected, nan_ok=True)


def test_an_early_end_measures_what_was():
    d = oscillator()
    d.connect("x", d.add("high", bd.Compare(operator=">", value=0.5)), d.add("stop", bd.Stop()))
    found = measured(d, {"a": {"integral": "v"}, "e": "end_time", "f": {"final": "x"}}, stop=9.0, rtol=1e-9)
    assert found["a"] == pytest.approx(0.5, abs=1e-9)
    assert found["e"] == pytest.approx(math.pi / 6, abs=1e-9)
    assert found["f"] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("method", ["rk4", "bs32", "tsit5", "dop853"])
def test_other_methods(method):
    step = {"step": 0.05} if method == "rk4" else {"rtol": 1e-7, "atol": 1e-10}
    declared = {"a": {"absolute": "x"}, "m": {"max": "x"}, "r": {"rms": "x"}}
    found = measured(oscillator(), declared, stop=2 * math.pi, method=method, **step)
    assert found == pytest.approx({"a": 4, "m": 1, "r": math.sqrt(0.5), "refine": 4}, abs=1e-5)


@pytest.mark.parametrize(
    ("source", "stop", "count"), [("sin(t)", 13.0, 2.0), ("t ** 2", 6.0, 0.0), ("-sin(t)", 13.0, 2.0)]
)
def test_passages_of_a_signal_and_of_a_hit_crossing_are_the_same(source, stop, count):
    """Upwards through zero in 6 and 13 s: a start at the level is none."""
    d = bd.Diagram()
    u = d.add("u", bd.Expression(source))
    d.connect(u, d.add("hit", bd.HitCrossing(direction="rising")), d.add("x", bd.Integrator()))
    declared = {"events": {"count": "hit"}, "level": {"count": "u", "above": 0.0}}
    found = measured(d, declared, stop=stop)
    assert (found["events"], found["level"]) == (count, count)
