"""MatrixInverse and PseudoInverse: NumPy's answers, the damped formula, and singular matrices."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.matrices.inverse_kernels import rotate_columns
from blockdyn.diagrams.model.run_errors import BlockFailed

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])


def run(block: bd.Block, u: np.ndarray, compiled: bool) -> bd.Result:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(u)), d.add("block", block))
    return d.simulate(stop=1.0, times=[1.0], compiled=compiled)


@BOTH
@pytest.mark.parametrize("n", [1, 2, 6, 9])
def test_inverses(n: int, compiled: bool, rng: np.random.Generator) -> None:
    A = rng.normal(size=(n, n))
    A[0, 0] = 0.0 if n > 1 else A[0, 0]
    found = run(bd.MatrixInverse(n=n), A, compiled).final("block")
    np.testing.assert_allclose(found @ A, np.eye(n), atol=1e-12)


@BOTH
def test_a_matrix_that_becomes_singular_ends_the_run_in_words(compiled: bool) -> None:
    """diag(1, 1 - t) at t = 1, which a step of the source reaches."""
    d = bd.Diagram()
    values = np.array([[1.0, 0.0, 0.0, 0.5], [1.0, 2.0, 2.0, 4.0]])
    d.add("rows", bd.PiecewiseConstant(times=[0.0, 1.0], values=values, initial=values[0]))
    d.connect("rows", d.add("A", bd.Reshape([2, 2])))
    d.connect("A", d.add("inverse", bd.MatrixInverse(n=2)))
    with pytest.raises(BlockFailed, match=r"inverse failed .* t = 1\.0 s: the matrix is singular") as error:
        d.simulate(stop=2.0, compiled=compiled)
    assert (error.value.path, error.value.time) == ("inverse", 1.0)


@BOTH
@pytest.mark.parametrize(("rows", "columns"), [(6, 6), (6, 7), (6, 3), (1, 4), (5, 1)])
def test_pseudo_inverses(rows: int, columns: int, compiled: bool, rng: np.random.Generator) -> None:
    A = rng.normal(size=(rows, columns))
    r = run(bd.PseudoInverse(rows=rows, columns=columns), A, compiled)
    np.testing.assert_allclose(r.final("block.y"), np.linalg.pinv(A), rtol=0, atol=1e-12)
    values = np.linalg.svd(A, compute_uv=False)
    np.testing.assert_allclose(r.final("block.singular_values"), values, rtol=1e-12)
    damped = run(bd.PseudoInverse(rows=rows, columns=columns, damping=0.3), A, compiled).final("block.y")
    exact = A.T @ np.linalg.inv(A @ A.T + 0.09 * np.eye(rows))
    np.testing.assert_allclose(damped, exact, rtol=0, atol=1e-12)


@BOTH
def test_rank_deficient_matrices_have_one_too(compiled: bool, rng: np.random.Generator) -> None:
    A = rng.normal(size=(6, 3)) @ rng.normal(size=(3, 6))
    r = run(bd.PseudoInverse(), A, compiled)
    np.testing.assert_allclose(r.final("block.y"), np.linalg.pinv(A, rcond=1e-10), rtol=0, atol=1e-11)
    assert r.final("block.singular_values")[3] < 1e-14 * r.final("block.singular_values")[0]
    np.testing.assert_array_equal(run(bd.PseudoInverse(), np.zeros((6, 6)), compiled).final("block.y"), 0.0)


@pytest.mark.parametrize("wrong", [0, 2.0, True])
def test_sizes_are_whole_numbers(wrong: object) -> None:
    with pytest.raises(bd.ParameterError, match="whole number"):
        bd.MatrixInverse(n=wrong)  # type: ignore[arg-type]
    with pytest.raises(bd.ParameterError, match="whole number"):
        bd.PseudoInverse(columns=wrong)  # type: ignore[arg-type]


def test_columns_at_right_angles_are_not_turned_again(rng: np.random.Generator) -> None:
    """Rounding of their cosines is no reason to: the sweeps of all matrices come to an end by themselves."""
    for k in range(60):
        U, V = rng.normal(size=(6, 6)) * 10.0 ** rng.uniform(-6, 6, 6 if k % 2 else 1), np.zeros((6, 6))
        rotate_columns(U, V)
        rotate_columns(U, V)
        np.testing.assert_array_equal(V, np.eye(6))
