"""Gradients of shares of time at a limit, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.native.tangent.frame import NotDifferentiable


def at_most_one(u: float) -> float:
    return min(u, 1.0)


def test_the_share_of_time_at_a_limit():
    """a sin t, cut at 1, is at it but for 4 asin(1/a) of 2 pi; from 1 to 3.5 it is until pi - asin(1/a)."""
    d = bd.Diagram("cut", parameters={"a": 2.0})
    wave, cut = d.add("wave", bd.Sine(amplitude=bd.expression("a"))), d.add("cut", bd.Saturation(-1.0, 1.0))
    d.connect(wave, cut, d.add("sum", bd.Integrator()))
    measures = {"all": {"saturated": "cut"}, "some": {"saturated": "cut", "after": 1.0, "before": 3.5}}
    g = d.gradient(measures, "a", stop=2 * np.pi, rtol=1e-9)
    edge = 1.0 / (4.0 * np.sqrt(1.0 - 0.25))  # -d asin(1/a)/da
    assert g["all", "a"] == pytest.approx(4.0 * edge / (2.0 * np.pi), rel=1e-9)
    assert g["some", "a"] == pytest.approx(edge / 2.5, rel=1e-9)


def test_the_share_of_time_at_a_limit_until_the_run_ends():
    """a t, cut at 1, sums up to 2 at T = 2 + 1/(2 a), and is at its limit from 1/a on."""
    d = bd.Diagram("cut", parameters={"a": 2.0})
    ramp, cut = d.add("ramp", bd.Ramp(slope=bd.expression("a"))), d.add("cut", bd.Saturation(-1.0, 1.0))
    far = d.add("far", bd.Compare(operator=">=", value=2.0))
    d.connect(ramp, cut, d.add("sum", bd.Integrator()), far, d.add("stop", bd.Stop()))
    g = d.gradient({"share": {"saturated": "cut"}}, "a", stop=9.0)
    assert g["share"] == pytest.approx(7 / 9)
    assert g["share", "a"] == pytest.approx(1 / 8 * 4 / 2.25**2, rel=1e-7)


def test_a_limit_that_is_no_event_has_no_gradient():
    d = bd.Diagram("cut", parameters={"a": 2.0})
    wave, cut = d.add("wave", bd.Sine(amplitude=bd.expression("a"))), d.add("cut", bd.Function(at_most_one))
    d.connect(wave, cut, d.add("sum", bd.Integrator()))
    with pytest.raises(NotDifferentiable, match=r"measure `share`: .* a limit without an event"):
        d.gradient({"share": {"saturated": "cut"}}, "a", stop=6.0)
