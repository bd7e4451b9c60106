"""ModelPredictive: bounded least squares by SciPy, and LQR where no limit is met."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are
from scipy.optimize import lsq_linear

import blockdyn as bd

A = np.array([[1.0, 0.2, 0.0], [0.0, 1.0, 0.2], [-0.1, 0.0, 0.9]])
B = np.array([[0.0, 0.1], [0.02, 0.0], [0.2, 0.05]])
Q, R = np.diag([1.0, 0.2, 0.1]), np.diag([0.05, 0.2])
N, LOW, HIGH = 12, np.array([-0.5, -0.2]), np.array([0.4, 0.3])


def plan(x: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """The same costs as squares of a stacked system, by bounded least squares; the first input."""
    rows, values = [], []
    of_x, of_u = np.linalg.cholesky(Q).T, np.linalg.cholesky(R).T
    from_u, free = np.zeros((3, 2 * N)), x
    for i in range(N):
        from_u = A @ from_u
        from_u[:, 2 * i : 2 * i + 2] += B
        free = A @ free
        rows.append(of_x @ from_u)
        values.append(of_x @ (reference - free))
        row = np.zeros((2, 2 * N))
        row[:, 2 * i : 2 * i + 2] = of_u
        rows.append(row)
        values.append(np.zeros(2))
    bounds = (np.tile(LOW, N), np.tile(HIGH, N))
    return lsq_linear(np.vstack(rows), np.concatenate(values), bounds, method="bvls", tol=1e-14).x[:2]


@pytest.mark.parametrize("compiled", [True, False])
def test_each_input_is_the_least_of_its_program(compiled: bool) -> None:
    """A plant in a loop with it, from far off: at first both limits are met, at last none."""
    reference = np.array([1.0, 0.0, 0.0])
    d = bd.Diagram()
    law = d.add("law", bd.ModelPredictive(A, B, Q, R, lower=LOW, upper=HIGH, horizon=N, sample_time=0.5))
    plant = d.add("plant", bd.DiscreteStateSpace(0.5, A, B, np.eye(3), initial=[-2.0, 0.5, 0.3]))
    d.connect(law, plant, law["x"])
    d.connect(d.add("r", bd.Constant(reference)), law["x_ref"])
    r = d.simulate(times=0.5 * np.arange(25), compiled=compiled)
    inputs = np.array([plan(x, reference) for x in r["plant"].values])
    np.testing.assert_allclose(r["law"].values, inputs, rtol=0, atol=1e-9)
    assert np.any(inputs >= HIGH - 1e-12)
    assert not [key for key in r.statistics if key.startswith("python")] or not compiled


def test_without_limits_and_with_the_cost_to_go_it_is_lqr() -> None:
    P = solve_discrete_are(A, B, Q, R)
    d = bd.Diagram()
    x = d.add("x", bd.Constant([1.0, -0.4, 0.2]))
    d.connect(x, d.add("law", bd.ModelPredictive(A, B, Q, R, terminal=P, horizon=5))["x"])
    d.connect(x, d.add("lqr", bd.SampledLQR(A, B, Q, R, sample_time=0.1, discrete=True))["x"])
    r = d.simulate(stop=0.0)
    np.testing.assert_allclose(r.final("law"), r.final("lqr"), rtol=1e-9)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"lower": 1.0, "upper": 0.0}, "less than upper"),
        ({"lower": [0.0, 0.0, 0.0]}, "or 2 numbers"),
        ({"R": 0.0}, "a cost above 0"),
        ({"horizon": 200}, "1 to 150"),
        ({"terminal": [1.0]}, r"ModelPredictive\.terminal"),
    ],
)
def test_bad_parameters(changes: dict[str, object], words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        bd.ModelPredictive(A, B, **changes)  # type: ignore[arg-type]
