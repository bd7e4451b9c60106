"""Figures show sensitivities, fits, tunings and orbits."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator

from ...base.words import nearest
from ...gradients.errors import GradientError
from ...gradients.orbit import Orbit
from ...solvers.layout import Floats
from .. import canvas
from ..style import (
    COLORS,
    COLUMN,
    GREY,
    SMALL,
    TEXT,
    WIDTH,
    Style,
    few_ticks,
    legend_above,
    line_styles,
    logarithmic,
    quiet,
    with_unit,
)

if TYPE_CHECKING:
    from ...gradients.fitted import Fit
    from ...gradients.sensitivities import Sensitivities
    from ...gradients.tuned import Tuned

HEIGHT, LEAST = 0.22, 1.2  # height of an axes, relative to the width; least height, inches, for its label
LOGARITHMIC, PLAIN = "\u2202/\u2202 ln ", "\u2202/\u2202 "  # p dy/dp is the derivative with respect to ln p
LONGEST = 14  # letters of a label in one line


def plot_sensitivities(
    sensitivities: Sensitivities,
    *,
    file: str | PathLike[str] | None = None,
    show: bool | None = None,
    style: Style = "screen",
) -> Figure:
    """Each derivative times its number over time, p dy/dp: the change of the signal, in its unit,
    if p changes by its own size; dy/dp if the number is 0.
    """
    figure, axes, width = _axes(len(sensitivities.signals), file, show, style)
    for each, (name, trace) in zip(axes, sensitivities.signals.items(), strict=True):
        handles, labels, looks = [], [], line_styles()
        for path in sensitivities.to:
            value = sensitivities.values[path]
            values = sensitivities.derivatives[path][name].flat * (value or 1.0)
            for column, element in zip(values.T, trace.columns, strict=True):
                handles += each.plot(sensitivities.times, column, linewidth=1.2, **next(looks))
                which = f" on {element}" if trace.size > 1 else ""
                labels.append(f"{LOGARITHMIC if value else PLAIN}{path}{which}")
        _label(each, f"sensitivity of\n{name}", "" if "," in trace.unit else trace.unit)
        legend_above(each, handles, labels, width=width - 0.8)
    return _finish_figure(figure, axes, file, show, style)


def plot_fit(
    fit: Fit, *, file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen"
) -> Figure:
    """Data, model and residuals, column by column."""
    figure, axes, width = _axes(2 * len(fit.residuals), file, show, style)
    for k, (experiment, name, unit, times, data, model) in enumerate(fit.residuals):
        above, below = axes[2 * k], axes[2 * k + 1]
        dots = above.plot(times, data, ".", markersize=5, color="#B0B0B0")
        line = above.plot(times, model, linewidth=1.2, **next(line_styles()))
        legend_above(above, [*dots, *line], ["data", "model"], width=width - 0.8)
        below.axhline(0.0, color=GREY, linewidth=0.8)
        below.plot(times, model - data, ".", markersize=2.5, color=line[0].get_color())
        which = "" if experiment == "data" else f"\n{experiment}"
        _label(above, f"{name}{which}", unit)
        _label(below, "model - data", unit)
    return _finish_figure(figure, axes, file, show, style)


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
    """Label of the vertical axis; a unit without space next to the name is below it."""
    label = with_unit(text, unit)
    if len(text) + len(unit) > LONGEST:
        label = label.replace(f"{text} (", f"{text}\n(")
    axes.set_ylabel(label, fontsize=TEXT, parse_math=False)


def _finish_figure(
    figure: Figure, axes: list[Axes], file: str | PathLike[str] | None, show: bool | None, style: Style
) -> Figure:
    axes[-1].set_xlabel("time (s)", fontsize=TEXT)
    figure.align_ylabels(axes)
    return canvas.finished(figure, file, show, style)


MEASURE, GAIN, FRAME = 1.35, 0.24, 1.15  # inches: the height of a measure, of a gain, of their margins
MOST, JOINED = 8, 60  # measures in a figure; scenarios with a line between their two values
DECADES = 30.0  # positive values over a wider range have a logarithmic axis
WIDE = 8.0  # ratio of a gain to its start above which their axis is logarithmic
BEFORE, AFTER = GREY, COLORS[0]


def plot_tuning(
    tuned: Tuned,
    *,
    file: str | PathLike[str] | None = None,
    show: bool | None = None,
    style: Style = "screen",
) -> Figure:
    """Each measure in all scenarios, before and after, with its limits; and the change of each gain.

    The figure has at most the first eight measures. Raises ResultFileError.
    """
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
    """Draw one measure over the scenarios; returns the marks by their names."""
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
    """Ratio of each gain to its start, with its values; a gain that was 0 has no ratio."""
    quiet(axes)
    rows = np.arange(len(tuned.values))
    pairs = [(tuned.starts[path], value) for path, value in tuned.values.items()]
    times = np.array([value / start if start else np.nan for start, value in pairs])
    drawn = np.isfinite(times)
    axes.plot(np.ones(drawn.sum()), rows[drawn], "o", markersize=5.0, color=BEFORE, fillstyle="none")
    axes.hlines(rows[drawn], 1.0, times[drawn], color=GREY, linewidth=0.8, zorder=1.8)
    axes.plot(times[drawn], rows[drawn], "o", markersize=5.0, color=AFTER)
    ratios = np.append(times[drawn], 1.0)
    if ratios.min() > 0.0 and ratios.max() > WIDE * ratios.min():
        logarithmic(axes, "x")
    axes.margins(x=0.08)
    labels = [
        f"{path}: {start:.4g} \N{RIGHTWARDS ARROW} {value:.4g}"
        for path, (start, value) in zip(tuned.values, pairs, strict=True)
    ]
    axes.set_yticks(rows, labels, fontsize=SMALL, parse_math=False)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("gain / initial gain", fontsize=TEXT)


ORBIT_HEIGHT = 0.5  # of the width
SPARE = 1.15  # edge of the plane, relative to the largest multiplier


def plot_orbit(
    orbit: Orbit,
    x: str | None = None, y: str | None = None, *,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """Draw the orbit, state `y` over state `x` ("v.x", "arm.q[0]"; the first two), and its multipliers
    with the unit circle; a single state is drawn over time. `file`, `show` and `style` are arguments of
    `Result.plot`. Raises GradientError for unknown states, ResultFileError.
    """
    columns = _columns(orbit)
    names = list(columns)
    for name in (x, y):
        if name is not None and name not in columns:
            actual = f"there is no continuous state {name!r:.80}{nearest(str(name), names)}"
            raise GradientError(actual, f"one of {', '.join(names)}")
    if file is not None:
        canvas.check_picture(file)
    width = WIDTH if style == "screen" else COLUMN
    figure = canvas.new((width, ORBIT_HEIGHT * width), show)
    left, right = figure.subplots(1, 2)
    for axes in (left, right):
        quiet(axes)
    _course(left, columns, x, y, width / 2.0 - 0.8)
    _circle(right, orbit, width / 2.0 - 0.8)
    return canvas.finished(figure, file, show, style)


def _columns(orbit: Orbit) -> dict[str, tuple[Floats, Floats, str]]:
    """Each element of the continuous states: times, values, unit."""
    columns = {}
    for name, trace in orbit.run.states.items():
        values = trace.flat
        for k in range(values.shape[1]):
            index = np.unravel_index(k, trace.values.shape[1:]) if values.shape[1] > 1 else ()
            suffix = f"[{', '.join(map(str, index))}]" if index else ""
            columns[name + suffix] = (trace.time, values[:, k], trace.units[k])
    return columns


def _course(
    axes: Axes, columns: dict[str, tuple[Floats, Floats, str]], x: str | None, y: str | None, width: float
) -> None:
    names = list(columns)
    across = x or (names[0] if len(names) > 1 else None)
    up = y or next((name for name in names if name != across), names[0] if names else None)
    if up is None:
        return
    time, values, unit = columns[up]
    base = time - time[0] if across is None else columns[across][1]
    jumps = np.flatnonzero(np.diff(time) == 0.0) + 1  # an event has a row before and one after it
    gaps = np.insert(values, jumps, np.nan)
    lines = axes.plot(np.insert(base, jumps, np.nan), gaps, linewidth=1.2, **next(line_styles()))
    names = ["orbit"]
    leaps = jumps[(values[jumps] != values[jumps - 1]) | (base[jumps] != base[jumps - 1])]
    for jump in leaps.tolist():
        dots = axes.plot(
            base[jump - 1 : jump + 1], values[jump - 1 : jump + 1], ":", linewidth=1.0, color=GREY
        )
    if leaps.size:
        lines += dots
        names.append("jump")
    lines += axes.plot(base[:1], values[:1], ".", markersize=8, color="black")
    legend_above(axes, lines, [*names, "start"], width=width)
    axes.margins(x=0.08)
    few_ticks(axes, width)
    axes.set_xlabel(
        with_unit("time", "s") if across is None else with_unit(across, columns[across][2]),
        fontsize=TEXT,
        parse_math=False,
    )
    axes.set_ylabel(with_unit(up, unit), fontsize=TEXT, parse_math=False)


def _circle(axes: Axes, orbit: Orbit, width: float) -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 200)
    axes.plot(np.cos(angles), np.sin(angles), linewidth=0.8, color=GREY)
    axes.axhline(0.0, color=GREY, linewidth=0.6)
    axes.axvline(0.0, color=GREY, linewidth=0.6)
    values, first = orbit.multipliers, int(orbit.autonomous)
    color = next(line_styles())["color"]
    marks = axes.plot(values.real[first:], values.imag[first:], "x", markersize=7, color=color)
    labels = ["Floquet multipliers"]
    if first:
        marks += axes.plot(
            values.real[:1], values.imag[:1], "o", markersize=6, fillstyle="none", color="black"
        )
        labels.append("trivial multiplier")
    size = SPARE * float(np.max(np.abs(values), initial=1.0))
    legend_above(axes, marks, labels, width=width)
    axes.set_xlim(-size, size)
    axes.set_ylim(-size, size)
    axes.set_aspect("equal")
    axes.set_xlabel("real axis", fontsize=TEXT)
    few_ticks(axes, width)
    axes.set_ylabel("imaginary axis", fontsize=TEXT)
