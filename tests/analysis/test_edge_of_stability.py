"""Poles on the edge of stability, against closed forms."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import blockdyn as bd


def unit_feedback(num: list[float], den: list[float]) -> bd.Diagram:
    d = bd.Diagram()
    e = d.add("e", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=1.0)), e[0])
    d.connect(e, d.add("P", bd.TransferFunction(num, den)), [e[1], d.add("y", bd.Outport())])
    return d


MARGINAL = [
    ([60.0], [1.0, 6.0, 11.0, 6.0], sqrt(11.0)),  # poles -6, +-j sqrt(11)
    ([8.0], [1.0, 3.0, 3.0, 1.0], sqrt(3.0)),  # -3, +-j sqrt(3)
    ([1.0], [1.0, 0.0, 4.0], sqrt(5.0)),
    ([2.0e9], [1.0, 3.0e3, 2.0e6, 4.0e9], sqrt(2.0e6)),  # s^3 + 3000 s^2 + 2e6 s + 6e9
]


@pytest.mark.parametrize(("num", "den", "omega"), MARGINAL)
def test_a_pair_on_the_imaginary_axis(num: list[float], den: list[float], omega: float) -> None:
    d = unit_feedback(num, den)
    model = d.linearize()
    assert not model.stable
    assert model.marginal
    assert "marginal" in str(model)
    pair = [pole for pole in model.poles() if pole.real == 0.0]
    assert np.abs(pair) == pytest.approx([omega, omega], rel=1e-12)
    period = 2.0 * np.pi / omega
    assert period < model.step().times[-1] < 1000.0 * period
    margins = d.loop("P").margins()
    assert not margins.stable
    assert margins.modulus == 0.0
    assert "marginal" in str(margins)
    assert "marginal" in str(d.loop("P").bode(margins=True, show=False).axes[0].get_legend().texts)


@pytest.mark.parametrize("k", [0.999, 1.001])
def test_near_the_edge_it_is_judged_as_ever(k: float) -> None:
    model = unit_feedback([60.0 * k], [1.0, 6.0, 11.0, 6.0]).linearize()
    assert model.stable == (k < 1.0)
    assert not model.marginal


@pytest.mark.parametrize("slow", [1e-3, 1e-9])
def test_a_fast_filter_does_not_blur_a_slow_pole(slow: float) -> None:
    """A pole at -1e-9 1/s before one at -1e9 1/s is stable: neither changes the other."""
    d = bd.Diagram()
    lag, filtered = bd.TransferFunction([1.0], [1.0, slow]), bd.TransferFunction([1e9], [1.0, 1e9])
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("slow", lag), d.add("filter", filtered))
    d.connect("filter", d.add("y", bd.Outport()))
    assert d.linearize().stable


def test_on_the_unit_circle() -> None:
    """x+ = (1 - h k) x at h k = 2: -1, which never decays; a rotation by 1 rad; an accumulator."""
    d = bd.Diagram("alternating")
    e = d.add("e", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=1.0)), e[0])
    d.connect(e, d.add("k", bd.Gain(20.0)), d.add("q", bd.DiscreteIntegrator(sample_time=0.1)), e[1])
    assert d.linearize("r", "q").marginal
    turn = [[np.cos(1.0), -np.sin(1.0)], [np.sin(1.0), np.cos(1.0)]]
    block = bd.DiscreteStateSpace(A=turn, B=[[1.0], [0.0]], C=[[1.0, 0.0]], D=[[0.0]], sample_time=0.1)
    d = bd.Diagram("turning")
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("x", block), d.add("y", bd.Outport()))
    model = d.linearize()
    assert model.marginal
    assert not model.stable
    for pole in model.damping():
        assert pole.damping == 0.0
        assert pole.time_constant == np.inf
        assert pole.frequency == pytest.approx(10.0)


def test_the_locus_of_an_oscillator_is_the_axis() -> None:
    """s^2 + 4 + k = 0: gains that move the poles, none of which is an edge."""
    locus = unit_feedback([1.0], [1.0, 0.0, 4.0]).loop("P").root_locus()
    assert locus.gains[-1] > 100.0
    np.testing.assert_allclose(np.abs(locus.poles[:, 0]), np.sqrt(4.0 + locus.gains), rtol=1e-12)
    assert not locus.crossings
    assert not locus.stable.any()


def test_a_branch_on_the_axis_is_no_edge() -> None:
    """(s^2 - 3) / (s^2 (s^2 - 5)): s^2 has one positive and one negative root for every k > 0."""
    locus = unit_feedback([1.0, 0.0, -3.0], [1.0, 0.0, -5.0, 0.0, 0.0]).loop("P").root_locus()
    assert not locus.crossings
    assert np.all(np.sum(locus.poles[1:].real > 0.0, axis=1) == 1)


def test_a_limit_of_tuning_at_the_edge_is_named() -> None:
    d = unit_feedback([60.0], [1.0, 6.0, 11.0, 6.0])
    ensemble = d.sweep({"P.num": [[6.0], [60.0]]}, {"gain": {"gain_margin": "P"}}, stop=1.0).run()
    assert ensemble["gain"][0] == pytest.approx(10.0, rel=1e-9)
    assert np.isnan(ensemble["gain"][1])
    assert "edge of stability" in ensemble.to_frame()["reason"][1]
