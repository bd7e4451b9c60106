"""The numbers of Radau IIA meet the conditions that define it; complex systems are solved as numpy does."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.solvers.linear_algebra.dense import factor_complex, solve_complex
from blockdyn.solvers.methods.radau5 import NUMBERS

C = np.array(NUMBERS.nodes)
POWERS = np.vander(C, 3, increasing=True)
A = np.array([[c**k / k for k in (1, 2, 3)] for c in C]) @ np.linalg.inv(POWERS)  # integrals of polynomials


def test_the_nodes_are_those_of_radau() -> None:
    """Quadrature of degree 4 with its last node at the end, so the method has order 5."""
    assert C[2] == 1.0
    for k in range(1, 6):
        assert A[2] @ C ** (k - 1) == pytest.approx(1.0 / k, abs=1e-15)


def test_the_transformation_takes_newtons_equations_apart() -> None:
    T = np.array(NUMBERS.transform)
    real, re, im = NUMBERS.real, NUMBERS.pair.real, NUMBERS.pair.imag
    blocks = np.array([[real, 0.0, 0.0], [0.0, re, -im], [0.0, im, re]])
    np.testing.assert_allclose(np.linalg.inv(T) @ np.linalg.inv(A) @ T, blocks, atol=1e-13)
    np.testing.assert_allclose(np.array(NUMBERS.inverse) @ T, np.eye(3), atol=1e-14)


def test_the_estimate_is_zero_for_polynomials_of_degree_three() -> None:
    """x = t^k has the slope 1 at 0 where k is 1, and 0 otherwise."""
    for k in (1, 2, 3):
        assert float(k == 1) + np.array(NUMBERS.errors) @ C**k == pytest.approx(0.0, abs=1e-14)
    assert abs(np.array(NUMBERS.errors) @ C**4) > 0.01


def test_the_polynomial_meets_the_stages() -> None:
    for k in (1, 2, 3):
        for theta in (0.0, C[0], 0.5, 1.0, 1.7):
            values, slopes = NUMBERS.within(theta)
            assert np.array(values) @ C**k == pytest.approx(theta**k, abs=1e-13)
            assert np.array(slopes) @ C**k == pytest.approx(k * theta ** (k - 1), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_complex_elimination_pivots_and_solves(n: int) -> None:
    rng = np.random.default_rng(n)
    matrix = rng.normal(size=(n, n)) + 1j * rng.normal(size=(n, n))
    if n > 1:
        matrix[0, 0] = 0.0  # a row must be exchanged
    right = rng.normal(size=n) + 1j * rng.normal(size=n)
    M, N, pivots = matrix.real.T.copy(), matrix.imag.T.copy(), np.zeros(n, np.int64)
    assert factor_complex(M, N, pivots)
    real, imaginary = right.real.copy(), right.imag.copy()
    solve_complex(M, N, pivots, real, imaginary)
    np.testing.assert_allclose(real + 1j * imaginary, np.linalg.solve(matrix, right), rtol=1e-10)


def test_a_singular_complex_matrix_is_noticed() -> None:
    assert not factor_complex(np.ones((2, 2)), np.zeros((2, 2)), np.zeros(2, np.int64))
