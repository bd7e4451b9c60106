"""Correlation: the lower triangular factor of a covariance, also of one without full rank."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_ROUNDING = 1e-14  # of the largest variance: below it a remaining variance is none


def factor(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """L with L L' = C for a positive semidefinite C; a column without remaining variance is zero.

        L_jj = sqrt(C_jj - sum_k<j L_jk^2)      L_ij = (C_ij - sum_k<j L_ik L_jk) / L_jj

    Cholesky's method, written out so that its bits are the same with every linear algebra library.
    Source: Golub, Van Loan, Matrix Computations (2013), section 4.2.8.
    """
    n = len(covariance)
    L = np.zeros((n, n))
    smallest = _ROUNDING * float(np.abs(covariance).max())
    for j in range(n):
        pivot = float(covariance[j, j]) - sum(float(L[j, k]) ** 2 for k in range(j))
        if pivot <= smallest:
            continue
        L[j, j] = math.sqrt(pivot)
        for i in range(j + 1, n):
            inside = sum(float(L[i, k] * L[j, k]) for k in range(j))
            L[i, j] = (float(covariance[i, j]) - inside) / L[j, j]
    return L
