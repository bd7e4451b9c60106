"""Responses to sines, by runs: linear models for small ones, describing functions for large ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError


def between(*blocks: bd.Block) -> bd.Diagram:
    """A chain of blocks b0, b1, ... from the Inport u to the Outport y."""
    d = bd.Diagram("chain")
    chain = [d.add(f"b{i}", block) for i, block in enumerate(blocks)]
    d.connect(d.add("u", bd.Inport(default=0.0)), *chain, d.add("y", bd.Outport()))
    return d


def servo() -> bd.Diagram:
    """A speed loop with a limited voltage: 4 (r - y), at most 1, into 2 / (0.5 s + 1)."""
    d = bd.Diagram("servo")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.1)), error[0])
    limit = d.add("limit", bd.Saturation(lower=-1.0, upper=1.0))
    motor = d.add("motor", bd.TransferFunction([2.0], [0.5, 1.0]))
    d.connect(error, d.add("gain", bd.Gain(4.0)), limit, motor, [error[1], d.add("y", bd.Outport())])
    return d


def test_small_sines_have_the_response_of_the_linear_model() -> None:
    """Closed: 8 / (0.5 s + 9). Open at the error: 8 / (0.5 s + 1)."""
    d = servo()
    point = d.trim(inputs={"r": 0.1})
    omega = np.geomspace(0.1, 100.0, 4)
    closed = d.frequency_response(omega, "r", ["y", "motor.u"], amplitude=1e-3, at=point)
    s = 1j * omega
    np.testing.assert_allclose(closed.values[:, 0], 8.0 / (0.5 * s + 9.0), rtol=1e-6)
    np.testing.assert_allclose(closed.values[:, 1], 4.0 * (0.5 * s + 1.0) / (0.5 * s + 9.0), rtol=1e-6)
    assert np.all(closed.distortion < 1e-5)
    loop = -d.frequency_response(omega, "error", amplitude=1e-3, at=point, open="error", outputs="error")
    np.testing.assert_allclose(loop.values[:, 0], 8.0 / (0.5 * s + 1.0), rtol=1e-6)
    expected = loop.model.frequency_response(omega)[:, 0, 0]
    np.testing.assert_allclose(loop.values[:, 0], expected, rtol=1e-6)


def test_a_resonance_settles_though_it_would_ring_for_thousands_of_periods() -> None:
    z, omega = 1e-5, np.array([0.5, 1.0, 3.0])
    f = between(bd.TransferFunction([1.0], [1.0, 2 * z, 1.0])).frequency_response(omega, "u", amplitude=1.0)
    expected = 1.0 / (1.0 - omega**2 + 2j * z * omega)
    np.testing.assert_allclose(f.values[:, 0], expected, rtol=1e-5)


def saturation(a: float) -> float:
    """N(a) of a limit at 1 with slope 1."""
    return 2 / np.pi * (np.arcsin(1 / a) + np.sqrt(1 - 1 / a**2) / a)


CASES: list[tuple[bd.Block, float, complex]] = [
    (bd.Saturation(lower=-1.0, upper=1.0), 3.0, saturation(3.0)),
    (bd.DeadZone(lower=-1.0, upper=1.0), 3.0, 1.0 - saturation(3.0)),
    (bd.Expression("u**3"), 2.0, 0.75 * 2.0**2),
    (bd.Expression("abs(u) * u"), 2.0, 8 / (3 * np.pi) * 2.0),
]


@pytest.mark.parametrize(("block", "amplitude", "gain"), CASES)
def test_large_sines_have_the_describing_functions_of_textbooks(
    block: bd.Block, amplitude: float, gain: complex
) -> None:
    """Gelb and Vander Velde (1968), appendix B."""
    f = between(block).frequency_response(2.0, "u", amplitude=amplitude)
    assert f.values[0, 0] == pytest.approx(gain, rel=1e-5)


def test_a_cube_has_a_third_harmonic_of_a_third() -> None:
    """sin^3 = 3/4 sin - 1/4 sin 3."""
    f = between(bd.Expression("u**3")).frequency_response([2.0], "u", amplitude=1.3)
    assert f.distortion[0, 0] == pytest.approx(1 / 3, rel=1e-6)


def test_a_held_signal_lags_by_half_a_period() -> None:
    """The first harmonic behind a hold of T: (1 - exp(-s T)) / (s T)."""
    d = between(bd.ZeroOrderHold(sample_time=0.05))
    omega = 2 * np.pi / (0.05 * np.array([40.0, 10.0]))
    s_t = 1j * omega * 0.05
    f = d.frequency_response(omega, "u", amplitude=1.0)
    np.testing.assert_allclose(f.values[:, 0], (1 - np.exp(-s_t)) / s_t, rtol=2e-3)


@pytest.mark.parametrize("ratio", [100.3, 10.0, 7.3, np.pi, 2.7])
def test_a_hold_at_any_frequency(ratio: float) -> None:
    """(1 - exp(-s T)) / (s T), whether or not the ticks fit the periods of the sine."""
    T = 0.05
    omega = 2 * np.pi / (T * ratio)
    f = between(bd.ZeroOrderHold(sample_time=T)).frequency_response(omega, "u", amplitude=1.0)
    s_t = 1j * omega * T
    assert f.values[0, 0] == pytest.approx((1 - np.exp(-s_t)) / s_t, rel=1e-5)


def quantizer(a: float) -> float:
    """N(a) of steps of 1 from -1/2, 1/2 on."""
    levels = np.arange(0.5, a, 1.0)
    return 4.0 / (np.pi * a) * float(np.sum(np.sqrt(1.0 - (levels / a) ** 2)))


def relay(a: float, h: float) -> complex:
    """N(a) of a relay between -1 and 1 with a hysteresis of h to both sides."""
    return complex(4.0 / (np.pi * a) * np.exp(-1j * np.arcsin(h / a)))


@pytest.mark.parametrize(
    ("block", "gain"),
    [
        (bd.Sign(), relay(2.0, 0.0)),
        (bd.Relay(switch_on=0.5, switch_off=-0.5, on=1.0, off=-1.0), relay(2.0, 0.5)),
        (bd.Quantizer(interval=1.0), quantizer(2.0)),
    ],
)
@pytest.mark.parametrize("omega", [1.0, 3.3])
def test_blocks_that_switch_have_the_describing_functions_of_textbooks(
    block: bd.Block, gain: complex, omega: float
) -> None:
    """Gelb and Vander Velde (1968), appendix B, of the last block, whose output is a staircase."""
    f = between(block).frequency_response(omega, "u", amplitude=2.0)
    assert f.values[0, 0] == pytest.approx(gain, rel=1e-7)


def test_points_are_drawn_over_the_line(tmp_path: Path) -> None:
    d = servo()
    f = d.frequency_response([0.3, 30.0], "r", amplitude=0.01, at=d.trim(inputs={"r": 0.1}))
    axes = f.bode(file=tmp_path / "sines.png").axes
    for each in axes:
        line, points = each.lines[:2]
        on_line = np.interp(np.asarray(points.get_xdata()), line.get_xdata(), line.get_ydata())
        np.testing.assert_allclose(np.asarray(points.get_ydata()), on_line, atol=0.05)
    assert (tmp_path / "sines.png").stat().st_size > 1000
    assert "distortion" in str(f)


def test_what_does_not_settle_is_an_error() -> None:
    """x' = x + u runs away from any sine."""
    d = bd.Diagram()
    total = d.add("sum", bd.Sum("++"))
    d.connect(d.add("u", bd.Inport(default=0.0)), total[0])
    d.connect(total, d.add("x", bd.Integrator(0.1)), [total[1], d.add("y", bd.Outport())])
    with pytest.raises(AnalysisError, match=r"at 2 rad/s the response still changes by .* after 8 periods"):
        d.frequency_response(2.0, "u", amplitude=1e-3, periods=8)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"omega": [0.0, 1.0]}, "omega has 0"),
        ({"omega": []}, "omega is"),
        ({"amplitude": 0.0}, "amplitude is 0.0"),
        ({"amplitude": bd.Gain}, "amplitude"),
        ({"settled": "soon"}, "settled"),
        ({"input": 3}, "input"),
        ({"input": "gain.k"}, "gain is a parameter|gain.k is a parameter"),
        ({"input": "nobody"}, "nobody"),
        ({"outputs": "nobody"}, "nobody"),
    ],
)
def test_bad_input(arguments: dict[str, Any], match: str) -> None:
    given: dict[str, Any] = {"omega": 1.0, "input": "r", "amplitude": 0.1, **arguments}
    with pytest.raises(bd.BlockdynError, match=match):
        servo().frequency_response(given.pop("omega"), given.pop("input"), **given)
