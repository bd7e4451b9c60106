"""Noise: what goes up and down more often than a line can show, as its mean within a band."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .style import GREY
from .trace import FloatArray

PITCH = 4.3 / 72.0  # inches: a span of time, within which two strokes of a line leave no paper
STROKES = 2.0  # that go through all heights of a span
THICK = 0.06  # of the height of axes, on average over their width: what is seen as a block of colour
FAINT = 0.5  # how much of the paper many bands in one place cover


@dataclass(frozen=True)
class Band:
    """Of each span of time, (k,): its middle, the lowest, highest and mean value, and how far it went."""

    time: FloatArray
    low: FloatArray
    high: FloatArray
    mean: FloatArray
    travel: FloatArray

    def hides(self, height: float) -> bool:
        """Whether a line in axes of that height, in the unit of the values, would be a block of colour."""
        spread = self.high - self.low
        return bool(np.where(self.travel > STROKES * spread, spread, 0.0).mean() > THICK * height)


def band(time: FloatArray, values: FloatArray, held: bool, width: float) -> Band | None:
    """The band of a signal, held between samples or straight, in axes of that width in inches.

    None where it has fewer samples than a line can show, or values that are not finite.
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
    """How much of the paper one of so many bands covers."""
    return 2.0 * FAINT / (2 + count)


def draw_band(
    axes: Axes, name: str, band: Band, style: dict[str, Any], count: int, *, filled: bool = True
) -> Line2D:
    """Draw one of so many bands in the axes, and its mean as a line, which is returned."""
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
    """Whether pyplot shows the figure, so that one may look closer at it."""
    figure: Any = axes.figure
    return figure.canvas.manager is not None


def key_of_bands() -> tuple[Patch, str]:
    """What a legend says of bands."""
    return Patch(color=GREY, alpha=FAINT / 2.0, linewidth=0.0), "lowest to highest"
