"""Events in a figure: thin dashed lines where they are few, ticks on the top edge where they are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .provenance import EventRecord
from .style import GREY, SMALL, letter
from .trace import FloatArray

_MOST_LINES = 20
_MOST_TICKS = 400
_DASHES = ((0, (5, 3)), (0, (1, 2)), (0, (7, 2, 1, 2)), (0, (3, 3)))


def mark_events(figure: Figure, all_axes: Sequence[Axes], events: Sequence[EventRecord]) -> None:
    """Mark the instants of every kind of event in all axes, and name the kinds below the figure."""
    handles = [Line2D([], [], linestyle="none")]
    kinds = list(dict.fromkeys(event.kind for event in events))
    for number, kind in enumerate(kinds):
        times = np.unique([event.time for event in events if event.kind == kind])
        many = times.size > _MOST_LINES
        style = {"linestyle": "-", "linewidth": 0.6} if many else _dashed(number)
        for axes in all_axes:
            bottom, top = (0.965, 1.0) if many else (0.0, 1.0)
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


def _dashed(number: int) -> dict[str, Any]:
    return {"linestyle": _DASHES[number % len(_DASHES)], "linewidth": 0.7}


def _uprights(axes: Axes, times: FloatArray, bottom: float, top: float, style: dict[str, Any]) -> None:
    across = axes.get_xaxis_transform()
    axes.vlines(times, bottom, top, transform=across, colors=GREY, zorder=1.5, label="_event", **style)


def _spread(times: FloatArray) -> FloatArray:
    """One instant in each of 400 spans: more ticks than that only blacken the edge."""
    if times.size <= _MOST_TICKS:
        return times
    edges = np.linspace(times[0], times[-1], _MOST_TICKS + 1)[:-1]
    return times[np.unique(np.searchsorted(times, edges))]


def _handle(many: bool, style: dict[str, Any]) -> Line2D:
    if many:
        return Line2D([], [], color=GREY, linestyle="none", marker="|", markersize=5.0)
    return Line2D([], [], color=GREY, **style)
