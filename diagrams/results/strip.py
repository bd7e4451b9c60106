"""Strip: some instants of what moves in a result, side by side for a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from ...base.checked import checked
from . import canvas
from .animation import Animation, View, checked_view
from .errors import ResultError, bad_argument
from .key import key
from .style import SMALL
from .trace import as_times

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .trace import FloatArray

PAGE, MOST_HEIGHT, HEAD = 7.0, 6.0, 0.25  # inches; the last for the key


@checked(bad_argument)
def strip(
    shown: Animation,
    file: str | PathLike[str] | None = None,
    *,
    times: Sequence[float] | int = 5,
    view: View = None,
    trail: float = math.inf,
) -> Figure:
    """Draw what moves at some instants side by side: see `Result.strip`."""
    from ...robots.animation.scene import Scene
    from ...robots.animation.stage import fill

    instants = _instants(shown.span, times)
    films = shown.films(instants)
    figure = canvas.new((PAGE, 3.0), False)
    angles = checked_view(view)
    pen = min(1.0, 2.0 / len(instants))
    all_axes = [figure.add_subplot(projection="3d") for _ in instants]
    scenes = [Scene(films, axes, view=angles, trail=trail, pen=pen) for axes in all_axes]
    for scene in scenes:
        scene.stage.bare()
    width, caption = PAGE / len(scenes), 0.24
    height = 0.94 * width * fill(scenes[0].axes, (0.0, 0.0, 1.0, 1.0)) + caption
    colors, names = shown.key(films)
    above = HEAD if len(names) > 1 else 0.0
    figure.set_size_inches(PAGE, min(height + above, MOST_HEIGHT))
    height = figure.get_figheight()
    if above:
        above = height * key(figure, colors, names, 1.0)
    for k, scene in enumerate(scenes):
        fill(
            scene.axes,
            ((k + 0.03) / len(scenes), caption / height, (k + 0.97) / len(scenes), 1.0 - above / height),
        )
        scene.show(k)
        note = f"{instants[k]:.4g} s" + (f", grid {scene.stage.step:g} m" if k == 0 else "")
        figure.text((k + 0.5) / len(scenes), 0.06 / height, note, fontsize=SMALL, ha="center")
    return canvas.finished(figure, file, False)


def _instants(span: tuple[float, float], times: Sequence[float] | int) -> FloatArray:
    """The instants of a strip, or that many at equal distances. Raises ResultError."""
    start, stop = span
    if isinstance(times, int):
        instants = np.linspace(start, stop, times) if 1 <= times <= 12 else np.empty(0)
    else:
        instants = as_times("times", times)
    if not 1 <= instants.size <= 12 or not np.all((instants >= start) & (instants <= stop)):
        raise ResultError(f"strip: times = {times}; expected 1 to 12 instants from {start:g} to {stop:g} s")
    return instants
