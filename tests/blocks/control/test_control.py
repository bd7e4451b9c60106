"""LQR, StateFeedback, GainScheduling: Riccati equations, settled values, corners in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import blockdyn as bd

A, B = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([0.0, 1.0])


def test_the_double_integrator_has_a_gain_in_closed_form() -> None:
    """Q = diag(q, 0), R = 1: K = (sqrt q, sqrt(2 sqrt q)) (Anderson, Moore, section 3.3)."""
    d = bd.Diagram()
    law = d.add("law", bd.LQR(A, B, Q=[16.0, 0.0], R=1.0))
    x = d.add("x", bd.StateSpace(A, B, np.eye(2), initial=[1.0, 0.0]))
    d.connect(law, x, law["x"])
    r = d.simulate(stop=2.0, rtol=1e-11, atol=1e-13)
    K = np.array([4.0, np.sqrt(8.0)])
    np.testing.assert_allclose(bd.LQR(A, B, Q=[16.0, 0.0]).gain(), [K], atol=1e-10)
    np.testing.assert_allclose(r.final("x"), expm((A - np.outer(B, K)) * 2.0) @ [1.0, 0.0], atol=1e-10)


def test_a_sampled_regulator_spends_less_than_any_other_gain() -> None:
    """The sum of x Q x + u R u is x0 P x0; it grows for gains beside it."""
    block = bd.SampledLQR(A, B, Q=[1.0, 0.1], R=0.2, sample_time=0.5)
    F, G = np.array([[1.0, 0.5], [0.0, 1.0]]), np.array([[0.125], [0.5]])

    def cost(K: np.ndarray) -> float:
        x, total = np.array([1.0, -0.5]), 0.0
        for _ in range(400):
            u = -K @ x
            total += x @ np.diag([1.0, 0.1]) @ x + 0.2 * u @ u
            x = F @ x + G @ u
        return float(total)

    K = block.gain()
    np.testing.assert_allclose(K, bd.SampledLQR(F, G, Q=[1.0, 0.1], R=0.2, discrete=True).gain(), atol=1e-12)
    best = cost(K)
    for change in ([1e-3, 0.0], [0.0, 1e-3], [-1e-3, 1e-3]):
        for sign in (1.0, -1.0):
            assert best < cost(K + sign * np.array([change]))


def test_feedback_with_a_reference_settles_at_it() -> None:
    """x'' = u, u = 3 r - 3 x - 2 x': at rest x = r. Of two inputs each has its row."""
    d = bd.Diagram()
    law, x = d.add("law", bd.StateFeedback([3.0, 2.0], N=3.0)), d.add("x", bd.StateSpace(A, B, np.eye(2)))
    d.connect(law, x, law["x"])
    d.connect(d.add("r", bd.Constant(0.7)), law["r"])
    d.connect(x, d.add("two", bd.StateFeedback([[1.0, 0.0], [0.5, 2.0]])))
    r = d.simulate(stop=40.0)
    np.testing.assert_allclose(r.final("x"), [0.7, 0.0], atol=1e-6)
    np.testing.assert_allclose(r.final("two"), [-0.7, -0.35], atol=1e-6)


@pytest.mark.parametrize("compiled", [True, False])
def test_gains_between_their_points(compiled: bool) -> None:
    """K(t) from 4 at 1 to 2 at 2 to 1 at 4; its integral is exact, as its corners are located."""
    d = bd.Diagram()
    gains = d.add("gains", bd.GainScheduling([1.0, 2.0, 4.0], [[4.0, 0.0], [2.0, 1.0], [1.0, 3.0]]))
    d.connect(d.add("u", bd.Constant([1.0, 10.0])), gains["u"])
    d.connect(d.add("s", bd.Clock()), gains["s"])
    d.connect(gains, d.add("area", bd.Integrator()))
    r = d.simulate(times=[0.5, 1.5, 3.0, 5.0], compiled=compiled)
    np.testing.assert_allclose(r["gains"].values, [4.0, 8.0, 21.5, 31.0], atol=1e-12)
    assert [e.time for e in r.events if e.path == "gains"] == pytest.approx([1.0, 2.0, 4.0], abs=1e-12)
    area = 4.0 + (4.0 + 12.0) / 2 + 2 * (12.0 + 31.0) / 2 + 31.0
    assert r.final("area") == pytest.approx(area, abs=1e-9)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: bd.LQR(A, B, Q=[1.0, 1.0, 1.0]), r"LQR\.Q .*\nexpected: a number, 2 numbers"),
        (lambda: bd.LQR(A, [0.0, 0.0]), "a stabilisable model"),
        (lambda: bd.LQR(A, B, R=[[1.0, 0.0], [1.0, 1.0]]), r"LQR\.R"),
        (lambda: bd.GainScheduling([1.0, 1.0], [1.0, 2.0]), "increasing numbers"),
        (lambda: bd.GainScheduling([1.0, 2.0], [1.0, 2.0, 3.0]), "2 rows, one for each point"),
    ],
)
def test_bad_parameters(make: object, words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        make()  # type: ignore[operator]


def test_sizes_that_do_not_go_together() -> None:
    with pytest.raises(bd.BlockdynError, match="A of n x n, B of n x m"):
        bd.LQR(A, [1.0, 2.0, 3.0])
    with pytest.raises(bd.BlockdynError, match="2 rows, as K has"):
        bd.StateFeedback([[1.0], [2.0]], N=[[1.0, 2.0]])
