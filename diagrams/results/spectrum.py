"""Spectrum: the amplitudes of signals over the frequency."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...base.checked import checked
from .errors import bad_argument
from .even import draw_each
from .style import Style, logarithmic
from .trace import FloatArray

if TYPE_CHECKING:
    from .result import Result

_DECADES = 4  # below the highest amplitude; lower ones would show the lines between samples


@checked(bad_argument)
def plot_spectrum(
    result: Result, paths: str | Sequence[str], *,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """The work of `Result.plot_spectrum`."""
    return draw_each(
        result, paths, _draw, ("frequency", "Hz"), ("amplitude", None), file=file, show=show, style=style
    )


def amplitudes(time: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frequencies above zero, Hz, and the amplitudes there, of values at equal distances in time."""
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(time.size) / time.size)
    lines = np.fft.rfft((values - values.mean()) * window)
    frequency = np.asarray(np.fft.rfftfreq(time.size, float(time[1] - time[0])), np.float64)
    height = np.asarray(2.0 * np.abs(lines) / window.sum(), np.float64)
    return frequency[1:], height[1:]


def _draw(axes: Axes, time: FloatArray, values: FloatArray, style: dict[str, Any]) -> Any:
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
