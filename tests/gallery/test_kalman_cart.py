"""The filter of kalman-cart is off as far as its covariance says, and that solves the Riccati equation."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_discrete_are

import blockdyn as bd


def test_errors_have_the_covariance_of_the_riccati_equation() -> None:
    T, gust, blur = 0.1, 0.5, 0.2
    A, B, C = np.array([[1.0, T], [0.0, 1.0]]), np.array([[T**2 / 2], [T]]), np.array([[1.0, 0.0]])
    prior = solve_discrete_are(A.T, C.T, gust**2 * B @ B.T, np.array([[blur**2]]))
    posterior = np.linalg.inv(np.linalg.inv(prior) + C.T @ C / blur**2)
    r = bd.load("kalman-cart").simulate(stop=4000.0, times=np.arange(40001) / 10.0)
    np.testing.assert_allclose(r["filter.covariance"].values[-1], posterior, rtol=1e-9)
    errors = np.stack([r["x"].values, r["v"].values], axis=1)[100:] - r["filter.x"].values[100:]
    np.testing.assert_allclose(errors.std(axis=0), np.sqrt(np.diag(posterior)), rtol=0.03)
