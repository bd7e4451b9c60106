"""Curve: one scalar trace drawn over another, from a ring at its start to a dot at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from .merge import merged_time
from .style import COLORS, SMALL, TEXT, legend_above, with_unit
from .trace import FloatArray, Trace
from .wraps import broken, wraps

if TYPE_CHECKING:
    from .panel import Panel


def draw_panel(axes: Axes, panel: Panel, *, width: float) -> None:
    """The curves of an XYScope, the second half of its traces over the first; `width` in inches."""
    count = len(panel.traces) // 2
    units = [unit.strip() for unit in panel.unit.split(",")]
    labels, names = panel.names[:2], list(panel.names[2:])
    lines = draw_curves(axes, panel.traces[:count], panel.traces[count:], labels, units)
    pad = None
    if names:
        ends = [line for line in axes.lines if line.get_label() in ("start", "end")]
        names += [str(line.get_label()) for line in ends]
        rows = legend_above(axes, [*lines, *ends], names, width=width)
        pad = 10.5 * rows + 4.0
    if panel.title:
        axes.set_title(panel.title, fontsize=TEXT, fontweight="bold", loc="left", pad=pad, parse_math=False)


def draw_curves(
    axes: Axes, xs: Sequence[Trace], ys: Sequence[Trace], labels: Sequence[str], units: Sequence[str]
) -> list[Line2D]:
    """Each y over its x. Equal units get equal scales; a line has a gap where an angle wraps."""
    axes.margins(0.06)
    lines = []
    for number, (x, y) in enumerate(zip(xs, ys)):
        color = COLORS[number % len(COLORS)]
        horizontal, vertical = _sampled_together(x, y)
        gaps = np.union1d(wraps(horizontal, units[0]), wraps(vertical, units[1]))
        lines += axes.plot(*broken(gaps, horizontal, vertical), color=color, linewidth=1.2, zorder=2)
        ends = COLORS[1] if len(xs) == 1 else color
        for at, name, face in ((0, "start", "white"), (-1, "end", ends)) if horizontal.size else ():
            dot: dict[str, Any] = {
                "marker": "o", "markersize": 5.0, "markeredgecolor": ends, "linestyle": "none",
                "label": name if number == 0 else f"_{name}",
            }  # fmt: skip
            axes.plot([horizontal[at]], [vertical[at]], markerfacecolor=face, zorder=3, **dot)
    axes.legend(fontsize=SMALL, frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    put_label: tuple[Callable[..., Any], ...] = (axes.set_xlabel, axes.set_ylabel)
    for put, label, unit in zip(put_label, labels, units):
        put(with_unit(label, unit), fontsize=TEXT, parse_math=False)
    if units[0] and units[0] == units[1]:
        axes.set_aspect("equal", adjustable="datalim")
    return lines


def _sampled_together(x: Trace, y: Trace) -> tuple[FloatArray, FloatArray]:
    if x.samples == y.samples and np.array_equal(x.time, y.time):
        return x.values, y.values
    times = np.unique(merged_time([x.time, y.time]))
    return x.at(times, "interpolate"), y.at(times, "interpolate")
