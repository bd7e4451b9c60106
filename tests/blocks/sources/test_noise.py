"""PRBS, FilteredNoise and PinkNoise: sequences of SciPy, exact covariances, spectra."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import max_len_seq, welch

import blockdyn as bd


@pytest.mark.parametrize("order", [2, 3, 5, 8, 11, 16])
def test_a_maximum_length_sequence_has_every_register_once_and_no_correlation(order: int) -> None:
    length = 2**order - 1
    d = bd.Diagram()
    d.add("bits", bd.PRBS(order=order, sample_time=1.0))
    y = d.simulate(stop=2.0 * length)["bits"].values[: 2 * length]
    np.testing.assert_array_equal(y[:length], y[length:])
    spectrum = np.abs(np.fft.fft(y[:length])) ** 2  # that of 1, -1/n, -1/n, ... in autocorrelation
    np.testing.assert_allclose(spectrum[1:], length + 1.0, rtol=1e-6)
    assert spectrum[0] == pytest.approx(1.0)


def test_the_sequence_is_that_of_scipy_up_to_where_it_begins() -> None:
    d = bd.Diagram()
    d.add("bits", bd.PRBS(order=7, sample_time=0.1, low=0.0, high=1.0, seed=77))
    ours = d.simulate(stop=12.7)["bits"].values[:127]
    theirs = max_len_seq(7, taps=[6])[0].astype(float)
    turned = {tuple(np.roll(way, k)) for k in range(127) for way in (theirs, theirs[::-1])}
    assert tuple(ours) in turned


@pytest.fixture(scope="module")
def noises() -> bd.Result:
    d = bd.Diagram("noises")
    d.add("filtered", bd.FilteredNoise(sd=[0.5, 2.0], mean=1.0, time_constant=0.2, sample_time=0.05))
    d.add("pink", bd.PinkNoise(sd=3.0, lowest=0.02, sample_time=0.05))
    return d.simulate(stop=10_000.0, seed=4)


def test_filtered_noise_has_the_covariance_of_its_process_at_every_lag(noises: bd.Result) -> None:
    y = noises["filtered"].values - 1.0
    n = len(y)
    for lag in (0, 1, 4, 12):
        measured = np.mean(y[: n - lag] * y[lag:], axis=0)
        expected = np.array([0.25, 4.0]) * np.exp(-lag * 0.05 / 0.2)
        # n samples with a memory of 8 ticks: a standard error of about sd^2 sqrt(8 / n)
        np.testing.assert_allclose(measured, expected, atol=4.0 * np.sqrt(8.0 / n) * 4.0)
    assert abs(np.corrcoef(y.T)[0, 1]) < 4.0 * np.sqrt(8.0 / n)


def test_pink_noise_falls_by_three_decibels_an_octave(noises: bd.Result) -> None:
    y = noises["pink"].values
    assert np.std(y) == pytest.approx(3.0, rel=0.1)
    f, density = welch(y, fs=20.0, nperseg=8192)
    band = (f > 0.04) & (f < 2.0)
    slope = np.polyfit(np.log(f[band]), np.log(density[band]), 1, w=1.0 / np.sqrt(f[band]))[0]
    assert slope == pytest.approx(-1.0, abs=0.04)


def test_pink_noise_is_within_a_quarter_of_a_decibel_of_one_over_f() -> None:
    """The density of a sum of sampled first-order processes is known: (1 - a^2) / |1 - a exp(-iw)|^2 each."""
    block = bd.PinkNoise(lowest=0.01, sample_time=0.001)
    a = np.asarray(block.constants()["decays"])
    f = np.geomspace(0.02, 100.0, 300)  # a tenth of the sampling rate
    turn = np.exp(-2j * np.pi * f * 0.001)
    density = np.sum((1 - a**2)[:, None] / np.abs(1 - a[:, None] * turn) ** 2, axis=0)
    level = 10 * np.log10(density * f)
    assert np.ptp(level[(f > 0.05) & (f < 40.0)]) < 0.5
    assert np.ptp(level) < 1.5


def test_the_first_sample_is_as_likely_as_any_other_and_depends_on_the_seed() -> None:
    d = bd.Diagram()
    d.add("noise", bd.FilteredNoise(sd=[1.0] * 4000, time_constant=100.0, sample_time=1.0))
    run = d.simulate(stop=2.0, seed=3)
    y = run["noise"].values
    assert np.std(y[0]) == pytest.approx(1.0, abs=0.04)
    assert np.mean(y[0] * y[1]) == pytest.approx(np.exp(-0.01), abs=0.05)
    np.testing.assert_array_equal(y, d.simulate(stop=2.0, seed=3)["noise"].values)
    assert not np.any(y[0] == d.simulate(stop=2.0, seed=5)["noise"].values[0])
