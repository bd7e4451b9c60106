"""A scatter plot shows scenarios over two axes or measures, passes and failures in two colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from ...sweeps.answer.factors import column, measure_values
from ...sweeps.errors import SweepError
from .. import canvas
from ..style import COLORS, legend_above, quiet
from .marks import label, label_axes, title
from .pictures import File

if TYPE_CHECKING:
    from ...sweeps.answer.ensemble import Ensemble

_SIZE = (5.2, 4.2)
_MOST_POINTS = 5000
_AS_PIXELS = 500  # points above which a vector file contains them as an image


def scatter(
    ensemble: Ensemble,
    x: str,
    y: str,
    *,
    passed: ArrayLike | Mapping[str, Any] | None,
    file: File,
    show: bool | None,
) -> Figure:
    """See `Pictures.scatter`."""
    good = passes(ensemble, passed)
    gathered = ensemble.gathered
    at_x, x_names = places(column(ensemble, x))
    at_y, y_names = places(column(ensemble, y))
    drawable = np.isfinite(at_x) & np.isfinite(at_y)
    numbers = np.flatnonzero((gathered.outcome >= 0) & drawable)
    if not numbers.size:
        raise SweepError(f"scatter: no scenario has finite values of both {x} and {y}")
    without = int(np.count_nonzero((gathered.outcome >= 0) & ~drawable))
    total = numbers.size
    if total > _MOST_POINTS:
        numbers = np.sort(np.random.default_rng(1).choice(numbers, _MOST_POINTS, replace=False))
    figure = canvas.new(_SIZE, show)
    axes = figure.add_subplot()
    quiet(axes)
    axes.margins(0.04)
    _points(axes, at_x[numbers], at_y[numbers], good[numbers])
    for set_ticks, names in ((axes.set_xticks, x_names), (axes.set_yticks, y_names)):
        if names:
            set_ticks(np.arange(len(names)), names, parse_math=False)
    label_axes(axes, label(ensemble, x), label(ensemble, y))
    some = f"{_MOST_POINTS} of {total} points" if total > _MOST_POINTS else ""
    title(figure, some, f"{without} scenarios without a value" if without else "")
    return canvas.finished(figure, file, show)


def passes(ensemble: Ensemble, passed: ArrayLike | Mapping[str, Any] | None) -> NDArray[np.bool_]:
    """True for scenarios that pass (n,). Raises UnknownPath, SweepError for invalid limits."""
    good = ensemble.gathered.succeeded
    if passed is None:
        return good
    if isinstance(passed, Mapping):
        for measure, limits in passed.items():
            try:
                ends = np.atleast_1d(np.asarray(limits, dtype=np.float64))
            except (TypeError, ValueError, OverflowError):
                ends = np.empty(0)
            if ends.shape not in ((1,), (2,)):
                raise SweepError(f"passed: {measure}: {limits!r}; expected its highest value, or [low, high]")
            low, high = (-np.inf, ends[0]) if ends.size == 1 else ends
            values = measure_values(ensemble, measure)
            with np.errstate(invalid="ignore"):
                good = good & (values >= low) & (values <= high)
        return good
    truth = np.asarray(passed)
    if truth.shape != (len(ensemble),) or truth.dtype != np.bool_:
        raise SweepError(
            f"passed: an array of {truth.dtype}, shape {truth.shape};"
            f" expected {len(ensemble)} truth values, one per scenario"
        )
    return truth


def places(values: NDArray[Any]) -> tuple[NDArray[np.float64], list[str]]:
    """Numbers unchanged; texts as indices of their names, which are also returned."""
    if values.dtype.kind in "fiub":
        return values.astype(np.float64), []
    names, place = np.unique(np.array([str(value) for value in values]), return_inverse=True)
    return place.astype(np.float64), [str(name) for name in names]


def _points(axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64], good: NDArray[np.bool_]) -> None:
    size = float(np.clip(4000.0 / len(x), 6.0, 22.0))
    many = len(x) > _AS_PIXELS
    dots = axes.scatter(
        x[good],
        y[good],
        s=size,
        color=COLORS[0],
        alpha=0.55 if many else 0.8,
        linewidths=0.0,
        rasterized=many,
    )
    crosses = axes.scatter(
        x[~good],
        y[~good],
        s=1.6 * size,
        color=COLORS[1],
        marker="x",
        linewidths=1.1,
        zorder=3,
        rasterized=many,
    )
    count = int(np.count_nonzero(good))
    legend_above(axes, [dots, crosses], [f"{count} pass", f"{len(x) - count} fail"], width=_SIZE[0] - 0.9)
