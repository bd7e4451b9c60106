"""Sensitivity indices measure the effect of each axis of a sweep on a measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.words import inflect
from ..errors import SweepError
from .factors import chosen, measure_values
from .gathered import flat
from .indices import Indices, dependent, of_data, of_grid, of_saltelli, partial, rank_matrix, spearman
from .tables import Table

if TYPE_CHECKING:
    import pandas as pd

    from .ensemble import Ensemble

_FEWEST = 64  # scenarios for an estimate of Sobol indices from a sample
SALTELLI = "saltelli"


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity:
    """Effect of each factor on one measure; prints as a table.

    measure   its name
    kind      "rank" or "sobol"
    method    how the numbers were computed, in a sentence
    names     of the factors; axes that are zipped are one, `a & b`
    values    by name, (factors,) each; NaN where undefined
              rank   rho, rho_low, rho_high, prcc, prcc_low, prcc_high
              sobol  first, first_conf, total, total_conf; a conf is half a 95 % interval
    count     scenarios used
    left_out  scenarios that failed or have no value
    """

    measure: str
    kind: str
    method: str
    names: tuple[str, ...]
    values: Mapping[str, NDArray[np.float64]]
    count: int
    left_out: int

    @property
    def strength(self) -> NDArray[np.float64]:
        """Values that order the factors (factors,): |PRCC| or |rho|, total or first index; 0 for NaN."""
        best, other = ("prcc", "rho") if self.kind == "rank" else ("total", "first")
        strengths = np.where(np.isnan(self.values[best]), self.values[other], self.values[best])
        return np.asarray(np.abs(np.nan_to_num(strengths)))

    def table(self) -> Table:
        """One row per factor, the strongest first."""
        order = np.argsort(-self.strength, kind="stable")
        columns = {name: column for name, column in self.values.items() if not np.isnan(column).all()}
        rows = [(self.names[i], *(round(float(column[i]), 4) for column in columns.values())) for i in order]
        title = f"Sensitivity of {self.measure}: {self.method}"
        out = f", {self.left_out} that failed or have no value left out" if self.left_out else ""
        return Table(
            ("factor", *columns), rows, title=title, notes=(f"{inflect(self.count, 'scenario')}{out}",)
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per factor, in the order of the axes."""
        import pandas as pd

        return pd.DataFrame(dict(self.values), index=pd.Index(self.names, name="factor"))

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.table().to_html()


class _Factor(NamedTuple):
    """A varying factor: its dimension, and its values along it (None if they are texts)."""

    name: str
    dimension: int
    values: NDArray[np.float64] | None
    sampled: bool


def sensitivity(
    ensemble: Ensemble, measure: str, kind: str = "rank", *, at: Mapping[str, Any] | None = None
) -> Sensitivity:
    """Rank correlations or Sobol indices of a measure, over the scenarios that ended well.

    "rank": `ranks.spearman` and `ranks.partial`, for axes of numbers.
    "sobol", by design:
      sampling: saltelli       first and total indices with intervals: `indices.of_saltelli`
      explicit axes only       first and total indices of the grid, exact: `indices.of_grid`
      any other sample         first indices with intervals: `indices.of_data`; explicit axes as for a grid.
                               For correlated axes each index includes their common part.
    In Saltelli's design the indices of a correlated axis belong to the independent numbers that its
    components are made of.

    Raises UnknownPath for a name of neither a measure nor an axis, SweepError if nothing varies or the
    design does not allow it, SweepError without SALib.
    """
    if not isinstance(kind, str) or kind not in ("rank", "sobol"):
        raise SweepError(f"sensitivity: kind {kind!r}; expected 'rank' or 'sobol'")
    numbers = chosen(ensemble.design, at)
    shape = _shape(ensemble, numbers)
    values = measure_values(ensemble, measure)[numbers].reshape(shape)
    factors = _factors(ensemble, numbers, shape, split=kind == "rank" or sum(n > 1 for n in shape) == 1)
    if not factors:
        raise SweepError("sensitivity: no axis takes more than one value in these scenarios")
    usable = np.isfinite(values) if kind == "sobol" else ~np.isnan(values)
    used = values[usable]
    if used.size < len(factors) + 4 or not np.any(used != used[0]):
        reason = f"takes {used.size} values" if used.size < len(factors) + 4 else "is the same everywhere"
        raise SweepError(
            f"sensitivity: {measure} {reason} over the {inflect(values.size, 'scenario')};"
            " it has no sensitivities",
            f"expected at least {len(factors) + 4} scenarios that succeed, with values that differ",
        )
    values = np.where(usable, values, np.nan)
    if kind == "rank":
        method, factors, columns = _ranks(factors, values)
    else:
        method, factors, indices = _indices(ensemble, factors, values)
        columns = indices._asdict()
    names = tuple(factor.name for factor in factors)
    return Sensitivity(measure, kind, method, names, columns, used.size, values.size - used.size)


def _ranks(
    factors: list[_Factor], values: NDArray[np.float64]
) -> tuple[str, list[_Factor], dict[str, NDArray[np.float64]]]:
    numeric = [factor for factor in factors if factor.values is not None]
    if not numeric:
        raise SweepError("sensitivity: no axis of numbers varies, and ranks need numbers", "use kind='sobol'")
    usable = ~np.isnan(values.ravel())
    columns_of_all = [*(_spread(factor, values.shape) for factor in numeric), values.ravel()]
    matrix = rank_matrix(np.column_stack([column[usable] for column in columns_of_all]))
    count = int(np.count_nonzero(usable))
    columns: dict[str, NDArray[np.float64]] = {}
    for name, (value, low, high) in (("rho", spearman(matrix, count)), ("prcc", partial(matrix, count))):
        columns |= {name: value, f"{name}_low": low, f"{name}_high": high}
    return "rank correlation with 95 % confidence", numeric, columns


def _indices(
    ensemble: Ensemble, factors: list[_Factor], values: NDArray[np.float64]
) -> tuple[str, list[_Factor], Indices]:
    explicit = [factor for factor in factors if not factor.sampled]
    sampled = [factor for factor in factors if factor.sampled]
    if not sampled:
        grid = of_grid(values.reshape([values.shape[factor.dimension] for factor in explicit]))
        return "Sobol indices of the grid", explicit, grid
    if ensemble.design.sampling == SALTELLI:
        if explicit:
            raise SweepError(
                "sensitivity: Saltelli's design has Sobol indices for each point of the explicit axes",
                f"choose one: at={{{explicit[0].name.split(' & ')[0]!r}: ...}}",
            )
        return _saltelli(sampled, values)
    return _sampled_indices(explicit, sampled, values)


def _saltelli(sampled: list[_Factor], values: NDArray[np.float64]) -> tuple[str, list[_Factor], Indices]:
    complete = np.isfinite(values.reshape(-1, len(sampled) + 2)).all(axis=1)
    if np.count_nonzero(complete) < 2:
        raise SweepError(
            "sensitivity: all but one of the base points have a scenario that failed",
            "narrow the axes, or use kind='rank'",
        )
    dropped = (
        f"; {np.count_nonzero(~complete)} base points with a failure left out" if not complete.all() else ""
    )
    method = f"Sobol indices of Saltelli's design, {np.count_nonzero(complete)} base points{dropped}"
    return method, sampled, of_saltelli(values.ravel(), len(sampled))


def _sampled_indices(
    explicit: list[_Factor], sampled: list[_Factor], values: NDArray[np.float64]
) -> tuple[str, list[_Factor], Indices]:
    """Sampled axes from the mean over the grid: its variance is their contribution without explicit axes."""
    numeric = [factor for factor in sampled if factor.values is not None]
    along = sampled[0].dimension
    table = np.moveaxis(values, along, -1)
    means = table.reshape(-1, table.shape[-1]).mean(axis=0)  # NaN where any failed
    usable = np.isfinite(means)
    if np.count_nonzero(usable) < _FEWEST:
        raise SweepError(
            f"sensitivity: {np.count_nonzero(usable)} samples succeeded everywhere; expected {_FEWEST}",
            "run more scenarios, or use kind='rank'",
        )
    columns = [factor.values for factor in numeric if factor.values is not None]
    sampled_indices = of_data(np.column_stack(columns)[usable], means[usable])
    scale = float(np.var(means[usable]) / np.nanvar(values))
    parts = [
        sampled_indices._replace(
            first=scale * sampled_indices.first, first_conf=scale * sampled_indices.first_conf
        )
    ]
    if explicit:
        dims = [values.shape[factor.dimension] for factor in explicit]
        grid = of_grid(table.reshape([*dims, table.shape[-1]]))
        parts.insert(0, Indices(*(column[:-1] for column in grid)))
    joined = Indices(*(np.concatenate(columns) for columns in zip(*parts)))
    return "first-order Sobol indices from the sample (RBD-FAST)", [*explicit, *numeric], joined


def _factors(
    ensemble: Ensemble, numbers: NDArray[np.intp], shape: tuple[int, ...], *, split: bool
) -> list[_Factor]:
    """Factors that vary in these scenarios: one for a dimension of explicit axes, one for each sampled axis.

    With `split`, axes of one dimension that do not follow each other, as in a file of scenarios, are taken
    as sampled ones.
    """
    design = ensemble.design
    sampled = {axis.name for axis in design.axes if axis.sampled}
    places = np.unravel_index(numbers, tuple(d.size for d in design.dimensions)) if design.dimensions else ()
    factors = []
    for number, dimension in enumerate(design.dimensions):
        at = np.unique(places[number])
        along = {name: _numbers(flat(values)[at]) for name, values in dimension.coordinates.items()}
        drawn = {name for name in along if name in sampled or name.rsplit("[", 1)[0] in sampled}
        if drawn or (split and _independent(list(along.values()))):
            factors += [_Factor(name, number, values, True) for name, values in along.items()]
        elif shape[number] > 1:
            values = next((v for v in along.values() if v is not None and np.ptp(v) > 0.0), None)
            factors.append(_Factor(" & ".join(along), number, values, False))
    return factors


def _shape(ensemble: Ensemble, numbers: NDArray[np.intp]) -> tuple[int, ...]:
    """Number of values that each dimension of the design takes in these scenarios."""
    sizes = tuple(dimension.size for dimension in ensemble.design.dimensions)
    return tuple(len(np.unique(place)) for place in np.unravel_index(numbers, sizes)) if sizes else (1,)


def _independent(columns: list[NDArray[np.float64] | None]) -> bool:
    """True if there are several columns, all of numbers, more values than columns, and ranks that differ."""
    numbers = [column for column in columns if column is not None and np.ptp(column) > 0.0]
    if len(numbers) < max(len(columns), 2) or len(numbers[0]) < 2 * len(columns) + 4:
        return False
    return not dependent(rank_matrix(np.column_stack(numbers)))


def _numbers(values: NDArray[Any]) -> NDArray[np.float64] | None:
    return values.astype(np.float64) if values.dtype.kind in "fiub" else None


def _spread(factor: _Factor, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The factor's values for every scenario (n,)."""
    along = [1] * len(shape)
    along[factor.dimension] = -1
    values = np.zeros(shape[factor.dimension]) if factor.values is None else factor.values
    return np.broadcast_to(values.reshape(along), shape).ravel()
