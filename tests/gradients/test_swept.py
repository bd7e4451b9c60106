"""Gradients as measures of a sweep: closed forms, the same as alone, in stores, by noise and by structure."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.sweeps.errors import SweepError, UnknownPath

TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def lag():
    """y = K (1 - exp(-t / T)), where K = 2 k."""
    d = bd.Diagram("lag", parameters={"T": 0.5, "k": 1.0})
    d.add("gain", bd.Gain(bd.expression("2 * k")))
    d.add("y", bd.TransferFunction(num=[1.0], den=bd.expression("[T, 1]")))
    d.connect(d.add("u", bd.Constant(1.0)), "gain", "y")
    d.log("y")
    return d


MEASURES = {
    "last": {"final": "y"},
    "half": {"time_to": "y", "above": 1.0},
    "last_T": {"gradient": "last", "to": "T"},
    "last_k": {"gradient": "last", "to": "k"},
    "last_K": {"gradient": "last", "to": "gain.k"},
    "half_T": {"gradient": "half", "to": "T"},
    "spread": {"value": "sqrt((0.1 * last_T)**2 + (0.1 * last_k)**2)"},
}


def test_gradients_have_their_closed_forms_in_every_scenario(tmp_path):
    sweep = lag().sweep({"T": [0.3, 0.5, 0.8], "k": [1.0, 2.0]}, MEASURES, stop=1.0, **TIGHT)
    ensemble = sweep.run(workers=2, store=tmp_path / "store")
    T, k = ensemble["T"], ensemble["k"]
    slope = -2.0 * k * np.exp(-1.0 / T) / T**2
    assert ensemble["last_T"] == pytest.approx(slope, rel=1e-9)
    assert ensemble["last_k"] == pytest.approx(2.0 * (1.0 - np.exp(-1.0 / T)), rel=1e-9)
    assert ensemble["last_K"] == pytest.approx(
        1.0 - np.exp(-1.0 / T), rel=1e-9
    )  # beside k, from which it follows
    assert ensemble["half_T"] == pytest.approx(-np.log(1.0 - 0.5 / k), rel=1e-7)
    assert ensemble["spread"] == pytest.approx(0.1 * np.hypot(slope, ensemble["last_k"]), rel=1e-9)
    again = sweep.run(store=tmp_path / "store", resume=True, workers=1)
    in_memory = sweep.run(workers=1)
    for name in MEASURES:
        assert np.array_equal(again[name], ensemble[name])
        assert np.array_equal(in_memory[name], ensemble[name])


def test_they_are_those_of_the_scenario_alone():
    """But for rounding where other numbers are derived beside: the slowest of them divides the steps."""
    d = lag()
    plain = {name: MEASURES[name] for name in ("last", "half")}
    axes = {"gain.k": {"uniform": {"low": 2.0, "high": 4.0}}, "simulate.stop": [1.0, 2.0]}
    sweep = d.sweep(axes, {**MEASURES, "spread": "steps"}, number=3, seed=1)
    ensemble = sweep.run(workers=1)
    for scenario in range(len(sweep)):
        values = sweep.scenario(scenario)
        stop = values.pop("simulate.stop")
        g = d.gradient(plain, ["T", "gain.k"], set=values, stop=stop)
        assert ensemble["last_T"][scenario] == g["last", "T"]
        assert ensemble["last_K"][scenario] == pytest.approx(g["last", "gain.k"], rel=1e-11)
        assert ensemble["half_T"][scenario] == g["half", "T"]
        assert ensemble["last_k"][scenario] == 0.0  # the axis says what the gain is


def test_noise_and_structure_are_those_of_the_scenario():
    """The mean of a gain's output changes with the gain by the mean of its noise."""
    d = bd.Diagram("noisy", parameters={"k": 2.0})
    d.add("noise", bd.RandomNumber(sample_time=0.1))
    d.add("gain", bd.Gain(bd.expression("k")))
    d.connect("noise", "gain", d.add("y", bd.Integrator(0.0)))
    d.log("y")
    measures = {"end": {"final": "y"}, "end_k": {"gradient": "end", "to": "k"}}
    axes = {"noise.sample_time": [0.1, 0.25], "k": [1.0, 3.0]}
    for common in (False, True):
        ensemble = d.sweep(axes, measures, stop=1.0, common_random_numbers=common).run()
        assert ensemble["end_k"] == pytest.approx(ensemble["end"] / ensemble["k"], rel=1e-12)
        assert len({*ensemble["end_k"]}) == (2 if common else 4)


def test_numbers_that_follow_from_others_are_those_of_the_run():
    """d.gradient by gain.k where k is set: y = 2 k (1 - exp(-t / T))."""
    g = lag().gradient({"last": {"final": "y"}}, "gain.k", set={"k": 3.0}, stop=1.0, **TIGHT)
    assert g.values["gain.k"] == 6.0
    assert g["last"] == pytest.approx(6.0 * (1.0 - exp(-2.0)), rel=1e-9)


def test_a_gradient_has_the_noise_of_its_scenario():
    d = bd.Diagram("noisy")
    d.connect(d.add("noise", bd.RandomNumber(sample_time=0.1)), d.add("gain", bd.Gain(2.0)))
    d.log("gain")
    for scenario in (0, 3):
        g = d.gradient({"last": {"final": "gain"}}, "gain.k", stop=1.05, scenario=scenario)
        last = d.simulate(stop=1.05, scenario=scenario)["gain"].values[-1]
        assert g["last"] == last
        assert g["last", "gain.k"] == last / 2.0


def test_a_measure_without_a_value_has_no_gradient_and_the_others_have():
    ensemble = lag().sweep({"k": [0.4, 1.0]}, MEASURES, stop=1.0).run()
    assert np.array_equal(np.isnan(ensemble["half_T"]), [True, False])
    assert np.isfinite(ensemble["last_T"]).all()
    assert "measure `half` has no value" in ensemble.to_frame()["reason"][0]


@pytest.mark.parametrize(
    ("measure", "error", "words"),
    [
        ({"gradient": "last"}, SweepError, "has no `to`"),
        ({"gradient": "last", "to": 3}, SweepError, "to is 3"),
        ({"gradient": "lst", "to": "k"}, SweepError, "did you mean `last`"),
        ({"gradient": "last_T", "to": "k"}, SweepError, "a gradient itself"),
        ({"gradient": "spread", "to": "k"}, SweepError, "a gradient itself"),
        ({"gradient": "last", "to": "kk"}, UnknownPath, "did you mean `k`"),
        ({"gradient": "last", "to": "simulate.stop"}, SweepError, "a setting of the run"),
        ({"gradient": "last", "to": "u.value[1]"}, UnknownPath, "no element"),
        ({"gradient": "last", "to": "k", "after": 1.0}, SweepError, "no option `after`"),
    ],
)
def test_what_is_wrong_is_said_before_anything_runs(measure, error, words):
    with pytest.raises(error, match=words):
        lag().sweep({"T": [0.5]}, {**MEASURES, "bad": measure}, stop=1.0)


def test_what_has_no_derivative_is_said_before_anything_runs():
    from blockdyn.native.tangent.frame import NotDifferentiable

    measures = {"n": "steps", "n_k": {"gradient": "n", "to": "k"}}
    with pytest.raises(NotDifferentiable, match="measure `n`, steps"):
        lag().sweep({"T": [0.5]}, measures, stop=1.0).run()


def test_a_file_declares_them(tmp_path):
    file = tmp_path / "lag.yaml"
    file.write_text(
        bd.dumps(lag())
        + "sweep:\n  axes: {T: [0.5]}\n  measures:\n    last: {final: y}\n"
        + "    last_k: {gradient: last, to: k}\nsimulate: {stop: 1.0, rtol: 1.0e-11, atol: 1.0e-13}\n"
    )
    ensemble = bd.load_sweep(file).run()
    assert ensemble["last_k"] == pytest.approx([2.0 * (1.0 - exp(-2.0))], rel=1e-9)
    file.write_text(file.read_text().replace("to: k", "to: kk"))
    with pytest.raises(SweepError, match=r"lag.yaml:\d+:\d+: measure `last_k`.*did you mean `k`"):
        bd.load_sweep(file)
