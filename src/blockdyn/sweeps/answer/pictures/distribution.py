"""Distribution: the share of scenarios up to each value of a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ....base.counted import counted
from ....diagrams.results import canvas
from ....diagrams.results.style import COLORS, GREY, SMALL, legend_above, quiet
from . import File
from .histogram import known_values
from .lettering import label, label_axes, left_out, title
from .quantiles import quantiles

if TYPE_CHECKING:
    from ..ensemble import Ensemble

_SIZE = (5.2, 3.2)
_POINTS = 2000
_LEVELS = (0.05, 0.5, 0.95)


def distribution(ensemble: Ensemble, measure: str, *, file: File, show: bool | None) -> Figure:
    """The work of `Pictures.distribution`."""
    values = np.sort(known_values(ensemble, measure))
    count, levels = values.size, quantiles(values[:, None], _LEVELS)[:, 0]
    share = np.arange(1, count + 1) / count
    if count > _POINTS:  # evenly in rank, with both ends
        some = np.unique(np.linspace(0, count - 1, _POINTS).astype(np.intp))
        values, share = values[some], share[some]
    figure = canvas.new(_SIZE, show)
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
    names = [counted(count, "scenario"), "95 % confidence band"]
    legend_above(axes, [line, band], names, width=_SIZE[0] - 0.9)
    label_axes(axes, label(ensemble, measure), "cumulative fraction of scenarios")
    title(figure, left_out(ensemble))
    return canvas.finished(figure, file, show)
