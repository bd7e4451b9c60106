"""A heat map shows a measure over two axes by colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ...sweeps.answer.factors import FAILED, axis_names, axis_values, chosen, measure_values, unknown
from ...sweeps.errors import SweepError
from .. import canvas
from ..style import SMALL, TEXT, logarithmic, quiet
from .marks import label, label_axes, left_out, title
from .pictures import File

if TYPE_CHECKING:
    from ...sweeps.answer.ensemble import Ensemble

_SIZE = (5.4, 4.2)
_MOST_LEVELS = 200  # largest number of distinct values with separate rows
_DECADES = 100.0  # positive values over this range or more are coloured by their logarithm
_NEAR_ZERO = 1e-5  # of the largest: smaller values may be 0 within the tolerance of their run
_FEW = 20  # largest number of unevenly spaced levels with cells of equal width
_WRITTEN = 8  # rows and columns up to which cells show their value
FAILURES = LinearSegmentedColormap.from_list("failures", ["#F7F7F7", "#F3B48C", "#D55E00", "#7A2E00"])
_REDUCE = {"mean": np.add, "max": np.fmax, "min": np.fmin}


Shades: TypeAlias = Literal["linear", "logarithmic"]


class Scale(NamedTuple):
    """One side of the map: borders of its cells, the cell of each scenario, names of cells of equal width."""

    borders: NDArray[np.float64]
    cell: NDArray[np.intp]
    names: list[str]
    logarithmic: bool

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.borders) - 1


def heat(
    ensemble: Ensemble,
    measure: str,
    x: str,
    y: str,
    *,
    reduce: str,
    at: Mapping[str, Any] | None,
    colors: Shades | None,
    file: File,
    show: bool | None,
) -> Figure:
    """See `Pictures.heat`."""
    if not isinstance(reduce, str) or reduce not in _REDUCE:
        raise SweepError(f"heat: reduce {reduce!r}; expected one of {', '.join(_REDUCE)}")
    axes_by_name = axis_names(ensemble.design)
    for name in (x, y):
        if name not in axes_by_name:
            raise unknown(name, axes_by_name, "axis")
    numbers = chosen(ensemble.design, at)
    sides = axis_values(ensemble.design, {x, y}, numbers)
    values = measure_values(ensemble, measure)[numbers]
    across, up = (scale(sides[name]) for name in (x, y))
    cells = reduce_cells(values, up, across, reduce)
    if np.isnan(cells).all():
        raise SweepError(f"heat: no scenario that succeeded has a value of {measure}")
    figure = canvas.new(_SIZE, show)
    axes = figure.add_subplot()
    quiet(axes)
    axes.grid(False)
    counts_failures = measure == FAILED and FAILED not in ensemble.measures
    mesh = _mesh(axes, cells, across, up, _shades(cells, counts_failures, colors))
    label_axes(axes, label(ensemble, x), label(ensemble, y))
    bar = figure.colorbar(mesh, ax=axes, pad=0.02, aspect=28)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, width=0.6, length=3.0)
    several = across.size * up.size < len(numbers)
    how = f"{reduce} of " if several and not counts_failures else ""
    bar.set_label(how + label(ensemble, measure), fontsize=TEXT, parse_math=False)
    hatched = "hatched: no scenario succeeded" if np.isnan(cells).any() else ""
    fixed = ", ".join(f"{name} = {value}" for name, value in (at or {}).items())
    title(figure, fixed, "" if counts_failures else left_out(ensemble), hatched)
    return canvas.finished(figure, file, show)


def scale(values: NDArray[Any]) -> Scale:
    """Cells for the values of one axis: one per value, or bins for too many values."""
    if values.dtype.kind not in "fiu":
        texts = np.array([str(value) for value in values])
        names, cell = np.unique(texts, return_inverse=True)
        return Scale(
            np.arange(len(names) + 1, dtype=np.float64) - 0.5,
            cell.astype(np.intp),
            [str(n) for n in names],
            False,
        )
    numbers = values.astype(np.float64)
    levels, cell = np.unique(numbers, return_inverse=True)
    if len(levels) > min(_MOST_LEVELS, max(2, len(numbers) // 2)):
        bins = int(np.clip(np.sqrt(len(numbers)) / 3.0, 6, 40))
        borders: NDArray[np.float64] = levels[0] + (levels[-1] - levels[0]) / bins * np.arange(bins + 1.0)
        cell = np.clip(np.searchsorted(borders, numbers, side="right") - 1, 0, bins - 1)
        return Scale(borders, cell.astype(np.intp), [], False)
    logarithmic = spaced_by_ratio(levels)
    if not logarithmic and spaced_unevenly(levels):
        equal = np.arange(len(levels) + 1, dtype=np.float64) - 0.5
        return Scale(equal, cell.astype(np.intp), [f"{level:g}" for level in levels], False)
    places = np.log(levels) if logarithmic else levels
    borders = _midway(places)
    return Scale(
        np.asarray(np.exp(borders) if logarithmic else borders, np.float64),
        cell.astype(np.intp),
        [],
        logarithmic,
    )


def reduce_cells(values: NDArray[np.float64], up: Scale, across: Scale, how: str) -> NDArray[np.float64]:
    """One number per cell (rows up, columns across) from values that are not NaN; NaN for an empty cell."""
    finite = ~np.isnan(values)
    place = (up.cell * across.size + across.cell)[finite]
    cells = up.size * across.size
    count = np.bincount(place, minlength=cells)
    start = {"mean": 0.0, "max": -np.inf, "min": np.inf}[how]
    table = np.full(cells, start)
    _REDUCE[how].at(table, place, values[finite])
    if how == "mean":
        table /= np.maximum(count, 1)
    return np.where(count > 0, table, np.nan).reshape(up.size, across.size)


def _shades(cells: NDArray[np.float64], counts_failures: bool, colors: Shades | None) -> tuple[Any, Any]:
    """The colours, and the position of each value on the scale. Raises SweepError."""
    if counts_failures:
        return FAILURES, Normalize(0.0, 1.0)
    finite = cells[np.isfinite(cells)]
    low, high = float(finite.min()), float(finite.max())
    if colors == "logarithmic" and not low > 0.0:
        problem = f'heat: colors="logarithmic", and the least value is {low:g}'
        raise SweepError(problem, 'expected: values above 0, or colors="linear"')
    wide = high >= _DECADES * low and low > _NEAR_ZERO * high
    if colors == "logarithmic" or (colors is None and wide):
        return "viridis", LogNorm(low, high)
    return "viridis", Normalize(low, high)


def _mesh(axes: Axes, cells: NDArray[np.float64], across: Scale, up: Scale, shades: tuple[Any, Any]) -> Any:
    axes.patch.set(facecolor="#E8E8E8", hatch="////", edgecolor="#B0B0B0")
    ways: tuple[tuple[Literal["x", "y"], Scale], ...] = (("x", across), ("y", up))
    for way, one in ways:
        if one.logarithmic:
            logarithmic(axes, way)
    colors, norm = shades
    mesh = axes.pcolormesh(
        across.borders, up.borders, cells, cmap=colors, norm=norm, edgecolors="face", linewidth=0.3
    )
    axes.set(xlim=across.borders[[0, -1]], ylim=up.borders[[0, -1]])
    if across.names:
        turned: dict[str, Any] = {"rotation": 30.0, "ha": "right"} if max(map(len, across.names)) > 6 else {}
        axes.set_xticks(np.arange(across.size), across.names, parse_math=False, **turned)
    if up.names:
        axes.set_yticks(np.arange(up.size), up.names, parse_math=False)
    if max(cells.shape) <= _WRITTEN:
        _write(axes, cells, across, up, mesh)
    return mesh


def _write(axes: Axes, cells: NDArray[np.float64], across: Scale, up: Scale, mesh: Any) -> None:
    """Write the value of every cell at its centre, dark on light and light on dark."""
    across_at, up_at = (_centres(one) for one in (across, up))
    for row, column in zip(*np.nonzero(~np.isnan(cells))):
        red, green, blue, _ = mesh.cmap(mesh.norm(cells[row, column]))
        light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.55
        axes.text(
            across_at[column], up_at[row], f"{cells[row, column]:.3g}", fontsize=SMALL - 1.0,
            ha="center", va="center", color="#202020" if light else "white",
        )  # fmt: skip


def _centres(scale: Scale) -> list[float]:
    low, high = scale.borders[:-1], scale.borders[1:]
    middle = np.sqrt(low * high) if scale.logarithmic else 0.5 * (low + high)
    return [float(place) for place in middle]


def _midway(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Borders midway between positions, and half a distance beyond the first and last."""
    if len(places) == 1:
        return np.array([places[0] - 0.5, places[0] + 0.5])
    inner = 0.5 * (places[:-1] + places[1:])
    outer = 2.0 * places[[0, -1]] - inner[[0, -1]]
    return np.asarray(np.concatenate([outer[:1], inner, outer[1:]]))


def spaced_by_ratio(levels: NDArray[np.float64]) -> bool:
    """True if ordered levels, at least three and positive, grow by one ratio, by at least four in all."""
    if len(levels) < 3 or not levels[0] > 0.0 or levels[-1] < 4.0 * levels[0]:
        return False
    steps = np.diff(np.log(levels))
    return bool(np.allclose(steps, steps[0], rtol=1e-6))


def spaced_unevenly(levels: NDArray[np.float64]) -> bool:
    """True if a few ordered levels are spaced so unevenly that some cells would be too narrow to read."""
    steps = np.diff(levels)
    return 3 <= len(levels) <= _FEW and bool(steps.max() > 3.0 * steps.min())
