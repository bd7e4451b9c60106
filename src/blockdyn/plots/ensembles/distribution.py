"""Histograms and empirical distribution functions show the values of a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from ...base.words import inflect
from ...sweeps.answer.factors import measure_values
from ...sweeps.errors import SweepError
from .. import canvas
from ..style import COLORS, GREY, SMALL, legend_above, quiet
from .marks import label, label_axes, left_out, quantiles, title, whisper
from .pictures import File

if TYPE_CHECKING:
    from ...sweeps.answer.ensemble import Ensemble

_SIZE = (5.2, 3.2)
_BINS = (8, 60)
_FAR = 8.0  # a value this many interquartile ranges outside the quartiles is counted, not drawn


def histogram(ensemble: Ensemble, measure: str, *, file: File, show: bool | None) -> Figure:
    """See `Pictures.histogram`."""
    values = known_values(ensemble, measure)
    figure = canvas.new(_SIZE, show)
    axes = figure.add_subplot()
    draw(axes, values)
    label_axes(axes, label(ensemble, measure), "number of scenarios")
    title(figure, left_out(ensemble))
    return canvas.finished(figure, file, show)


def known_values(ensemble: Ensemble, measure: str) -> NDArray[np.float64]:
    """Finite values of the measure over successful scenarios. Raises SweepError without any."""
    values = measure_values(ensemble, measure)
    finite = values[np.isfinite(values)]
    if not finite.size:
        raise SweepError(f"nothing to draw: no scenario that succeeded has a finite value of {measure}")
    return finite


def draw(axes: Axes, values: NDArray[np.float64]) -> None:
    """The bars, the three quantiles, and the number of values beyond."""
    quiet(axes)
    q5, q25, median, q75, q95 = np.quantile(values, (0.05, 0.25, 0.5, 0.75, 0.95))
    reach = _FAR * (q75 - q25)
    inside = values[(values >= q25 - reach) & (values <= q75 + reach)] if reach > 0.0 else values
    low, high = float(inside.min()), float(inside.max())
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        room = 0.5 * max(abs(low), 1e-300)
        low, high = low - room, high + room
    width = 2.0 * (q75 - q25) / inside.size ** (1.0 / 3.0)
    bins = int(np.clip((high - low) / width if width > 0.0 else 30, *_BINS))
    axes.hist(
        inside, bins=bins, range=(low, high), color=COLORS[0], alpha=0.75, edgecolor="white", linewidth=0.4
    )
    lines = [axes.axvline(median, color=COLORS[6], linewidth=1.2)]
    lines += [axes.axvline(q, color=COLORS[1], linewidth=1.1, linestyle=(0, (5, 1.5))) for q in (q5, q95)][:1]
    legend_above(axes, lines, ["median", "5th and 95th percentiles"], width=_SIZE[0] - 0.9)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    beyond = values.size - inside.size
    if beyond:
        whisper(axes, f"{beyond} beyond the axis, up to {values[np.argmax(np.abs(values - median))]:.3g}")


_DISTRIBUTION_SIZE = (5.2, 3.2)
_POINTS = 2000
_LEVELS = (0.05, 0.5, 0.95)


def distribution(ensemble: Ensemble, measure: str, *, file: File, show: bool | None) -> Figure:
    """See `Pictures.distribution`."""
    values = np.sort(known_values(ensemble, measure))
    count, levels = values.size, quantiles(values[:, None], _LEVELS)[:, 0]
    share = np.arange(1, count + 1) / count
    if count > _POINTS:  # evenly spaced ranks, with both ends
        some = np.unique(np.linspace(0, count - 1, _POINTS).astype(np.intp))
        values, share = values[some], share[some]
    figure = canvas.new(_DISTRIBUTION_SIZE, show)
    axes = figure.add_subplot()
    quiet(axes)
    axes.ticklabel_format(axis="y", style="plain")
    room = np.sqrt(np.log(2.0 / 0.05) / (2.0 * count))
    band = axes.fill_between(
        values, np.clip(share - room, 0.0, 1.0), np.clip(share + room, 0.0, 1.0),
        step="post", color=COLORS[0], alpha=0.18, linewidth=0.0,
    )  # fmt: skip
    steps = np.concatenate([[values[0]], values])
    (line,) = axes.plot(steps, np.append(0.0, share), drawstyle="steps-post", color=COLORS[0], linewidth=1.4)
    for level, at in zip(_LEVELS, levels.tolist(), strict=True):
        axes.plot([at], [level], marker="o", markersize=4.0, color=COLORS[1], zorder=3)
        axes.annotate(
            f"{100.0 * level:.0f} %: {at:.4g}", (at, level), xytext=(10.0, -1.0), textcoords="offset points",
            fontsize=SMALL, va="center" if level < 0.1 else "top", color="#202020",
        )  # fmt: skip
    axes.axhline(1.0, color=GREY, linewidth=0.6)
    axes.set_ylim(0.0, 1.04)
    axes.margins(x=0.04)
    names = [inflect(count, "scenario"), "95 % confidence band"]
    legend_above(axes, [line, band], names, width=_DISTRIBUTION_SIZE[0] - 0.9)
    label_axes(axes, label(ensemble, measure), "cumulative fraction of scenarios")
    title(figure, left_out(ensemble))
    return canvas.finished(figure, file, show)
