"""Events that meet at one instant: gradients where their order decides nothing, refusals where it does."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.native.tangent.refused import NotDifferentiable

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
