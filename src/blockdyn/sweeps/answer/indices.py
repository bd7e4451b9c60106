"""Indices of sensitivity: rank correlations, and the shares of variance after Sobol.

first_i = Var(E[y | x_i]) / Var(y)          total_i = E[Var(y | all but x_i)] / Var(y)

Sobol, Mathematics and Computers in Simulation 55 (2001) 271-280, doi:10.1016/S0378-4754(00)00270-6.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.extras import remedy
from ..errors import SweepError

_NORMAL = 1.959963984540054  # 97.5 % quantile of the standard normal distribution


class Correlation(NamedTuple):
    """Coefficients (k,) with the ends of their 95 % confidence intervals; NaN where not defined."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def rank_matrix(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation matrix of the ranks of columns (n, c); equal values share their mean rank.

    NaN in rows and columns of constant columns: they correlate with nothing.
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
    if np.linalg.cond(matrix) > 1e12:  # y's ranks are a combination of the ranks of x
        matrix = matrix + 1e-12 * np.eye(len(matrix))
    inverse = np.linalg.inv(matrix)
    value = -inverse[:-1, -1] / np.sqrt(np.diag(inverse)[:-1] * inverse[-1, -1])
    return _with_interval(value, np.full(columns, 1.0 / np.sqrt(max(count - columns - 2, 1))))


def dependent(matrix: NDArray[np.float64]) -> bool:
    """True if the ranks of a correlation matrix are linear combinations of each other."""
    return not np.all(np.isfinite(matrix)) or bool(np.linalg.matrix_rank(matrix) < len(matrix))


def _with_interval(value: NDArray[np.float64], deviation: NDArray[np.float64]) -> Correlation:
    z = np.arctanh(np.clip(value, -1.0 + 1e-15, 1.0 - 1e-15))
    spread = _NORMAL * deviation
    return Correlation(value, np.tanh(z - spread), np.tanh(z + spread))


_SEED = 1  # of the bootstrap that gives confidence intervals: the same numbers every time
_ENOUGH = 2**15  # scenarios beyond which the interval of a given-data estimate hardly shrinks


class Indices(NamedTuple):
    """Indices (k,), and half the width of their 95 % confidence intervals; NaN where undefined."""

    first: NDArray[np.float64]
    first_conf: NDArray[np.float64]
    total: NDArray[np.float64]
    total_conf: NDArray[np.float64]


def of_saltelli(values: NDArray[np.float64], factors: int) -> Indices:
    """From a design of `saltelli.draw`: values (N (k + 2),), NaN where a run failed.

    A base point with a failed run is left out with all its k + 2 rows. Estimators of Saltelli et al.
    (2010) in SALib, intervals by bootstrap.
    """
    sobol = _salib("sobol")
    blocks = values.reshape(-1, factors + 2)
    used = blocks[np.all(np.isfinite(blocks), axis=1)].ravel()
    analysis = sobol.analyze(_problem(factors), used, calc_second_order=False, seed=_SEED)
    return Indices(*(np.asarray(analysis[name], np.float64) for name in ("S1", "S1_conf", "ST", "ST_conf")))


def of_data(x: NDArray[np.float64], y: NDArray[np.float64]) -> Indices:
    """First-order indices from any independent sample: x (n, k), y (n,), all finite.

    RBD-FAST (Tarantola, Gatelli and Mara, Reliability Engineering and System Safety 91 (2006) 717-727,
    doi:10.1016/j.ress.2005.06.003; on given data: Plischke, the same 95 (2010) 354-360,
    doi:10.1016/j.ress.2009.11.005) in SALib. With more than 32768 scenarios, a random 32768 are used.
    """
    rbd_fast = _salib("rbd_fast")
    if len(y) > _ENOUGH:
        some = np.sort(np.random.default_rng(_SEED).choice(len(y), _ENOUGH, replace=False))
        x, y = x[some], y[some]
    analysis = rbd_fast.analyze(_problem(x.shape[1]), x, y, seed=_SEED)
    nothing = np.full(x.shape[1], np.nan)
    first, conf = (np.asarray(analysis[name], np.float64) for name in ("S1", "S1_conf"))
    return Indices(first, conf, nothing, nothing)


def of_grid(values: NDArray[np.float64]) -> Indices:
    """Exact indices of a full grid, one factor per axis of the array; levels have equal weight.

    The definitions above as sums over the grid; cells that are NaN are left out of every mean.
    """
    variance = float(np.nanvar(values))
    axes = range(values.ndim)
    first = [np.nanvar(_mean(values, tuple(a for a in axes if a != i))) for i in axes]
    total = [np.nanmean(_variance(values, i)) for i in axes]
    nothing = np.full(values.ndim, np.nan)
    shares = [np.asarray(parts, np.float64) / variance for parts in (first, total)]
    return Indices(shares[0], nothing, shares[1], nothing)


def _mean(values: NDArray[np.float64], axes: tuple[int, ...]) -> Any:
    """Mean over those axes of the values that are not NaN, NaN where all are."""
    finite = ~np.isnan(values)
    count = finite.sum(axis=axes)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(finite, values, 0.0).sum(axis=axes) / count


def _variance(values: NDArray[np.float64], axis: int) -> Any:
    mean = np.expand_dims(_mean(values, (axis,)), axis)
    return _mean((values - mean) ** 2, (axis,))


def _problem(factors: int) -> dict[str, Any]:
    return {"num_vars": factors, "names": [str(i) for i in range(factors)], "bounds": [[0.0, 1.0]] * factors}


def _salib(module: str) -> Any:
    """The module of SALib.analyze. Raises SweepError."""
    from importlib import import_module

    if remedy("SALib"):
        raise SweepError("Sobol indices need SALib", remedy("SALib"))
    return import_module(f"SALib.analyze.{module}")
