"""Tuning: a minimum in closed form, limits and scenarios, evolution beside gradients, bad input."""

from __future__ import annotations

from importlib.util import find_spec
from math import log

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.gradients.errors import TuneError

needs_cma = pytest.mark.skipif(find_spec("cma") is None, reason="without the extra `tune`")


@pytest.fixture(scope="module")
def heater():
    """T' = -b T + k (1 - T): it rises by (b + k), to k / (b + k), and the heater's effort is k (1 - T)."""
    d = bd.Diagram("heater", parameters={"k": 1.0, "b": 1.0})
    error = d.add("error", bd.Sum("+-"))
    plant = bd.TransferFunction(num=[1.0], den=bd.expression("[1, b]"))
    d.connect(d.add("one", bd.Constant(1.0)), error[0])
    d.connect(error, d.add("effort", bd.Gain(bd.expression("k"))), d.add("T", plant), error[1])
    d.log("T")
    return d


FAST = {"stop": 12.0, "rtol": 1e-9}
RISE = {"rise": {"rise_time": "T"}, "most": {"max": "effort"}, "last": {"final": "T"}}


def test_a_limit_decides(heater):
    """The rise takes log(9) / (b + k), the effort begins with k: the limit of the effort is the gain."""
    found = heater.tune("k", "rise", RISE, limits={"most": 2.5}, bounds={"k": (0.1, 50.0)}, **FAST)
    assert found.values["k"] == pytest.approx(2.5, rel=1e-6)
    assert found.after[0, 0] == pytest.approx(log(9.0) / 3.5, rel=1e-4)
    assert found.method == "gradient"
    assert found.converged
    assert not found.unmet
    assert "gradient" in repr(found)
    assert not found.at_bounds
    assert "bound" not in repr(found)
    assert heater.simulate(stop=12.0, set=found.values).final("T") == pytest.approx(2.5 / 3.5, rel=1e-4)


def test_a_number_at_its_bound_is_said(heater):
    """The rise takes log(9) / (b + k): nothing but its bound holds k."""
    found = heater.tune("k", "rise", RISE, bounds={"k": (0.1, 4.0)}, **FAST)
    assert found.values["k"] == pytest.approx(4.0)
    assert found.at_bounds == ("k",)
    assert "at its bound: k" in repr(found)
    assert not found.unbounded


def test_a_measure_that_improves_without_end_is_said(heater):
    """1 - T(end) = 1 / (1 + k) falls to 0 as k grows."""
    found = heater.tune("k", "off", {"off": {"final": "error"}}, stop=1.0, points=30)
    assert found.values["k"] > 1e3
    assert found.unbounded["k"] == found.values["k"]
    assert not found.at_bounds
    assert 'the measure may improve without end; give bounds={"k": (0.01, 100)}' in repr(found)


def test_its_picture_has_both_ends_and_the_limits(heater, tmp_path):
    two = [{"b": 1.0}, {"b": 2.0}]
    arguments = {"limits": {"most": 2.5}, "bounds": {"k": (0.1, 50.0)}, "scenarios": two}
    found = heater.tune("k", "rise", RISE, **arguments, **FAST)
    *measures, gains = found.plot(file=tmp_path / "tuned.pdf", style="paper").axes
    assert [axes.get_ylabel() for axes in measures] == ["rise", "most", "last"]
    most = {tuple(line.get_ydata()) for line in measures[1].lines}
    assert (2.5, 2.5) in most
    assert tuple(found.before[:, 1]) in most
    assert tuple(found.after[:, 1]) in most
    assert [text.get_text() for text in gains.get_yticklabels()] == ["k: 1 \N{RIGHTWARDS ARROW} 2.5"]
    assert found._repr_html_().count("<svg") == 1


@pytest.mark.parametrize("method", ["gradient", pytest.param("evolution", marks=needs_cma)])
def test_a_cost_has_its_minimum(heater, method):
    """(T(end) - 0.6)^2 + 1 with T(end) = k / (1 + k): k = 1.5, whichever way."""
    measures = {"last": {"final": "T"}, "cost": {"value": "(last - 0.6)**2 + 1"}}
    found = heater.tune({"k": 1.2}, "cost", measures, bounds={"k": (0.2, 9.0)}, method=method, **FAST)
    assert found.values["k"] == pytest.approx(1.5, rel=5e-3)
    assert found.method == method


@needs_cma
def test_a_limit_holds_however_large_the_cost_is(heater):
    """T(end) = k / (1 + k) would have to be 0.9, and may be 0.6: k = 1.5."""
    measures = {"last": {"final": "T"}, "cost": {"value": "1e9 * (1 + (last - 0.9)**2)"}}
    arguments = {"limits": {"last": 0.6}, "bounds": {"k": (0.2, 9.0)}, "method": "evolution", "points": 40}
    found = heater.tune({"k": 1.0}, "cost", measures, **arguments, **FAST)
    assert not found.unmet
    assert found.values["k"] == pytest.approx(1.5, rel=1e-3)


def test_a_limit_that_leads_to_where_runs_fail():
    """A loop of two lags and an integral has no 179 degrees of phase: the best that was found is told."""
    d = bd.Diagram("loop", parameters={"kp": 1.0, "ki": 1.0})
    error, total = d.add("error", bd.Sum("+-")), d.add("total", bd.Sum("++"))
    d.connect(d.add("r", bd.Constant(1.0)), error[0])
    d.connect(error, d.add("P", bd.Gain(bd.expression("kp"))), total[0])
    d.connect(error, d.add("sum", bd.Integrator()), d.add("I", bd.Gain(bd.expression("ki"))), total[1])
    plant = d.add("plant", bd.TransferFunction(num=[2.0], den=[0.5, 1.0]))
    d.connect(total, plant, d.add("lag", bd.TransferFunction(num=[1.0], den=[0.1, 1.0])), error[1])
    measures = {"rise": {"rise_time": "lag", "target": 1.0, "from": 0.0}, "angle": {"phase_margin": "total"}}
    bounds = {"kp": (0.1, 20.0), "ki": (0.1, 20.0)}
    limits = {"angle": (179.0, None)}
    found = d.tune(
        ["kp", "ki"], "rise", measures, limits=limits, over="worst", bounds=bounds, points=3, stop=8.0
    )
    assert not found.converged
    assert [*found.unmet] == ["angle"]


def test_the_worst_of_all_scenarios(heater):
    """|T(end) - 0.5| for b = 1 and b = 3 with T(end) = k / (b + k): equal where k = sqrt(3)."""
    measures = {"last": {"final": "T"}, "off": {"value": "(last - 0.5)**2"}}
    cases = [{"b": 1.0}, {"b": 3.0}]
    found = heater.tune({"k": 1.2}, "off", measures, scenarios=cases, over="worst", **FAST)
    assert found.values["k"] == pytest.approx(3.0**0.5, rel=1e-4)
    assert found.after[0, 1] == pytest.approx(found.after[1, 1], rel=1e-4)


@needs_cma
def test_what_has_no_gradient_is_tuned_by_evolution(heater):
    """The time above 0.6 is counted by passages: a number, which has none."""
    measures = {"n": {"count": "T", "above": 0.6}, "most": {"max": "effort"}}
    cost = {**measures, "cost": {"value": "abs(n - 1) + 0.01 * most"}}
    found = heater.tune({"k": 3.0}, "cost", cost, bounds={"k": (0.5, 9.0)}, points=15, **FAST)
    assert found.method == "evolution"
    assert "count" in found.reason
    assert found.values["k"] == pytest.approx(1.5, rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"minimize": "rice"}, "did you mean `rise`"),
        ({"limits": {"mast": 1.0}}, "not a measure"),
        ({"limits": {"most": "low"}}, "the greatest value"),
        ({"bounds": {"kp": (0, 1)}}, "not in gains"),
        ({"bounds": {"k": (2.0, 3.0)}}, "outside its bounds"),
        ({"limits": 3}, "limits by measure"),
        ({"limits": {"most": (2, 1)}}, "the least before"),
        ({"bounds": 3}, "two numbers by path"),
        ({"points": 0}, "a whole number from 1 on"),
        ({"seed": "x"}, "a whole number from 0 on"),
        ({"over": "all"}, '"mean" or "worst"'),
        ({"method": "newton"}, "gradient"),
        ({"scenarios": []}, "no scenarios"),
        ({"scenarios": [{"b": 1.0}, {}]}, "the paths of the first one"),
        ({"scenarios": [{"b": "x"}]}, "a finite number"),
        ({"scenarios": [{"k": 1.0}]}, "other parameters than the tuned ones"),
        ({"gains": {"k": "high"}}, "begins at 'high'"),
        ({"measures": {}}, "measures by name"),
    ],
)
def test_what_cannot_be_tuned_is_said(heater, arguments, says):
    usual = {"gains": "k", "minimize": "rise", "measures": RISE, **FAST}
    with pytest.raises(TuneError, match=says):
        heater.tune(**{**usual, **arguments})


def conflicting(start):
    """x = a and z = a + b at 1 s; the cost is (a - 1)^2 + b^2."""
    d = bd.Diagram("conflicting", parameters={"a": start, "b": 0.0})
    d.connect(d.add("a", bd.Constant(bd.expression("a"))), d.add("x", bd.Integrator()))
    d.connect(d.add("sum", bd.Constant(bd.expression("a + b"))), d.add("z", bd.Integrator()))
    d.connect(d.add("each", bd.Constant(bd.expression("(a - 1)**2 + b**2"))), d.add("k", bd.Integrator()))
    d.log("x", "z", "k")
    return d


@pytest.mark.parametrize("over", ["mean", "worst"])
@pytest.mark.parametrize("start", [-2.0, 0.5, 2.0, 5.0])
def test_limits_that_contradict_each_other_are_exceeded_least(start, over):
    """a <= 1 and a >= 3: (a - 1)+ + (3 - a)+ / 3 is least at a = 1. There b <= -1/2 meets the third limit."""
    measures = {"low": {"final": "x"}, "high": {"final": "x"}, "sum": {"final": "z"}, "cost": {"final": "k"}}
    limits = {"low": 1.0, "high": (3.0, None), "sum": 0.5}
    found = conflicting(start).tune(["a", "b"], "cost", measures, limits=limits, over=over, stop=1.0)
    np.testing.assert_allclose([found["a"], found["b"]], [1.0, -0.5], atol=1e-6)
    assert dict(found.unmet) == {"high": pytest.approx(1.0, abs=1e-6)}
    assert found.converged
    assert "the sum of all violations" in repr(found)
