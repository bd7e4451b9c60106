"""AngleDifference: the shorter way round, and its jump located."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_sawtooth_of_a_turning_needle(compiled: bool) -> None:
    """Against a needle that turns once in 2 pi s; the area under the first half turn is pi^2 / 2."""
    d = bd.Diagram()
    d.add("y", bd.AngleDifference())
    d.connect(d.add("needle", bd.Clock()), "y[0]")
    d.connect(d.add("north", bd.Constant([0.0, pi / 2, -20 * pi])), "y[1]")
    d.connect("y", d.add("x", bd.Integrator(np.zeros(3))))
    r = d.simulate(stop=2 * pi, times=[0.0, 1.0, 4.0, 2 * pi], compiled=compiled)  # x is exact at any step
    expected = [[0, -pi / 2, 0], [1, 1 - pi / 2, 1], [4 - 2 * pi, 4 - pi / 2, 4 - 2 * pi]]
    np.testing.assert_allclose(r["y"].values[:3], expected, atol=1e-12)
    np.testing.assert_allclose(r.final("x"), np.zeros(3), atol=1e-8)
    assert sorted(e.time for e in r.events) == pytest.approx([pi, pi, 3 * pi / 2], abs=1e-9)
