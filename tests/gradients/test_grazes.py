"""Instants at which something only touches its level: they have no derivative, and errors name them."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.native.tangent.frame import NotDifferentiable


def sine(extra):
    """x = sin t, which touches 1 at pi/2, where a block has an event."""
    d = bd.Diagram("sine")
    d.connect(d.add("c", bd.Sine(phase=np.pi / 2.0)), d.add("x", bd.Integrator()))
    d.connect("x", d.add("b", extra), d.add("y", bd.Integrator()))
    d.log("x", "y")
    return d


@pytest.mark.parametrize("extra", [bd.HitCrossing(level=1.0), bd.Saturation(lower=-9.0, upper=1.0)])
def test_instants_of_exact_grazes(extra):
    for measure in (
        {"time_to": "b"},
        {"time_to": "x", "above": 1.0},
        {"time_above": "x", "level": 1.0},
        {"rise_time": "x", "from": 0.0, "target": 2.0, "low": 0.1, "high": 0.5},
    ):
        with pytest.raises(NotDifferentiable, match="only touches its level"):
            sine(extra).gradient({"m": measure}, "x.x", stop=3.0)
    g = sine(extra).gradient({"m": {"final": "x"}, "t": {"time_to": "x", "above": 0.9}}, "x.x", stop=3.0)
    np.testing.assert_allclose(g.matrix[:, 0], [1.0, -1.0 / np.sqrt(1.0 - 0.81)], rtol=1e-5)


def test_a_share_of_time_that_only_a_touch_would_begin():
    """The highest point of sin t lies at the level: above it by a number is sqrt of that, below 0."""
    with pytest.raises(NotDifferentiable, match="only touches its level"):
        sine(bd.Gain(1.0)).gradient({"m": {"time_above": "x", "level": 1.0}}, "x.x", stop=3.0)
    g = sine(bd.Gain(1.0)).gradient({"m": {"time_above": "x", "level": 1.1}}, "x.x", stop=3.0)
    assert g["m", "x.x"] == 0.0


def thrown(height):
    """Thrown up at v0 against a ceiling: it turns at v0^2 / 2, and a blow gives it half its speed back."""
    d = bd.Diagram("ceiling", parameters={"v0": 2.0, "back": -0.5})
    x = d.add("x", bd.Integrator())
    v = d.add("v", bd.Integrator(bd.expression("v0"), reset="rising", level=0.0))
    d.connect(d.add("weight", bd.Constant(-1.0)), v["u"])
    d.connect(v, x)
    d.connect(x, d.add("gap", bd.Expression(f"u - {height!r}")), v["trigger"])
    d.connect(v, d.add("b", bd.Gain(bd.expression("back"))), v["value"])
    d.log("x")
    return d


def test_a_wall_that_is_just_touched():
    """x = v0 t - t^2/2 below it; behind a blow at T, v0 - T = sqrt(v0^2 - 2 h), the other way."""
    with pytest.raises(NotDifferentiable, match=r"v: .*only touches its level.*`v0` below or above"):
        thrown(2.0).sensitivities("v0", "x", [1.0, 3.0])
    s = thrown(2.0).sensitivities("back", "x", [1.0, 3.0])
    np.testing.assert_allclose(s["x", "back"], 0.0, atol=1e-6)
    s = thrown(2.1).sensitivities("v0", "x", [1.0, 3.0])
    np.testing.assert_allclose(s["x", "v0"], [1.0, 3.0], rtol=1e-9)
    speed = np.sqrt(4.0 - 2.0 * 1.9)
    blow, of_blow, of_speed = 2.0 - speed, 1.0 - 2.0 / speed, 2.0 / speed
    slope = -0.5 * of_speed * (3.0 - blow) + 0.5 * speed * of_blow + (3.0 - blow) * of_blow
    s = thrown(1.9).sensitivities("v0", "x", [1.0, 3.0])
    np.testing.assert_allclose(s["x", "v0"], [1.0, slope], rtol=1e-5)
