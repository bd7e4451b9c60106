"""Picture of a root locus in the complex plane."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...diagrams.results import canvas
from ...diagrams.results.style import GREY, Style, line_styles
from .linear_model import Complex
from .planes import SPARE, bounded, lettered, planes, scales
from .root_locus import RootLocus

FAR = 1.8  # times the farthest pole or zero of the loop: branches that leave are cut there
RIGHT = 0.25  # of a view: it goes that far right of 0 at least


def plot_locus(
    locus: RootLocus, *, file: str | PathLike[str] | None, show: bool | None, style: Style
) -> Figure:
    """See `RootLocus.plot`."""
    begins = locus.poles[0]
    meeting = np.array([point.s for point in locus.break_points], np.complex128)
    pairs = [point for crossing in locus.crossings for point in (crossing.s, crossing.s.conjugate())]
    edge = np.array(pairs, np.complex128)
    ends = float(np.abs(locus.poles).max())
    loop = locus.angles is not None
    reaches = scales(np.concatenate([begins, locus.zeros, meeting, edge]), locus.sample_time)
    reaches[-1] = max(min(FAR * reaches[-1], ends) if loop else ends, reaches[-1])
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
        bounded(axes, (-size, size if locus.sample_time else _right(locus, size)), (-size, size))
    named = [pair for each in marks for pair in each]
    lettered(several, [line for line, _ in named], [name for _, name in named], width, locus.sample_time)
    return canvas.finished(figure, file, show, style)


def _points(axes: Axes, points: Complex, name: str, **looks: Any) -> list[tuple[Any, str]]:
    """Draw points, if there are any, and what the legend says of them."""
    if not points.size:
        return []
    return [(axes.plot(points.real, points.imag, linestyle="none", color="black", **looks)[0], name)]


def _right(locus: RootLocus, size: float) -> float:
    """The right edge: behind the branches that are seen."""
    seen = locus.poles[np.abs(locus.poles) <= size]
    return max(RIGHT * size, SPARE * float(np.max(seen.real, initial=0.0)))
