"""ModelPredictive of unstable plants: as exact over long horizons as over short ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are

import blockdyn as bd

PLANTS = {
    "one pole": ([[1.1]], [[1.0]]),
    "a fast pole": ([[3.0]], [[0.5]]),
    "inverted pendulum": ([[1.05, 0.1], [1.0, 1.05]], [[0.005], [0.1]]),
    "two inputs": ([[1.2, 0.1], [0.0, 0.9]], [[1.0, 0.0], [0.3, 1.0]]),
}


def first_input(A: list[list[float]], B: list[list[float]], horizon: int, **options: object) -> np.ndarray:
    """u at x = (0.5, 0.5, ...), with the cost of LQR behind the horizon."""
    n, m = np.shape(B)
    P = solve_discrete_are(np.array(A), np.array(B), np.eye(n), np.eye(m))
    mpc = bd.ModelPredictive(A=A, B=B, Q=np.eye(n), R=np.eye(m), terminal=P, horizon=horizon, **options)
    d = bd.Diagram()
    d.connect(d.add("x", bd.Constant(np.full(n, 0.5) if n > 1 else 0.5)), d.add("mpc", mpc)["x"])
    return np.ravel(d.simulate(stop=0.05).final("mpc.u" if len(mpc.output_ports()) > 1 else "mpc"))


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("horizon", [1, 5, 150])
def test_without_active_limits_it_is_lqr_over_every_horizon(plant: str, horizon: int) -> None:
    A, B = map(np.array, PLANTS[plant])
    n, m = B.shape
    P = solve_discrete_are(A, B, np.eye(n), np.eye(m))
    K = np.linalg.solve(np.eye(m) + B.T @ P @ B, B.T @ P @ A)
    found = first_input(*PLANTS[plant], horizon, lower=-100.0, upper=100.0)
    np.testing.assert_allclose(found, -K @ np.full(n, 0.5), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("limits", [{"lower": -0.2, "upper": 0.2}, {"rate_lower": -1.0, "rate_upper": 1.0},
                                    {"y_lower": -1.0, "y_upper": 0.52, "S": 0.5}])  # fmt: skip
def test_limits_hold_over_long_horizons_too(limits: dict[str, float]) -> None:
    """Once the limits are left behind, a longer horizon with the cost of LQR changes nothing."""
    short, long = (first_input([[1.1]], [[1.0]], horizon, **limits) for horizon in (40, 150))
    np.testing.assert_allclose(long, short, rtol=1e-8)
