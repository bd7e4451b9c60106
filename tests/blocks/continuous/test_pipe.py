"""Pipe: what flows in flows out a length later, however the speed varies."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest
from scipy.optimize import brentq

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import BlockFailed
from blockdyn.native.tangent.frame import NotDifferentiable

METHODS = [("dopri5", True), ("rodas5p", True), ("bdf", True), ("dopri5", False)]
TIGHT = {"rtol": 1e-9, "atol": 1e-12}


def pipe(u: str, v: str, **parameters) -> bd.Diagram:
    d = bd.Diagram()
    p = d.add("pipe", bd.Pipe(**parameters))
    d.connect(d.add("u", bd.Expression(u)), p["u"])
    d.connect(d.add("v", bd.Expression(v)), p["v"])
    for name, signal in (("came", "u"), ("left", "pipe.y")):
        flow = d.add(f"{name}_rate", bd.Product())
        d.connect(signal, flow[0])
        d.connect("v", flow[1])
        d.connect(flow, d.add(name, bd.Integrator()))
    return d


def test_at_constant_speed_it_is_a_delay():
    d = pipe("where(t < 1.3, sin(4*t), 2 - t)", "2.5", length=2.0, fastest=3.0, initial=-1.0)
    d.connect("u", d.add("late", bd.TransportDelay(0.8, initial=-1.0)))
    r = d.simulate(stop=5.0, times=np.linspace(0.013, 5.0, 400), **TIGHT)
    np.testing.assert_allclose(r["pipe.y"].values, r["late"].values, atol=1e-12)
    np.testing.assert_allclose(r.trace("pipe.delay").at([0.3, 0.9, 4.0]).ravel(), [0.3, 0.8, 0.8], atol=1e-12)
    arrivals = [event.time for event in r.events if event.path == "pipe"]
    np.testing.assert_allclose(arrivals, [0.8, 2.1], atol=1e-12)


@pytest.mark.parametrize(("method", "compiled"), METHODS)
def test_a_speed_that_varies(method, compiled):
    """v = 1 + a sin t: s(t) = t + a (1 - cos t), and what leaves entered when s was s(t) - length."""
    a, length = 0.8, 1.5

    def s(t):
        return t + a * (1.0 - cos(t))

    def leaves(t):
        if s(t) < length:
            return (length - s(t)) ** 2  # where it was in the pipe at the start
        then = brentq(lambda q: s(q) - s(t) + length, -1.0, t, xtol=1e-15, rtol=1e-14)
        return sin(2.0 * then) if then < 2.0 else 3.0 + cos(then)

    d = pipe(
        "where(t < 2, sin(2*t), 3 + cos(t))", f"1 + {a}*sin(t)", length=length, fastest=1.8, history="z**2"
    )
    settings = {"method": method, "compiled": compiled, "rtol": 1e-10, "atol": 1e-12}
    stop = 9.0 if compiled else 4.5
    r = d.simulate(stop=stop, times=np.linspace(0.01, stop, 200), **settings)
    times = r["pipe.y"].time
    np.testing.assert_allclose(r["pipe.y"].values, [leaves(t) for t in times], atol=2e-6)
    inside = s_of(times, a) - s_of(times - r["pipe.delay"].values.ravel(), a)
    np.testing.assert_allclose(inside[times > 1.5], length, atol=2e-6)  # the integral of v over the delay
    step = brentq(lambda t: s(t) - length - s(2.0), 2.0, 9.0, xtol=1e-14)
    assert min(abs(event.time - step) for event in r.events if event.path == "pipe") < 1e-6


def s_of(t, a):
    return t + a * (1.0 - np.cos(t))


def test_what_flows_in_flows_out():
    """What has come is what has left, and what the pipe contains; vectors element by element."""
    d = pipe("2 + sin(3*t)", "max(0, sin(t))", length=1.0, fastest=1.0, initial=4.0)
    r = d.simulate(stop=20.0, **TIGHT)
    s = 6.0 + 1.0 - cos(20.0 - 6.0 * np.pi)
    then = (
        6.0 * np.pi + np.arccos(1.0 - (s - 1.0 - 6.0)) if s - 1.0 > 6.0 else 5.0 * np.pi - np.arccos(s - 6.0)
    )
    early = d.simulate(stop=float(then), **TIGHT)
    assert r.final("left") - 4.0 * 1.0 == pytest.approx(early.final("came"), abs=1e-6)
    assert len([event for event in r.events if event.path == "pipe"]) >= 3


@pytest.mark.parametrize("compiled", [True, False])
def test_a_flow_that_rests_holds_the_output(compiled):
    """v = 1 but for 0 from 2 to 4, u = t: 1.5 m later y = t - 1.5, held at 0.5, then a jump of u by 2."""
    d = pipe("t", "where(t < 2, 1, where(t < 4, 0, 1))", length=1.5, fastest=1.0, initial=-1.0)
    r = d.simulate(stop=7.0, compiled=compiled, **TIGHT)
    y = r.trace("pipe.y")
    times = [1.0, 1.8, 2.5, 3.9, 5.0, 5.4, 5.6, 6.5]
    expected = [-1.0, 0.3, 0.5, 0.5, 1.5, 1.9, 4.1, 5.0]
    np.testing.assert_allclose(y.at(times).ravel(), expected, atol=1e-9)
    assert any(abs(event.time - 5.5) < 1e-9 for event in r.events if event.path == "pipe")


def test_a_flow_rests_longer_than_the_buffer_has_steps():
    """v = 1 but for 0 from 1.5 to 60, u = sin t: what entered at 0.5 waits at the outlet of a pipe of 1 m."""
    d = pipe("sin(t)", "where(t < 1.5, 1, where(t < 60, 0, 1))", length=1.0, fastest=1.0, buffer=64)
    d.connect(d.add("beside", bd.Square(period=4.0)), d.add("sum", bd.Integrator()))
    r = d.simulate(stop=62.0, **TIGHT)
    times = [1.2, 10.0, 59.0, 60.4, 61.3]
    expected = [sin(0.2), sin(0.5), sin(0.5), sin(0.9), sin(60.3)]
    np.testing.assert_allclose(r.trace("pipe.y").at(times).ravel(), expected, atol=1e-8)
    np.testing.assert_allclose(
        r.trace("pipe.delay").at(times).ravel(), [1.0, 9.5, 58.5, 59.5, 1.0], atol=1e-8
    )
    arrivals = [event.time for event in r.events if event.path == "pipe"]
    np.testing.assert_allclose(arrivals[:2], [1.0, 61.0], atol=1e-9)


def test_a_flow_begins_after_a_long_rest():
    d = pipe("sin(t)", "where(t < 40.25, 0, 1)", length=1.0, fastest=1.0, buffer=32, initial=-3.0)
    r = d.simulate(stop=42.0, **TIGHT)
    np.testing.assert_allclose(
        r.trace("pipe.y").at([30.0, 41.0, 41.75]).ravel(), [-3, -3, sin(40.75)], atol=1e-8
    )
    np.testing.assert_allclose(r.trace("pipe.delay").at([30.0, 41.0, 41.75]).ravel(), [30, 41, 1], atol=1e-8)


def test_vectors_sweeps_and_a_run_that_goes_on():
    d = bd.Diagram()
    both = d.add("both", bd.Mux(2))
    d.connect(d.add("a", bd.Sine(frequency=2.0)), both[0])
    d.connect(d.add("b", bd.Clock()), both[1])
    p = d.add("pipe", bd.Pipe(1.0, 2.0, history=["-z", "3"]))
    d.connect(both, p["u"])
    d.connect(d.add("v", bd.Expression("1 + t/10")), p["v"])
    r = d.simulate(stop=5.0, **TIGHT)
    then = -10.0 + np.sqrt(100.0 + 20.0 * (5.0 + 1.25 - 1.0))
    np.testing.assert_allclose(r.final("pipe.y"), [sin(2.0 * then), then], atol=1e-8)
    np.testing.assert_allclose(r.trace("pipe.y").at(0.5).ravel(), [-(1.0 - 0.5 - 0.0125), 3.0], atol=1e-9)
    half = d.simulate(stop=0.7, **TIGHT)
    on = d.simulate(start=0.7, stop=5.0, initial=half.final_states(), **TIGHT)
    np.testing.assert_allclose(on.final("pipe.y"), [sin(2.0 * then), then], atol=1e-8)


def test_derivatives_by_length_and_speed():
    """y = sin(w (t - length / v)) at constant v."""
    d = bd.Diagram()
    p = d.add("pipe", bd.Pipe(1.0, 4.0))
    d.connect(d.add("u", bd.Sine(frequency=2.0)), p["u"])
    d.connect(d.add("v", bd.Constant(2.0)), p["v"])
    d.connect("pipe.y", d.add("out", bd.Outport()))
    slopes = d.gradient({"end": {"final": "out"}}, ["pipe.length", "v.value"], stop=3.0, **TIGHT)
    phase = 2.0 * (3.0 - 0.5)
    exact = [-2.0 / 2.0 * cos(phase), 2.0 * 1.0 / 4.0 * cos(phase)]
    np.testing.assert_allclose(np.ravel(slopes.matrix), exact, atol=1e-7)


def test_linear_models_have_its_delay():
    d = bd.Diagram()
    error, p = d.add("error", bd.Sum("+-")), d.add("pipe", bd.Pipe(length=2.0, fastest=4.0))
    plant = d.add("plant", bd.TransferFunction([1.0], [1.0, 1.0]))
    d.connect(d.add("r", bd.Inport(default=1.0)), error[0])
    d.connect(error, d.add("k", bd.Gain(0.5)), p["u"])
    d.connect(d.add("v", bd.Constant(4.0)), p["v"])
    d.connect("pipe.y", plant, error[1])
    model = d.linearize("r", "plant")
    L = 0.5 * np.exp(-0.5j * 1.3) / (1.3j + 1.0)
    np.testing.assert_allclose(model.frequency_response([1.3])[0, 0, 0], L / (1.0 + L), atol=1e-13)
    assert model.stable
    with pytest.raises(NotDifferentiable, match="the flow rests"):
        d.linearize("r", "plant", set={"v.value": 0.0})


def test_linear_models_and_trims_refuse_the_length_of_the_delay():
    """At rest d tau / dv is -length / v^2; a model with constant delays would have 0."""
    d = bd.Diagram()
    p = d.add("pipe", bd.Pipe(length=2.0, fastest=4.0))
    d.connect(d.add("u", bd.Constant(1.0)), p["u"])
    d.connect(d.add("v", bd.Inport(default=1.0)), p["v"])
    d.connect(p["delay"], d.add("twice", bd.Gain(2.0)), d.add("long", bd.Outport()))
    d.connect(p["y"], d.add("y", bd.Outport()))
    for refused in (lambda: d.linearize("v", "long"), d.trim):
        with pytest.raises(NotDifferentiable, match="the length of a delay") as error:
            refused()
        assert "pipe" in str(error.value)
    assert d.linearize("v", "y").D == 0.0


def test_what_is_refused():
    for wrong in (
        {"length": 0.0, "fastest": 1.0},
        {"length": 1.0, "fastest": 0.0},
        {"length": 1.0, "fastest": np.inf},
    ):
        with pytest.raises(bd.ParameterError):
            bd.Pipe(**wrong)
    with pytest.raises(BlockFailed, match="the flow goes back") as refused:
        pipe("t", "cos(t)", length=1.0, fastest=1.0).simulate(stop=3.0)
    assert refused.value.path == "pipe"
    assert 1.57 < refused.value.time < 3.0
    with pytest.raises(BlockFailed, match="above `fastest`"):
        pipe("t", "t", length=1.0, fastest=1.0).simulate(stop=3.0)
    with pytest.raises(BlockFailed, match="raise `buffer`"):
        pipe("sin(t)", "0.01", length=1.0, fastest=1.0, buffer=8).simulate(stop=90.0)
