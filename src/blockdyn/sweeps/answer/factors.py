"""Columns of numbers hold the factors that vary between scenarios, and the measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.words import NEAR, short
from ...diagrams.model.diagram_error import listed
from ..errors import SweepError, UnknownPath
from .gathered import flat

if TYPE_CHECKING:
    from ..declare.design import Design
    from .ensemble import Ensemble

FAILED = "failed"
"""The name under which pictures ask for the share of failures: 1 where a scenario failed, else 0."""


def axis_names(design: Design) -> list[str]:
    """Names of the axes; for a correlated axis, the names of its components."""
    return [name for dimension in design.dimensions for name in dimension.coordinates]


def varying_axes(design: Design) -> list[str]:
    """Names of the axes that take more than one value."""
    values = {name: flat(v) for dimension in design.dimensions for name, v in dimension.coordinates.items()}
    return [name for name, along in values.items() if len(along) and np.any(along != along[0])]


def axis_values(
    design: Design, names: Iterable[str] | None = None, numbers: NDArray[np.intp] | None = None
) -> dict[str, NDArray[Any]]:
    """Values of axes (default: of all) for scenarios (default: all): numbers, truth values or texts."""
    chosen = axis_names(design) if names is None else list(names)
    sizes = tuple(dimension.size for dimension in design.dimensions)
    numbers = np.arange(design.count) if numbers is None else numbers
    places = np.unravel_index(numbers, sizes) if sizes else ()
    values_of_axis = {
        name: flat(values)[place]
        for dimension, place in zip(design.dimensions, places)
        for name, values in dimension.coordinates.items()
        if name in chosen
    }
    return {name: values_of_axis[name] for name in chosen}


def column(ensemble: Ensemble, name: str) -> NDArray[Any]:
    """A measure, an axis, `end`, `steps` or `failed` for all scenarios (n,); NaN if it has no value.

    Raises UnknownPath.
    """
    gathered = ensemble.gathered
    if name in ensemble.measures:
        return gathered.measures[:, ensemble.measures.index(name)]
    axes = axis_names(ensemble.design)
    if name in axes:
        return axis_values(ensemble.design, [name])[name]
    if name == FAILED:
        return np.where(gathered.outcome < 0, np.nan, gathered.failed.astype(np.float64))
    if name == "end":
        return gathered.end
    if name == "steps":
        return np.where(gathered.outcome < 0, np.nan, gathered.steps.astype(np.float64))
    raise unknown(name, [*ensemble.measures, *axes, FAILED, "end", "steps"])


def unit_of(ensemble: Ensemble, name: str) -> str:
    """The unit of such a column, empty if it has none."""
    if name in ensemble.measures:
        return ensemble.units.get(name, "")
    return "s" if name == "end" else str(ensemble.info.get("units", {}).get(name, ""))


def measure_values(ensemble: Ensemble, measure: str) -> NDArray[np.float64]:
    """A measure, `end`, `steps` or `failed` as numbers (n,), NaN for scenarios that failed or were not run.

    `failed` is NaN only for scenarios that were not run. Raises UnknownPath, also for an axis.
    """
    names = [*ensemble.measures, FAILED, "end", "steps"]
    if measure not in names:
        raise unknown(measure, names, "measure")
    values = column(ensemble, measure)
    if measure == FAILED and FAILED not in ensemble.measures:
        return values
    return np.where(ensemble.gathered.succeeded, values, np.nan)


def chosen(design: Design, at: Mapping[str, Any] | None) -> NDArray[np.intp]:
    """Numbers of the scenarios whose explicit axes have the values `at`, in order.

    Raises UnknownPath for a name that is not an axis, SweepError for a value that the axis does not take.
    """
    shape = tuple(dimension.size for dimension in design.dimensions)
    keep = [np.ones(size, dtype=np.bool_) for size in shape]
    for name, value in (at or {}).items():
        place = next((p for p, d in enumerate(design.dimensions) if name in d.coordinates), None)
        if place is None:
            raise unknown(name, axis_names(design), "axis")
        values = flat(design.dimensions[place].coordinates[name])
        hit = _equal(values, value)
        if not hit.any():
            raise SweepError(
                f"axis {name}: no scenario has the value {short(value)}",
                f"it takes {listed(map(str, values))}",
            )
        keep[place] &= hit
    numbers = np.arange(design.count).reshape(shape)
    picked = np.ix_(*(np.flatnonzero(one) for one in keep))
    return numbers[picked].ravel() if shape else numbers.ravel()


def unknown(name: object, names: Iterable[str], kind: str = "measure or axis") -> UnknownPath:
    """The error for a name that is not among `names`."""
    names = list(names)
    nearest = get_close_matches(str(name), names, n=3, cutoff=NEAR)
    hint = f"the nearest are {', '.join(nearest)}" if nearest else f"there are {listed(names)}"
    return UnknownPath(f"no {kind} {short(name)} in this sweep; {hint}", path=str(name))


def _equal(values: NDArray[Any], value: object) -> NDArray[np.bool_]:
    if values.dtype.kind in "fiu" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return np.isclose(values.astype(np.float64), value, rtol=1e-9, atol=0.0)
    return np.array([bool(one == value) for one in values.tolist()], dtype=np.bool_)
