"""Gradients of measures against closed forms, at events too, and what has none."""

from __future__ import annotations

from math import exp, log, pi, sqrt

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.gradients.errors import GradientError
from blockdyn.native.tangent.refused import NotDifferentiable
from blockdyn.sweeps.errors import SweepError

TIGHT = {"method": "dopri5", "rtol": 1e-11, "atol": 1e-13}


@pytest.fixture(scope="module")
def lag():
    """y = 1 - exp(-t / T) with T = 0.5 s."""
    d = bd.Diagram("lag", parameters={"T": 0.5})
    y = bd.TransferFunction(num=[1.0], den=bd.expression("[T, 1]"))
    d.connect(d.add("u", bd.Constant(1.0)), d.add("y", y))
    d.log("y")
    return d


def test_times_of_a_first_order_lag(lag):
    step = {"target": 1.0, "from": 0.0}
    measures = {
        "rise": {"rise_time": "y", **step},
        "settled": {"settling_time": "y", **step},
        "half": {"time_to": "y", "above": 0.5},
        "share": {"time_above": "y", "level": 0.5},
        "lost": {"integral": "1 - y"},
        "rms": {"rms": "1 - y"},
        "late": {"itae": "1 - y", "after": 1.0},
        "last": {"final": "y", "before": 1.0},
        "cost": {"value": "rise**2 + last"},
    }
    g = lag.gradient(measures, "T", stop=4.0, **TIGHT)
    T, end = 0.5, 4.0
    left = T * (1.0 - exp(-2.0 * end / T)) / 2.0  # of (1 - y)^2
    of_left = (1.0 - exp(-2.0 * end / T)) / 2.0 - end / T * exp(-2.0 * end / T)

    def itae(T):
        return T * T * exp(-1.0 / T) - exp(-end / T) * (T * T + T * (end - 1.0))

    exact = {
        "rise": log(9.0),
        "settled": log(50.0),
        "half": log(2.0),
        "share": -log(2.0) / end,
        "lost": 1.0 - exp(-end / T) * (1.0 + end / T),
        "rms": of_left / (2.0 * sqrt(left * end)),
        "late": (itae(T + 1e-5) - itae(T - 1e-5)) / 2e-5,
        "last": -exp(-1.0 / T) / T**2,
        "cost": 2.0 * T * log(9.0) ** 2 - exp(-1.0 / T) / T**2,
    }
    for name, slope in exact.items():
        assert g[name, "T"] == pytest.approx(slope, rel=1e-7), name
    assert g["rise"] == pytest.approx(T * log(9.0), rel=1e-6)
    assert "by T" in repr(g)


def test_the_overshoot_of_a_second_order_loop():
    """exp(-pi z / sqrt(1 - z^2)), its peak at pi / sqrt(1 - z^2)."""
    d = bd.Diagram("loop", parameters={"z": 0.3})
    second = bd.TransferFunction(num=[1.0], den=bd.expression("[1, 2*z, 1]"))
    d.connect(d.add("u", bd.Constant(1.0)), d.add("y", second))
    d.log("y")
    measures = {"over": {"overshoot": "y", "target": 1.0, "from": 0.0}, "peak": {"max": "y"}}
    g = d.gradient(measures, "z", stop=8.0, **TIGHT)
    slope = -pi / (1.0 - 0.09) ** 1.5 * exp(-0.3 * pi / sqrt(0.91))
    assert g["over", "z"] == pytest.approx(slope, rel=1e-8)
    assert g["peak", "z"] == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("stop", [8.0, 60.0])
def test_the_error_of_a_loop_that_comes_to_rest(stop):
    """Without overshoot, the integral of |e| is that of e, 1 / ki; at rest |e| passes 0 by rounding alone."""
    d = bd.Diagram("loop", parameters={"kp": 2.0, "ki": 3.0})
    error = d.add("error", bd.Sum("+-"))
    control = bd.PID(kp=bd.expression("kp"), ki=bd.expression("ki"))
    plant = bd.TransferFunction(num=[1.0], den=[0.01, 1.0])
    d.connect(d.add("r", bd.Constant(1.0)), error[0])
    d.connect(error, d.add("control", control), d.add("plant", plant), error[1])
    g = d.gradient({"iae": {"absolute": "error"}}, ["kp", "ki"], stop=stop)
    rest = exp(-stop)  # its slow pole is at -ki / (1 + kp), near -1
    assert g["iae"] == pytest.approx(1.0 / 3.0, abs=1e-4 + rest)
    np.testing.assert_allclose(g.matrix[0], [0.0, -1.0 / 9.0], rtol=0, atol=1e-4 + 10.0 * rest)


def test_an_absolute_value_that_touches_zero():
    """Of k (t - 1)^2, which touches 0 at 1 s, over 3 s: 3 k."""
    d = bd.Diagram()
    d.connect(d.add("square", bd.Expression("(t - 1)**2")), d.add("gain", bd.Gain(2.0)))
    d.log("gain")
    g = d.gradient({"size": {"absolute": "gain"}}, "gain.k", stop=3.0)
    assert g["size", "gain.k"] == pytest.approx(3.0)


def test_what_is_decided_at_an_event():
    """A ball is fastest where it hits: v = -sqrt(2 g h), and k sqrt(2 g h) behind it."""
    d = bd.Diagram("ball")
    x, v = d.add("x", bd.Integrator(1.0)), d.add("v", bd.Integrator(0.0, reset="falling", level=0.0))
    d.connect(d.add("g", bd.Constant(-9.81)), v["u"])
    d.connect(v, x, v["trigger"])
    d.connect(v, d.add("back", bd.Gain(-0.8)), v["value"])
    d.log("x")
    measures = {
        "down": {"min": "v"},
        "up": {"max": "v"},
        "turn": {"time_to": "v", "above": 0.0, "after": 0.1},
    }
    g = d.gradient(measures, ["x.x", "back.k"], stop=0.8, **TIGHT)
    slope = sqrt(9.81 / 2.0)
    assert g["down", "x.x"] == pytest.approx(-slope, rel=1e-8)
    assert g["up", "x.x"] == pytest.approx(0.8 * slope, rel=1e-8)
    assert g["up", "back.k"] == pytest.approx(-sqrt(2.0 * 9.81), rel=1e-8)
    assert g["turn", "x.x"] == pytest.approx(1.0 / sqrt(2.0 * 9.81), rel=1e-8)  # the speed jumps over 0
    np.testing.assert_allclose(g["down", "back.k"], 0.0, atol=1e-8)


def test_windows_that_end_at_a_tick():
    """z = k t at ticks every 0.5 s: a tick at `before` is outside, one with which the run ends is inside."""
    d = bd.Diagram("sampled")
    d.connect(d.add("t", bd.Clock()), d.add("k", bd.Gain(2.0)), d.add("z", bd.ZeroOrderHold(sample_time=0.5)))
    d.connect("z", d.add("x", bd.Integrator()))
    d.log("z", "x")
    measures = {
        "until": {"final": "z", "before": 1.0},
        "from": {"initial": "z", "after": 1.0},
        "last": {"final": "z"},
        "most": {"max": "z"},
        "least": {"min": "-z", "before": 2.0},
        "range": {"peak_to_peak": "z", "after": 0.25},
        "over": {"overshoot": "z", "target": 2.5, "from": 0.0},
        "passed": {"time_to": "z", "above": 3.5},
        "mean": {"mean": "z", "after": 0.5, "before": 1.25},
        "settled": {"settling_time": "x", "tolerance": 0.5},
    }
    g = d.gradient(measures, "k.k", stop=2.0, **TIGHT)
    values = [1.0, 2.0, 4.0, 4.0, -3.0, 4.0, 0.6, 2.0, 4.0 / 3.0, 11.0 / 6.0]
    slopes = [0.5, 1.0, 2.0, 2.0, -1.5, 2.0, 0.8, 0.0, 2.0 / 3.0, 1.0 / 12.0]
    np.testing.assert_allclose([*g.measures.values()], values, atol=1e-9)
    np.testing.assert_allclose(g.matrix[:, 0], slopes, atol=1e-9)


def test_what_has_no_gradient_is_said(lag):
    with pytest.raises(NotDifferentiable, match="measure `n`, count"):
        lag.gradient({"n": {"count": "y", "above": 0.5}}, "T", stop=1.0)
    with pytest.raises(GradientError, match="measure `t` has no value"):
        lag.gradient({"t": {"time_to": "y", "above": 2.0}}, "T", stop=1.0)
    with pytest.raises(GradientError, match="measures by name"):
        lag.gradient({}, "T", stop=1.0)
    with pytest.raises(SweepError, match="did you mean `max`"):
        lag.gradient({"a": {"maxx": "y"}}, "T", stop=1.0)
    g = lag.gradient({"a": {"max": "y"}}, "T", stop=1.0)
    with pytest.raises(GradientError, match="no measure 'b'"):
        g["b"]
    with pytest.raises(GradientError, match="no number 'k'"):
        g["a", "k"]


def test_a_fit_of_more_numbers_than_one_run_derives():
    """34 heights of a piecewise constant slope, which the samples of its integral tell one by one."""
    d, truth = bd.Diagram("many"), np.linspace(-1.0, 1.0, 34)
    total = d.add("total", bd.Sum("+" * 34))
    for k in range(34):
        d.connect(d.add(f"s{k}", bd.Step(time=0.1 * k, final=0.0)), total[k])
    d.connect(total, d.add("x", bd.Integrator()))
    times = 0.1 * np.arange(1, 35)
    data = {"time": times, "x": np.cumsum(np.cumsum(truth)) * 0.1}
    found = d.fit(data, [f"s{k}.final" for k in range(34)])
    np.testing.assert_allclose(found.found, truth, atol=1e-8)
