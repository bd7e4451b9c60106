"""Words of curves, driven and solved numerically: by integration and bisection, without closed forms.

Between the first and the last circle of a word lies one unknown, u. The distance of the two centres depends
on u alone, so its roots are bracketed on a grid and bisected; first and last arcs follow from directions.
"""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Word = tuple[tuple[str, int], ...]  # sides and directions: (("L", 1), ("R", -1), ("L", 1)) is L+ R- L+

CURVATURE = {"L": 1.0, "S": 0.0, "R": -1.0}
HALVINGS = 60
GRID = 300


def word(text: str) -> Word:
    """L+R-L+ as sides and directions; a letter alone is driven forwards."""
    letters = text.replace("+", "")
    return tuple(
        (side, -1 if letters[i + 1 : i + 2] == "-" else 1) for i, side in enumerate(letters) if side != "-"
    )


DUBINS = tuple(map(word, ("LSL", "RSR", "LSR", "RSL", "LRL", "RLR")))

# Reeds, Shepp 1990, theorem 2: the forms of words; each stands for those driven backwards and mirrored
FORMS = (
    "L+S+L+", "L+S+R+", "L+R-L+", "L+R-L-", "L+R+L-", "L+R+L-R-", "L+R-L-R+", "L+R-S-L-", "L+R-S-R-",
    "L+S+L+R-", "L+S+R+L-", "L+R-S-L-R+",
)  # fmt: skip


def flipped(each: Word) -> Word:
    return tuple((side, -way) for side, way in each)


def mirrored(each: Word) -> Word:
    return tuple(({"L": "R", "R": "L", "S": "S"}[side], way) for side, way in each)


HALF = [*map(word, FORMS), *(flipped(word(form)) for form in FORMS)]
REEDS_SHEPP = tuple(dict.fromkeys([*HALF, *map(mirrored, HALF)]))


def drive(poses: Array, sides: str, lengths: Array) -> Array:
    """Poses (n, 3) after segments (n, k), in turning radii: the integral of e^(i heading)."""
    place, heading = poses[:, 0] + 1j * poses[:, 1], poses[:, 2].astype(float)
    for side, length in zip(sides, lengths.T):
        k = CURVATURE[side]
        place = place + np.exp(1j * heading) * (length if k == 0.0 else np.expm1(1j * k * length) / (1j * k))
        heading = heading + k * length
    return np.column_stack([place.real, place.imag, heading])


def middle(each: Word, u: Array) -> Array:
    """The segments between the first and the last: u itself, twice u, or u beside quarters of a turn."""
    inner = each[1:-1]
    straight = any(side == "S" for side, _ in inner)
    parts = [u if side == "S" or not straight else np.full_like(u, 0.5 * pi) for side, _ in inner]
    return np.column_stack([way * part for (_, way), part in zip(inner, parts)])


def centre(poses: Array, side: str) -> Array:
    """Of the circle on a side of a pose, as a complex number."""
    return poses[:, 0] + 1j * poses[:, 1] + CURVATURE[side] * 1j * np.exp(1j * poses[:, 2])


def between(each: Word, u: Array) -> tuple[Array, Array]:
    """From the first to the last centre where the first arc has no length, and the heading there."""
    origin = np.zeros((len(u), 3))
    poses = drive(origin, "".join(side for side, _ in each[1:-1]), middle(each, u))
    return centre(poses, each[-1][0]) - centre(origin, each[0][0]), poses[:, 2]


def shortest(each: Word, goals: Array) -> Array:
    """The length of the shortest curve of a word from (0, 0, 0) to each goal (n, 3); infinite for none."""
    lengths = np.full(len(goals), np.inf)
    Z = centre(goals, each[-1][0]) - centre(np.zeros((1, 3)), each[0][0])
    straight = any(side == "S" for side, _ in each)
    grid = np.linspace(0.0, np.abs(Z).max() + 8.0 if straight else 2.0 * pi, GRID)
    levels = np.abs(between(each, grid)[0])
    above = np.abs(Z)[:, None] >= levels
    rows, i = np.nonzero(above[:, 1:] != above[:, :-1])
    if rows.size:
        roots = bisected(each, np.abs(Z[rows]), grid[i], grid[i + 1], levels[i + 1] > levels[i])
        np.minimum.at(lengths, rows, completed(each, goals[rows], Z[rows], roots))
    return lengths


def bisected(each: Word, distances: Array, below: Array, above: Array, rising: Array) -> Array:
    for _ in range(HALVINGS):
        u = 0.5 * (below + above)
        left = (np.abs(between(each, u)[0]) > distances) == rising
        below, above = np.where(left, below, u), np.where(left, u, above)
    return 0.5 * (below + above)


def completed(each: Word, goals: Array, Z: Array, u: Array) -> Array:
    """The length with first and last arcs; infinite where the curve does not end at the goal after all."""
    ways, turned = between(each, u)
    (first, way), (last, way_back) = each[0], each[-1]
    k = CURVATURE[first]
    t = way * np.mod(way * k * np.angle(Z / ways), 2.0 * pi)
    v = way_back * np.mod(way_back * CURVATURE[last] * (goals[:, 2] - k * t - turned), 2.0 * pi)
    parts = np.column_stack([t, middle(each, u), v])
    ends = drive(np.zeros((len(u), 3)), "".join(side for side, _ in each), parts)
    missed = np.hypot(*(ends - goals)[:, :2].T) > 1e-6
    return np.where(missed, np.inf, np.abs(parts).sum(axis=1))
