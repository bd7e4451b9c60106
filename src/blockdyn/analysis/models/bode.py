"""Bode: the frequency response of a linear model, as a figure."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
from numpy.typing import ArrayLike

from ...base.counted import counted
from ...diagrams.results import canvas
from ...diagrams.results.style import (
    COLUMN,
    GREY,
    TEXT,
    WIDTH,
    Style,
    legend_above,
    line_styles,
    logarithmic,
    quiet,
)
from ..errors import AnalysisError
from .frequency import frequencies, frequency_response
from .linear_model import Complex, LinearModel, Matrix
from .marked import marked
from .turning import features, turning

if TYPE_CHECKING:
    from .frequency_response import FrequencyResponse

POINTS = 400
DECADES = 1.5
TURNS = 3.0  # of all delays together, in a figure
MOST = 28  # curves in one figure
ROUNDING = 1e-6  # degrees


def bode(
    model: LinearModel,
    omega: ArrayLike | None,
    *,
    file: str | PathLike[str] | None,
    show: bool | None,
    style: Style,
    margins: bool = False,
    points: FrequencyResponse | None = None,
) -> Figure:
    """See `LinearModel.bode`; `points` are what a sweep of sines found beside the model."""
    if file is not None:
        canvas.check_picture(file)
    curves = model.D.size
    if not 0 < curves <= MOST:
        found = (
            f"a model with {counted(len(model.inputs), 'input')} and {counted(len(model.outputs), 'output')}"
        )
        raise AnalysisError(
            found, f'1 to {MOST} curves, one an input and output: model.part("speed", "voltage")'
        )
    loop = marked(model) if margins else None
    grid = grid_of(model) if omega is None else np.asarray(omega, np.float64)
    if loop is not None and omega is None:
        grid = loop.around(grid)
    if points is not None:
        grid = np.union1d(grid, np.geomspace(np.min(points.omega), np.max(points.omega), POINTS))
    grid = turning(model, grid)
    response = frequency_response(model, grid)
    width = WIDTH if style == "screen" else COLUMN
    figure = canvas.new((width, 0.78 * width), show)
    axes: list[Axes] = list(figure.subplots(2, 1, sharex=True))
    seen = grid[grid > 0.0]
    for each in axes:
        quiet(each)
        each.ticklabel_format(axis="y", style="plain")
        logarithmic(each, "x")
        if seen.size > 1 and seen.min() < seen.max():  # also where all gains are 0, and nothing is drawn
            each.set_xlim(float(seen.min()), float(seen.max()))
        if model.sample_time:
            each.axvline(np.pi / model.sample_time, color=GREY, linewidth=0.8)
    styles, handles, names = line_styles(), [], []
    for i, output in enumerate(model.outputs):
        for j, source in enumerate(model.inputs):
            values, looks = response[:, i, j], next(styles)
            axes[0].plot(grid, decibels(values), linewidth=1.2, **looks)
            handles += axes[1].plot(grid, phase(values), linewidth=1.2, **looks)
            if points is not None:
                _dots(axes, points, i, grid, phase(values), handles[-1].get_color())
            names.append(f"{source} to {output}")
    if loop is not None:
        bars, said = loop.in_bode(axes, grid, phase(response[:, 0, 0]))
        handles, names = [*handles, *bars], [*names, *said]
    legend_above(axes[0], handles, names, width=width - 0.8)
    axes[0].set_ylabel("magnitude (dB)", fontsize=TEXT)
    axes[1].set_ylabel("phase (deg)", fontsize=TEXT)
    axes[1].yaxis.set_major_locator(_degrees(axes[1]))
    axes[1].set_xlabel("frequency (rad/s)", fontsize=TEXT)
    figure.align_ylabels(axes)
    return canvas.finished(figure, file, show, style)


def _dots(
    axes: list[Axes], points: FrequencyResponse, i: int, grid: Matrix, line: Matrix, color: Any
) -> None:
    """The points of one output, their phases by turns of 360 degrees as near to the line as they can be."""
    order = np.argsort(points.omega)
    omega, values = points.omega[order], points.values[order, i]
    for each, height in zip(axes, (decibels(values), _beside(omega, values, grid, line)), strict=True):
        each.plot(omega, height, "o", markersize=4, color=color)


def _beside(omega: Matrix, values: Complex, grid: Matrix, line: Matrix) -> Matrix:
    """arg G by turns of 360 degrees as near as it can be to a line over a grid."""
    angle = phase(values)
    return np.asarray(angle + 360.0 * np.round((np.interp(omega, grid, line) - angle) / 360.0))


def phases(points: FrequencyResponse, i: int) -> Matrix:
    """arg G of one output of a sweep, degrees: of a model with delays, beside its line."""
    order = np.argsort(points.omega)
    omega, values = points.omega[order], points.values[order, i]
    angle = phase(values)
    if points.model.delays is not None:
        grid = turning(points.model, omega)
        angle = _beside(omega, values, grid, phase(frequency_response(points.model, grid)[:, i, 0]))
    back = np.empty(order.size, np.int64)
    back[order] = np.arange(order.size)
    return np.asarray(angle[back])


def decibels(values: Complex) -> Matrix:
    """20 log10 |G|; where G is 0 or infinite, NaN: a gap."""
    with np.errstate(divide="ignore", invalid="ignore"):
        level: Matrix = 20.0 * np.log10(np.abs(values))
    return np.where(np.isfinite(level), level, np.nan)


def phase(values: Complex) -> Matrix:
    """arg G without jumps, degrees, from between -270 and 90 at the lowest frequency; a gap where G is 0."""
    angle: Matrix = np.where(np.isfinite(decibels(values)), np.angle(values), np.nan)
    there = np.isfinite(angle)
    angle[there] = np.degrees(np.unwrap(angle[there]))
    first = angle[there][:1]
    return angle - 360.0 if first.size and first[0] > 90.0 + ROUNDING else angle


def grid_of(model: LinearModel) -> Matrix:
    """Frequencies around all poles and zeros, rad/s; in discrete time up to pi / sample_time; with delays
    until these have turned a few times.
    """
    square = len(model.inputs) == len(model.outputs)
    grid = frequencies(features(model, 1, zeros=square), model.sample_time, POINTS, DECADES)
    if model.delays is None:
        return grid
    end = TURNS * 2.0 * np.pi / model.delays.times.sum()
    return turning(model, np.append(grid[grid < end], min(grid[-1], end)))


def _degrees(axes: Axes) -> MultipleLocator:
    """Ticks at multiples of 15, 45, 90, 180 or 360 degrees."""
    low, high = axes.get_ylim()
    step = next((step for step in (15.0, 45.0, 90.0, 180.0) if high - low <= 7 * step), 360.0)
    return MultipleLocator(step)
