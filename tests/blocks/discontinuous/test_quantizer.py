"""Quantizer, WrapToZero: instants of their steps in closed form."""

from __future__ import annotations

from math import asin, pi

import numpy as np
import pytest

import blockdyn as bd


def test_steps_of_a_sine_are_located_and_its_integral_is_exact() -> None:
    """round(sin t / 0.4) changes where sin t = +-0.2 and +-0.6."""
    d = bd.Diagram()
    u = d.add("u", bd.Sine())
    d.connect(u, d.add("steps", bd.Quantizer(0.4)), d.add("area", bd.Integrator()))
    d.connect(u, d.add("wrapped", bd.WrapToZero(0.5)), d.add("below", bd.Integrator()))
    d.connect(u, d.add("plain", bd.Quantizer([0.4, 0.1], events=False)), d.add("hold", bd.ZeroOrderHold(0.5)))
    r = d.simulate(stop=6.0, rtol=1e-10, atol=1e-12)
    a, b = asin(0.2), asin(0.6)
    edges = [a, b, pi - b, pi - a, pi + a, pi + b, 2 * pi - b]
    np.testing.assert_allclose([e.time for e in r.events if e.path == "steps"], edges, rtol=0, atol=1e-12)
    area = 0.4 * (pi - 2 * a + pi - 2 * b) - 0.4 * (6.0 - pi - a + (2 * pi - b) - (pi + b))
    assert r.final("area") == pytest.approx(area, abs=1e-9)
    c = asin(0.5)
    assert [e.time for e in r.events if e.path == "wrapped"] == pytest.approx([c, pi - c], abs=1e-12)
    assert r.final("below") == pytest.approx(1 - np.cos(c) + np.cos(pi - c) - np.cos(6.0), abs=1e-9)
    assert [e for e in r.events if e.path == "plain"] == []
    ticks = 0.5 * np.arange(13)
    expected = np.floor(np.sin(ticks)[:, None] / [0.4, 0.1] + 0.5) * [0.4, 0.1]
    np.testing.assert_allclose(r["hold"].values[:13], expected, atol=1e-15)


def test_an_interval_of_zero_is_refused() -> None:
    with pytest.raises(bd.ParameterError, match=r"Quantizer\.interval"):
        bd.Quantizer(0.0)
