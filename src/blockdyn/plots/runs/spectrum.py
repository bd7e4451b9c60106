"""Spectra are computed from samples at equal distances in time."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...base.checked import checked
from ...diagrams.results.errors import ResultError, bad_argument
from ...diagrams.results.smooth import smooth_curves
from ...diagrams.results.trace import FloatArray, Trace
from .. import canvas
from ..style import COLUMN, TEXT, WIDTH, Style, legend_above, line_styles, logarithmic, quiet, with_unit

if TYPE_CHECKING:
    from ...diagrams.results.result import Result

PIECES = 4096  # samples of a continuous signal over the span
_EQUAL = 1e-6  # of a distance: ticks with smaller differences are equally spaced


def even_samples(result: Result, path: str) -> tuple[Trace, FloatArray, FloatArray]:
    """The trace, its instants (n,) at equal distances, without the end, and its values (n, elements) there.

    A sampled signal is read at its ticks if these are equally spaced. Raises UnknownSignal, ResultError
    if there are fewer than eight samples, or some are not finite.
    """
    trace = result.trace(path)
    time = trace.time
    if time.size < 8 or time[-1] <= time[0]:
        raise ResultError(f"{path} has {time.size} samples\nexpected: eight or more, over some time")
    steps = np.diff(time)
    if trace.kind == "discrete" and np.ptp(steps) <= _EQUAL * float(steps.mean()):
        instants, values = time, trace.flat
    else:
        instants = np.linspace(time[0], time[-1], PIECES, endpoint=False)
        values = trace.at(instants, "interpolate").reshape(PIECES, -1)
    if not np.isfinite(values).all():
        raise ResultError(f"{path} has values that are infinite or NaN\nexpected: a finite signal")
    return trace, instants, values


_DECADES = 4  # below the highest amplitude; lower amplitudes would show the interpolation between samples


@checked(bad_argument)
def plot_spectrum(
    result: Result,
    paths: str | Sequence[str], *,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """Plot the amplitude spectrum of each path, without its mean, on logarithmic axes.

    A sine of amplitude a is a peak of height a at its frequency; the width of a peak is twice the
    lowest frequency. The axes end where all amplitudes are below 1/10000 of the largest. Sampled signals are
    read at their ticks, others at 4096 equal distances: components above half of this rate are aliased.
    Window: Hann's, divided by its mean; Harris, Proc. IEEE 66(1), 1978, 51-83, doi:10.1109/PROC.1978.10837.
    `file`, `show`, `style` and errors are as for `plot`; ResultError also for a signal with fewer than
    eight samples, or samples that are not finite.
    """
    fine = smooth_curves(result, PIECES)
    samples = [even_samples(fine, path) for path in ([paths] if isinstance(paths, str) else paths)]
    if not samples:
        raise ResultError("nothing to plot: no signal is named")
    width = WIDTH if style == "screen" else COLUMN
    figure = canvas.new((width, (0.6 + 2.2 * len(samples)) * (1.0 if style == "screen" else 0.8)), show)
    for axes, (trace, instants, values) in zip(figure.subplots(len(samples), squeeze=False)[:, 0], samples):
        quiet(axes)
        styles = line_styles()
        lines = [_draw_amplitudes(axes, instants, column, next(styles)) for column in values.T]
        units = [*dict.fromkeys(trace.units)]
        unit = units[0] if len(units) == 1 else ""
        pairs = zip(trace.names, trace.units, strict=True)
        names = [with_unit(name, "" if unit else unit_of_axis) for name, unit_of_axis in pairs]
        legend_above(axes, lines, names, width=width - 0.8)
        axes.set_xlabel(with_unit("frequency", "Hz"), fontsize=TEXT, parse_math=False)
        axes.set_ylabel(with_unit("amplitude", unit), fontsize=TEXT, parse_math=False)
    return canvas.finished(figure, file, show, style)


def amplitudes(time: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frequencies above zero, Hz, and the amplitudes there, of values at equal distances in time."""
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(time.size) / time.size)
    lines = np.fft.rfft((values - values.mean()) * window)
    frequency = np.asarray(np.fft.rfftfreq(time.size, float(time[1] - time[0])), np.float64)
    height = np.asarray(2.0 * np.abs(lines) / window.sum(), np.float64)
    return frequency[1:], height[1:]


def _draw_amplitudes(axes: Axes, time: FloatArray, values: FloatArray, style: dict[str, Any]) -> Any:
    frequency, height = amplitudes(time, values)
    top = float(height.max())
    floor = top / 10**_DECADES
    count = int(np.flatnonzero(height >= floor)[-1]) + 2 if top > 0.0 else height.size
    (line,) = axes.plot(frequency[:count], height[:count], linewidth=1.0, **style)
    logarithmic(axes, "x")
    if top > 0.0:
        before = axes.get_ylim()[0] if axes.get_yscale() == "log" else floor
        logarithmic(axes, "y")
        axes.set_ylim(bottom=min(floor, before))
    return line
