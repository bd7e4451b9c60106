"""Stage: the still part of an animation: room for the whole motion, floor, light, and the point of view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..build.poses import Array
from ..picture import light_from, outline, set_box, view_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20_000  # points looked at to find the room
ZOOM = 0.95
MARGIN = 6.0  # pixels


@dataclass(frozen=True)
class Stage:
    """3-D axes of matplotlib that hold still: world points become points of the page by one matrix.

    `light` is the direction towards the lamp, `floor` the height of the ground, m.
    """

    axes: Any
    matrix: Array
    light: Array
    floor: float

    def seen(self, points: Array) -> Array:
        """Points (n, 3) of the world as x, y in the data of the axes, and depth, away from the eye."""
        v = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(v[:, :3] / v[:, 3:])


def stage(
    axes: Any, points: Array, *, extent: float, floor: float, view: tuple[float, float] | None
) -> Stage:
    """Room for `points` (n, 3), seen from `view` (elevation, azimuth in degrees), or across them."""
    few = points[:: max(1, len(points) // MOST)]
    elevation, azimuth = view or view_of(few, extent)
    axes.computed_zorder = False
    axes.set_autoscale_on(False)
    low, high = points.min(axis=0), points.max(axis=0)
    set_box(axes, np.array([low, high]), extent, floor)
    axes.view_init(elev=elevation, azim=azimuth)
    return Stage(axes, np.array(axes.get_proj()), light_from(elevation, azimuth), floor)


def fill(figure: Figure, axes: Any) -> None:
    """Move and scale the axes so that what is drawn of them fills the figure, whose size stays."""
    from matplotlib.transforms import Bbox

    figure.set_layout_engine("none")
    canvas: Any = figure.canvas
    width, height = figure.get_size_inches() * figure.dpi
    side = min(width, height)
    corner = np.array([(width - side) / 2, (height - side) / 2])
    for _ in range(3):  # the labels keep their size while the box grows
        axes.set_position((corner[0] / width, corner[1] / height, side / width, side / height))
        figure.draw_without_rendering()
        found = [axis.get_tightbbox(canvas.get_renderer()) for axis in (axes.xaxis, axes.yaxis, axes.zaxis)]
        box = Bbox.union([*(part for part in found if part is not None), outline(axes)])
        grow = min((width - 2 * MARGIN) / box.width, (height - 2 * MARGIN) / box.height)
        middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2])
        side, corner = side * grow, np.array([width, height]) / 2 - grow * (middle - corner)
