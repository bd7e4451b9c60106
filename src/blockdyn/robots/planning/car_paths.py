"""Dubins and Reeds-Shepp paths: the shortest curves of bounded curvature, with and without reversing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..calls.kernel import machine_code
from .arc_path import ArcPath, ArcPaths
from .arguments import Array, PlanningError, poses, positive, refusal
from .car_words import DUBINS, REEDS_SHEPP, dubins_rows, reeds_shepp_rows

MIRRORED = str.maketrans("LR", "RL")


def both_sides(words: Sequence[str]) -> Any:
    """Words, followed by their mirror images."""
    return np.array([*words, *(word.translate(MIRRORED) for word in words)])


DUBINS_WORDS, REEDS_SHEPP_WORDS = both_sides(DUBINS), both_sides(REEDS_SHEPP)


def native_dubins() -> Any:
    """The words of Dubins as machine code."""
    return machine_code(dubins_rows, ("d2", "d2", "d", "d2"))


def native_reeds_shepp() -> Any:
    """The words of Reeds and Shepp as machine code."""
    return machine_code(reeds_shepp_rows, ("d2", "d2", "d", "d1", "d2"))


def pairs(start: ArrayLike, goal: ArrayLike, radius: ArrayLike, *, rows: bool) -> tuple[Array, Array, float]:
    """Starts and goals (n, 3), and the radius. Raises PlanningError."""
    a, b = poses("start" + "s" * rows, start, rows=rows), poses("goal" + "s" * rows, goal, rows=rows)
    r = positive("radius", radius, "m")
    if a.ndim == b.ndim == 2 and len(a) != len(b):
        raise PlanningError(
            "goals", f"{len(b)} rows for {len(a)} starts", "as many rows as starts, or one pose"
        )
    n = len(a) if a.ndim == 2 else len(b) if b.ndim == 2 else 1
    # one pose is repeated for all rows; compiled code reads contiguous rows
    a, b = (np.array(np.broadcast_to(each, (n, 3)), order="C") for each in (a, b))
    return a, b, r


def solve_words(
    kernel: Any, words: Any, starts: Array, goals: Array, radius: float, *scratch: Array
) -> ArcPaths:
    """The shortest words of all pairs. Raises PlanningError if a length overflows."""
    rows = np.empty((len(starts), 1 + max(map(len, words))))
    kernel(starts, goals, radius, *scratch, rows)
    lengths = rows[:, 1:] * radius
    if not np.isfinite(lengths).all():
        raise PlanningError("radius", radius, "one that is not too small for the distance of the poses")
    return ArcPaths(starts, radius, words[rows[:, 0].astype(np.int64)], lengths)


@checked_numbers(refusal)
def dubins(start: ArrayLike, goal: ArrayLike, radius: float) -> ArcPath:
    """The shortest path between two poses, driven forwards with turns of at least this radius, m.

    Poses are (x, y, heading), m, m, rad. The path is the shortest of the six words LSL, LSR, RSL, RSR, LRL
    and RLR: an arc, a line or an arc to the other side, an arc. If two are equally short, it is either.
    Raises PlanningError.

    Source: Dubins, American Journal of Mathematics 79(3), 1957, 497-516, doi:10.2307/2372560; LaValle,
    Planning Algorithms (2006), section 15.3.1.
    """
    return solve_words(native_dubins(), DUBINS_WORDS, *pairs(start, goal, radius, rows=False))[0]


@checked_numbers(refusal)
def dubins_many(starts: ArrayLike, goals: ArrayLike, radius: float) -> ArcPaths:
    """The shortest paths for many pairs of poses, (n, 3) each; one of them may be a single pose.

    `length` (n,) of the result is in m. Raises PlanningError.
    """
    return solve_words(native_dubins(), DUBINS_WORDS, *pairs(starts, goals, radius, rows=True))


BEST = 7  # a length, a word and five segments


@checked_numbers(refusal)
def reeds_shepp(start: ArrayLike, goal: ArrayLike, radius: float) -> ArcPath:
    """The shortest path between two poses, forwards and backwards, with turns of at least this radius, m.

    Poses are (x, y, heading), m, m, rad. The path has up to five segments, and up to two cusps where the
    vehicle changes direction. It is the shortest of all 48 words; if two are equally short, it is
    either. Raises PlanningError.

    Source: Reeds, Shepp, Pacific Journal of Mathematics 145(2), 1990, 367-393, doi:10.2140/pjm.1990.145.367;
    LaValle, Planning Algorithms (2006), section 15.3.2.
    """
    both = pairs(start, goal, radius, rows=False)
    return solve_words(native_reeds_shepp(), REEDS_SHEPP_WORDS, *both, np.empty(BEST))[0]


@checked_numbers(refusal)
def reeds_shepp_many(starts: ArrayLike, goals: ArrayLike, radius: float) -> ArcPaths:
    """The shortest paths for many pairs of poses, (n, 3) each; one of them may be a single pose.

    `length` (n,) of the result is in m. Raises PlanningError.
    """
    both = pairs(starts, goals, radius, rows=True)
    return solve_words(native_reeds_shepp(), REEDS_SHEPP_WORDS, *both, np.empty(BEST))
