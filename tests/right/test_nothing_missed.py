"""Fast crossings and short pulses: every one is seen, at default settings and with the longest step free."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

FREE = [pytest.param({}, id="default"), pytest.param({"max_step": np.inf}, id="free")]


@pytest.mark.parametrize("how", FREE)
@pytest.mark.parametrize(("direction", "count"), [("rising", 500), ("falling", 500), ("either", 1000)])
def test_fifty_hertz_crossings_of_ten_seconds(direction, count, how, times_of):
    d = bd.Diagram()
    s = d.add("s", bd.Sine(frequency=2 * np.pi * 50, phase=0.3))
    d.connect(s, d.add("hits", bd.HitCrossing(direction=direction)))
    r = d.simulate(stop=10, **how)
    assert r.final("hits") == count
    first = {"rising": (2 * np.pi - 0.3), "falling": np.pi - 0.3, "either": np.pi - 0.3}[direction]
    apart = np.pi if direction == "either" else 2 * np.pi
    exact = (first + apart * np.arange(count)) / (2 * np.pi * 50)
    np.testing.assert_allclose(times_of(r, "hits"), exact, atol=1e-13)


@pytest.mark.parametrize("method", ["dopri5", "tsit5", "dop853", "bs32"])
@pytest.mark.parametrize("how", FREE)
@pytest.mark.parametrize(
    ("frequency", "phase"), [(50.0, 0.3), (7.3, 0.5), (11.0, 3.0), (83.7, 1.7), (190.0, 5.0)]
)
def test_fast_crossings_of_a_formula(frequency, phase, how, method):
    """The wave is an Expression of the time, which says nothing about its frequency."""
    d = bd.Diagram()
    wave = d.add("wave", bd.Expression("sin(2 * pi * f * t + p)", coefficients={"f": frequency, "p": phase}))
    d.connect(wave, d.add("hits", bd.HitCrossing(direction="rising")))
    count = np.floor(10 * frequency + phase / (2 * np.pi))
    assert d.simulate(stop=10, method=method, **how).final("hits") == count


def test_crossings_of_a_fast_oscillator(times_of):
    """The wave is a solution, not a source: the step-size control alone must see to it."""
    w = 2 * np.pi * 50
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator()), d.add("x", bd.Integrator(1.0))
    d.connect(v, x, d.add("k", bd.Gain(-w * w)), v)
    d.connect(x, d.add("hits", bd.HitCrossing()))
    r = d.simulate(stop=2, rtol=1e-9, atol=1e-12, max_step=np.inf)
    np.testing.assert_allclose(times_of(r, "hits"), (np.pi / 2 + np.pi * np.arange(200)) / w, atol=1e-6)
    assert r.final("hits") == 200


PULSES = {
    "two steps": None,
    "square": bd.Square(amplitude=0.5, bias=0.5, period=2000.0, duty=0.01 / 2000.0, offset=777.77),
    "staircase": bd.PiecewiseConstant(times=[777.77, 777.78], values=[1.0, 0.0]),
    "comparisons of t": bd.Expression("777.77 <= t and t < 777.78"),
    "where of t": bd.Expression("where(t > 777.77, where(t < 777.78, 1, 0), 0)"),
}


@pytest.mark.parametrize("how", FREE)
@pytest.mark.parametrize("kind", PULSES)
def test_ten_milliseconds_of_a_thousand_seconds(kind, how):
    d = bd.Diagram()
    if kind == "two steps":
        pulse = d.add("pulse", bd.Sum("+-"))
        d.connect(d.add("up", bd.Step(time=777.77)), pulse[0])
        d.connect(d.add("down", bd.Step(time=777.78)), pulse[1])
    else:
        pulse = d.add("pulse", PULSES[kind])
    d.connect(pulse, d.add("x", bd.Integrator()))
    r = d.simulate(stop=1000, **how)
    assert r.final("x") == pytest.approx(0.01, rel=1e-9)


@pytest.mark.parametrize("how", FREE)
def test_a_pulse_wakes_a_plant_that_sleeps(how):
    """The step-size control sees nothing to do until the pulse comes: y after it is exact."""
    d = bd.Diagram()
    pulse = d.add("pulse", bd.PiecewiseConstant(times=[500.0, 500.01], values=[100.0, 0.0]))
    d.connect(pulse, d.add("y", bd.TransferFunction(num=[1.0], den=[1.0, 1.0])))
    r = d.simulate(stop=501, rtol=1e-9, atol=1e-12, **how)
    assert r.final("y") == pytest.approx(100 * (1 - np.exp(-0.01)) * np.exp(-0.99), rel=1e-8)


@pytest.mark.parametrize("how", FREE)
def test_a_hundred_pulses_of_a_square_wave_of_small_duty(how):
    d = bd.Diagram()
    wave = d.add("wave", bd.Square(amplitude=0.5, bias=0.5, period=10.0, duty=0.001, offset=3.0))
    d.connect(wave, d.add("x", bd.Integrator()))
    assert d.simulate(stop=1000, **how).final("x") == pytest.approx(1.0, rel=1e-10)


@pytest.mark.parametrize("how", FREE)
def test_short_pulses_of_a_modulo_of_t(how):
    """t % 10 < 0.01: 100 pulses, whose edges are conditions of the formula."""
    d = bd.Diagram()
    d.connect(d.add("p", bd.Expression("t % 10 < 0.01")), d.add("x", bd.Integrator()))
    assert d.simulate(stop=1000, **how).final("x") == pytest.approx(1.0, rel=1e-6)


def test_a_short_pulse_counts_in_a_hit_crossing():
    d = bd.Diagram()
    d.connect(
        d.add("p", bd.PiecewiseConstant(times=[3.0, 3.001], values=[1.0, 0.0])),
        d.add("hits", bd.HitCrossing(level=0.5)),
    )
    assert d.simulate(stop=100).final("hits") == 2.0


@pytest.mark.parametrize("method", ["dopri5", "tsit5", "dop853", "bs32", "rk4"])
@pytest.mark.parametrize(
    ("direction", "first", "count"), [("either", 4.99, 2), ("falling", 4.99, 1), ("rising", 5.01, 1)]
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_short_visit_beyond_a_level(sign, direction, first, count, method, times_of):
    """(t - 5)^2 - 1e-4, a solution: below zero for 20 ms within a step of seconds; and its mirror image."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(sign * (25.0 - 1e-4)))
    d.connect(d.add("a", bd.Constant(2.0 * sign)), d.add("v", bd.Integrator(-10.0 * sign)), x)
    mirrored = {"rising": "falling", "falling": "rising"}.get(direction, direction)
    d.connect(x, d.add("hits", bd.HitCrossing(direction=direction if sign > 0 else mirrored)))
    r = d.simulate(stop=10, method=method, **({"step": 0.7} if method == "rk4" else {"max_step": np.inf}))
    assert r.final("hits") == count
    assert times_of(r, "hits")[0] == pytest.approx(first, abs=1e-7)
