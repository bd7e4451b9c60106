"""Events are marked in a figure: few as thin dashed lines, many as ticks on an edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ...diagrams.results.provenance import EventRecord
from ...diagrams.results.trace import FloatArray
from ..style import GREY, SMALL, letter

_MOST_LINES = 20
_MOST_TICKS = 400
_HIDDEN = 0.003  # of the axes' width: there the vertical axis covers a line
_EDGES = ((0.965, 1.0), (0.0, 0.035))  # shares of the height, for ticks
_DASHES = {
    "zero crossing": (0, (5, 3)),
    "time": (0, (1, 2)),
    "stop": (0, (7, 2, 1, 2)),
    "reset": (0, (3, 3)),
    "mode": (0, (9, 3)),
    "sample": (0, (1, 4)),
}
_COLORS = {"zero crossing": "#8E6BB0", "time": "#404040", "touch": "#0A7D54"}
_OTHER = (0, (7, 2, 1, 2, 1, 2))


def mark_events(figure: Figure, all_axes: Sequence[Axes], events: Sequence[EventRecord]) -> None:
    """Mark the instants of every kind of event in all axes, and name the kinds below the figure.

    A kind looks the same in every figure. Zero crossings are violet. Time events are dark grey; if there are
    many, their ticks are on the lower edge. Lines that the vertical axis would hide are left out.
    """
    handles = [Line2D([], [], linestyle="none")]
    left, right = all_axes[0].get_xlim()
    kinds = []
    for kind in sorted({event.kind for event in events}):
        times = np.unique([event.time for event in events if event.kind == kind])
        many = times.size > _MOST_LINES
        if not many:
            times = times[times - left > _HIDDEN * (right - left)]
        if not times.size:
            continue
        kinds.append(kind)
        style = {"linestyle": "-", "linewidth": 0.6} if many else _line_style(kind)
        style["color"] = _COLORS.get(kind, GREY)
        for axes in all_axes:
            bottom, top = _EDGES[kind == "time"] if many else (0.0, 1.0)
            _uprights(axes, _spread(times) if many else times, bottom, top, style)
        handles.append(_handle(many, style))
    if kinds:
        legend = figure.legend(
            handles,
            ["name"] * len(handles),
            loc="outside lower right",
            ncols=len(handles),
            fontsize=SMALL,
            labelcolor="#505050",
            frameon=False,
            handlelength=1.8,
            columnspacing=1.2,
            borderpad=0.0,
            borderaxespad=0.4,
        )
        letter(legend, ["events:", *kinds])


def _line_style(kind: str) -> dict[str, Any]:
    return {"linestyle": _DASHES.get(kind, _OTHER), "linewidth": 0.7}


def _uprights(axes: Axes, times: FloatArray, bottom: float, top: float, style: dict[str, Any]) -> None:
    across = axes.get_xaxis_transform()
    axes.vlines(times, bottom, top, transform=across, zorder=1.5, label="_event", **style)


def _spread(times: FloatArray) -> FloatArray:
    """One instant in each of 400 spans: more ticks than that only blacken the edge."""
    if times.size <= _MOST_TICKS:
        return times
    edges = np.linspace(times[0], times[-1], _MOST_TICKS + 1)[:-1]
    return times[np.unique(np.searchsorted(times, edges))]


def _handle(many: bool, style: dict[str, Any]) -> Line2D:
    if many:
        return Line2D([], [], color=style["color"], linestyle="none", marker="|", markersize=5.0)
    return Line2D([], [], **style)
