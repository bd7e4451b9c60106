"""Time shares: for how much of the time a signal has which values, as a histogram."""

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
from .style import Style
from .trace import FloatArray

if TYPE_CHECKING:
    from .result import Result

_BINS = (8, 60)


@checked(bad_argument)
def plot_histogram(
    result: Result, paths: str | Sequence[str], *,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """The work of `Result.plot_histogram`."""
    return draw_each(result, paths, _draw, ("value", None), ("time", "%"), file=file, show=show, style=style)


def _draw(axes: Axes, time: FloatArray, values: FloatArray, style: dict[str, Any]) -> Any:
    width = 2.0 * float(np.subtract(*np.quantile(values, (0.75, 0.25)))) / values.size ** (1 / 3)
    count = int(np.clip(np.ptp(values) / width, *_BINS)) if width > 0.0 else _BINS[0]
    counts, edges = np.histogram(values, count)
    return axes.stairs(100.0 * counts / values.size, edges, linewidth=1.2, **style)
