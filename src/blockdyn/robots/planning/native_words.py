"""Words as machine code: the shortest of each pair of poses, and what it is as a path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..calls.kernel import machine_code
from .arc_path import ArcPaths
from .arguments import Array, poses, positive
from .dubins_words import WORDS as DUBINS, dubins_rows
from .errors import PlanningError
from .reeds_shepp_words import WORDS as REEDS_SHEPP, reeds_shepp_rows

MIRRORED = str.maketrans("LR", "RL")


def both_sides(words: Sequence[str]) -> Any:
    """Words and, behind them, their mirror images."""
    return np.array([*words, *(word.translate(MIRRORED) for word in words)])


DUBINS_WORDS, REEDS_SHEPP_WORDS = both_sides(DUBINS), both_sides(REEDS_SHEPP)


def native_dubins() -> Any:
    """The words of Dubins as machine code."""
    return machine_code(dubins_rows, ("d2", "d2", "d", "d2"))


def native_reeds_shepp() -> Any:
    """The words of Reeds and Shepp as machine code."""
    return machine_code(reeds_shepp_rows, ("d2", "d2", "d", "d1", "d2"))


def pairs(start: Any, goal: Any, radius: Any, *, rows: bool) -> tuple[Array, Array, float]:
    """Starts and goals (n, 3), and the radius. Raises PlanningError."""
    a, b = poses("start" + "s" * rows, start, rows=rows), poses("goal" + "s" * rows, goal, rows=rows)
    r = positive("radius", radius, "m")
    if a.ndim == b.ndim == 2 and len(a) != len(b):
        raise PlanningError(
            "goals", f"{len(b)} rows beside {len(a)} starts", "as many rows as starts, or one pose"
        )
    n = len(a) if a.ndim == 2 else len(b) if b.ndim == 2 else 1
    # one pose stands beside all rows; compiled code reads rows that lie one behind the other
    a, b = (np.array(np.broadcast_to(each, (n, 3)), order="C") for each in (a, b))
    return a, b, r


def solved(kernel: Any, words: Any, starts: Array, goals: Array, radius: float, *scratch: Array) -> ArcPaths:
    """The shortest words of all pairs. Raises PlanningError where lengths are beyond all numbers."""
    rows = np.empty((len(starts), 1 + max(map(len, words))))
    kernel(starts, goals, radius, *scratch, rows)
    lengths = rows[:, 1:] * radius
    if not np.isfinite(lengths).all():
        raise PlanningError("radius", radius, "one that is not too small for the distance of the poses")
    return ArcPaths(starts, radius, words[rows[:, 0].astype(np.int64)], lengths)
