"""Saltelli's design: points whose differences, one coordinate at a time, give Sobol indices.

Saltelli, Computer Physics Communications 145 (2002) 280-297, doi:10.1016/S0010-4655(02)00280-1, in the
form of Saltelli et al., Computer Physics Communications 181 (2010) 259-270, doi:10.1016/j.cpc.2009.09.018.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .sampling import sobol


def draw(names: Sequence[str], number: int, seed: int) -> NDArray[np.float64]:
    """Points of the unit cube (N (d + 2), d): for each of N base points d + 2 rows.

    Of two points a and b, the halves of one point of a scrambled Sobol sequence in 2d dimensions:

        a,     a with coordinate j of b, for j = 1 ... d,     b

    names   of the d coordinates
    number  N, best a power of two: what a Sobol sequence is balanced for
    seed    of the scrambling; the same seed gives the same points
    """
    columns = len(names)
    both = [f"{half}{place}" for half in "ab" for place in range(columns)]
    base = sobol(tuple(both), number, seed).cube
    a, b = base[:, :columns], base[:, columns:]
    crossed = [np.where(np.arange(columns) == j, b, a) for j in range(columns)]
    return np.stack([a, *crossed, b], axis=1).reshape(-1, columns)
