"""Bode plots show the frequency response of a linear model, with the margins of a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator
from numpy.typing import ArrayLike

from ...analysis.errors import AnalysisError
from ...analysis.models.frequency import frequency_response
from ...analysis.models.frequency_response import decibels, phase, phase_near
from ...analysis.models.linear_model import Complex, LinearModel, Matrix
from ...analysis.models.margins import Margins
from ...analysis.models.turning import POINTS, grid_of, turning
from ...base.words import inflect
from .. import canvas
from ..style import COLORS, COLUMN, GREY, TEXT, WIDTH, Style, legend_above, line_styles, logarithmic, quiet

if TYPE_CHECKING:
    from ...analysis.models.frequency_response import FrequencyResponse

GAIN, PHASE, MODULUS = COLORS[2], COLORS[1], COLORS[3]
ALARM = "crimson"
BESIDE = 2.0  # a visible crossing is at least this factor in frequency from the edge
DOT: dict[str, Any] = {"marker": "o", "markersize": 3.5, "linestyle": "none", "zorder": 4.0}
BAR: dict[str, Any] = {"linewidth": 2.0, "solid_capstyle": "butt", "zorder": 3.0}


@dataclass(frozen=True)
class MarginMarks:
    """The margins of a loop, and their marks with the names for a legend."""

    margins: Margins
    model: LinearModel

    def around(self, grid: Matrix) -> Matrix:
        """The frequencies of the grid and the margins, with space around the margins."""
        there = self._seen(0.0, np.inf)
        if not there:
            return grid
        low, high = min(there) / BESIDE, max(there) * BESIDE
        if self.model.sample_time:
            high = min(high, np.pi / self.model.sample_time)
        ends = np.geomspace(min(low, grid[0]), max(high, grid[-1]), grid.size)
        beyond = ends[(ends < grid[0]) | (ends > grid[-1])]
        return np.union1d(np.union1d(grid, beyond), there)

    def in_bode(self, axes: Sequence[Axes], grid: Matrix, angle: Matrix) -> tuple[list[Any], list[str]]:
        """Draw bars from the line to 0 dB and to -180 degrees; `angle` is the phase over the grid."""
        there = self._seen(grid[0], grid[-1])
        at = np.interp(there, grid, angle)
        edges = np.round((at - 180.0) / 360.0) * 360.0 + 180.0 if there else [-180.0]
        axes[0].axhline(0.0, color=GREY, linewidth=0.8, zorder=1.0)
        for edge in {float(edge) for edge in edges}:
            axes[1].axhline(edge, color=GREY, linewidth=0.8, zorder=1.0)
        margin = self.margins
        for omega, height, edge in zip(there, at, edges, strict=False):
            for each in axes:
                each.axvline(omega, color=GREY, linewidth=0.6, linestyle=(0, (1.5, 2.0)), zorder=1.0)
            if omega == margin.gain_frequency:
                level = -20.0 * float(np.log10(margin.gain))
                axes[0].plot([omega, omega], [level, 0.0], color=GAIN, **BAR)
                axes[1].plot([omega], [edge], color=GAIN, **DOT)
            if omega == margin.phase_frequency:
                axes[1].plot([omega, omega], [height, height - margin.phase], color=PHASE, **BAR)
                axes[0].plot([omega], [0.0], color=PHASE, **DOT)
        return self._key()

    def in_nyquist(self, axes: Axes) -> tuple[list[Any], list[str]]:
        """Draw an arc from -1 to the crossing of the unit circle, a bar from -1 to the real crossing."""
        margin = self.margins
        if np.isfinite(margin.gain):
            axes.plot([-1.0, -1.0 / margin.gain], [0.0, 0.0], color=GAIN, **BAR)
            axes.plot([-1.0 / margin.gain], [0.0], color=GAIN, **DOT)
        if np.isfinite(margin.phase):
            arc = np.radians(np.linspace(-180.0, margin.phase - 180.0, 60))
            axes.plot(np.cos(arc), np.sin(arc), color=PHASE, **BAR)
            axes.plot(np.cos(arc[-1:]), np.sin(arc[-1:]), color=PHASE, **DOT)
        nearest = self._at(margin.modulus_frequency)
        line = axes.plot([-1.0, nearest.real], [0.0, nearest.imag], color=MODULUS, linewidth=1.0, zorder=2.5)
        handles, names = self._key()
        return [*handles, *line], [*names, f"modulus margin {margin.modulus:.3g}"]

    def reach(self) -> float:
        """The distance from 0 to the farthest mark in a Nyquist plot."""
        return max(1.0, 1.0 / self.margins.gain, abs(self._at(self.margins.modulus_frequency)))

    def _seen(self, low: float, high: float) -> list[float]:
        """Frequencies of the gain and phase margin on a logarithmic axis with these ends."""
        pair = (self.margins.gain_frequency, self.margins.phase_frequency)
        return sorted(omega for omega in {*pair} if 0.0 < omega < np.inf and low <= omega <= high)

    def _at(self, omega: float) -> complex:
        if not np.isfinite(omega):
            return complex(self.model.D[0, 0])
        values: Complex = frequency_response(self.model, [omega])
        return complex(values[0, 0, 0])

    def _key(self) -> tuple[list[Any], list[str]]:
        margin = self.margins
        handles = [Line2D([], [], color=color, linewidth=2.0) for color in (GAIN, PHASE)]
        names = [
            _describe_margin(
                "gain margin", 20.0 * float(np.log10(margin.gain)), " dB", margin.gain_frequency
            ),
            _describe_margin("phase margin", margin.phase, "\N{DEGREE SIGN}", margin.phase_frequency),
        ]
        if margin.stable:
            return handles, names
        return [Line2D([], [], color=ALARM, marker="x", linestyle="none"), *handles], [margin.warning, *names]


def margin_marks(model: LinearModel) -> MarginMarks:
    """Raises AnalysisError unless there is one input and one output."""
    return MarginMarks(model.margins(), model.only())


def _describe_margin(name: str, value: float, unit: str, omega: float) -> str:
    if np.isinf(value):
        return f"{name} infinite"
    at = f" at {omega:.3g} rad/s" if np.isfinite(omega) else ""
    return f"{name} {value:.3g}{unit}{at}"


MOST = 28  # curves in one figure


def _bode(
    model: LinearModel,
    omega: ArrayLike | None,
    *,
    file: str | PathLike[str] | None,
    show: bool | None,
    style: Style,
    margins: bool = False,
    points: FrequencyResponse | None = None,
) -> Figure:
    """See `LinearModel.bode`; `points` are the results of a sweep of sines."""
    if file is not None:
        canvas.check_picture(file)
    curves = model.D.size
    if not 0 < curves <= MOST:
        actual = (
            f"a model with {inflect(len(model.inputs), 'input')} and {inflect(len(model.outputs), 'output')}"
        )
        raise AnalysisError(
            actual, f'1 to {MOST} curves, one per input and output: model.part("speed", "voltage")'
        )
    loop = margin_marks(model) if margins else None
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
        if seen.size > 1 and seen.min() < seen.max():  # also for gains that are all 0, without a line
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
    axes: list[Axes], points: FrequencyResponse, i: int, grid: Matrix, line: Matrix, color: object
) -> None:
    """The points of one output, their phases shifted by turns of 360 degrees to lie closest to the line."""
    order = np.argsort(points.omega)
    omega, values = points.omega[order], points.values[order, i]
    for each, height in zip(axes, (decibels(values), phase_near(omega, values, grid, line)), strict=True):
        each.plot(omega, height, "o", markersize=4, color=color)


def _degrees(axes: Axes) -> MultipleLocator:
    """Ticks at multiples of 15, 45, 90, 180 or 360 degrees."""
    low, high = axes.get_ylim()
    step = next((step for step in (15.0, 45.0, 90.0, 180.0) if high - low <= 7 * step), 360.0)
    return MultipleLocator(step)


def bode(
    model: LinearModel,
    omega: ArrayLike | None = None, *, margins: bool = False,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """Plot gain, dB, and phase, degrees, over frequency, rad/s: a curve for each input and output.

    `omega` are explicit frequencies; None: around all poles and zeros, in discrete time up to
    pi / sample_time. `margins` marks gain and phase margin of a loop transfer. `file`, `show` and
    `style` are arguments of `Result.plot`. Raises AnalysisError for more than 28 curves, or for margins of
    several; ResultFileError.
    """
    return _bode(model, omega, file=file, show=show, style=style, margins=margins)


def bode_of_sines(
    points: FrequencyResponse,
    *, margins: bool = False,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """Draw measured gain and phase as points, and the linear model as lines; see `LinearModel.bode`.

    `margins` belong to the linear model.

    Raises AnalysisError for more than 28 outputs, ResultFileError.
    """
    return _bode(points.model, None, file=file, show=show, style=style, margins=margins, points=points)
