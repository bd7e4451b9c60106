"""Nyquist curves, pole maps and root loci are drawn in the complex plane."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from ...analysis.models.frequency import frequency_response
from ...analysis.models.linear_model import Complex, LinearModel, Matrix
from ...analysis.models.root_locus import RootLocus
from ...analysis.models.turning import grid_of, turning
from .. import canvas
from ..style import (
    COLORS,
    COLUMN,
    GREY,
    PAGE,
    SMALL,
    TEXT,
    WIDTH,
    Style,
    few_ticks,
    legend_above,
    line_styles,
    quiet,
)
from .bode import margin_marks

FAR = 2.5  # distance from 0 at which a Nyquist curve is cut, unless margins are farther
SPARE = 1.15  # edge of a map, relative to the farthest pole
APART = 8.0  # ratio of distances from 0 of successive poles above which the nearer poles get a separate view
SIDE = 0.62  # width of a plane, of the width of figures


def nyquist(
    model: LinearModel,
    omega: ArrayLike | None = None, *,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """Draw L(i omega) of a loop in the complex plane, with -1, the unit circle and margins; see `bode`.

    Raises AnalysisError unless there is one input and one output, ResultFileError.
    """
    model = model.only()
    loop = margin_marks(model)
    grid: Matrix = loop.around(grid_of(model)) if omega is None else np.asarray(omega, np.float64)
    grid = turning(model, grid)
    curve = frequency_response(model, grid)[:, 0, 0]
    figure, (axes,), width = planes(file, show, style, 1)
    looks = next(line_styles())
    line = axes.plot(curve.real, curve.imag, linewidth=1.2, **looks)
    mirror = axes.plot(curve.real, -curve.imag, linewidth=0.8, linestyle=":", color=line[0].get_color())
    angles = np.linspace(0.0, 2.0 * np.pi, 200)
    axes.plot(np.cos(angles), np.sin(angles), linewidth=0.8, color=GREY)
    axes.plot([-1.0], [0.0], "+", markersize=9, color="black")
    names = [f"{model.inputs[0]} to {model.outputs[0]}", "negative frequencies"]
    marks, said = loop.in_nyquist(axes)
    legend_above(axes, [*line, *mirror, *marks], [*names, *said], width=width - 0.8)
    size = float(np.clip(np.max(np.abs(curve[np.isfinite(curve)]), initial=0.0), 1.0, FAR))
    size = max(size, loop.reach()) * SPARE
    set_square_limits(axes, (-size, size), (-size, size))
    axes.set_xlabel("real axis", fontsize=TEXT)
    axes.set_ylabel("imaginary axis", fontsize=TEXT)
    return canvas.finished(figure, file, show, style)


def pole_map(
    model: LinearModel,
    *,
    file: str | PathLike[str] | None = None,
    show: bool | None = None,
    style: Style = "screen",
) -> Figure:
    """Draw poles, and zeros if inputs and outputs are equal in number; in discrete time also the unit circle.

    Raises ResultFileError.
    """
    poles = model.poles()
    square = len(model.inputs) == len(model.outputs) and model.D.size > 0
    zeros: Complex = model.zeros() if square else np.zeros(0, np.complex128)
    every = np.concatenate([poles, zeros])
    reaches = scales(every, model.sample_time)
    figure, several, width = planes(file, show, style, len(reaches))
    for axes, reach in zip(several, reaches, strict=True):
        marks = axes.plot(poles.real, poles.imag, "x", markersize=7, color=COLORS[0])
        names = ["poles"]
        if zeros.size:
            marks += axes.plot(zeros.real, zeros.imag, "o", markersize=6, fillstyle="none", color="black")
            names.append("zeros")
        size = SPARE * reach
        right = size
        if not model.sample_time:
            seen = every[np.abs(every) <= reach]
            right = max(float(np.max(seen.real, initial=0.0)), 0.15 * size) * SPARE
        set_square_limits(axes, (-size, right), (-size, size))
    label_planes(several, marks, names, width, model.sample_time)
    return canvas.finished(figure, file, show, style)


def scales(points: Complex, sample_time: float) -> list[float]:
    """Half widths of the views of a plane around 0: to all points; and first, if some points are so far away
    that the others would coincide, to the others. In discrete time these include the unit circle.
    """
    sizes = np.unique(np.abs(np.append(points, 1.0 if sample_time else [])))
    sizes = sizes[sizes > 0.0]
    if not sizes.size:
        return [1.0]
    ratios = sizes[1:] / sizes[:-1]
    if ratios.size and ratios.max() > APART:
        return [float(sizes[ratios.argmax()]), float(sizes[-1])]
    return [float(sizes[-1])]


def label_planes(
    several: Sequence[Axes], marks: Sequence[Any], names: Sequence[str], width: float, sample_time: float
) -> None:
    """Draw axes, the unit circle in discrete time, labels, the legend, and the outline of the narrower view
    in the wider one.
    """
    unit = "" if sample_time else " (1/s)"
    angles = np.linspace(0.0, 2.0 * np.pi, 200)
    for axes in several:
        if sample_time:
            axes.plot(np.cos(angles), np.sin(angles), linewidth=0.8, color=GREY)
        axes.set_xlabel(f"real axis{unit}", fontsize=TEXT)
        few_ticks(axes, width - 0.8)
    several[0].set_ylabel(f"imaginary axis{unit}", fontsize=TEXT)
    legend_above(several[0], [*marks], [*names], width=width - 0.8)
    if len(several) > 1:
        (left, right), (low, high) = several[0].get_xlim(), several[0].get_ylim()
        frame = Rectangle((left, low), right - left, high - low, fill=False, edgecolor=GREY, linewidth=0.8)
        several[1].add_patch(frame)
        several[1].set_title("wide view; frame: left view", fontsize=SMALL, loc="left")


def planes(
    file: str | PathLike[str] | None, show: bool | None, style: Style, count: int
) -> tuple[Figure, list[Axes], float]:
    """Create a figure with adjacent square axes; returns it, the axes, and the width of one, inches."""
    if file is not None:
        canvas.check_picture(file)
    width = SIDE * WIDTH if style == "screen" else COLUMN
    total = min(count * width, PAGE) if style == "paper" else count * width
    figure = canvas.new((total, width), show)
    several = list(figure.subplots(1, count, squeeze=False)[0])
    for axes in several:
        quiet(axes)
        axes.axhline(0.0, color=GREY, linewidth=0.8)
        axes.axvline(0.0, color=GREY, linewidth=0.8)
    return figure, several, width


def set_square_limits(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Limits of square axes with equal scales: the shorter range is widened on both sides."""
    side = max(x[1] - x[0], y[1] - y[0])
    for put, (low, high) in ((axes.set_xlim, x), (axes.set_ylim, y)):
        spare = (side - (high - low)) / 2.0
        put(low - spare, high + spare)
    axes.set_aspect("equal")


FAR_BRANCH = 1.8  # of the farthest pole or zero of the loop: branches are cut there
RIGHT = 0.25  # least extent of a view right of 0, relative to its size


def plot_locus(
    locus: RootLocus,
    *,
    file: str | PathLike[str] | None = None,
    show: bool | None = None,
    style: Style = "screen",
) -> Figure:
    """Draw the branches from their poles (x) to the zeros (o): diamonds where they meet, squares on the
    edge of stability, dotted asymptotes.

    `file`, `show` and `style` are arguments of `Result.plot`. Raises ResultFileError.
    """
    begins = locus.poles[0]
    meeting = np.array([point.s for point in locus.break_points], np.complex128)
    pairs = [point for crossing in locus.crossings for point in (crossing.s, crossing.s.conjugate())]
    edge = np.array(pairs, np.complex128)
    ends = float(np.abs(locus.poles).max())
    loop = locus.angles is not None
    reaches = scales(np.concatenate([begins, locus.zeros, meeting, edge]), locus.sample_time)
    reaches[-1] = max(min(FAR_BRANCH * reaches[-1], ends) if loop else ends, reaches[-1])
    figure, several, width = planes(file, show, style, len(reaches))
    poles = f"poles, {locus.name} = {locus.gains[0]:.4g}"
    poles += f" (delays: Padé, order {locus.pade})" if locus.pade else ""
    for axes, reach in zip(several, reaches, strict=True):
        size = SPARE * reach
        for branch, looks in zip(locus.poles.T, line_styles(), strict=False):
            axes.plot(branch.real, branch.imag, linewidth=1.2, **looks)
        marks = [
            _points(axes, begins, poles, marker="x", markersize=7),
            _points(axes, locus.zeros, "zeros", marker="o", markersize=6, fillstyle="none"),
            _points(axes, meeting, "break points", marker="D", markersize=4, fillstyle="none"),
            _points(
                axes,
                edge,
                f"{'unit circle' if locus.sample_time else 'imaginary axis'} crossings",
                marker="s",
                markersize=4,
            ),
        ]
        for angle in locus.angles if loop else ():
            far = locus.centre + (abs(locus.centre) + 4.0 * size) * np.exp(1j * angle)
            line = axes.plot([locus.centre, far.real], [0.0, far.imag], ":", color=GREY, linewidth=1.0)
            marks[4:] = [[(line[0], "asymptotes")]]
        set_square_limits(
            axes, (-size, size if locus.sample_time else _right_edge(locus, size)), (-size, size)
        )
    named = [pair for each in marks for pair in each]
    label_planes(several, [line for line, _ in named], [name for _, name in named], width, locus.sample_time)
    return canvas.finished(figure, file, show, style)


def _points(axes: Axes, points: Complex, name: str, **looks: Any) -> list[tuple[Any, str]]:
    """Draw points, if any, and return their legend entry."""
    if not points.size:
        return []
    return [(axes.plot(points.real, points.imag, linestyle="none", color="black", **looks)[0], name)]


def _right_edge(locus: RootLocus, size: float) -> float:
    """The right edge, right of the visible branches."""
    seen = locus.poles[np.abs(locus.poles) <= size]
    return max(RIGHT * size, SPARE * float(np.max(seen.real, initial=0.0)))
