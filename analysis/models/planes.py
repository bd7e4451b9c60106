"""Planes: pictures of a linear model in the complex plane, Nyquist's curve and the map of poles and zeros."""

from __future__ import annotations

from os import PathLike

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from ...diagrams.results import canvas
from ...diagrams.results.style import COLUMN, GREY, TEXT, WIDTH, Style, legend_above, line_styles, quiet
from .bode import grid_of
from .frequency import frequency_response
from .linear_model import Complex, LinearModel, Matrix
from .marked import marked

FAR = 2.5  # of a Nyquist curve from 0: what lies beyond is cut, unless all of it does
SPARE = 1.15  # of the farthest pole: the edge of a map


def nyquist(
    model: LinearModel, omega: ArrayLike | None, *, file: str | PathLike[str] | None, show: bool | None,
    style: Style,
) -> Figure:  # fmt: skip
    """See `LinearModel.nyquist`."""
    model = model.only()
    loop = marked(model)
    grid: Matrix = loop.around(grid_of(model)) if omega is None else np.asarray(omega, np.float64)
    curve = frequency_response(model, grid)[:, 0, 0]
    figure, axes, width = plane(file, show, style)
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
    bounded(axes, (-size, size), (-size, size))
    axes.set_xlabel("real part", fontsize=TEXT)
    axes.set_ylabel("imaginary part", fontsize=TEXT)
    return canvas.finished(figure, file, show, style)


def pole_map(
    model: LinearModel, *, file: str | PathLike[str] | None, show: bool | None, style: Style
) -> Figure:
    """See `LinearModel.pole_map`."""
    poles = model.poles()
    square = len(model.inputs) == len(model.outputs) and model.D.size > 0
    zeros: Complex = model.zeros() if square else np.zeros(0, np.complex128)
    figure, axes, width = plane(file, show, style)
    looks = next(line_styles())
    marks = axes.plot(poles.real, poles.imag, "x", markersize=7, color=looks["color"])
    names = ["poles"]
    if zeros.size:
        marks += axes.plot(zeros.real, zeros.imag, "o", markersize=6, fillstyle="none", color="black")
        names.append("zeros")
    every = np.concatenate([poles, zeros])
    if model.sample_time:
        angles = np.linspace(0.0, 2.0 * np.pi, 200)
        axes.plot(np.cos(angles), np.sin(angles), linewidth=0.8, color=GREY)
        size = SPARE * float(np.max(np.abs(every), initial=1.0))
        bounded(axes, (-size, size), (-size, size))
        unit = ""
    else:
        size = SPARE * (float(np.max(np.abs(every), initial=0.0)) or 1.0)
        right = max(float(np.max(every.real, initial=0.0)), 0.15 * size) * SPARE
        bounded(axes, (-size, right), (-size, size))
        unit = " [1/s]"
    legend_above(axes, marks, names, width=width - 0.8)
    axes.set_xlabel(f"real part{unit}", fontsize=TEXT)
    axes.set_ylabel(f"imaginary part{unit}", fontsize=TEXT)
    return canvas.finished(figure, file, show, style)


def plane(file: str | PathLike[str] | None, show: bool | None, style: Style) -> tuple[Figure, Axes, float]:
    """A square figure with its axes, and its width, inches."""
    if file is not None:
        canvas.check_picture(file)
    width = (WIDTH if style == "screen" else COLUMN) * (0.62 if style == "screen" else 1.0)
    figure = canvas.new((width, width), show)
    axes: Axes = figure.subplots()
    quiet(axes)
    axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    return figure, axes, width


def bounded(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Limits of square axes whose units are equally long: the shorter range is widened on both sides."""
    side = max(x[1] - x[0], y[1] - y[0])
    for put, (low, high) in ((axes.set_xlim, x), (axes.set_ylim, y)):
        spare = (side - (high - low)) / 2.0
        put(low - spare, high + spare)
    axes.set_aspect("equal")
