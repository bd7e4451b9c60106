"""An envelope shows a stored signal of all scenarios over time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ...sweeps.answer.dataset import time_grid
from ...sweeps.answer.factors import measure_values, unknown
from ...sweeps.errors import SweepError
from .. import canvas
from ..style import COLORS, TEXT, WIDTH, legend_above, quiet, with_unit
from .marks import left_out, over_scenarios, title
from .pictures import File

if TYPE_CHECKING:
    from ...sweeps.answer.ensemble import Ensemble

_LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
_MOST_PANELS = 6


def envelope(ensemble: Ensemble, signal: str, *, worst: str | None, file: File, show: bool | None) -> Figure:
    """See `Pictures.envelope`."""
    name, elements, units = _elements(ensemble, signal)
    gathered = ensemble.gathered
    bands = over_scenarios(gathered, name, gathered.succeeded, _LEVELS)
    times = time_grid(ensemble.info, bands.shape[1])
    extreme = _extreme(ensemble, name, worst) if worst is not None else None
    shown = elements[:_MOST_PANELS]
    height = 0.7 + len(shown) * (2.6 if len(shown) == 1 else 1.9)
    figure = canvas.new((WIDTH, height), show)
    all_axes: list[Axes] = []
    for row, (element, text) in enumerate(shown):
        axes = figure.add_subplot(len(shown), 1, row + 1, sharex=all_axes[0] if all_axes else None)
        all_axes.append(axes)
        quiet(axes)
        handles, names = _bands(axes, times, bands[:, :, element])
        if extreme is not None:
            number, values = extreme
            handles += axes.plot(times, values[:, element], color=COLORS[1], linewidth=1.0, zorder=3)
            names.append(f"scenario {number}, maximum of {worst}")
        axes.set_ylabel(with_unit(text, units), fontsize=TEXT, parse_math=False)
        if row == 0:
            legend_above(axes, handles, names, width=WIDTH - 0.8)
        axes.tick_params(labelbottom=row == len(shown) - 1)
    all_axes[-1].set_xlabel("time (s)", fontsize=TEXT)
    if len(times) > 1:
        all_axes[0].set_xlim(times[0], times[-1])
    figure.align_ylabels(all_axes)
    few = f"{len(shown)} of {len(elements)} elements" if len(shown) < len(elements) else ""
    title(figure, left_out(ensemble), few)
    return canvas.finished(figure, file, show)


def _bands(
    axes: Axes, times: NDArray[np.float64], levels: NDArray[np.float64]
) -> tuple[list[Any], list[str]]:
    outer = axes.fill_between(times, levels[0], levels[4], color=COLORS[0], alpha=0.18, linewidth=0.0)
    inner = axes.fill_between(times, levels[1], levels[3], color=COLORS[0], alpha=0.38, linewidth=0.0)
    (median,) = axes.plot(times, levels[2], color=COLORS[0], linewidth=1.4)
    return [median, inner, outer], ["median", "25th to 75th percentile", "5th to 95th percentile"]


def _extreme(ensemble: Ensemble, name: str, worst: str) -> tuple[int, NDArray[np.float64]]:
    values = measure_values(ensemble, worst)
    if np.isnan(values).all():
        raise SweepError(f"envelope: no scenario has a value of {worst}")
    number = int(np.nanargmax(values))
    rows = ensemble.gathered.rows(name, np.array([number], dtype=np.intp))[0]
    return number, rows.reshape(len(rows), -1)


def _elements(ensemble: Ensemble, signal: str) -> tuple[str, list[tuple[int, str]], str]:
    """The requested signal, the indices and names of its elements to draw, and their unit."""
    trajectories = ensemble.gathered.signals
    if not trajectories:
        raise SweepError(
            "envelope: no signals were kept",
            "name some in the sweep: keep: {signals: [plant.y], every: 0.01}",
        )
    match = re.fullmatch(r"(.*?)(?:\[([0-9, ]+)\])?", signal)
    base, index = (match[1], match[2]) if match else (signal, None)
    matches = [name for name in trajectories if name == base] or [
        name for name in trajectories if name.rpartition(".")[0] == base
    ]
    if len(matches) != 1:
        raise unknown(signal, trajectories, "kept signal")
    name, shape = matches[0], trajectories[matches[0]][1:]
    places = [tuple(int(i) for i in index.split(","))] if index else list(np.ndindex(*shape))
    if index and (len(places[0]) != len(shape) or any(i >= size for i, size in zip(places[0], shape))):
        raise unknown(signal, trajectories, "kept signal")
    names = [name + (f"[{','.join(map(str, place))}]" if shape else "") for place in places]
    numbers = [int(np.ravel_multi_index(place, shape)) if shape else 0 for place in places]
    return name, list(zip(numbers, names)), str(ensemble.info.get("units", {}).get(name, ""))
