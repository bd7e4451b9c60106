"""Orthogonality: how far a small square matrix is from a rotation."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

import numpy as np
from numpy.typing import NDArray


def deviation(R: NDArray[np.float64]) -> tuple[float, float]:
    """The largest element of R^T R - I, and the determinant, of finite R, 2x2 or 3x3.

    In Python's floats: NumPy takes longer to begin than this takes altogether.
    """
    columns = [*zip(*R.tolist())]
    pairs = [(a, b) for i, a in enumerate(columns) for b in columns[: i + 1]]
    return max([abs(sum(map(mul, a, b)) - (a is b)) for a, b in pairs]), _determinant(columns)


def _determinant(columns: Sequence[Sequence[float]]) -> float:
    if len(columns) == 2:
        (a, b), (c, d) = columns
        return a * d - b * c
    (a, b, c), (d, e, f), (g, h, i) = columns
    return a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
