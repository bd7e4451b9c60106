"""Step and impulse responses of linear models at any times, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.models.linear_model import LinearModel


def model(block: bd.Block) -> LinearModel:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("g", block), d.add("y", bd.Outport()))
    return d.linearize()


def sampled(h: float) -> LinearModel:
    """1 / (z - 1/2): after a step 2 (1 - 2^-k)."""
    return model(bd.DiscreteTransferFunction(sample_time=h, num=[1.0], den=[1.0, -0.5]))


@pytest.mark.parametrize("h", [0.01, 0.7, 0.1, 0.12493963338370018])
def test_a_sampled_output_lasts_until_the_next_tick(h: float) -> None:
    ticks = np.array([0, 1, 2, 5, 40, 41, 300])
    expected = 2.0 * (1.0 - 0.5**ticks)
    np.testing.assert_allclose(sampled(h).step(ticks * h).values[:, 0, 0], expected, rtol=1e-12)
    later = np.sort(np.concatenate([ticks * h, (ticks + 0.4) * h]))
    np.testing.assert_allclose(sampled(h).step(later).values[:, 0, 0], np.repeat(expected, 2), rtol=1e-12)
    pulse = np.where(ticks > 0, 0.5 ** (ticks - 1.0), 0.0) / h
    np.testing.assert_allclose(sampled(h).impulse(ticks * h).values[:, 0, 0], pulse, rtol=1e-12)


@pytest.mark.parametrize("times", [np.array([0.0, 0.1, 0.5, 30.0]), np.linspace(0.0, 9.0, 300)])
def test_a_lag_at_any_times(times: np.ndarray) -> None:
    lag = model(bd.TransferFunction([1.0], [1.0, 1.0]))
    np.testing.assert_allclose(lag.step(times).values[:, 0, 0], 1.0 - np.exp(-times), atol=1e-12)
    np.testing.assert_allclose(lag.impulse(times).values[:, 0, 0], np.exp(-times), atol=1e-12)


def test_two_inputs_and_outputs_one_at_a_time() -> None:
    """y = diag(1, 2) x + [[0, 3], [0, 0]] u with x' = -x + u."""
    two = bd.StateSpace(
        A=-np.eye(2), B=np.eye(2), C=np.diag([1.0, 2.0]), D=np.array([[0.0, 3.0], [0.0, 0.0]])
    )
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(size=2, default=[0.0, 0.0])), d.add("g", two), d.add("y", bd.Outport()))
    t = np.array([0.0, 0.2, 1.0])
    values = d.linearize().step(t).values
    rise = 1.0 - np.exp(-t)
    expected = np.moveaxis(np.array([[rise, 3.0 + 0.0 * t], [0.0 * t, 2.0 * rise]]), -1, 0)
    np.testing.assert_allclose(values, expected, atol=1e-12)


def test_the_distance_from_minus_one_that_falls_to_its_limit() -> None:
    """|1 + 1 / (s + 1)| falls from 2 to 1 at infinity."""
    d = bd.Diagram()
    e = d.add("e", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=1.0)), e[0])
    d.connect(e, d.add("P", bd.TransferFunction([1.0], [1.0, 1.0])), e[1])
    margins = d.loop("P").margins()
    assert margins.modulus == 1.0
    assert margins.modulus_frequency == np.inf
