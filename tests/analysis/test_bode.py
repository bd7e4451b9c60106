"""What is seen of a linear model: its text, and its frequency response as a figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.signal

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError
from blockdyn.analysis.models.linear_model import LinearModel


def model_of(num: list[float], den: list[float], sample_time: float | None = None) -> LinearModel:
    d = bd.Diagram("plant")
    plant = d.add("plant", bd.TransferFunction(num, den))
    d.connect(d.add("u", bd.Inport(default=0.0)), plant, d.add("y", bd.Outport()))
    return d.linearize(sample_time=sample_time)


@pytest.mark.parametrize(("num", "den"), [([2.0, 1.0], [1.0, 0.3, 4.0]), ([5.0], [1.0, 2.0, 2.0, 1.0])])
def test_gain_and_phase_are_scipys(num: list[float], den: list[float]) -> None:
    omega = np.geomspace(0.05, 50.0, 300)
    gain, phase = (axes.lines[0].get_ydata() for axes in model_of(num, den).bode(omega).axes)
    _, level, angle = scipy.signal.bode((num, den), omega)
    np.testing.assert_allclose(gain, level, rtol=0, atol=1e-9)
    np.testing.assert_allclose(phase, angle, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("den", "degrees"), [([1.0, 0.0], -90.0), ([1.0, 0.0, 0.0], -180.0)])
def test_integrators_have_the_phase_of_textbooks(den: list[float], degrees: float) -> None:
    _, phase = model_of([3.0], den).bode().axes
    np.testing.assert_allclose(np.asarray(phase.lines[0].get_ydata()), degrees, rtol=0, atol=1e-6)


def test_a_resonance_between_two_frequencies_is_not_missed() -> None:
    """The peak of 1 / (s^2 + 2 z s + 1) is 1 / (2 z sqrt(1 - z^2))."""
    z = 1e-5
    gain, _ = model_of([1.0], [1.0, 2.0 * z, 1.0]).bode().axes
    peak = -20.0 * np.log10(2.0 * z * np.sqrt(1.0 - z * z))
    assert np.max(np.asarray(gain.lines[0].get_ydata())) == pytest.approx(peak, abs=0.1)


def test_in_discrete_time_it_ends_at_half_the_sampling_frequency() -> None:
    gain, _ = model_of([1.0], [1.0, 1.0], sample_time=0.1).bode().axes
    assert np.asarray(gain.lines[-1].get_xdata())[-1] == pytest.approx(np.pi / 0.1)


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_a_file_is_written(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"bode.{suffix}"
    model_of([1.0], [1.0, 1.0]).bode(file=file, style="paper")
    assert file.stat().st_size > 1000


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    model = model_of([1.0], [1.0, 1.0])
    with pytest.raises(AnalysisError, match="0 inputs and 1 output"):
        model.part(inputs=[]).bode()
    with pytest.raises(bd.BlockdynError, match="names no picture"):
        model.bode(file=tmp_path / "bode.txt")
    with pytest.raises(AnalysisError, match="frequencies of shape"):
        model.bode([[1.0, 2.0]])


def test_text_says_kind_names_poles_and_matrices() -> None:
    model = model_of([1.0], [1.0, 2.0])
    text = str(model)
    assert text.splitlines()[0] == "LinearModel, continuous: 1 state, 1 input, 1 output, stable"
    assert "poles    -2\n" in text
    assert "A = [[-2.]]" in text
    assert "not stable" in str(model_of([1.0], [1.0, -1.0]))
    assert "discrete, every 0.5 s" in str(model_of([1.0], [1.0, 2.0], sample_time=0.5))
    assert "LinearModel, continuous" in model._repr_html_()


def test_a_first_order_lag_is_a_circle(tmp_path: Path) -> None:
    """4 / (s + 1) lies on the circle around 2 with radius 2, below the real axis."""
    axes = model_of([4.0], [1.0, 1.0]).nyquist(file=tmp_path / "loop.svg").axes[0]
    x, y = np.asarray(axes.lines[2].get_xdata()), np.asarray(axes.lines[2].get_ydata())
    np.testing.assert_allclose(np.hypot(x - 2.0, y), 2.0, rtol=1e-12)
    assert np.all(y < 0.0)


def test_a_map_has_poles_and_zeros() -> None:
    axes = model_of([1.0, 3.0], [1.0, 2.0, 5.0]).pole_map().axes[0]
    poles, zeros = axes.lines[2:]
    np.testing.assert_allclose(sorted(np.asarray(poles.get_ydata())), [-2.0, 2.0], rtol=1e-12)
    np.testing.assert_allclose(np.asarray(zeros.get_xdata()), [-3.0], rtol=1e-9)
    with pytest.raises(AnalysisError, match="one of each"):
        bd.load("two-tanks").linearize(outputs=["h1", "h2"], inputs=["h1.u", "h2.u"]).nyquist()
