"""Clock: time, and the parabola that it integrates to."""

from __future__ import annotations

import pytest

import blockdyn as bd


def test_time_integrates_to_half_its_square() -> None:
    d = bd.Diagram()
    d.add("clock", bd.Clock())
    d.add("x", bd.Integrator())
    d.connect("clock", "x")
    r = d.simulate(start=1.0, stop=4.0)
    assert r.final("clock") == 4.0
    assert r.final("x") == pytest.approx((16.0 - 1.0) / 2, abs=1e-12)
    assert (r.trace("clock").time == r.trace("clock").values).all()
