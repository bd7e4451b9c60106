"""Sobol indices: the share of a measure's variance that a factor makes, alone and with all its interactions.

    first_i = Var(E[y | x_i]) / Var(y)          total_i = E[Var(y | all but x_i)] / Var(y)

Sobol, Mathematics and Computers in Simulation 55 (2001) 271-280, doi:10.1016/S0378-4754(00)00270-6.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.extras import remedy
from ..errors import MissingPackage

_SEED = 1  # of the bootstrap that gives confidence intervals: the same numbers every time
_ENOUGH = 2**15  # scenarios beyond which a given-data estimate gains nothing that its interval shows


class Indices(NamedTuple):
    """Indices (k,), and half the width of their 95 % confidence intervals; NaN where not known."""

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
    doi:10.1016/j.ress.2009.11.005) in SALib. Of more than 32768 scenarios so many, drawn evenly, are used.
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
    """Exact indices of a full grid, one factor an axis of the array; levels weigh the same.

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
    """Mean over those axes of what is known, NaN where nothing is."""
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
    """The module of SALib.analyze. Raises MissingPackage."""
    from importlib import import_module

    if remedy("SALib"):
        raise MissingPackage("Sobol indices need SALib", remedy("SALib"))
    return import_module(f"SALib.analyze.{module}")
