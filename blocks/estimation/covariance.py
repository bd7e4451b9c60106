"""Covariances as parameters of blocks."""

from __future__ import annotations

import numpy as np

from ..contract.block import Block
from ..contract.parameter import Array
from ..control.riccati import weight


def covariance(block: Block, name: str, n: int, *, positive: bool = False) -> Array:
    """The covariance n x n of this name, from a number, n variances or a matrix.

    Raises ParameterError if it is not symmetric, or has an eigenvalue below 0, or, with `positive`, one
    that is not above 0.
    """
    value = getattr(block, name)
    return np.ascontiguousarray(weight(block.kind(), name, value, n, noun="a covariance", positive=positive))
