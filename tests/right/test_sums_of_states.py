"""Sums that reactions keep: no method loses them to the rounding of its linear equations."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def reactions(s):
    """Problem E5: W. H. Enright, T. E. Hull, B. Lindberg, BIT 15 (1975) 10-48, class E."""
    a, b = 7.89e-10 * s[0], 1.1e7 * s[0] * s[2]
    c, e = 1.13e9 * s[1] * s[2], 1.13e3 * s[3]
    second, fourth = a - c, b - e
    return np.array([-a - b, second, second - fourth, fourth])


@pytest.mark.parametrize("method", ["rodas5p", "auto", "radau5", "bdf"])
def test_e5_ends_where_the_test_set_has_it(method: str) -> None:
    """F. Mazzia and C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008): y2, y3."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator([1.76e-3, 0.0, 0.0, 0.0]))
    d.connect(x, d.add("f", bd.Function(reactions, size=[4])), x)
    y = d.simulate(stop=1e13, method=method, rtol=1e-6, atol=1e-24, times=[1e5, 1e13]).trace("x").values
    assert abs(y[0, 1] - y[0, 2] - y[0, 3]) < 2e-23  # of y2 = 2e-12
    np.testing.assert_allclose(y[1, 1:3], [0.8867655517642120e-22, 0.8854814626268838e-22], rtol=0.1)
