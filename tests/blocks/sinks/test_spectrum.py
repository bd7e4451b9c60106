"""Spectrum: NumPy's transform of the same samples."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

T, N = 0.01, 32


@pytest.mark.parametrize("compiled", [True, False])
def test_amplitudes_are_those_of_the_fourier_transform(compiled: bool) -> None:
    """Two sines on the grid of frequencies: their amplitudes, and zero elsewhere; others as NumPy says."""
    f = 1.0 / (N * T)
    d = bd.Diagram()
    d.add("u", bd.Expression(f"0.5 + 3*sin({2 * np.pi * 4 * f}*t) + 0.2*cos({2 * np.pi * 9 * f}*t + 1)"))
    d.connect("u", d.add("lines", bd.Spectrum(T, length=N, window="rectangular")))
    d.connect(d.add("two", bd.Expression("sin(40*t) + t*v")), d.add("hann", bd.Spectrum(T, length=N)))
    d.connect(d.add("v", bd.Constant([0.0, 2.0])), d["two"]["v"])
    r = d.simulate(stop=(N - 1) / 100.0, every=T, compiled=compiled)
    expected = np.zeros(N // 2 + 1)
    expected[[0, 4, 9]] = 0.5, 3.0, 0.2
    np.testing.assert_allclose(r.final("lines"), expected, atol=1e-12)
    t = np.arange(N) / 100.0
    u = np.sin(40 * t)[:, None] + t[:, None] * np.array([0.0, 2.0])
    w = np.sin(np.pi * np.arange(N) / N)[::-1] ** 2  # the latest sample has the first weight
    shown = 2 * np.abs(np.fft.rfft(u * w[:, None], axis=0)) / w.sum()
    shown[[0, -1]] /= 2
    np.testing.assert_allclose(r.final("hann"), shown, atol=1e-12)


def test_an_odd_length_is_refused() -> None:
    with pytest.raises(bd.ParameterError, match="an even number from 2 to 2048"):
        bd.Spectrum(T, length=33)
