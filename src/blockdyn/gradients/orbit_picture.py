"""Picture of an orbit: its course in the plane of two states, and its multipliers."""

from __future__ import annotations

from os import PathLike

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..base.nearest import nearest
from ..diagrams.results import canvas
from ..diagrams.results.style import (
    COLUMN,
    GREY,
    TEXT,
    WIDTH,
    Style,
    few_ticks,
    legend_above,
    line_styles,
    quiet,
    with_unit,
)  # fmt: skip
from ..solvers.layout import Floats
from .errors import OrbitError
from .orbit import Orbit

HEIGHT = 0.5  # of the width
SPARE = 1.15  # of the largest multiplier: the edge of their plane


def plot_orbit(
    orbit: Orbit, x: str | None, y: str | None, *, file: str | PathLike[str] | None, show: bool | None,
    style: Style,
) -> Figure:  # fmt: skip
    """See `Orbit.plot`."""
    columns = _columns(orbit)
    names = list(columns)
    for name in (x, y):
        if name is not None and name not in columns:
            found = f"there is no continuous state {name!r:.80}{nearest(str(name), names)}"
            raise OrbitError(found, f"one of {', '.join(names)}")
    if file is not None:
        canvas.check_picture(file)
    width = WIDTH if style == "screen" else COLUMN
    figure = canvas.new((width, HEIGHT * width), show)
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
    jumps = np.flatnonzero(np.diff(time) == 0.0) + 1  # an instant has a row before it and one behind
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
