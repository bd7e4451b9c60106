"""Sine: its closed-form integral, and no period overlooked."""

from __future__ import annotations

from math import cos, pi

import numpy as np
import pytest

import blockdyn as bd


def test_integral_in_closed_form() -> None:
    d = bd.Diagram()
    d.add("sine", bd.Sine(amplitude=2.0, frequency=5.0, phase=0.3, bias=1.0))
    d.add("x", bd.Integrator())
    d.connect("sine", "x")
    expected = 7.0 + 2.0 / 5.0 * (cos(0.3) - cos(5.0 * 7.0 + 0.3))
    assert d.simulate(stop=7.0, rtol=1e-10, atol=1e-12).final("x") == pytest.approx(expected, abs=1e-9)


def test_mean_of_the_square_of_a_fast_wave_is_one_half() -> None:
    d = bd.Diagram()
    d.add("sine", bd.Sine(frequency=2 * pi * 50))
    d.add("power", bd.Power())
    d.add("mean", bd.Integrator())
    d.connect("sine", "power", "mean")
    assert d.simulate(stop=1.0).final("mean") == pytest.approx(0.5, abs=1e-5)


def test_three_phases_add_up_to_nothing() -> None:
    d = bd.Diagram()
    d.add("sine", bd.Sine(frequency=100 * pi, phase=[0.0, 2 * pi / 3, 4 * pi / 3]))
    phases = d.simulate(stop=0.04).trace("sine").values
    assert phases.shape[1:] == (3,)
    assert np.abs(phases.sum(axis=1)).max() < 1e-13


def test_a_constant_sine_limits_no_step() -> None:
    assert bd.Sine(frequency=0.0).longest_step() == np.inf
    assert bd.Sine(frequency=[1.0, -2.0]).longest_step() == pytest.approx(pi / 8)
