"""Loops with dead time: margins over all crossings, stability, pictures."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.models.stability import unstable_poles

from .dead_time import G, S, loop, transfer


def smith(model_delay: float) -> bd.Diagram:
    """PI control 2 (s + 1) / s of exp(-2 s) / (s + 1), which its predictor believes to be late otherwise."""
    d = bd.Diagram("smith")
    outer, inner, off = (d.add(name, bd.Sum("+-")) for name in ("outer", "inner", "off"))
    d.connect(d.add("r", bd.Inport(default=0.0)), outer[0])
    control = d.add("control", bd.TransferFunction(num=[2.0, 2.0], den=[1.0, 0.0]))
    plant, model = (
        d.add(name, bd.TransferFunction(num=[1.0], den=[1.0, 1.0])) for name in ("plant", "model")
    )
    d.connect(outer, inner[0])
    d.connect(
        inner, control, plant, d.add("late", bd.TransportDelay(2.0)), [outer[1], d.add("y", bd.Outport())]
    )
    d.connect(control, model, [off[0], d.add("expected", bd.TransportDelay(model_delay))])
    d.connect("expected", off[1])
    d.connect(off, inner[1])
    return d


@pytest.mark.parametrize(("k", "T"), [*itertools.product([0.2, 1.0, 2.0], [0.1, 0.5])])
def test_margins_of_an_integrator_with_dead_time(k: float, T: float) -> None:
    """Of k exp(-s T) / s: a gain of pi / (2 k T), a phase of 90 degrees less k T, and a delay of it by k."""
    margins = transfer(loop([k], [1.0, 0.0], T)).margins()
    assert margins.gain == pytest.approx(np.pi / (2.0 * k * T), rel=1e-12)
    assert margins.gain_frequency == pytest.approx(np.pi / (2.0 * T), rel=1e-12)
    assert margins.phase == pytest.approx(90.0 - np.degrees(k * T), rel=1e-12)
    assert margins.delay == pytest.approx((np.pi / 2.0 - k * T) / k, rel=1e-12)


def test_the_crossing_that_is_nearest_counts() -> None:
    """An integrator that dead time has made unstable, k T = 6, crosses -180 degrees with gains of
    k T / (pi/2 + 2 pi m): the one nearest to 1 is the second. With a direct part L turns for ever, and its
    limit counts.
    """
    margins = transfer(loop([20.0], [1.0, 0.0], 0.3)).margins()
    assert margins.gain == pytest.approx(2.5 * np.pi / 6.0, rel=1e-12)
    limit = transfer(loop([0.5, 0.0], [1.0, 1.0], 2.0)).margins()  # 0.5 s / (s + 1), from below
    assert (limit.gain, limit.gain_frequency) == (pytest.approx(2.0, rel=1e-9), np.inf)
    assert limit.modulus == pytest.approx(0.5, rel=1e-6)


def test_a_narrow_resonance_far_beyond_the_crossover() -> None:
    """0.16 exp(-20 s) / (s + 1) with a mode at 50 rad/s, damped by 1e-3, whose peak reaches 1.6 over a width
    in which the delay turns a few times: margins are those of all frequencies, looked at one by one.
    """
    den = np.polymul([1.0, 1.0], np.array([1.0 / 2500.0, 2e-3 / 50.0, 1.0]))
    d = loop([0.16], den.tolist(), 20.0)
    margins = transfer(d).margins()
    s = 1j * np.linspace(45.0, 55.0, 2_000_001)
    L = 0.16 * np.exp(-20.0 * s) / np.polyval(den, s)
    crossed = np.nonzero((np.sign(L.imag[1:]) != np.sign(L.imag[:-1])) & (L.real[1:] < 0.0))[0]
    gains = -1.0 / L.real[crossed]
    assert margins.gain == pytest.approx(gains[np.argmin(np.abs(np.log(gains)))], rel=1e-3)
    assert margins.modulus == pytest.approx(np.abs(1.0 + L).min(), rel=1e-4)


@pytest.mark.parametrize("turns", [0.1, 0.999, 1.001, 3.0, 4.9, 5.1, 30.0])
def test_stability_of_an_integrator_with_dead_time(turns: float) -> None:
    """s + k exp(-s T) has two zeros more right of the axis beyond each k T = pi/2 + 2 pi m."""
    model = loop([turns * np.pi / 2.0 / 0.3], [1.0, 0.0], 0.3).linearize()
    assert unstable_poles(model) == 2 * int((turns + 3.0) // 4.0)
    assert model.stable == (turns < 1.0)


def test_a_smith_predictor_takes_the_delay_out_of_the_loop() -> None:
    """With the right model the closed loop is 2 exp(-2 s) / (s + 2), and so it is stable.

    Source: Astrom, Murray, Feedback Systems (2008), section 10.5; Smith, Chem. Eng. Progress 53 (1957).
    """
    right = smith(2.0)
    np.testing.assert_allclose(G(right.linearize()), 2.0 * np.exp(-2.0 * S) / (S + 2.0), atol=1e-14)
    assert right.linearize().stable
    assert not smith(0.2).linearize().stable
    P, late = 2.0 / S, np.exp(-2.0 * S)
    np.testing.assert_allclose(G(transfer(right)), P * late / (1.0 + P * (1.0 - late)), rtol=1e-12)
    s = 1j * np.linspace(0.01, 20.0, 400_000)
    P, late = 2.0 / s, np.exp(-2.0 * s)
    modulus = np.abs(1.0 + P * late / (1.0 + P * (1.0 - late))).min()
    assert transfer(right).margins().modulus == pytest.approx(modulus, rel=1e-8)


def test_pictures_follow_the_turning_phase() -> None:
    figure = transfer(loop([2.0], [1.0, 1.0], 0.3)).bode(margins=True, show=False)
    line = figure.axes[1].lines[0]
    omega, phase = line.get_xdata(), line.get_ydata()
    np.testing.assert_allclose(phase, -np.degrees(0.3 * omega + np.arctan(omega)), atol=1e-6)
    assert phase[-1] < -900.0


def test_loops_of_delays_without_states() -> None:
    """1 / (1 - exp(-s)) is infinite at rest and never decays; 1 / (1 + exp(-s) / 2) does."""
    for sign, factor, stable, rest in (("++", 1.0, False, np.inf), ("+-", 0.5, True, 2.0 / 3.0)):
        d = bd.Diagram()
        total = d.add("total", bd.Sum(sign))
        d.connect(d.add("u", bd.Inport(default=0.0)), total[0])
        late, gain = d.add("late", bd.TransportDelay(1.0)), d.add("gain", bd.Gain(factor))
        d.connect(total, [late, d.add("y", bd.Outport())])
        d.connect(late, gain, total[1])
        model = d.linearize()
        assert model.stable == stable
        assert model.gain()[0, 0] == pytest.approx(rest)
        assert transfer(d, "gain").margins().gain == pytest.approx(1.0 / factor, rel=1e-9)


def test_the_equation_of_mackey_and_glass_begins_to_swing() -> None:
    """x' = 0.2 x(t - T) / (1 + x(t - T)^10) - 0.1 x rests at 1, where it is -0.4 x(t - T) - 0.1 x: two poles
    come over the axis at sqrt(0.15) T = arccos(-1/4), and two more a turn later.

    Source: Glass, Mackey, From Clocks to Chaos (1988), section 4.4.
    """
    omega = np.sqrt(0.15)
    first = np.arccos(-0.25) / omega
    for T, unstable in (
        (first - 0.01, 0),
        (first + 0.01, 2),
        (17.0, 2),
        (first + 2.0 * np.pi / omega + 0.1, 4),
    ):
        d = bd.Diagram()
        total = d.add("total", bd.Sum("+-"))
        x = d.add("x", bd.Integrator(1.2))
        late = d.add("late", bd.TransportDelay(T, initial=1.2))
        d.connect(total, x, late, d.add("made", bd.Expression("0.2*u / (1 + u**10)")), total[0])
        d.connect(x, [d.add("decays", bd.Gain(0.1)), d.add("y", bd.Outport())])
        d.connect("decays", total[1])
        point = d.trim()
        assert point.states["x.x"] == pytest.approx(1.0, rel=1e-12)
        assert unstable_poles(d.linearize("late", "y", at=point)) == unstable
        loop = -d.linearize("late", "late", open="late", at=point)
        margins = loop.margins()
        assert margins.stable == (unstable == 0)
        assert margins.delay == pytest.approx(first - T if margins.stable else np.nan, rel=1e-9, nan_ok=True)
