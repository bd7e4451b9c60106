"""StateSpace against the matrix exponential."""

import numpy as np
import pytest
from scipy.linalg import expm

import blockdyn as bd
from blockdyn.blocks.contract.errors import SizeError

TIMES = np.linspace(0.0, 3.0, 13)


@pytest.mark.parametrize("feedthrough", [False, True])
@pytest.mark.parametrize(("n", "m", "p"), [(1, 1, 1), (3, 1, 1), (4, 2, 1), (4, 1, 2), (5, 3, 2)])
def test_constant_input_gives_the_matrix_exponential(
    n: int, m: int, p: int, feedthrough: bool, rng: np.random.Generator
) -> None:
    A = rng.normal(size=(n, n)) - 2.0 * np.eye(n)
    B, C = rng.normal(size=(n, m)), rng.normal(size=(p, n))
    D = rng.normal(size=(p, m)) if feedthrough else np.zeros((p, m))
    x0, u = rng.normal(size=n), rng.normal(size=m)
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(u if m > 1 else u[0])), d.add("g", bd.StateSpace(A, B, C, D, x0)))
    found = d.simulate(times=TIMES, method="dop853", rtol=1e-13, atol=1e-14)["g"].values
    whole = np.block([[A, (B @ u)[:, None]], [np.zeros((1, n + 1))]])
    for t, y in zip(TIMES, found, strict=True):
        x = (expm(whole * t) @ np.append(x0, 1.0))[:n]
        np.testing.assert_allclose(np.atleast_1d(y), C @ x + D @ u, rtol=0, atol=1e-10)


def test_numbers_are_matrices_of_one_element() -> None:
    """dx/dt = -2 x + 3, y = x, from 0: 1.5 (1 - exp(-2 t))."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(1.0)), d.add("g", bd.StateSpace(-2.0, 3.0, 1.0)))
    found = d.simulate(times=TIMES, stop=3.0, rtol=1e-11, atol=1e-13)["g"].values
    np.testing.assert_allclose(found, 1.5 * (1 - np.exp(-2 * TIMES)), rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("A", "B", "C", "D", "initial"),
    [
        ([[0.0, 1.0]], [0.0, 1.0], [1.0, 0.0], 0.0, 0.0),
        ([[0.0, 1.0], [0.0, 0.0]], [0.0, 1.0, 2.0], [1.0, 0.0], 0.0, 0.0),
        ([[0.0, 1.0], [0.0, 0.0]], [0.0, 1.0], [1.0], 0.0, 0.0),
        ([[0.0, 1.0], [0.0, 0.0]], [0.0, 1.0], [1.0, 0.0], [1.0, 2.0, 3.0], 0.0),
        ([[0.0, 1.0], [0.0, 0.0]], [0.0, 1.0], [1.0, 0.0], 0.0, [1.0, 2.0, 3.0]),
    ],
)
def test_matrices_that_do_not_go_together_are_refused(
    A: object, B: object, C: object, D: object, initial: object
) -> None:
    with pytest.raises(SizeError, match="expected"):
        bd.StateSpace(A, B, C, D, initial)  # type: ignore[arg-type]
