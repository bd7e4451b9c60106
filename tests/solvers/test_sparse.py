"""Sparse Jacobians: structures found by derivatives, colours, elimination; and the formulas of BDF."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from blockdyn.solvers.linear_algebra.sparse import (
    factor_complex_sparse,
    factor_sparse,
    solve_complex_sparse,
    solve_sparse,
)
from blockdyn.solvers.linear_algebra.structure import colours, dependencies, structure
from blockdyn.solvers.methods.bdf import NUMBERS


def band(n: int) -> np.ndarray:
    return np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)


def arrow(n: int) -> np.ndarray:
    """One state that depends on all and all on it."""
    A = np.diag(-np.arange(1.0, n + 1))
    A[0, :] = A[:, 0] = 0.5
    return A


def scattered(n: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    return np.where(rng.uniform(size=(n, n)) < 3.0 / n, rng.normal(size=(n, n)), 0.0)


IDLE = np.pad(band(40), (0, 50))  # states that nothing depends on
MATRICES = [
    band(100), arrow(70), scattered(90), IDLE, np.zeros((5, 5)), np.ones((1, 1)), np.ones((13, 13)),
]  # fmt: skip


@pytest.mark.parametrize("A", MATRICES)
def test_the_structure_that_derivatives_show_is_that_of_the_matrix(A: np.ndarray) -> None:
    rows, columns = dependencies(lambda ways: A @ ways, len(A))
    np.testing.assert_array_equal(np.lexsort((rows, columns)), np.arange(len(rows)))
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == set(zip(*np.nonzero(A), strict=True))
    colour = colours(rows, columns, len(A))
    for c in range(int(colour.max(initial=-1)) + 1):
        assert np.count_nonzero(A[:, colour == c], axis=1).max() <= 1


def test_a_band_of_many_states_takes_few_derivatives() -> None:
    n, asked = 4096, []

    def along(ways: np.ndarray) -> np.ndarray:
        asked.append(ways.shape[1])
        change = -2.0 * ways
        change[1:] += ways[:-1]
        change[:-1] += ways[1:]
        return change

    rows, columns = dependencies(along, n)
    assert len(rows) == 3 * n - 2
    assert colours(rows, columns, n).max() == 2
    assert sum(asked) < 100


@pytest.mark.parametrize("A", MATRICES)
def test_the_factors_solve_the_equations_of_a_step(A: np.ndarray) -> None:
    n, c = len(A), 0.05
    rows, columns = dependencies(lambda ways: A @ ways, n)
    found = structure(rows, columns, n)
    s = SimpleNamespace(
        **found._asdict(), entries=A[rows, columns], atol=np.ones(n), lower=np.zeros(found.lower_rows.size),
        upper=np.zeros(found.upper_rows.size), diagonal=np.zeros(n), column=np.zeros(n), factorizations=0,
    )  # fmt: skip
    assert factor_sparse(s, c)
    b = np.arange(1.0, n + 1)
    x = b.copy()
    solve_sparse(s, x)
    np.testing.assert_allclose((np.eye(n) - c * A) @ x, b, atol=1e-9)


@pytest.mark.parametrize("A", MATRICES)
def test_the_factors_solve_the_complex_equations_of_collocation(A: np.ndarray) -> None:
    n, c = len(A), 0.05 - 0.03j
    rows, columns = dependencies(lambda ways: A @ ways, n)
    found = structure(rows, columns, n)
    s = SimpleNamespace(
        **found._asdict(), entries=A[rows, columns], atol=np.ones(n),
        lower_pair=np.zeros((2, found.lower_rows.size)),
        upper_pair=np.zeros((2, found.upper_rows.size)), diagonal_pair=np.zeros((2, n)),
        column_pair=np.zeros((2, n)),
    )  # fmt: skip
    assert factor_complex_sparse(s, c.real, c.imag)
    b = np.arange(1.0, n + 1) * (1.0 - 2.0j)
    real, imaginary = b.real.copy(), b.imag.copy()
    solve_complex_sparse(s, real, imaginary)
    np.testing.assert_allclose((np.eye(n) - c * A) @ (real + 1j * imaginary), b, atol=1e-9)


def test_bands_and_arrows_are_eliminated_without_fill() -> None:
    for A in (band(100), arrow(70)):
        found = structure(*dependencies(lambda ways, A=A: A @ ways, len(A)), len(A))
        assert len(found.lower_rows) == len(A) - 1


@pytest.mark.parametrize("order", range(1, 6))
def test_the_formulas_are_exact_for_polynomials_of_their_order(order: int) -> None:
    """Differences of t^p, p <= order, sum to its slope, which is as predicted: kappa plays no part."""
    t = 2.0 - 0.25 * np.arange(order + 1)
    for p in range(order + 1):
        differences = [np.diff(t[::-1] ** p, j)[-1] for j in range(1, order + 1)]
        total = sum(d / j for j, d in enumerate(differences, 1))
        assert total == pytest.approx(0.25 * p * 2.0 ** (p - 1), abs=1e-9)
    assert NUMBERS.gamma[order] == pytest.approx(sum(1 / j for j in range(1, order + 1)))
    assert NUMBERS.errors[order] > 0.0
