"""Statistics and SettlingTime: integrals, extremes and instants in closed form."""

from __future__ import annotations

from math import log, pi

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("compiled", [True, False])
def test_of_a_sine_and_of_jumps(compiled: bool) -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Sine(bias=[0.5, -1.0])), d.add("of", bd.Statistics()))
    d.connect(
        d.add("steps", bd.PiecewiseConstant(times=[0.0, 1.0, 2.0], values=[3.0, -1.0, 2.0])),
        d.add("jumps", bd.Statistics()),
    )
    times = np.array([0.0, 1.0, 2.0, 4.0, 6.0])
    r = d.simulate(times=times, rtol=1e-10, atol=1e-12, compiled=compiled)
    t = times[1:, None]
    bias = np.array([0.5, -1.0])
    mean = (1 - np.cos(t)) / t + bias
    square = (t / 2 - np.sin(2 * t) / 4 + 2 * bias * (1 - np.cos(t))) / t + bias**2
    np.testing.assert_allclose(r["of.mean"].values[1:], mean, atol=1e-9)
    np.testing.assert_allclose(r["of.rms"].values[1:], np.sqrt(square), atol=1e-9)
    np.testing.assert_allclose(r["of.rms"].values[0], np.abs(bias), atol=1e-15)
    top = np.where(times < pi / 2, np.sin(times), 1.0)
    low = np.where(times < pi, 0.0, np.where(times < 3 * pi / 2, np.sin(times), -1.0))
    np.testing.assert_allclose(r["of.max"].values, top[:, None] + bias, atol=1e-12)
    np.testing.assert_allclose(r["of.min"].values, low[:, None] + bias, atol=1e-12)
    assert r["jumps.max"].values.tolist() == [3.0] * 5
    assert r["jumps.min"].values.tolist() == [3.0, -1.0, -1.0, -1.0, -1.0]
    assert r["jumps.mean"].values[-1] == pytest.approx((3.0 - 1.0 + 2.0 * 4.0) / 6.0, abs=1e-12)


def test_since_when_a_signal_has_settled() -> None:
    """1 - exp(-t) is within 0.02 of 1 from ln 50 on; a step of 1 into the target begins it anew."""
    d = bd.Diagram()
    d.connect(d.add("y", bd.TransferFunction([1.0], [1.0, 1.0])), d.add("settled", bd.SettlingTime())["u"])
    d.connect(
        d.add("r", bd.PiecewiseConstant(times=[0.0, 10.0], values=[1.0, 2.0])),
        [d["y"], d["settled"]["target"]],
    )
    r = d.simulate(times=[2.0, 5.0, 11.0, 20.0], rtol=1e-11, atol=1e-13)
    again = 10.0 + log((1.0 + np.exp(-10.0)) * 50.0)
    np.testing.assert_allclose(r["settled.time"].values, [2.0, log(50.0), 11.0, again], atol=1e-9)
    assert r["settled.settled"].values.tolist() == [0.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("kink", [0.3, 1.137, 2.0 / 3.0])
def test_a_minimum_at_a_kink_that_nothing_announces_is_one_event_at_the_kink(kink: float) -> None:
    def falls_and_rises(u: float) -> float:
        return (u - kink) ** 2 if u < kink else 2.0 * (u - kink)

    d = bd.Diagram()
    d.connect(d.add("t", bd.Ramp()), d.add("u", bd.Function(falls_and_rises)), d.add("s", bd.Statistics()))
    d.connect(d["u"], d.add("lag", bd.TransferFunction([1.0], [0.3, 1.0])))
    r = d.simulate(stop=2.0)
    lowest = [event.time for event in r.events if event.detail == "bottom"]
    assert lowest == pytest.approx([kink], abs=1e-12)
    assert r.final("s.min") == pytest.approx(0.0, abs=1e-12)
