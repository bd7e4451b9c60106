"""Stage: the still part of an animation: room for the whole motion, floor, light, and the point of view."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model.poses import Array
from ..pictures.picture import eye_from, light_from, outline, set_box, view_of

MOST = 20_000  # points looked at to find the room
GRID = "#D9DCE1"


@dataclass(frozen=True)
class Stage:
    """3-D axes of matplotlib that hold still: world points become points of the page by one matrix.

    `eye` is the direction towards the viewer, `light` that towards the lamp, `floor` the height of the
    ground, `step` the distance of the grid's lines, m.
    """

    axes: Any
    matrix: Array
    eye: Array
    light: Array
    floor: float
    step: float

    def projected(self, points: Array) -> Array:
        """Points (n, 3) of the world as x, y in the data of the axes, and depth, away from the eye."""
        v = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(v[:, :3] / v[:, 3:])

    def behind(self, length: float) -> float:
        """The depth that a point in the middle of the stage gains when it goes `length` m from the eye."""
        limits = (self.axes.get_xlim(), self.axes.get_ylim(), self.axes.get_zlim())
        middle = np.mean(limits, axis=1)
        near, far = self.projected(np.array([middle, middle - length * self.eye]))[:, 2]
        return float(far - near)

    def bare(self) -> None:
        """Take numbers, ticks and names off the axes: the grid remains."""
        from matplotlib.ticker import NullFormatter

        self.axes.patch.set_visible(False)
        for axis in (self.axes.xaxis, self.axes.yaxis, self.axes.zaxis):
            axis.set_major_formatter(NullFormatter())
            axis.set_label_text("")
            axis.line.set(linewidth=0.5, color="#808080")
            axis._axinfo["tick"].update(inward_factor=0.0, outward_factor=0.0)  # no public way either


def stage(
    axes: Any,
    points: Array,
    *,
    extent: float,
    floor: float,
    view: tuple[float, float] | None,
    down: bool = False,
) -> Stage:
    """Room for `points` (n, 3), seen from `view` (elevation, azimuth in degrees), or across them.

    `down`: the numbers on the axes are those of a world with y to the right and z down.
    """
    few = points[:: max(1, len(points) // MOST)]
    elevation, azimuth = view or view_of(few, extent)
    axes.computed_zorder = False
    axes.set_autoscale_on(False)
    low, high = points.min(axis=0), points.max(axis=0)
    set_box(axes, np.array([low, high]), extent, floor)
    step = _square_grid(axes)
    if down:
        _turned(axes)
    axes.view_init(elev=elevation, azim=azimuth)
    matrix = np.array(axes.get_proj())
    return Stage(axes, matrix, eye_from(elevation, azimuth), light_from(elevation, azimuth), floor, step)


def _square_grid(axes: Any) -> float:
    """Grid lines at the same distance, m, along all axes; returns it."""
    from matplotlib.ticker import MultipleLocator

    longest = max(float(np.ptp(limits)) for limits in (axes.get_xlim(), axes.get_ylim(), axes.get_zlim()))
    step = next(step for step in steps(longest / 6) if step >= longest / 6)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(MultipleLocator(step))
        axis._axinfo["grid"].update(color=GRID, linewidth=0.6)  # matplotlib has no public way
    return step


def _turned(axes: Any) -> None:
    """Numbers along y and z with the other sign: of a world turned by pi about x."""
    from matplotlib.ticker import FuncFormatter

    for axis in (axes.yaxis, axes.zaxis):
        axis.set_major_formatter(
            FuncFormatter(lambda value, _: f"{0.0 - value:.6g}".replace("-", "\N{MINUS SIGN}"))
        )


def steps(least: float) -> Iterator[float]:
    """1, 2, 5, 10 ... times the power of ten below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    yield from (power * times for times in (1.0, 2.0, 5.0, 10.0))


def fill(axes: Any, room: tuple[float, float, float, float]) -> float:
    """Move and scale the axes so that what is drawn of them fills a rectangle of the figure.

    `room` is left, bottom, right, top in shares of the figure. Returns height over width of what is drawn.
    """
    figure = axes.figure
    figure.set_layout_engine("none")
    size = np.array(figure.get_size_inches() * figure.dpi)
    low, high = np.array(room[:2]) * size, np.array(room[2:]) * size
    side = float((high - low).min())
    corner = (low + high - side) / 2
    least = most = low
    for _ in range(3):  # the labels keep their size while the box grows
        axes.set_position((*(corner / size), *(side / size)))
        figure.draw_without_rendering()
        least, most = _covered(axes)
        grow = float(((high - low) / (most - least)).min())
        corner = (low + high) / 2 - grow * ((least + most) / 2 - corner)
        side *= grow
    width, height = most - least
    return float(height / width)


def _covered(axes: Any) -> tuple[Array, Array]:
    """The corners of what the box and its labels cover, in pixels."""
    from matplotlib.ticker import NullFormatter
    from matplotlib.transforms import Bbox

    renderer = axes.figure.canvas.get_renderer()
    named = [
        axis
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis)
        if not isinstance(axis.get_major_formatter(), NullFormatter)
    ]
    boxes = [axis.get_tightbbox(renderer) for axis in named]
    box = Bbox.union([*(part for part in boxes if part is not None), outline(axes)])
    return np.array(box.min), np.array(box.max)
