"""Gradients of measures against closed forms, at events too, and what has none."""

from __future__ import annotations

from math import exp, log, pi, sqrt

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.gradients.errors import GradientError
from blockdyn.native.tangent.frame import NotDifferentiable
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
    assert "d/d T" in repr(g)


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


def test_what_is_decided_just_before_a_tick():
    """A ball hits at 1 s less 10 us, a clock ticks at 1 s: it is fastest at v = -sqrt(2 g h)."""
    d = bd.Diagram("ball")
    x = d.add("x", bd.Integrator((1.0 - 1e-5) ** 2))
    v = d.add("v", bd.Integrator(0.0, reset="falling", level=0.0))
    d.connect(d.add("g", bd.Constant(-2.0)), v["u"])
    d.connect(v, x, v["trigger"])
    d.connect(v, d.add("back", bd.Gain(-0.8)), v["value"])
    d.connect(x, d.add("hold", bd.ZeroOrderHold(sample_time=0.5)))
    d.log("x", "hold")
    g = d.gradient({"down": {"min": "v"}, "hit": {"time_to": "v"}}, "x.x", stop=2.0)
    assert g["down", "x.x"] == pytest.approx(-1.0 / (1.0 - 1e-5), rel=1e-8)
    assert g["hit", "x.x"] == pytest.approx(0.5 / (1.0 - 1e-5), rel=1e-8)


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


def falling():
    """From h = 5 m at v0 = -1 m/s until it is at L = 0.5 m, where a Stop ends the run."""
    d = bd.Diagram("falling", parameters={"g": 9.81})
    x, v = d.add("x", bd.Integrator(5.0)), d.add("v", bd.Integrator(-1.0))
    d.connect(d.add("weight", bd.Constant(bd.expression("-g"))), v, x)
    d.connect(x, d.add("low", bd.Compare(operator="<", value=0.5)), d.add("stop", bd.Stop()))
    return d


@pytest.mark.parametrize("method", ["dopri5", "rodas5p", "auto"])
def test_a_run_that_a_stop_ends(method):
    """Its end moves: T = (v0 + sqrt(v0^2 + 2 g (h - L))) / g, and all that is measured until then."""
    measures = {
        "T": "end_time",
        "first": {"time_to": "low"},
        "speed": {"final": "v"},
        "least": {"min": "v"},
        "path": {"absolute": "v"},
        "area": {"integral": "x"},
        "mean": {"mean": "x", "after": 0.2},
        "rms": {"rms": "v"},
        "share": {"time_above": "x", "level": 2.0},
        "under": {"time_below": "x", "level": 2.0},
        "fall": {"peak_to_peak": "x"},
        "rise": {"rise_time": "x"},
        "energy": {"value": "0.5 * speed**2"},
        "before": {"final": "v", "before": 0.5},
    }

    def exact(h, v0, g, L):
        def at(level):
            return (v0 + (v0 * v0 + 2.0 * g * (h - level)) ** 0.5) / g

        def area(t):
            return h * t + v0 * t**2 / 2.0 - g * t**3 / 6.0

        T, half, speed = at(L), at(2.0), v0 - g * at(L)
        square = (v0**2 * T - v0 * g * T**2 + g**2 * T**3 / 3.0) / T
        rise = at(h + 0.9 * (L - h)) - at(h + 0.1 * (L - h))
        mean = (area(T) - area(0.2)) / (T - 0.2)
        return [
            T, T, speed, speed, h - L, area(T), mean, square**0.5, half / T, 1.0 - half / T, h - L, rise,
            speed**2 / 2.0, v0 - 0.5 * g,
        ]  # fmt: skip

    paths, numbers = ["x.x", "v.x", "g", "low.value"], [5.0, -1.0, 9.81, 0.5]
    g = falling().gradient(measures, paths, stop=10.0, method=method, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose([*g.measures.values()], exact(*numbers), rtol=1e-9)
    for j, path in enumerate(paths):
        moved = [complex(value, 1e-30 * (i == j)) for i, value in enumerate(numbers)]
        slopes = np.imag(exact(*moved)) / 1e-30
        np.testing.assert_allclose(g.matrix[:, j], slopes, rtol=1e-9, atol=1e-9, err_msg=path)


def test_an_end_that_nothing_moves():
    """A Stop at a tick, and a run that none ends."""
    d = bd.Diagram("ticks", parameters={"rate": 2.0})
    d.connect(d.add("u", bd.Constant(bd.expression("rate"))), x := d.add("x", bd.Integrator()))
    d.connect(x, d.add("hold", bd.ZeroOrderHold(sample_time=0.25)), d.add("high", bd.Compare(value=0.9)))
    d.connect("high", d.add("stop", bd.Stop()))
    g = d.gradient({"T": "end_time", "x": {"final": "x"}}, "rate", stop=2.0)
    assert [g["T"], g["T", "rate"]] == [0.5, 0.0]
    assert g["x", "rate"] == pytest.approx(0.5)
    g = falling().gradient({"T": "end_time"}, "g", stop=0.5)
    assert [g["T"], g["T", "g"]] == [0.5, 0.0]


def test_an_end_that_has_no_derivative():
    """(t - k)^3 meets 0 without a slope; of two that run side by side the first to come ends the run."""
    d = bd.Diagram("flat")
    d.connect(d.add("k", bd.Constant(1.0)), d.add("cube", bd.Expression("(t - k)**3")))
    d.connect("cube", d.add("above", bd.Compare(value=0.0)), d.add("stop", bd.Stop()))
    with pytest.raises(NotDifferentiable, match=r"above: .*only touches its level"):
        d.gradient({"T": "end_time"}, "k.value", stop=3.0)
    d = bd.Diagram("two")
    for name in "ab":
        d.connect(d.add(f"k{name}", bd.Constant(1.0)), x := d.add(f"x{name}", bd.Integrator()))
        d.connect(x, d.add(f"high{name}", bd.Compare(value=0.7)), d.add(f"stop{name}", bd.Stop()))
    with pytest.raises(NotDifferentiable, match=r"two events at 0.7 s"):
        d.gradient({"T": "end_time"}, "ka.value", stop=3.0)


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
    with pytest.raises(GradientError, match="no parameter 'k'"):
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
