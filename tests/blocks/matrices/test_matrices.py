"""Transpose, MatrixProduct and Norm: sizes, values by NumPy, and sizes that do not go together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
RNG = np.random.default_rng(5)
J, W, U = RNG.normal(size=(6, 4)), RNG.normal(size=6), RNG.normal(size=(4, 3))


def through(block: bd.Block, *values: Any, compiled: bool = True) -> Any:
    d = bd.Diagram()
    d.add("block", block)
    for i, (value, port) in enumerate(zip(values, block.input_ports(), strict=True)):
        d.connect(d.add(f"u{i}", bd.Constant(value)), f"block.{port.name}")
    return d.simulate(stop=1.0, times=[1.0], compiled=compiled).final("block")


@BOTH
def test_products(compiled: bool) -> None:
    np.testing.assert_allclose(through(bd.MatrixProduct(), J, U, compiled=compiled), J @ U, rtol=1e-14)
    np.testing.assert_allclose(
        through(bd.MatrixProduct(), J, U[:, 0], compiled=compiled), J @ U[:, 0], rtol=1e-13
    )
    turned = bd.MatrixProduct(transposed=True)
    np.testing.assert_allclose(through(turned, J, W, compiled=compiled), J.T @ W, rtol=1e-13)
    np.testing.assert_allclose(through(turned, J, J, compiled=compiled), J.T @ J, rtol=1e-13)


def test_transpose() -> None:
    np.testing.assert_array_equal(through(bd.Transpose(), J), J.T)


@BOTH
def test_norms_even_where_squares_overflow(compiled: bool) -> None:
    assert through(bd.Norm(), [3e200, -4e200], compiled=compiled) == pytest.approx(5e200, rel=1e-15)
    assert through(bd.Norm(), np.zeros(3), compiled=compiled) == 0.0
    assert through(bd.Norm(), J, compiled=compiled) == pytest.approx(np.linalg.norm(J), rel=1e-14)


@pytest.mark.parametrize(
    ("block", "values", "expected"),
    [
        (bd.MatrixProduct(), (J, W), "vector 4 or matrix 4xp"),
        (bd.MatrixProduct(transposed=True), (J, U), "vector 6 .* transposed"),
        (bd.MatrixProduct(), (W, W), "a matrix"),
        (bd.Transpose(), (W,), "Reshape"),
        (bd.MatrixInverse(n=4), (J,), "matrix 4x4"),
    ],
)
def test_sizes_that_do_not_go_together(block: bd.Block, values: Any, expected: str) -> None:
    with pytest.raises(bd.DiagramError, match=expected):
        through(block, *values)
