"""Screw axes as unit twists (linear, angular): of a point, a direction and a pitch, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.checked import guarded
from . import checks
from .errors import WrongShape

Array = NDArray[np.float64]


@guarded(WrongShape)
def screw(point: Any, axis: Any, pitch: float = 0.0) -> Array:
    """(v, w) = (point x axis + pitch axis, axis); pitch in m/rad, infinite for a translation along the axis.

    Raises NotUnit for an axis without length 1. Source: Modern Robotics, section 3.3.2.2.
    """
    a = checks.unit(axis, 3, "axis")
    if np.isinf(pitch):
        return np.concatenate([a, np.zeros(3)])
    v = np.cross(checks.array(point, (3,), "point"), a) + checks.number(pitch, "pitch") * a
    return np.concatenate([v, a])


@guarded(WrongShape)
def unit_screw(V: Any) -> tuple[Array, float]:
    """The unit screw S and the distance d with V = S d: d = |w|, or |v| where w = 0; both 0 for V = 0."""
    V = checks.array(V, (6,), "V")
    length = float(np.linalg.norm(V[3:])) or float(np.linalg.norm(V[:3]))
    return (V / length, length) if length else (np.zeros(6), 0.0)


@guarded(WrongShape)
def screw_parts(S: Any) -> tuple[Array, Array, float]:
    """Point (nearest to the origin), direction and pitch of a screw; a translation has an infinite pitch.

    A screw that is not normalised is accepted with a NonUnitScrew warning, as its unit screw.
    """
    S = checks.array(S, (6,), "S")
    checks.warn_of_non_unit(S[3:, None], S[:3, None])
    S, _ = unit_screw(S)
    v, w = S[:3], S[3:]
    if not w.any():
        return np.zeros(3), v, float("inf")
    return np.cross(w, v), w, float(w @ v)
