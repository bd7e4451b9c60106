"""The three-joint arm of the worked examples (NxRLab/ModernRobotics), and its wrong model."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest


def shift(x: float, y: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def turned(x: float, y: float, z: float) -> np.ndarray:
    T = shift(x, y, z)
    T[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
    return T


MLIST = [shift(0, 0, 0.089159), turned(0.28, 0.13585, 0), shift(0, -0.1197, 0.395), shift(0, 0, 0.14225)]
WRONG_MLIST = [shift(0, 0, 0.1), turned(0.3, 0.2, 0), shift(0, -0.2, 0.4), shift(0, 0, 0.2)]
GLIST = [
    [0.010267, 0.010267, 0.00666, 3.7, 3.7, 3.7],
    [0.22689, 0.22689, 0.0151074, 8.393, 8.393, 8.393],
    [0.0494433, 0.0494433, 0.004095, 2.275, 2.275, 2.275],
]
WRONG_GLIST = [[0.1, 0.1, 0.1, 4, 4, 4], [0.3, 0.3, 0.1, 9, 9, 9], [0.1, 0.1, 0.1, 3, 3, 3]]
SLIST = [[1, 0, 1, 0, 1, 0], [0, 1, 0, -0.089, 0, 0], [0, 1, 0, -0.089, 0, 0.425]]


@pytest.fixture(scope="session")
def arm() -> SimpleNamespace:
    """State, gravity and tip wrench of the examples; the true and the wrong model."""
    slist = np.array(SLIST).T
    return SimpleNamespace(
        theta=np.full(3, 0.1),
        rate=np.array([0.1, 0.2, 0.3]),
        g=np.array([0, 0, -9.8]),
        tip=np.ones(6),
        true=(np.array(MLIST), np.array([np.diag(row) for row in GLIST]), slist),
        wrong_g=np.array([0.8, 0.2, -8.8]),
        wrong=(np.array(WRONG_MLIST), np.array([np.diag(row) for row in WRONG_GLIST]), slist),
    )
