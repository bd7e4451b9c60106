"""Hysteresis: the sum of play operators on paths of corners and of jumps; loops that close."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

RADII, WEIGHTS, K = np.array([0.1, 0.3, 0.8]), np.array([0.5, 0.3, 0.2]), 0.1


def plays(path: np.ndarray) -> np.ndarray:
    """y at each corner: each play moves to the nearest value within its radius of u."""
    p, y = np.zeros(3), []
    for u in path:
        p = np.clip(p, u - RADII, u + RADII)
        y.append(K * u + WEIGHTS @ p)
    return np.array(y)


@pytest.mark.parametrize("compiled", [True, False])
def test_follows_the_play_operators(compiled: bool) -> None:
    path = np.random.default_rng(5).uniform(-1.5, 1.5, 12)
    path[0] = 0.0
    knots = np.arange(12.0)
    d = bd.Diagram()
    block = bd.Hysteresis(RADII, WEIGHTS, K)
    d.connect(d.add("line", bd.PiecewiseLinear(times=knots, values=path)), d.add("y", block))
    d.connect(d.add("jumps", bd.PiecewiseConstant(times=knots, values=path)), d.add("z", block))
    r = d.simulate(times=knots, compiled=compiled)
    np.testing.assert_allclose(r["y"].values[:-1], plays(path)[:-1], atol=1e-11)
    np.testing.assert_allclose(r["z"].values, plays(path), atol=1e-11)


def test_a_sine_closes_its_loop_and_its_corners_are_located() -> None:
    """After a quarter period the loop is the same each time; each play takes part 2 r below the top."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Sine()), d.add("y", bd.Hysteresis(RADII, WEIGHTS, K)))
    quarter = np.pi / 2
    r = d.simulate(times=quarter * np.arange(1, 14), rtol=1e-9)
    np.testing.assert_allclose(r["y"].values[4:], r["y"].values[:-4], atol=1e-9)
    found = [e.time for e in r.events if e.detail.startswith("lower") and e.time < 3 * quarter]
    expected = quarter + np.arccos(1.0 - 2.0 * RADII)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


def test_a_weight_is_missing() -> None:
    with pytest.raises(bd.ParameterError, match="2 numbers, one for each radius"):
        bd.Hysteresis(radii=[0.1, 0.2], weights=[1.0])
