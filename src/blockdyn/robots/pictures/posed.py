"""Posed: a robot in the pose that shows most of it, as a small figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.poses import Array
from ..model.robot import Robot
from .picture import crop, draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PREFERRED = ("qn", "q", "qr", "qk1", "qs", "qz")  # the telling ones first
SIZE = 3.5  # inches


def telling_pose(robot: Robot) -> tuple[str, Array]:
    """The name and the coordinates of the pose that shows most: one of its own, or all zero."""
    name = next((name for name in (*PREFERRED, *robot.named) if name in robot.named), "zero")
    return name, robot.named.get(name, np.zeros(robot.n))


def posed(robot: Robot, figure: Figure, q: Any, reached: Array | None = None) -> Any:
    """Draw the robot at q into a figure, which shrinks to it; returns the axes. `reached` is `draw`'s."""
    axes: Any = figure.add_subplot(projection="3d")
    draw(robot, q, axes, reached=reached)
    crop(figure, axes)
    return axes


def shown(robot: Robot) -> Figure:
    """The picture for a notebook: solids are pixels there, since a page would have thousands of faces."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIZE, SIZE))
    FigureCanvasAgg(figure)  # which measures letters
    axes = posed(robot, figure, telling_pose(robot)[1])
    for solids in axes.collections:
        solids.set_rasterized(True)
    return figure
