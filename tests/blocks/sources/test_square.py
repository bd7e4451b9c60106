"""Square: edges that stay exact at awkward periods, whatever the tolerances."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp

import numpy as np
import pytest

import blockdyn as bd


def wave_into(block: bd.Block, stop: float, **wave: float) -> bd.Result:
    d = bd.Diagram()
    d.add("wave", bd.Square(**wave))
    d.add("x", block)
    d.connect("wave", "x")
    return d.simulate(stop=stop)


@pytest.mark.parametrize("cycles", [33, 10, 13, 7, 61])
def test_whole_periods_integrate_to_nothing(cycles: int) -> None:
    period = 10 / cycles  # 3.3 Hz, 1 Hz, 1.3 Hz ...
    r = wave_into(bd.Integrator(), 10.0, period=period)
    assert abs(r.final("x")) < 1e-13
    assert r.trace("x").values.max() == pytest.approx(period / 2, rel=1e-12)
    assert r.trace("x").values.min() > -1e-13


def test_the_integral_is_known_between_edges_too() -> None:
    r = wave_into(bd.Integrator(), 3.0, period=1 / 3.3, duty=0.3, amplitude=2.0, bias=0.5, offset=0.11)
    edges, sign = [Fraction(0), Fraction(11, 100)], -1
    while edges[-1] < 3:
        edges.append(edges[-1] + Fraction(10, 33) * (Fraction(3, 10) if sign < 0 else Fraction(7, 10)))
        sign = -sign
    edges[-1] = Fraction(3)
    levels = [Fraction(-3, 2), Fraction(5, 2)]
    area = sum((b - a) * levels[i % 2] for i, (a, b) in enumerate(pairwise(edges)))
    assert r.final("x") == pytest.approx(float(area), abs=1e-12)


def test_resistor_and_capacitor_driven_at_1_3_hz() -> None:
    r = wave_into(bd.TransferFunction(num=[1.0], den=[0.2, 1.0]), 10.0, period=1 / 1.3)
    voltage, decay = 0.0, exp(-0.5 / 1.3 / 0.2)
    for half in range(26):
        level = 1.0 if half % 2 == 0 else -1.0
        voltage = level + (voltage - level) * decay
    assert r.final("x") == pytest.approx(voltage, abs=1e-5)


def test_every_edge_is_hit_at_the_double_nearest_to_it() -> None:
    d = bd.Diagram()
    d.add("wave", bd.Square(period=0.1, offset=0.3))
    times = d.simulate(stop=1000.0).trace("wave").time
    assert np.isin([float(Fraction(3, 10) + Fraction(k, 20)) for k in range(19_000)], times).all()


@pytest.mark.parametrize(("time", "value"), [(0.2, -1.0), (0.3, 1.0), (0.79, 1.0), (0.8, -1.0), (1.3, 1.0)])
def test_the_edge_belongs_to_what_follows(time: float, value: float) -> None:
    d = bd.Diagram()
    d.add("wave", bd.Square(offset=0.3))
    assert d.simulate(stop=time).final("wave") == value


def test_a_negative_offset_starts_within_the_wave() -> None:
    d = bd.Diagram()
    d.add("wave", bd.Square(offset=-0.75))
    d.add("x", bd.Integrator())
    d.connect("wave", "x")
    r = d.simulate(stop=0.5)
    assert r.trace("wave").values[0] == -1.0
    assert r.final("x") == pytest.approx(-0.25 + 0.25, abs=1e-15)


@pytest.mark.parametrize("wrong", [{"period": 0.0}, {"duty": 1.0}, {"duty": 0.0}, {"period": float("inf")}])
def test_impossible_waves_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(bd.ParameterError, match=next(iter(wrong))):
        bd.Square(**wrong)
