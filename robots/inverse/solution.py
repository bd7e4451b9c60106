"""Solution: what inverse kinematics found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """Joint coordinates q (n,), rad or m, and how good they are.

    `success`: the tool is where it should be, within the tolerance and, where they count, within the joint
    limits. `residual` is the length of the weighted pose error, m and rad together; `distance` what is
    missing of the reach of a closed form, m. `iterations` are the steps taken in all `searches`; a closed
    form takes none. `configuration` names the one of a closed form, "run", "luf" ...
    """

    q: Array
    success: bool
    residual: float
    iterations: int = 0
    searches: int = 0
    distance: float = 0.0
    configuration: str = ""
