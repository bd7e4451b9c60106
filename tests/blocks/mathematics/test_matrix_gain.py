"""MatrixGain: a rotation, a product of matrices, a row, and sizes that do not go together."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import SizeMismatch


def times(K: object, u: object) -> object:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=u))
    d.add("y", bd.MatrixGain(K=K))
    d.connect("u", "y")
    return d.simulate(stop=1.0).final("y")


def test_the_generator_of_rotations_turns_a_vector_round() -> None:
    d = bd.Diagram()
    d.add("x", bd.Integrator(initial=[3.0, 4.0]))
    d.add("K", bd.MatrixGain(K=[[0.0, -1.0], [1.0, 0.0]]))
    d.connect("x", "K", "x")
    r = d.simulate(stop=2 * pi, rtol=1e-10, atol=1e-12)
    assert np.allclose(r.final("x"), [3.0, 4.0], atol=1e-8)
    assert np.allclose(np.linalg.norm(r.trace("x").values, axis=1), 5.0, atol=1e-8)


def test_products_of_matrices_and_vectors_of_all_sizes() -> None:
    rng = np.random.default_rng(7)
    K, U = rng.normal(size=(3, 4)), rng.normal(size=(4, 2))
    assert np.allclose(times(K, U), K @ U, atol=1e-14)
    assert np.allclose(times(K, U[:, 0]), K @ U[:, 0], atol=1e-14)
    assert times(K[0], U[:, 0]) == pytest.approx(K[0] @ U[:, 0], abs=1e-14)


@pytest.mark.parametrize(
    ("K", "u"), [([[1.0, 2.0]], [1.0, 2.0, 3.0]), ([[1.0, 2.0]], 1.0), ([1.0, 2.0], [[1.0], [2.0]])]
)
def test_sizes_that_do_not_go_together(K: object, u: object) -> None:
    with pytest.raises(SizeMismatch, match="to multiply K"):
        times(K, u)
