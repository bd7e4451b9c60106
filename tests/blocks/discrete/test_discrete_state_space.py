"""DiscreteStateSpace against SciPy's simulation of discrete systems."""

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd
from blockdyn.blocks.contract.errors import SizeError

T, START = 0.05, 0.02


@pytest.mark.parametrize("feedthrough", [False, True])
@pytest.mark.parametrize(("n", "m", "p"), [(1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 2, 3)])
def test_recursion_is_scipys(n: int, m: int, p: int, feedthrough: bool, rng: np.random.Generator) -> None:
    A = 0.4 * rng.normal(size=(n, n))
    B, C = rng.normal(size=(n, m)), rng.normal(size=(p, n))
    D = rng.normal(size=(p, m)) if feedthrough else np.zeros((p, m))
    x0, k = rng.normal(size=n), rng.normal(size=m)
    ticks = START + T * np.arange(40)
    d = bd.Diagram()
    u = d.add("u", bd.Expression("sin(7*t)"))
    d.connect(
        u,
        d.add("k", bd.Gain(k=k if m > 1 else k[0])),
        d.add("y", bd.DiscreteStateSpace(T, A, B, C, D, x0, START)),
    )
    found = d.simulate(times=np.append(0.5 * START, ticks + T / 2), stop=3.0)["y"].values.reshape(41, p)
    _, expected, _ = signal.dlsim((A, B, C, D, T), np.outer(np.sin(7 * ticks), k), ticks - START, x0)
    np.testing.assert_allclose(found[0], C @ x0, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found[1:], expected, rtol=0, atol=1e-11)


def test_sizes_that_disagree_are_refused() -> None:
    with pytest.raises(SizeError, match="rows"):
        bd.DiscreteStateSpace(T, np.eye(2), [1.0, 2.0, 3.0], [1.0, 0.0])
