"""Ramp: the area under a bent line."""

from __future__ import annotations

import pytest

import blockdyn as bd


def test_area_is_a_rectangle_and_a_triangle() -> None:
    d = bd.Diagram()
    d.add("ramp", bd.Ramp(slope=3.0, start=0.7, initial=2.0))
    d.add("area", bd.Integrator())
    d.connect("ramp", "area")
    r = d.simulate(stop=2.0)
    assert r.final("area") == pytest.approx(2.0 * 2.0 + 3.0 * 1.3**2 / 2, abs=1e-13)
    assert 0.7 in r.time


def test_slopes_of_a_vector() -> None:
    d = bd.Diagram()
    d.add("ramp", bd.Ramp(slope=[1.0, -2.0]))
    assert list(d.simulate(stop=3.0).final("ramp")) == [3.0, -6.0]


def test_a_start_before_the_run_has_passed() -> None:
    d = bd.Diagram()
    d.add("ramp", bd.Ramp(start=-1.0))
    assert d.simulate(stop=1.0).final("ramp") == pytest.approx(2.0)
