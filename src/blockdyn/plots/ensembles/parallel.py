"""Parallel coordinates draw every scenario as a line across the axes and measures."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ...sweeps.answer.factors import axis_values, column, measure_values, varying_axes
from ...sweeps.errors import SweepError
from .. import canvas
from ..style import COLORS, SMALL, TEXT
from .heat import spaced_by_ratio
from .marks import label, title
from .pictures import File
from .scatter import places

if TYPE_CHECKING:
    from ...sweeps.answer.ensemble import Ensemble

_MOST_LINES = 1500
_MOST_AXES = 12
_DEFAULT = 6
_AS_PIXELS = 300
_FAILED = COLORS[1]


def parallel(
    ensemble: Ensemble, measures: str | Sequence[str] | None, *, file: File, show: bool | None
) -> Figure:
    """See `Pictures.parallel`."""
    chosen = [measures] if isinstance(measures, str) else list(measures or ensemble.measures[:_DEFAULT])
    if not chosen:
        raise SweepError("parallel: this sweep has no measures; name one, such as 'end'")
    first = measure_values(ensemble, chosen[0])
    vary = varying_axes(ensemble.design)
    most = max(1, _MOST_AXES - len(chosen))
    names = [*vary[:most], *chosen]
    run = np.flatnonzero(ensemble.gathered.outcome >= 0)
    if not run.size:
        raise SweepError("parallel: no scenario has been run")
    some = run
    if run.size > _MOST_LINES:
        some = np.sort(np.random.default_rng(1).choice(run, _MOST_LINES, replace=False))
    columns = [places(axis_values(ensemble.design, [name])[name]) for name in vary[:most]]
    columns += [places(column(ensemble, name)) for name in chosen]
    figure = canvas.new((max(5.2, 1.15 * len(names) + 1.2), 3.6), show)
    axes = figure.add_subplot()
    heights, marks = zip(*(_scale_values(values, texts, some) for values, texts in columns))
    bar = _lines(figure, axes, np.stack(heights, axis=1), first[some], ensemble.gathered.failed[some])
    if bar is not None:
        bar.set_label(label(ensemble, chosen[0]), fontsize=TEXT, parse_math=False)
    _scales(axes, [label(ensemble, name) for name in names], list(marks))
    failed = bool(ensemble.gathered.failed[some].any())
    few = f"{some.size} of {run.size} scenarios" if some.size < run.size else ""
    hidden = f"{len(vary) - most} more axes not shown" if len(vary) > most else ""
    title(figure, few, hidden, "failed scenarios dashed" if failed else "")
    return canvas.finished(figure, file, show)


def _scale_values(
    values: NDArray[np.float64], texts: list[str], chosen: NDArray[np.intp]
) -> tuple[NDArray[np.float64], list[tuple[float, str]]]:
    """Heights between 0 and 1 of some scenarios, and the labels along the scale."""
    heights = np.where(np.isfinite(values[chosen]), values[chosen], np.nan)
    if np.isnan(heights).all():
        return heights, []
    low, high = float(np.nanmin(heights)), float(np.nanmax(heights))
    if not high > low:
        return np.where(np.isnan(heights), np.nan, 0.5), [(0.5, texts[int(low)] if texts else f"{low:.3g}")]
    if texts:
        return (heights - low) / (high - low), [
            ((i - low) / (high - low), text) for i, text in enumerate(texts)
        ]
    if spaced_by_ratio(np.unique(heights[~np.isnan(heights)])):
        middle, heights = np.sqrt(low * high), np.log(heights / low) / np.log(high / low)
    else:
        middle, heights = 0.5 * (low + high), (heights - low) / (high - low)
    return heights, [(0.0, f"{low:.3g}"), (0.5, f"{middle:.3g}"), (1.0, f"{high:.3g}")]


def _lines(
    figure: Figure,
    axes: Axes,
    heights: NDArray[np.float64],
    colored_by: NDArray[np.float64],
    failed: NDArray[np.bool_],
) -> Colorbar | None:
    """Draw good scenarios by colour, high values dark and on top, failed in front; returns the colour bar."""
    points = np.stack([np.broadcast_to(np.arange(heights.shape[1]), heights.shape), heights], axis=2)
    good = np.flatnonzero(~failed)
    good = good[np.argsort(np.nan_to_num(colored_by[good], nan=-np.inf), kind="stable")]
    many = len(heights) > _AS_PIXELS
    alpha = float(np.clip(60.0 / max(len(heights), 1), 0.25, 0.9))
    colors = matplotlib.colormaps["viridis"].reversed()
    lines = LineCollection(
        list(points[good]), cmap=colors, linewidths=0.8, alpha=alpha, rasterized=many, zorder=2
    )
    lines.set_array(colored_by[good])
    axes.add_collection(lines)
    dashed: Any = (0, (4, 2))
    axes.add_collection(
        LineCollection(
            list(points[failed]),
            colors=_FAILED,
            linewidths=0.9,
            linestyles=[dashed],
            alpha=min(1.0, 1.5 * alpha),
            rasterized=many,
            zorder=3,
        )
    )
    if not np.isfinite(colored_by[good]).any():
        return None
    bar = figure.colorbar(lines, ax=axes, pad=0.03, aspect=28)
    if bar.solids is not None:
        bar.solids.set(alpha=1.0)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, width=0.6, length=3.0)
    return bar


def _scales(axes: Axes, names: list[str], marks: list[list[tuple[float, str]]]) -> None:
    """Draw vertical rules, their end values next to them, names below."""
    axes.set(xlim=(-0.35, len(names) - 0.45), ylim=(-0.04, 1.04))
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)
    axes.set_yticks([])
    axes.set_xticks(
        np.arange(len(names)), [_fold_name(name) for name in names], fontsize=SMALL, parse_math=False
    )
    axes.tick_params(axis="x", length=0.0)
    for place, along in enumerate(marks):
        axes.axvline(place, color="#404040", linewidth=0.8, zorder=4)
        for height, text in along:
            axes.annotate(
                text, (place, height), xytext=(3.0, 0.0), textcoords="offset points", fontsize=SMALL - 1.0,
                va="center", color="#202020", zorder=5, parse_math=False,
                bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.6},
            )  # fmt: skip


def _fold_name(name: str) -> str:
    """The name on lines of at most 15 letters, broken after points where possible."""
    pieces = name.replace(".", ".\u200b").replace("/", "/\u200b").replace(" ", "\u200b ").split("\u200b")
    lines = [""]
    for piece in pieces:
        if lines[-1] and len(lines[-1] + piece) > 15:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return "\n".join(
        textwrap.shorten(line, 22, placeholder="...") if len(line) > 22 else line for line in lines
    )
