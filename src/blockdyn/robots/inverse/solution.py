"""Solution: what inverse kinematics found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """Joint coordinates q (n,), rad or m, and their quality.

    `success`: the tool is at its pose, within the tolerance and, if they apply, within the joint limits.
    `residual` is the length of the weighted pose error, m and rad together; `distance`, m, is by how much a
    closed form cannot reach the pose. `iterations` counts the steps of all `searches`; a closed form takes
    none. `configuration` is that of a closed form, "run", "luf" ...
    """

    q: Array
    success: bool
    residual: float
    iterations: int = 0
    searches: int = 0
    distance: float = 0.0
    configuration: str = ""
