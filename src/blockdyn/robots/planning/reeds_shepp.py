"""Reeds-Shepp paths: the shortest curves of bounded curvature for a vehicle that drives both ways."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.checked import guarded
from .arc_path import ArcPath, ArcPaths
from .errors import refusal
from .native_words import REEDS_SHEPP_WORDS, native_reeds_shepp, pairs, solved

BEST = 7  # a length, a word and five segments


@guarded(refusal)
def reeds_shepp(start: Any, goal: Any, radius: float) -> ArcPath:
    """The shortest path between two poses, forwards and backwards, with turns of at least this radius, m.

    Poses are (x, y, heading), m, m, rad. The path has up to five segments, and up to two cusps where the
    vehicle changes direction. It is the shortest of all 48 words; if two are equally short, it is one of
    them. Raises PlanningError.

    Source: Reeds, Shepp, Pacific Journal of Mathematics 145(2), 1990, 367-393, doi:10.2140/pjm.1990.145.367;
    LaValle, Planning Algorithms (2006), section 15.3.2.
    """
    both = pairs(start, goal, radius, rows=False)
    return solved(native_reeds_shepp(), REEDS_SHEPP_WORDS, *both, np.empty(BEST))[0]


@guarded(refusal)
def reeds_shepp_many(starts: Any, goals: Any, radius: float) -> ArcPaths:
    """The same for many pairs of poses at once, (n, 3) each; one of them may be a single pose.

    `length` (n,) of the result is how long each is, m. Raises PlanningError.
    """
    both = pairs(starts, goals, radius, rows=True)
    return solved(native_reeds_shepp(), REEDS_SHEPP_WORDS, *both, np.empty(BEST))
