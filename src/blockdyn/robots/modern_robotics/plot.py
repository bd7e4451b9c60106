"""Actual and desired joint variables over time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


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
