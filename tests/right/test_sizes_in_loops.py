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


@pytest.mark.parametrize("names", list(permutations(["a", "b", "c", "d"])))
@pytest.mark.parametrize("part", ["bus", "selector", "slice", "demux"])
def test_parts_of_what_is_not_known_as_a_whole(names, part):
    """Of {inner: {p, q}, r} or the vector of the same: q = 2 p and r = 3 q, each of three elements."""
    outer, inner, whole, gain = names
    d = bd.Diagram()
    d.add("p", bd.Constant([1.0, -2.0, 4.0]))
    d.add(gain, bd.Gain(2.0))
    d.add("r", bd.Gain(3.0))
    if part == "bus":
        d.add(inner, bd.BusCreator(["p", "q"]))
        d.add(outer, bd.BusCreator(["inner", "r"]))
        d.add(whole, bd.BusSelector(["inner", "r"]))
        d.add("parts", bd.BusSelector(["p", "q"]))
        d.connect(f"{whole}.inner", "parts")
        p, q, r = "parts.p", "parts.q", f"{whole}.r"
    else:
        d.add(inner, bd.Mux(2))
        d.add(outer, bd.Mux(2))
        d.add(whole, bd.SignalSpecification())
        p, q, r = "p_again", "q_again", "r_again"
        for i, name in enumerate((p, q, r)):
            of_vector = {
                "selector": bd.Selector(indices=list(range(3 * i, 3 * i + 3))),
                "slice": bd.Slice(start=3 * i, stop=3 * i + 3),
                "demux": bd.Demux([3, 3, 3]),
            }
            d.connect(whole, d.add(name, of_vector[part]))
        if part == "demux":
            p, q, r = "p_again.y0", "q_again.y1", "r_again.y2"
    d.connect("p", f"{inner}[0]")
    d.connect(inner, f"{outer}[0]")
    d.connect(outer, whole)
    d.connect(p, gain, f"{inner}[1]")
    d.connect(q, "r", f"{outer}[1]")
    d.connect(r, d.add("y", bd.Gain(1.0)))
    np.testing.assert_array_equal(d.simulate(stop=1.0).final("y"), [6.0, -12.0, 24.0])
