"""What is seen of a linear model: its text, and its frequency response as a figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.signal
from matplotlib.axes import Axes

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError
from blockdyn.analysis.models.linear_model import LinearModel
from blockdyn.plots.models.bode import GAIN, PHASE
from blockdyn.plots.style import Style


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
    with pytest.raises(bd.BlockdynError, match="is not a known image format"):
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


def _ends(axes: Axes, color: str) -> tuple[list[float], list[float]]:
    """Where the only bar of that colour in the axes begins and ends."""
    (bar,) = [line for line in axes.lines if line.get_color() == color and len(line.get_xdata()) > 1]
    (x0, *_, x1), (y0, *_, y1) = bar.get_data()
    return [x0, x1], [y0, y1]


def _said(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


@pytest.mark.parametrize("style", ["screen", "paper"])
def test_margins_are_marked(style: Style) -> None:
    """4 / (s (s + 1) (s + 2)) is real at sqrt(2), where it is -4 / 6; its gain may be 1.5 times that."""
    model = model_of([4.0], [1.0, 3.0, 2.0, 0.0])
    gain, phase = model.bode(margins=True, style=style).axes
    crossover = model.margins().phase_frequency
    x, y = _ends(gain, GAIN)
    np.testing.assert_allclose(x, np.sqrt(2.0), rtol=1e-9)
    np.testing.assert_allclose(y, [-20.0 * np.log10(1.5), 0.0], atol=1e-9)
    x, y = _ends(phase, PHASE)
    np.testing.assert_allclose(x, crossover, rtol=1e-12)
    lag = -90.0 - np.degrees(np.arctan(crossover) + np.arctan(crossover / 2.0))
    np.testing.assert_allclose(y, [lag, -180.0], atol=1e-6)
    assert "gain margin 3.52 dB at 1.41 rad/s" in _said(gain)
    assert "phase margin 11.4\N{DEGREE SIGN} at 1.14 rad/s" in _said(gain)
    axes = model.nyquist(style=style).axes[0]
    np.testing.assert_allclose(_ends(axes, GAIN), [[-1.0, -2.0 / 3.0], [0.0, 0.0]], atol=1e-9)
    x, y = _ends(axes, PHASE)
    np.testing.assert_allclose([x[1], y[1]], [np.cos(np.radians(lag)), np.sin(np.radians(lag))], atol=1e-9)


def test_figures_say_that_the_closed_loop_is_unstable() -> None:
    """k / (s (s + 1) (s + 2)) is unstable when closed for k > 6."""
    for k in (5.9, 6.1):
        model = model_of([k], [1.0, 3.0, 2.0, 0.0])
        for figure in (model.bode(margins=True), model.nyquist()):
            assert ("the closed loop is unstable" in _said(figure.axes[0])) == (k > 6.0)


def test_crossings_outside_the_usual_frequencies_are_seen() -> None:
    """1e5 / (s + 1) has the gain 1 at sqrt(1e10 - 1) rad/s, far above its pole; 1 / (s + 2) nowhere."""
    gain, _ = model_of([1e5], [1.0, 1.0]).bode(margins=True).axes
    assert gain.get_xlim()[1] > 1e5
    assert "gain margin infinite" in _said(gain)
    assert "phase margin infinite" in _said(model_of([1.0], [1.0, 2.0]).bode(margins=True).axes[0])


def test_margins_are_those_of_one_loop() -> None:
    several = bd.load("two-tanks").linearize(outputs=["h1", "h2"], inputs=["h1.u", "h2.u"])
    with pytest.raises(AnalysisError, match="one of each"):
        several.bode(margins=True)
    assert several._repr_html_().count("<svg") == 1


@pytest.mark.parametrize("sample_time", [0.0, 0.1])
def test_a_gain_of_zero_has_its_axes(sample_time: float) -> None:
    nothing = np.zeros((1, 1))
    model = LinearModel(
        -np.eye(1),
        np.eye(1),
        nothing,
        nothing,
        np.zeros(1),
        np.zeros(1),
        ("x",),
        ("u",),
        ("y",),
        (),
        sample_time,
    )
    low, high = model.bode(margins=True).axes[0].get_xlim()
    assert 0.0 < low < high
    assert "<svg" in model._repr_html_()
