"""A tornado plot shows sensitivities of a measure as bars, with the strongest on top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ...sweeps.answer.sensitivity import sensitivity
from .. import canvas
from ..style import COLORS, GREY, SMALL, TEXT, WIDTH, legend_above, quiet
from .marks import title
from .pictures import File

if TYPE_CHECKING:
    from ...sweeps.answer.ensemble import Ensemble
    from ...sweeps.answer.sensitivity import Sensitivity

_MOST = 15


def tornado(
    ensemble: Ensemble,
    measure: str,
    kind: Literal["rank", "sobol"],
    *,
    at: Mapping[str, Any] | None,
    file: File,
    show: bool | None,
) -> Figure:
    """See `Pictures.tornado`."""
    indices = sensitivity(ensemble, measure, kind, at=at)
    return canvas.finished(drawn(indices, show), file, show)


def drawn(indices: Sensitivity, show: bool | None) -> Figure:
    """The picture of existing sensitivities."""
    order = np.argsort(-indices.strength, kind="stable")[:_MOST][::-1]
    figure = canvas.new((WIDTH, 1.1 + 0.42 * len(order)), show)
    axes = figure.add_subplot()
    quiet(axes)
    axes.grid(False, axis="y")
    handles, names = (_ranks if indices.kind == "rank" else _indices)(axes, indices, order)
    texts = [_short(indices.names[place]) for place in order]
    axes.set_yticks(np.arange(len(order)), texts, parse_math=False, fontsize=SMALL)
    axes.set_ylim(-0.6, len(order) - 0.4)
    axes.axvline(0.0, color="#404040", linewidth=0.8)
    legend_above(axes, handles, names, width=WIDTH - 1.6)
    label = "rank correlation with" if indices.kind == "rank" else "Sobol index of"
    axes.set_xlabel(f"{label} {indices.measure}", fontsize=TEXT, parse_math=False)
    few = (
        f"the {len(order)} strongest of {len(indices.names)} factors"
        if len(order) < len(indices.names)
        else ""
    )
    failed = f"{indices.left_out} scenarios that failed or have no value left out" if indices.left_out else ""
    title(figure, failed, few)
    return figure


def _ranks(axes: Axes, indices: Sensitivity, order: np.ndarray) -> tuple[list[Any], list[str]]:
    """Draw partial correlations as bars with their intervals, Spearman's as rings."""
    places = np.arange(len(order))
    value, low, high = (indices.values[name][order] for name in ("prcc", "prcc_low", "prcc_high"))
    colors = np.where(np.nan_to_num(value) >= 0.0, COLORS[0], COLORS[1])
    axes.barh(places, value, height=0.62, color=colors, alpha=0.8)
    whiskers = np.abs(np.stack([value - low, high - value]))
    axes.errorbar(value, places, xerr=whiskers, fmt="none", ecolor="#202020", elinewidth=0.9, capsize=2.0)
    (rings,) = axes.plot(
        indices.values["rho"][order], places, linestyle="none", marker="o", markersize=5.0,
        markerfacecolor="white", markeredgecolor="#202020", zorder=4,
    )  # fmt: skip
    axes.set_xlim(-1.05, 1.05)
    return [Patch(color=GREY), rings], ["partial rank correlation (PRCC), 95 % interval", "Spearman"]


def _indices(axes: Axes, indices: Sensitivity, order: np.ndarray) -> tuple[list[Any], list[str]]:
    """Draw first and total indices as two bars per factor; NaN is not drawn."""
    handles: list[Any] = []
    names: list[str] = []
    columns = [
        (name, text, color)
        for name, text, color in (("total", "total effect", COLORS[5]), ("first", "first order", COLORS[0]))
        if not np.isnan(indices.values[name]).all()
    ]
    height = 0.7 / len(columns)
    for row, (name, text, color) in enumerate(columns):
        places = np.arange(len(order)) + (row - 0.5 * (len(columns) - 1)) * height
        value, half = indices.values[name][order], indices.values[f"{name}_conf"][order]
        handles.append(axes.barh(places, value, height=height, color=color, alpha=0.85))
        names.append(text)
        if not np.isnan(half).all():
            axes.errorbar(
                value,
                places,
                xerr=np.nan_to_num(half),
                fmt="none",
                ecolor="#202020",
                elinewidth=0.9,
                capsize=2.0,
            )
    axes.margins(x=0.04)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]), right=max(1.0, axes.get_xlim()[1]))
    return handles[::-1], names[::-1]


def _short(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:18]}...{name[-19:]}"
