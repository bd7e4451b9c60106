"""A pendulum whose angle is seen from the side, as functions for ExtendedKalmanFilter."""

import numpy as np
from numpy.typing import NDArray

STEP = 0.01  # s, from sample to sample


def swing(x: NDArray[np.float64], u: NDArray[np.float64], next_x: NDArray[np.float64]) -> None:
    """Angle and rate one step later."""
    next_x[0] = x[0] + STEP * x[1]
    next_x[1] = x[1] - STEP * 9.81 * np.sin(x[0])


def side(x: NDArray[np.float64], u: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    """Sideways position of the bob."""
    y[0] = np.sin(x[0])
