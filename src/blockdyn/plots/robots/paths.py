"""Maps, paths, speed profiles and joint motions are drawn in the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...robots.planning.arguments import Array

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


def plot_motion(dt: float, thetamat: Array, thetamatd: Array) -> Any:
    """A matplotlib figure: a colour for each joint, the actual line full, the desired one dashed."""
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
