"""Sizes in a loop come from its states, whatever the blocks are called."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("names", list(permutations(["a", "b", "c", "d"])))
def test_a_loop_through_a_bus(names):
    """dx/dt = -x of two elements, by way of a bus."""
    x0 = np.array([1.0, 2.0])
    d = bd.Diagram()
    x, pack, take, k = (
        d.add(name, block)
        for name, block in zip(
            names,
            (bd.Integrator(x0), bd.BusCreator(names=["q"]), bd.BusSelector(fields=["q"]), bd.Gain(-1.0)),
            strict=True,
        )
    )
    d.connect(x, pack, take, k, x)
    r = d.simulate(stop=1, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(r.final(names[0]), x0 * np.exp(-1), rtol=1e-8)


@pytest.mark.parametrize("names", list(permutations(["a", "b", "c"])))
def test_a_loop_through_a_selector(names):
    """Rotation: dx/dt = (x1, x0) - x."""
    d = bd.Diagram()
    x, swap, k = (
        d.add(name, block)
        for name, block in zip(
            names, (bd.Integrator([1.0, 3.0]), bd.Selector(indices=[1, 0]), bd.Gain(1.0)), strict=True
        )
    )
    total = d.add("z", bd.Sum("+-"))
    d.connect(x, swap, k, total[0])
    d.connect(x, total[1])
    d.connect(total, x)
    r = d.simulate(stop=1, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(r.final(names[0]), [2 - np.exp(-2), 2 + np.exp(-2)], rtol=1e-8)
