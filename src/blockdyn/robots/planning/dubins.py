"""Dubins paths: the shortest curves of bounded curvature for a vehicle that drives forwards only."""

from __future__ import annotations

from typing import Any

from ...base.checked import guarded
from .arc_path import ArcPath, ArcPaths
from .errors import refusal
from .native_words import DUBINS_WORDS, native_dubins, pairs, solved


@guarded(refusal)
def dubins(start: Any, goal: Any, radius: float) -> ArcPath:
    """The shortest path between two poses, driven forwards with turns of at least this radius, m.

    Poses are (x, y, heading), m, m, rad. The path is the shortest of the six words LSL, LSR, RSL, RSR, LRL
    and RLR: an arc, a line or an arc to the other side, an arc. If two are equally short, it is one of them.
    Raises PlanningError.

    Source: Dubins, American Journal of Mathematics 79(3), 1957, 497-516, doi:10.2307/2372560; LaValle,
    Planning Algorithms (2006), section 15.3.1.
    """
    return solved(native_dubins(), DUBINS_WORDS, *pairs(start, goal, radius, rows=False))[0]


@guarded(refusal)
def dubins_many(starts: Any, goals: Any, radius: float) -> ArcPaths:
    """The same for many pairs of poses at once, (n, 3) each; one of them may be a single pose.

    `length` (n,) of the result is how long each is, m. Raises PlanningError.
    """
    return solved(native_dubins(), DUBINS_WORDS, *pairs(starts, goals, radius, rows=True))
