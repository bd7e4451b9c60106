"""Line picture: a path in the plane, in metres, from its start (dot) to its end (triangle)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arguments import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIDE = 3.4  # inches
LINE = "#0072b2"  # of Okabe and Ito


def line_picture(points: Array) -> Figure:
    """The path through points (n, 2) or poses (n, 3), both axes with one scale."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIDE, SIDE), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(points[:, 0], points[:, 1], color=LINE)
    axes.plot(*points[0, :2], "o", color=LINE)
    axes.plot(*points[-1, :2], "^", color=LINE)
    axes.set(xlabel="x (m)", ylabel="y (m)")
    axes.set_aspect("equal", adjustable="datalim")
    return figure
