"""Events that meet at one instant: gradients where their order decides nothing, refusals where it does."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.native.tangent.frame import NotDifferentiable

from .balls import ball

TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def two_balls():
    """Both fall from 1 m at 2 m/s2, and hit the ground at 1 s to the last bit."""
    d = bd.Diagram("balls")
    for name in "ab":
        d.add(name, bd.Subsystem(ball(0.8, 1.0, 2.0)))
    d.log("a/x", "b/x")
    return d


def test_two_events_at_one_instant():
    """No restitution moves the first of them; a height moves one, and not the other, and nothing but it.

    Behind an impact at T = sqrt(h) x = 1.6 T (t - T) - (t - T)^2.
    """
    d = two_balls()
    s = d.sensitivities(["a/back.k", "b/back.k"], None, [0.9, 1.5], **TIGHT)
    np.testing.assert_allclose(s["a/x", "a/back.k"], [0.0, -1.0], atol=1e-9)
    np.testing.assert_allclose(s["a/x", "b/back.k"], [0.0, 0.0], atol=1e-9)
    s = d.sensitivities(["a/x.x", "b/x.x"], None, [0.9, 1.5], **TIGHT)
    np.testing.assert_allclose(s["a/x", "a/x.x"], [1.0, 0.1], atol=1e-6)
    np.testing.assert_allclose(s["b/x", "b/x.x"], [1.0, 0.1], atol=1e-6)
    np.testing.assert_allclose([*s["a/x", "b/x.x"], *s["b/x", "a/x.x"]], 0.0, atol=1e-9)


def test_events_that_meet_and_commute():
    """Two steps add up, and move by two numbers; a delayed step arrives at a tick that samples it late."""
    d = bd.Diagram("sum", parameters={"tau": 0.2})
    steps = [d.add(name, bd.Step(time=1.0)) for name in "ab"]
    d.connect(steps[0] + 3.0 * steps[1], d.add("x", bd.Integrator()))
    s = d.sensitivities(["a.time", "b.time"], "x", [2.0])
    np.testing.assert_allclose([s["x", "a.time"][0], s["x", "b.time"][0]], [-1.0, -3.0], atol=1e-9)
    d.add("early", bd.Step(time=0.1))
    d.connect(
        "early", d.add("late", bd.TransportDelay(delay=bd.expression("tau"))), d.add("y", bd.Integrator())
    )
    d.connect("y", d.add("hold", bd.ZeroOrderHold(sample_time=0.1)), d.add("z", bd.Integrator()))
    s = d.sensitivities(["tau"], "y", [0.2, 1.05])
    np.testing.assert_allclose(s["y", "tau"], [0.0, -1.0], atol=1e-9)
    with pytest.raises(
        NotDifferentiable, match=r"(late, hold|hold, late): .*two events at 0\.\d+ s.*`tau` below or above"
    ):
        d.sensitivities(["tau"], "z", [1.05])


@pytest.mark.parametrize("time", [0.1 + 0.2, 0.3, 0.9 - 2e-16])
def test_instants_that_only_rounding_keeps_apart_are_one(time):
    """A step at a tick: its integral is -1 by its time, what the tick samples is another on each side."""
    d = bd.Diagram("beside")
    step = d.add("step", bd.Step(time=time))
    d.connect(step, d.add("y", bd.Integrator()), d.add("hold", bd.ZeroOrderHold(sample_time=0.1)))
    d.connect("hold", d.add("z", bd.Integrator()))
    s = d.sensitivities(["step.time"], "y", [1.05])
    np.testing.assert_allclose(s["y", "step.time"], -1.0, atol=1e-9)
    with pytest.raises(NotDifferentiable, match=r"(hold, step|step, hold): .*two events at"):
        d.sensitivities(["step.time"], "z", [1.05])


def loops_alike():
    """Two that share nothing: x' = 2 (r - x), r = -1 from x = d on and 1 from x = -d on."""
    d = bd.Diagram("two", parameters={"d1": 0.2, "d2": 0.2})
    for n in "12":
        limit = bd.expression(f"d{n}"), bd.expression(f"-d{n}")
        relay = bd.Relay(switch_on=limit[0], switch_off=limit[1], on=-1.0, off=1.0)
        x, r = d.add(f"x{n}", bd.Integrator()), d.add(f"r{n}", relay)
        d.connect(x, r)
        d.connect(r - x, d.add(f"g{n}", bd.Gain(2.0)), x)
    return d


def of_one_loop(d):
    """x at 1 s, the mean of r until then, its extremes, and when it first switches."""
    first, each = 0.5 * np.log(1.0 / (1.0 - d)), 0.5 * np.log((1.0 + d) / (1.0 - d))
    n = int((1.0 - first.real) // each.real)  # odd or even, of switches behind the first
    last, sign = first + n * each, -1.0 if n % 2 == 0 else 1.0
    x = sign - sign * (1.0 + d) * np.exp(-2.0 * (1.0 - last))
    return [x, first + sign * (1.0 - last) - (n % 2) * each, d, -d, first]


def test_gradients_of_loops_alike_that_share_nothing():
    measures = {
        "x": {"final": "x1"},
        "r": {"integral": "r1"},
        "high": {"max": "x1"},
        "low": {"min": "x1"},
        "first": {"time_to": "r1", "below": 0.0},
    }
    g = loops_alike().gradient(measures, ["d1", "d2"], stop=1.0, **TIGHT)
    exact = np.imag(of_one_loop(0.2 + 1e-30j)) / 1e-30
    np.testing.assert_allclose([*g.measures.values()], of_one_loop(complex(0.2)), atol=1e-7)
    np.testing.assert_allclose(g.matrix[:, 0], exact, rtol=1e-5)
    np.testing.assert_allclose(g.matrix[:, 1], 0.0, atol=1e-6)
    slope = {
        "x": measures["x"],
        "slope": {"gradient": "x", "to": "d2"},
        "other": {"gradient": "x", "to": "d1"},
    }
    sweep = bd.Sweep(loops_alike(), axes={"d1": [0.2, 0.19]}, measures=slope, stop=1.0, **TIGHT).run()
    np.testing.assert_allclose(sweep["slope"], 0.0, atol=1e-6)
    np.testing.assert_allclose(sweep["other"][0], exact[0], rtol=1e-5)
    tuned = loops_alike().tune(
        {"d1": 0.2}, "x", {"x": {"value": "(v - 0.1)**2"}, "v": measures["x"]}, stop=1.0
    )
    assert tuned.method == "gradient"
    assert tuned.after[0, 0] < 1e-6


def test_measures_are_refused_one_by_one():
    """A step that meets a tick: its integral has a derivative, and the sampled one has not."""
    d = bd.Diagram("beside")
    d.connect(step := d.add("step", bd.Step(time=0.3)), d.add("y", bd.Integrator()))
    d.connect(step, d.add("hold", bd.ZeroOrderHold(sample_time=0.1)), d.add("z", bd.Integrator()))
    measures = {"y": {"final": "y"}, "z": {"final": "z"}, "jump": {"time_to": "step", "above": 0.5}}
    of = {f"of_{name}": {"gradient": name, "to": "step.time"} for name in measures}
    sweep = bd.Sweep(d, axes={"y.x": [0.0]}, measures=measures | of, stop=1.05).run()
    slopes = [float(sweep[name][0]) for name in of]
    np.testing.assert_allclose(slopes, [-1.0, np.nan, 1.0], atol=1e-6)
    with pytest.raises(NotDifferentiable, match=r"(hold, step|step, hold): .*two events at"):
        d.gradient(measures, "step.time", stop=1.05)


@pytest.mark.parametrize("reads_only", [False, True])
def test_a_jump_between_two_ticks_moves_as_its_time(reads_only):
    d = bd.Diagram("between")
    d.connect(step := d.add("step", bd.Step(time=0.35)), d.add("y", bd.Integrator()))
    d.connect(step, d.add("hold", bd.ZeroOrderHold(sample_time=0.1)))
    if not reads_only:
        d.connect(d["hold"], d.add("z", bd.Integrator()))
    slopes = d.gradient({"jump": {"time_to": "step", "above": 0.5}}, "step.time", stop=1.05)
    assert slopes["jump", "step.time"] == pytest.approx(1.0, abs=1e-9)
