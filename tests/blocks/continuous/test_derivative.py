"""Derivative: the response of a filtered derivative in closed form."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_ramp(compiled: bool) -> None:
    """Slope (1 - exp(-t / tau)), for each element."""
    d = bd.Diagram()
    d.add("u", bd.Ramp(slope=[2.0, -3.0], initial=1.0))
    d.connect("u", d.add("y", bd.Derivative(time_constant=0.1, initial=[1.0, 1.0])))
    r = d.simulate(stop=1.0, times=[0.1, 0.3, 1.0], rtol=1e-10, atol=1e-12, compiled=compiled)
    expected = [[2 * (1 - exp(-t / 0.1)), -3 * (1 - exp(-t / 0.1))] for t in (0.1, 0.3, 1.0)]
    np.testing.assert_allclose(r["y"].values, expected, rtol=0, atol=1e-9)
