"""RateLimitedLag and DiscreteRateLimiter: a step becomes a ramp, a slow signal passes."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])


@BOTH
def test_a_step_becomes_a_ramp_that_ends_exponentially(compiled: bool) -> None:
    """Up at 2 until u - y = 2 tau; then the rest decays: closed form."""
    tau = 0.05
    d = bd.Diagram()
    d.connect(d.add("u", bd.Step(time=1.0, final=3.0)), d.add("y", bd.RateLimitedLag(2.0, -1.0, tau)))
    r = d.simulate(stop=4.0, times=[1.0, 2.0, 2.45, 2.6], rtol=1e-10, atol=1e-12, compiled=compiled)
    expected = [0.0, 2.0, 2.9, 3.0 - 0.1 * exp(-0.15 / tau)]
    assert r["y"].values.tolist() == pytest.approx(expected, abs=1e-9)
    assert [round(e.time, 9) for e in r.events if e.path == "y"] == [1.0, 2.45] or any(
        e.time == pytest.approx(2.45, abs=1e-8) for e in r.events if e.path == "y"
    )


def test_a_slow_ramp_passes_with_its_lag() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Ramp(slope=[0.5, -0.5])), d.add("y", bd.RateLimitedLag(initial=[0.0, 0.0])))
    np.testing.assert_allclose(d.simulate(stop=2.0).final("y"), [0.995, -0.995], atol=1e-6)


@BOTH
def test_samples_change_by_at_most_rate_times_period(compiled: bool) -> None:
    d = bd.Diagram()
    d.add("u", bd.PiecewiseConstant(times=[0.25, 0.65], values=[1.0, -0.05]))
    d.connect("u", d.add("y", bd.DiscreteRateLimiter(sample_time=0.1, rising=4.0, falling=-5.0)))
    r = d.simulate(stop=1.0, times=np.arange(0.05, 1.0, 0.1), compiled=compiled)
    expected = [0, 0, 0, 0.4, 0.8, 1.0, 1.0, 0.5, 0.0, -0.05]
    np.testing.assert_allclose(r["y"].values, expected, atol=1e-15)


def test_limits_that_contradict() -> None:
    for kind, more in (
        (bd.RateLimitedLag, {}),
        (bd.RateLimiter, {}),
        (bd.DiscreteRateLimiter, {"sample_time": 0.1}),
    ):
        with pytest.raises(bd.ParameterError, match="falling"):
            kind(falling=1.0, **more)  # type: ignore[operator]
