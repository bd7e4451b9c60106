"""Compare and CompareSignals: how long a signal stays beyond another."""

from __future__ import annotations

from math import asin, pi

import numpy as np
import pytest

import blockdyn as bd

OPERATORS = {
    ">": [0, 0, 1],
    ">=": [0, 1, 1],
    "<": [1, 0, 0],
    "<=": [1, 1, 0],
    "==": [0, 1, 0],
    "!=": [1, 0, 1],
}


@pytest.mark.parametrize(("operator", "expected"), OPERATORS.items())
def test_below_at_and_above(operator: str, expected: list[float]) -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=[1.0, 2.0, 3.0]))
    d.add("two", bd.Constant(value=2.0))
    d.add("number", bd.Compare(operator=operator, value=2.0))
    d.add("signal", bd.CompareSignals(operator=operator))
    d.connect("u", ["number", "signal[0]"])
    d.connect("two", "signal[1]")
    r = d.simulate(stop=1.0)
    assert np.array_equal(r.final("number"), expected)
    assert np.array_equal(r.final("signal"), expected)


@pytest.mark.parametrize(("operator", "share"), [(">", 1), (">=", 1), ("<", 0), ("<=", 0)])
def test_time_that_a_sine_spends_above_one_half(operator: str, share: int) -> None:
    d = bd.Diagram()
    d.add("sine", bd.Sine())
    d.add("above", bd.Compare(operator=operator, value=0.5))
    d.add("time", bd.Integrator())
    d.connect("sine", "above", "time")
    above = pi - 2 * asin(0.5)
    expected = above if share else 2 * pi - above
    assert d.simulate(stop=2 * pi).final("time") == pytest.approx(expected, abs=1e-13)


def test_time_that_the_cosine_leads_the_sine() -> None:
    d = bd.Diagram()
    d.add("sine", bd.Sine())
    d.add("cosine", bd.Sine(phase=pi / 2))
    d.add("ahead", bd.CompareSignals())
    d.add("time", bd.Integrator())
    d.connect("cosine", "ahead[0]")
    d.connect("sine", "ahead[1]")
    d.connect("ahead", "time")
    assert d.simulate(stop=2 * pi).final("time") == pytest.approx(pi, abs=1e-13)


@pytest.mark.parametrize("slope", [1.0, -1.0])
def test_a_signal_that_starts_on_the_level_is_seen_to_leave_it(slope: float) -> None:
    d = bd.Diagram()
    d.add("ramp", bd.Ramp(slope=slope, start=0.0))
    d.add("left", bd.Compare(operator=">" if slope > 0 else "<"))
    d.add("time", bd.Integrator())
    d.connect("ramp", "left", "time")
    assert d.simulate(stop=1.0).final("time") == pytest.approx(1.0, abs=1e-12)


def test_a_sampled_signal_is_compared_at_its_ticks() -> None:
    d = bd.Diagram()
    d.add("clock", bd.Clock())
    d.add("hold", bd.ZeroOrderHold(sample_time=0.25))
    d.add("a", bd.Compare(operator=">=", value=0.6))
    d.add("x", bd.Integrator())
    d.connect("clock", "hold", "a", "x")
    assert d.simulate(stop=2.0).final("x") == pytest.approx(2.0 - 0.75, abs=1e-13)
