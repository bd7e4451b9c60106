"""Abs: the area under a rectified sine, with a kink at every half period."""

from __future__ import annotations

from math import cos, pi

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("compiled", [True, False])
def test_area_under_the_rectified_sine(compiled: bool) -> None:
    d = bd.Diagram()
    d.add("sine", bd.Sine())
    d.add("abs", bd.Abs())
    d.add("area", bd.Integrator())
    d.connect("sine", "abs", "area")
    r = d.simulate(stop=10.0, rtol=1e-10, atol=1e-12, compiled=compiled)
    assert r.final("area") == pytest.approx(2 * 3 + 1 - cos(10.0 - 3 * pi), abs=1e-9)
    kinks = np.unique([e.time for e in r.events if e.path == "abs" and e.time > 1.0])
    assert kinks == pytest.approx([pi, 2 * pi, 3 * pi], abs=1e-13)


def test_elements_have_their_own_signs() -> None:
    d = bd.Diagram()
    d.add("ramp", bd.Ramp(slope=[1.0, -1.0], initial=[-0.5, 2.0]))
    d.add("abs", bd.Abs())
    d.connect("ramp", "abs")
    r = d.simulate(stop=3.0)
    assert np.allclose(r.final("abs"), [2.5, 1.0], atol=1e-15)
    assert r.trace("abs").values.min() > -1e-15
