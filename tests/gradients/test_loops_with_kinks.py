"""Derivatives through loops with limits and kinks, on both sides of the kinks, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

TIGHT = {"loops": "solve", "rtol": 1e-10, "atol": 1e-12}
BEFORE, AFTER = 0.3, 1.9  # s
P = 0.8  # the rate of the input u = p t


def loop(forward: bd.Block, limit: bd.Block) -> bd.Diagram:
    """s = limit(forward(u - s)) with u = p t; x is the integral of s."""
    d = bd.Diagram("loop")
    d.connect(d.add("t", bd.Clock()), d.add("p", bd.Gain(P)), d.add("e", bd.Sum("+-"))[0])
    d.connect("e", d.add("forward", forward), d.add("limit", limit), ["e[1]", d.add("x", bd.Integrator())])
    return d


def test_a_limit_at_a_gain_above_one():
    """s = g p t / (1 + g) until it is at 1/2, from t = (1 + g)/(2 g p) on."""
    s = loop(bd.Gain(2.0), bd.Saturation(lower=-0.5, upper=0.5)).sensitivities(
        ["p.k", "forward.k", "limit.upper"], "x", [BEFORE, AFTER], **TIGHT
    )
    g, top = 2.0, 0.5
    at = top * (1 + g) / g / P
    assert BEFORE < at < AFTER
    np.testing.assert_allclose(
        s["x", "p.k"], [g / (1 + g) * BEFORE**2 / 2, g / (1 + g) * at**2 / 2], atol=1e-9
    )
    np.testing.assert_allclose(
        s["x", "forward.k"], np.array([P * BEFORE**2, P * at**2]) / 2 / (1 + g) ** 2, atol=1e-9
    )
    np.testing.assert_allclose(s["x", "limit.upper"], [0.0, AFTER - at], atol=1e-9)


def test_a_dead_zone():
    """s = dead(u - s): nothing until u = 1/2, then (u - 1/2)/2."""
    d = loop(bd.Gain(1.0), bd.DeadZone(lower=-0.5, upper=0.5))
    s = d.sensitivities(["p.k", "limit.upper"], "x", [BEFORE, AFTER], **TIGHT)
    at = 0.5 / P
    np.testing.assert_allclose(s["x", "p.k"], [0.0, (AFTER**2 - at**2) / 4], atol=1e-9)
    np.testing.assert_allclose(s["x", "limit.upper"], [0.0, -(AFTER - at) / 2], atol=1e-9)


@pytest.mark.parametrize("u", [-1.3, -0.4, 0.4, 0.7, 1.3])
def test_linear_models_on_both_sides(u):
    """ds/du is g/(1 + g) or 0 through the limit, and 0 or 1/2 through the dead zone."""
    inside = abs(u) < 0.75
    for forward, limit, expected in (
        (bd.Gain(2.0), bd.Saturation(lower=-0.5, upper=0.5), 2 / 3 if inside else 0.0),
        (bd.Gain(1.0), bd.DeadZone(lower=-0.5, upper=0.5), 0.0 if abs(u) < 0.5 else 0.5),
    ):
        d = bd.Diagram()
        d.connect(d.add("u", bd.Inport(default=u)), d.add("e", bd.Sum("+-"))[0])
        d.connect("e", d.add("forward", forward), d.add("limit", limit), ["e[1]", d.add("y", bd.Outport())])
        model = d.linearize(loops="solve")
        assert model.D[0, 0] == pytest.approx(expected, abs=1e-9)
        assert model.kinks == ()


def test_scenarios_of_a_sweep_cross_the_end_of_a_branch():
    """e = u - k sqrt|e| sign(e): sqrt|e| = (sqrt(k^2 + 4 |u|) - k)/2."""
    d = bd.Diagram()
    e = d.add("e", bd.Sum("+-"))
    d.connect(d.add("u", bd.Sine(amplitude=3.0)), e[0])
    d.connect(e, d.add("f", bd.Expression("sign(a) * sqrt(abs(a))")), d.add("k", bd.Gain(4.0)), e[1])
    d.connect(e, d.add("x", bd.Integrator()))
    d.settings(stop=4.0, loops="solve", max_step=0.3, method="dopri5")
    gains = [0.3, 1.0, 4.0, 30.0]
    ensemble = d.sweep({"k.k": gains}, {"e": {"final": "e"}, "x": {"final": "x"}}).run(progress=False)
    u = 3.0 * np.sin(4.0)
    roots = [(np.sqrt(k * k + 4 * abs(u)) - k) / 2 for k in gains]
    np.testing.assert_allclose(ensemble.dataset["e"], -np.square(roots), rtol=1e-9)
    alone = [d.simulate(set={"k.k": k}).final("x") for k in gains]
    np.testing.assert_array_equal(ensemble.dataset["x"], alone)
