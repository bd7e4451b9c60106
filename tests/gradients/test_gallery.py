"""Sensitivities of gallery diagrams against central differences of their runs."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

TIGHT = {"method": "dopri5", "rtol": 1e-11, "atol": 1e-13}


@pytest.mark.parametrize(
    ("name", "paths", "stop"),
    [
        ("cruise-gears", ["mass", "drag", "torque", "push"], 3.0),
        ("swing-up", ["g", "l", "theta0", "n"], 3.0),
        ("two-tanks", ["upper", "lower", "h1.initial", "rate1.k"], 3.0),
        ("series-elastic", ["obstacle", "limit", "drive.m1"], 0.9),
        ("velocity-loop", ["Kv", "Ki", "loop.J"], 0.9),
        ("kalman-cart", ["blur.sd", "filter.R", "gust.sd", "regulator.R"], 2.9),
    ],
)
def test_against_differences_of_order_4(name, paths, stop):
    """Bound: 1e-6 of the largest derivative, of the error of differences that goes with the fifth one."""
    d = bd.load(name)
    times = np.linspace(0.1, 0.973, 12) * stop
    s = d.sensitivities(paths, None, times, **TIGHT)
    for path in paths:
        value = s.values[path]
        step = 1e-4 * (abs(value) or 1.0)

        def run(k, path=path, value=value, step=step):
            return d.sensitivities([path], None, times, set={path: value + k * step}, **TIGHT).signals

        runs = {k: run(k) for k in (1, -1, 2, -2)}
        for signal in s.signals:
            plus, minus, far, farther = (runs[k][signal].values for k in (1, -1, 2, -2))
            difference = (8 * (plus - minus) - (far - farther)) / (12 * step)
            size = max(np.abs(difference).max(), 1e-3 * np.abs(plus).max() / (abs(value) or 1.0))
            np.testing.assert_allclose(
                s.derivatives[path][signal].values, difference, rtol=0, atol=1e-6 * size
            )


def test_a_size_that_passes_zero_as_it_dies_away():
    """What changes nothing at the zeros of |yaw rate|, some 1e-9 of its peak, has no say in the peak."""
    d = bd.load("weak-motor")
    measures = {"size": {"max": "abs(quadrotor.rates[2])"}, "peak": {"max": "quadrotor.rates[2]"}}
    g = d.gradient(measures, "left", stop=10.0, **TIGHT)
    assert g["size", "left"] == pytest.approx(g["peak", "left"], rel=1e-7)


def test_rotors_that_come_to_rest():
    """A speed goes to 0 as the root of its thrust: steps resolve the infinite slope before to 1e-3 only."""
    d, times = bd.load("quadrotor"), np.array([1.0, 1.45, 2.0])
    s = d.sensitivities(["breeze"], "quadrotor.position", times, **TIGHT)
    plus, minus = (
        d.simulate(set={"breeze": 3.0 + step}, stop=2.0, times=times, **TIGHT)["quadrotor.position"]
        for step in (1e-3, -1e-3)
    )
    difference = (plus - minus).values / 2e-3
    derivative = s["quadrotor.position", "breeze"].values
    np.testing.assert_allclose(derivative[0], difference[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(derivative, difference, rtol=0, atol=1e-3 * np.abs(difference).max())
