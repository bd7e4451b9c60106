"""Pictures of sensitivities and fits."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..diagrams.results import canvas
from ..diagrams.results.style import (
    COLUMN,
    GREY,
    TEXT,
    WIDTH,
    Style,
    legend_above,
    line_styles,
    quiet,
    with_unit,
)

if TYPE_CHECKING:
    from .fitted import Fit
    from .sensitivities import Sensitivities

HEIGHT, LEAST = 0.22, 1.2  # one axes: of the width; inches, with room for its label
LOGARITHMIC, PLAIN = "\u2202/\u2202 ln ", "\u2202/\u2202 "  # p dy/dp is the derivative by ln p
LONGEST = 14  # letters of a label in one line


def plot_sensitivities(
    found: Sensitivities, *, file: str | PathLike[str] | None, show: bool | None, style: Style
) -> Figure:
    """See `Sensitivities.plot`."""
    figure, axes, width = _axes(len(found.signals), file, show, style)
    for each, (name, trace) in zip(axes, found.signals.items(), strict=True):
        handles, labels, looks = [], [], line_styles()
        for path in found.to:
            value = found.values[path]
            values = found.derivatives[path][name].flat * (value or 1.0)
            for column, element in zip(values.T, trace.columns, strict=True):
                handles += each.plot(found.times, column, linewidth=1.2, **next(looks))
                which = f" on {element}" if trace.size > 1 else ""
                labels.append(f"{LOGARITHMIC if value else PLAIN}{path}{which}")
        _label(each, f"sensitivity of\n{name}", "" if "," in trace.unit else trace.unit)
        legend_above(each, handles, labels, width=width - 0.8)
    return _finished(figure, axes, file, show, style)


def plot_fit(found: Fit, *, file: str | PathLike[str] | None, show: bool | None, style: Style) -> Figure:
    """See `Fit.plot`."""
    figure, axes, width = _axes(2 * len(found.residuals), file, show, style)
    for k, (experiment, name, unit, times, data, model) in enumerate(found.residuals):
        above, below = axes[2 * k], axes[2 * k + 1]
        dots = above.plot(times, data, ".", markersize=5, color="#B0B0B0")
        line = above.plot(times, model, linewidth=1.2, **next(line_styles()))
        legend_above(above, [*dots, *line], ["data", "model"], width=width - 0.8)
        below.axhline(0.0, color=GREY, linewidth=0.8)
        below.plot(times, model - data, ".", markersize=2.5, color=line[0].get_color())
        which = "" if experiment == "data" else f"\n{experiment}"
        _label(above, f"{name}{which}", unit)
        _label(below, "model - data", unit)
    return _finished(figure, axes, file, show, style)


def _axes(
    count: int, file: str | PathLike[str] | None, show: bool | None, style: Style
) -> tuple[Figure, list[Axes], float]:
    if file is not None:
        canvas.check_picture(file)
    width = WIDTH if style == "screen" else COLUMN
    figure = canvas.new((width, max(count, 2) * max(HEIGHT * width, LEAST)), show)
    axes: list[Axes] = list(figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0])
    for each in axes:
        quiet(each)
    return figure, axes, width


def _label(axes: Axes, text: str, unit: str) -> None:
    """Label of the vertical axis; a unit that does not fit next to the name goes below it."""
    label = with_unit(text, unit)
    if len(text) + len(unit) > LONGEST:
        label = label.replace(f"{text} (", f"{text}\n(")
    axes.set_ylabel(label, fontsize=TEXT, parse_math=False)


def _finished(
    figure: Figure, axes: list[Axes], file: str | PathLike[str] | None, show: bool | None, style: Style
) -> Figure:
    axes[-1].set_xlabel("time (s)", fontsize=TEXT)
    figure.align_ylabels(axes)
    return canvas.finished(figure, file, show, style)
