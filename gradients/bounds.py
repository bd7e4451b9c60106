"""Bounds: between what values a number may be searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..base.annotations import is_number
from ..base.nearest import nearest
from ..solvers.layout import Floats
from .errors import GradientError


def bounded(
    paths: Sequence[str], bounds: Mapping[str, Any], begin: Sequence[float], argument: str,
    error: type[GradientError],
) -> tuple[Floats, Floats]:  # fmt: skip
    """The least and the greatest value of each path. Raises the error that it is given."""
    if not isinstance(bounds, Mapping):
        raise error(f"bounds are {bounds!r:.80}", 'two numbers by path: {"kp": (0.0, 50.0)}')
    low, high = np.full(len(paths), -np.inf), np.full(len(paths), np.inf)
    for path, pair in bounds.items():
        if path not in paths:
            found = f"bounds of {path!r:.80}, which is not in {argument}{nearest(str(path), paths)}"
            raise error(found, f"one of {', '.join(paths)}")
        right = isinstance(pair, (tuple, list)) and len(pair) == 2 and all(map(is_number, pair))
        if not right or not pair[0] < pair[1]:
            expected = "two numbers, the least and the greatest value"
            raise error(f"bounds of {path} are {pair!r:.80}", expected)
        i = paths.index(path)
        low[i], high[i] = pair
        if not low[i] <= begin[i] <= high[i]:
            found = f"{path} begins at {begin[i]:g}, outside its bounds, {low[i]:g} to {high[i]:g}"
            raise error(found, f'a start between them: {argument}={{"{path}": {(low[i] + high[i]) / 2:g}}}')
    return low, high
