"""Signals too dense for lines are drawn as bands with their mean, or as images over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ...diagrams.results.trace import FloatArray, Trace
from ..style import COLORS, DASHES, GREY, SMALL, TEXT, legend_above, line_styles, with_unit

PITCH = 4.3 / 72.0  # inches: a span of time that two strokes of a line fill
STROKES = 2.0  # strokes that cover the full height of a span
THICK = 0.06  # share of the height of axes, mean over the width: a line looks like a block of colour
FAINT = 0.5  # share of the paper that overlapping bands cover


@dataclass(frozen=True)
class Band:
    """For each span of time, (k,): its centre, lowest, highest and mean value, and total variation."""

    time: FloatArray
    low: FloatArray
    high: FloatArray
    mean: FloatArray
    travel: FloatArray

    def hides(self, height: float) -> bool:
        """True if a line in axes of this height, in units of the values, would be a solid area."""
        spread = self.high - self.low
        return bool(np.where(self.travel > STROKES * spread, spread, 0.0).mean() > THICK * height)


def band(time: FloatArray, values: FloatArray, held: bool, width: float) -> Band | None:
    """The band of a signal, constant or linear between samples, in axes of this width in inches.

    None if it has fewer samples than a line can show, or values that are not finite.
    """
    spans = int(width / PITCH)
    if spans < 2 or time.size <= 2 * spans or not time[-1] > time[0] or not np.isfinite(values).all():
        return None
    edges = np.linspace(time[0], time[-1], spans + 1)
    places = np.searchsorted(time, edges[1:-1], side="right")
    before = values[places - 1]
    at = before if held else np.interp(edges[1:-1], time, values)
    times, points = np.insert(time, places, edges[1:-1]), np.insert(values, places, at)
    begins = np.concatenate([[0], places + np.arange(places.size)])
    first, second, lengths = points[:-1], points[1:], np.diff(times)
    middle = first if held else (first + second) / 2.0
    return Band(
        (edges[1:] + edges[:-1]) / 2.0,
        np.minimum.reduceat(first if held else np.minimum(first, second), begins),
        np.maximum.reduceat(first if held else np.maximum(first, second), begins),
        np.add.reduceat(middle * lengths, begins) / np.add.reduceat(lengths, begins),
        np.add.reduceat(np.abs(second - first), begins),
    )


def faint(count: int) -> float:
    """Share of the paper that each band covers, among this number of bands."""
    return 2.0 * FAINT / (2 + count)


def draw_band(
    axes: Axes, name: str, band: Band, style: dict[str, Any], count: int, *, filled: bool = True
) -> Line2D:
    """Draw one of several bands in the axes, and return its mean line."""
    if filled:
        axes.fill_between(
            band.time,
            band.low,
            band.high,
            color=style["color"],
            alpha=faint(count),
            linewidth=0.0,
            zorder=1.8,
        )
    (line,) = axes.plot(band.time, band.mean, label=name, linewidth=1.2, **style)
    return line


def in_window(axes: Axes) -> bool:
    """True if pyplot shows the figure, so that the user can zoom."""
    figure: Any = axes.figure
    return figure.canvas.manager is not None


def key_of_bands() -> tuple[Patch, str]:
    """Entry of bands in a legend."""
    return Patch(color=GREY, alpha=FAINT / 2.0, linewidth=0.0), "lowest to highest"


MOST = len(COLORS) * len(DASHES)  # lines that can be distinguished
MOST_ROWS = 100  # maximum number of rows of a matrix that are drawn as lines
INSTANTS = 600  # columns of an image, points of a line or band
RARE = 0.005  # fraction of the values at either end
_SCALE = (0.0, 1.05, 0.35, 0.05)  # place of the colour scale, relative to the axes
_SCALE_ABOVE = 24.0  # points of space for it below the title


def is_dense(trace: Trace, stop: float) -> bool:
    """True if a signal of some duration has more elements than distinguishable lines."""
    return trace.size > MOST and trace.samples > 0 and _end(trace, stop) > trace.time[0]


def _end(trace: Trace, stop: float) -> float:
    return max(stop, float(trace.time[-1])) if trace.kind == "discrete" else float(trace.time[-1])


def draw_crowd(axes: Axes, trace: Trace, *, stop: float, width: float) -> None:
    """Draw all elements of a signal. A vector or a wide matrix is drawn as colours over time, a matrix
    with few columns, such as particles, in one colour per column, as thin lines or a band.
    """
    times = np.linspace(float(trace.time[0]), _end(trace, stop), INSTANTS)
    values = trace.at(times)
    if values.ndim == 3 and values.shape[2] <= len(COLORS):
        rows, pad = f", {values.shape[1]} rows", 10.5 * _columns(axes, trace, times, values, width) + 4.0
    else:
        rows, pad = "", _SCALE_ABOVE
        _image(axes, trace, times, values.reshape(INSTANTS, -1))
    title: Any = {"fontsize": TEXT, "fontweight": "bold", "loc": "left", "parse_math": False}
    axes.set_title(f"{trace.path}{rows}", pad=pad, **title)


def _columns(axes: Axes, trace: Trace, times: FloatArray, values: FloatArray, width: float) -> int:
    """Draw one colour per column, and return the rows of the legend."""
    handles: list[Any] = []
    names = []
    _, count, columns = values.shape
    for column, style in zip(range(columns), line_styles(), strict=False):
        rows, unit = values[:, :, column], trace.units[column]
        names.append(with_unit(f"[:,{column}]", unit))
        if count > MOST_ROWS:
            each = Band(times, rows.min(axis=1), rows.max(axis=1), rows.mean(axis=1), np.zeros(0))
            handles.append(draw_band(axes, names[-1], each, style, columns))
        else:
            axes.plot(times, rows, linewidth=0.6, alpha=0.6, **style)
            handles.append(Line2D([], [], **style))
    if count > MOST_ROWS:
        key, said = key_of_bands()
        handles, names = [*handles, key], [*names, f"{said} row, and mean"]
    return legend_above(axes, handles, names, width=width)


def _image(axes: Axes, trace: Trace, times: FloatArray, values: FloatArray) -> None:
    """Colours from the lowest to the highest value; without rare values that occupy most of the scale."""
    finite = values[np.isfinite(values)]
    low, usual_low, usual_high, high = np.quantile(
        finite if finite.size else 0.0, [0.0, RARE, 1.0 - RARE, 1.0]
    )
    few = 0.0 < usual_high - usual_low < 0.5 * (high - low)
    if few:
        low, high = usual_low, usual_high
    elif not high > low:
        high = low + 1.0
    image = axes.imshow(
        values.T, aspect="auto", origin="lower", interpolation="nearest", cmap="viridis",
        norm=Normalize(float(low), float(high)), extent=(times[0], times[-1], -0.5, values.shape[1] - 0.5),
    )  # fmt: skip
    axes.grid(False)
    axes.set_ylabel("element", fontsize=TEXT)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    figure: Any = axes.figure
    scale = axes.inset_axes(_SCALE)
    bar = figure.colorbar(image, cax=scale, orientation="horizontal", extend="both" if few else "neither")
    bar.outline.set_visible(False)
    bar.locator = MaxNLocator(3)
    scale.xaxis.set_ticks_position("top")
    scale.tick_params(labelsize=SMALL, width=0.6, length=2.0, pad=1.0)
    units = [*dict.fromkeys(trace.units)]
    if len(units) == 1 and units[0]:
        beside: Any = {"transform": scale.transAxes, "va": "center", "fontsize": SMALL, "parse_math": False}
        scale.text(1.08, 0.5, with_unit("", units[0]), **beside)
