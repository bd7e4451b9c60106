"""Ways: circles and lines in the plane, by their centres."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def rolled(pose: tuple[float, float, float], length: float, curvature: float) -> tuple[float, float, float]:
    """The pose after a way of that length on a circle of that curvature, to the left, or on a line."""
    x, y, heading = pose
    if curvature == 0.0:
        return x + length * math.cos(heading), y + length * math.sin(heading), heading
    centre = np.array([x - math.sin(heading) / curvature, y + math.cos(heading) / curvature])
    end = heading + length * curvature
    return (
        centre[0] + math.sin(end) / curvature,
        centre[1] - math.cos(end) / curvature,
        end,
    )


def placed(pose: tuple[float, float, float]) -> NDArray[np.float64]:
    return np.array(pose)
