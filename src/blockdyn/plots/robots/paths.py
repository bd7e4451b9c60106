"""Maps, paths, speed profiles and joint motions are drawn in the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.checked import checked_numbers
from ...robots.planning.arc_path import ArcPath
from ...robots.planning.arguments import Array, refusal
from ...robots.planning.grid_planners import Plan
from ...robots.planning.occupancy_map import OccupancyMap, in_plane
from ...robots.planning.path_speed import SpeedProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE = 3.4  # inches
FREE, OCCUPIED = (0.0, 0.0, 0.0, 0.0), (0.5, 0.5, 0.5, 1.0)  # colours: free cells are transparent
WIDTH, LABELS = 6.0, 0.4  # of the picture of a map, inches
DRAWN, SHORT = 200, 1e-9  # poses in the picture of a path; length, m, below which a path is a point
PLACES = 400  # in the picture of a speed profile
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


def plot_motion(dt: float, thetamat: Array, thetamatd: Array) -> Any:
    """A matplotlib figure: one colour per joint, actual lines solid, desired lines dashed."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    times = dt * np.arange(len(thetamat))
    for i in range(thetamat.shape[1]):
        (line,) = axes.plot(times, thetamat[:, i], label=f"joint {i + 1}")
        axes.plot(times, thetamatd[:, i], "--", color=line.get_color(), label=f"joint {i + 1}, desired")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("joint variable (rad or m)")
    axes.legend()
    return figure


@checked_numbers(refusal)
def plot_map(map: OccupancyMap, *paths: Any, ax: Axes | None = None) -> Axes:
    """Draw the map and paths on it, and return the axes, by default of a new figure.

    A path is a plan, an ArcPath, or points (n, 2), m.
    """
    if ax is None:
        from matplotlib.figure import Figure

        rows, columns = map.shape
        height = min(max(WIDTH * rows / columns, 0.2 * WIDTH), 2.0 * WIDTH) + LABELS
        ax = Figure(figsize=(WIDTH, height), layout="constrained").add_subplot()
    ax.imshow(
        np.where(map.occupied[..., None], OCCUPIED, FREE), origin="lower", extent=map.extent,
        interpolation="nearest",
    )  # fmt: skip
    ax.set(xlabel="x (m)", ylabel="y (m)", aspect="equal")
    for path in paths:
        points: Any = path.points if hasattr(path, "points") else path
        points = points(map.resolution) if callable(points) else in_plane("paths", points)
        ax.plot(points[:, 0], points[:, 1])
    return ax


def map_picture(map: OccupancyMap) -> Figure:
    """The map in its own figure."""
    figure: Any = plot_map(map).figure
    return figure  # type: ignore[no-any-return]


def arc_picture(path: ArcPath) -> Figure:
    """A path of arcs and lines."""
    return line_picture(path.points(max(path.length, SHORT) / DRAWN))


def plan_picture(plan: Plan) -> Figure:
    """The lines of a plan."""
    return line_picture(plan.points)


def speed_picture(profile: SpeedProfile) -> Figure:
    """Speed over arc length."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 2.4), layout="constrained")
    axes = figure.add_subplot()
    places = np.linspace(0.0, profile.path.length, PLACES)
    axes.plot(places, profile.speed(places), color=LINE)
    axes.set(xlabel="arc length (m)", ylabel="speed (m/s)")
    axes.set_ylim(bottom=0.0)
    return figure
