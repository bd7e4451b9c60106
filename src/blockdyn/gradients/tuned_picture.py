"""Picture of a tuning: the measures in all scenarios and the gains, before and after."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator

from ..diagrams.results import canvas
from ..diagrams.results.style import (
    COLORS,
    COLUMN,
    GREY,
    SMALL,
    TEXT,
    WIDTH,
    Style,
    legend_above,
    logarithmic,
    quiet,
)

if TYPE_CHECKING:
    from .tuned import Tuned

MEASURE, GAIN, FRAME = 1.35, 0.24, 1.15  # inches: the height of a measure, of a gain, of what is around them
MOST, JOINED = 8, 60  # measures that are drawn; scenarios whose two values are joined
DECADES = 30.0  # positive values over a wider range have a logarithmic axis
WIDE = 8.0  # times: a change of a gain beyond which their axis is logarithmic
BEFORE, AFTER = GREY, COLORS[0]


def plot_tuned(tuned: Tuned, *, file: str | PathLike[str] | None, show: bool | None, style: Style) -> Figure:
    """See `Tuned.plot`."""
    if file is not None:
        canvas.check_picture(file)
    width = WIDTH if style == "screen" else COLUMN
    names = tuned.measures[:MOST]
    ratios = [*[MEASURE] * len(names), GAIN * (1 + len(tuned.values))]
    figure = canvas.new((width, FRAME + sum(ratios)), show)
    grid = figure.add_gridspec(len(ratios), 1, height_ratios=ratios)
    axes: list[Axes] = []
    marks: dict[str, Any] = {}
    for i, name in enumerate(names):
        axes.append(figure.add_subplot(grid[i], sharex=axes[0] if axes else None))
        quiet(axes[i])
        axes[i].tick_params(labelbottom=i == len(names) - 1)
        marks |= _measure(axes[i], tuned, i)
        axes[i].set_ylabel(name, fontsize=TEXT, parse_math=False)
    legend_above(axes[0], [*marks.values()], [*marks], width=width - 0.8)
    count = len(tuned.before)
    axes[0].set_xlim(-0.5, count - 0.5)
    axes[0].xaxis.set_major_locator(MaxNLocator(integer=True) if count > 1 else FixedLocator([0.0]))
    axes[-1].set_xlabel("scenario", fontsize=TEXT)
    figure.align_ylabels(axes)
    _gains(figure.add_subplot(grid[-1]), tuned)
    return canvas.finished(figure, file, show, style)


def _measure(axes: Axes, tuned: Tuned, i: int) -> dict[str, Any]:
    """Draw one measure over the scenarios; the marks by their names."""
    before, after = tuned.before[:, i], tuned.after[:, i]
    numbers = np.arange(len(before))
    few = len(numbers) <= JOINED
    if few:
        axes.vlines(numbers, before, after, color=GREY, linewidth=0.8, zorder=1.8)
    size = 5.0 if few else 2.5
    marks: dict[str, Any] = {
        "initial": axes.plot(numbers, before, "o", markersize=size, color=BEFORE, fillstyle="none")[0],
        "tuned": axes.plot(numbers, after, "o", markersize=size, color=AFTER)[0],
    }
    levels = [level for level in tuned.limits.get(tuned.measures[i], ()) if level is not None]
    for level in levels:
        marks["limit"] = axes.axhline(level, color=COLORS[1], linewidth=1.0, linestyle=(0, (4, 2)))
    every = np.concatenate([before, after, levels])
    if np.all(every > 0.0) and every.max() > DECADES * every.min():
        logarithmic(axes, "y")
    return marks


def _gains(axes: Axes, tuned: Tuned) -> None:
    """How many times its start each gain has become; its values beside it. One that was 0 has none."""
    quiet(axes)
    rows = np.arange(len(tuned.values))
    pairs = [(tuned.starts[path], value) for path, value in tuned.values.items()]
    times = np.array([value / start if start else np.nan for start, value in pairs])
    drawn = np.isfinite(times)
    axes.plot(np.ones(drawn.sum()), rows[drawn], "o", markersize=5.0, color=BEFORE, fillstyle="none")
    axes.hlines(rows[drawn], 1.0, times[drawn], color=GREY, linewidth=0.8, zorder=1.8)
    axes.plot(times[drawn], rows[drawn], "o", markersize=5.0, color=AFTER)
    known = np.append(times[drawn], 1.0)
    if known.min() > 0.0 and known.max() > WIDE * known.min():
        logarithmic(axes, "x")
    axes.margins(x=0.08)
    labels = [
        f"{path}: {start:.4g} \N{RIGHTWARDS ARROW} {value:.4g}"
        for path, (start, value) in zip(tuned.values, pairs, strict=True)
    ]
    axes.set_yticks(rows, labels, fontsize=SMALL, parse_math=False)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("gain / initial gain", fontsize=TEXT)
