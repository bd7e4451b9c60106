"""Diagrams with more outputs than LLVM optimises: calls are made short, and say the same."""

import numpy as np

import blockdyn as bd


def test_every_matrix_of_a_large_diagram_has_its_own_numbers() -> None:
    d = bd.Diagram()
    u = d.add("u", bd.Constant(1.0))
    rates = np.linspace(0.1, 5.0, 130)
    for k, a in enumerate(rates):
        slow = d.add(f"x{k}", bd.StateSpace([[-a]], [[a]], [[1.0]]))
        pair = d.add(f"y{k}", bd.StateSpace([[0.0, a], [-a, 0.0]], [[0.0], [a]], [[1.0, 0.0]]))
        d.connect(u, slow)
        d.connect(u, pair)
    r = d.simulate(stop=1.0, rtol=1e-10, atol=1e-12)
    for k, a in enumerate(rates):
        np.testing.assert_allclose(r[f"x{k}"][-1], 1 - np.exp(-a), atol=1e-9)
        np.testing.assert_allclose(r[f"y{k}"][-1], 1 - np.cos(a), atol=1e-9)
