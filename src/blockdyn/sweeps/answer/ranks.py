"""Rank correlations: how monotonically a measure follows each factor, alone and with the others held."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_NORMAL = 1.959963984540054  # 97.5 % quantile of the standard normal distribution


class Correlation(NamedTuple):
    """Coefficients (k,) with the ends of their 95 % confidence intervals; NaN where not defined."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def rank_matrix(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation matrix of the ranks of columns (n, c); equal values share their mean rank.

    NaN in rows and columns of what is constant: it correlates with nothing.
    """
    from scipy.stats import rankdata

    ranks = rankdata(columns, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.atleast_2d(np.corrcoef(ranks, rowvar=False))


def spearman(matrix: NDArray[np.float64], count: int) -> Correlation:
    """Spearman's rho of the last of the ranked columns with each of the others, from n = `count` rows.

    Interval: Fisher's z with the variance (1 + rho^2/2)/(n - 3) of
    Bonett and Wright, Psychometrika 65 (2000) 23-28, doi:10.1007/BF02294183.
    """
    rho = matrix[:-1, -1]
    return _with_interval(rho, np.sqrt((1.0 + 0.5 * rho**2) / max(count - 3, 1)))


def partial(matrix: NDArray[np.float64], count: int) -> Correlation:
    """Partial rank correlation (PRCC) of the last ranked column with each of the others, given the rest.

        -P[i, y] / sqrt(P[i, i] P[y, y]),     P the inverse of the matrix, y its last column

    Interval: Fisher's z with the variance 1/(n - k - 2) for k columns before y, k - 1 of which are held.
    NaN where the ranks of the k columns are linearly dependent.
    Source: Marino et al., Journal of Theoretical Biology 254 (2008) 178-196, doi:10.1016/j.jtbi.2008.04.011.
    """
    columns = len(matrix) - 1
    nothing = np.full(columns, np.nan)
    if not np.all(np.isfinite(matrix)) or dependent(matrix[:-1, :-1]):
        return Correlation(nothing, nothing, nothing)
    if np.linalg.cond(matrix) > 1e12:  # y's ranks are a combination of those of x
        matrix = matrix + 1e-12 * np.eye(len(matrix))
    inverse = np.linalg.inv(matrix)
    value = -inverse[:-1, -1] / np.sqrt(np.diag(inverse)[:-1] * inverse[-1, -1])
    return _with_interval(value, np.full(columns, 1.0 / np.sqrt(max(count - columns - 2, 1))))


def dependent(matrix: NDArray[np.float64]) -> bool:
    """Whether the ranks behind a correlation matrix are linear combinations of each other."""
    return not np.all(np.isfinite(matrix)) or bool(np.linalg.matrix_rank(matrix) < len(matrix))


def _with_interval(value: NDArray[np.float64], deviation: NDArray[np.float64]) -> Correlation:
    z = np.arctanh(np.clip(value, -1.0 + 1e-15, 1.0 - 1e-15))
    spread = _NORMAL * deviation
    return Correlation(value, np.tanh(z - spread), np.tanh(z + spread))
