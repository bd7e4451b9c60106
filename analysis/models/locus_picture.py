"""Picture of a root locus in the complex plane."""

from __future__ import annotations

from os import PathLike

import numpy as np
from matplotlib.figure import Figure

from ...diagrams.results import canvas
from ...diagrams.results.style import GREY, TEXT, Style, legend_above, line_styles
from .planes import bounded, plane
from .root_locus import RootLocus

FAR = 1.8  # times the farthest pole or zero of the loop: branches that leave are cut there
SPARE = 1.15


def plot_locus(
    locus: RootLocus, *, file: str | PathLike[str] | None, show: bool | None, style: Style
) -> Figure:
    """See `RootLocus.plot`."""
    figure, axes, width = plane(file, show, style)
    looks = line_styles()
    for branch in locus.poles.T:
        axes.plot(branch.real, branch.imag, linewidth=1.2, **next(looks))
    begins = locus.poles[0]
    marks = axes.plot(begins.real, begins.imag, "x", markersize=7, color="black")
    names = [f"poles, {locus.name} = {locus.gains[0]:.4g}"]
    if locus.zeros.size:
        marks += axes.plot(
            locus.zeros.real, locus.zeros.imag, "o", markersize=6, fillstyle="none", color="black"
        )
        names.append("zeros")
    meeting = np.array([point.s for point in locus.break_points], np.complex128)
    if meeting.size:
        marks += axes.plot(meeting.real, meeting.imag, "D", markersize=4, fillstyle="none", color="black")
        names.append("branches meet")
    edge = [point for crossing in locus.crossings for point in (crossing.s, crossing.s.conjugate())]
    if edge:
        marks += axes.plot(np.real(edge), np.imag(edge), "s", markersize=4, color="black")
        names.append("edge of stability")
    loop = locus.angles is not None
    every = np.concatenate([begins, locus.zeros, meeting, np.array(edge, np.complex128)])
    reach = float(np.max(np.abs(every), initial=0.0)) or 1.0
    ends = np.abs(locus.poles).max()
    size = SPARE * (min(FAR * reach, max(float(ends), reach)) if loop else max(float(ends), reach))
    if loop and locus.angles.size:
        for angle in locus.angles:
            far = 4.0 * size * np.exp(1j * angle)
            line = axes.plot(
                [locus.centre, locus.centre + far.real], [0.0, far.imag], ":", color=GREY, linewidth=1.0
            )
        marks += line
        names.append("asymptotes")
    if locus.sample_time:
        angles = np.linspace(0.0, 2.0 * np.pi, 200)
        axes.plot(np.cos(angles), np.sin(angles), linewidth=0.8, color=GREY)
        size = max(size, SPARE)
    right = size if locus.sample_time else _right(locus, size)
    bounded(axes, (-size, right), (-size, size))
    legend_above(axes, marks, names, width=width - 0.8)
    unit = "" if locus.sample_time else " [1/s]"
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    axes.set_xlabel(f"real part{unit}", fontsize=TEXT)
    axes.set_ylabel(f"imaginary part{unit}", fontsize=TEXT)
    return canvas.finished(figure, file, show, style)


def _right(locus: RootLocus, size: float) -> float:
    """The right edge: behind the branches that are seen."""
    seen = locus.poles[np.abs(locus.poles) <= size]
    return max(0.25 * size, SPARE * float(np.max(seen.real, initial=0.0)))
