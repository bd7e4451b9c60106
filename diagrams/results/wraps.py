"""Wraps: where an angle kept within one turn jumps from one end of it to the other, and its line breaks."""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import NDArray

from .trace import FloatArray

_TURNS = {"rad": 2.0 * pi, "deg": 360.0}
_MOVED = 0.16  # turns that it may also move between two samples: more is taken for a motion


def wraps(values: FloatArray, unit: str) -> NDArray[np.int64]:
    """The samples before which an angle has wrapped.

    A signal in rad or deg that stays within one turn, and jumps by nearly one. What goes on past a turn is
    not wrapped, however far apart its samples are.
    """
    turn = _TURNS.get(unit)
    finite = values[np.isfinite(values)]
    if turn is None or finite.size < 2 or np.ptp(finite) > turn * (1.0 + 1e-9):
        return np.empty(0, np.int64)
    with np.errstate(invalid="ignore"):
        return np.flatnonzero(np.abs(np.diff(values)) > turn * (1.0 - _MOVED)) + 1


def broken(at: NDArray[np.int64], *lines: FloatArray) -> tuple[FloatArray, ...]:
    """The coordinates of a line with a gap before each of these samples."""
    return tuple(np.insert(line, at, np.nan) for line in lines) if at.size else lines
