"""Solids are tubes, drums and sleeves of flat faces, in the colours of a body."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model.poses import Array, turn_to

LINK, REVOLUTE, PRISMATIC = "#C4CAD3", "#0072B2", "#E69F00"
LONGEST = 1.5  # of a piece, in its radii: short pieces sort well by depth


@dataclass(frozen=True)
class Face:
    """A flat polygon of four corners, 4 x 3, with its outward normal and its colour (red, green, blue)."""

    corners: Array
    normal: Array
    color: tuple[float, float, float]


def tube(begin: Array, end: Array, radius: float, color: str, sides: int = 14) -> Iterator[Face]:
    """A round bar between two points, closed at its ends."""
    yield from _prism(begin, end, radius, color, sides, 0.0)


def sleeve(centre: Array, axis: Array, radius: float, length: float, color: str) -> Iterator[Face]:
    """A square bar along an axis: a prismatic joint."""
    half = axis * (length / 2)
    yield from _prism(centre - half, centre + half, radius * math.sqrt(2), color, 4, math.pi / 4)


def drum(centre: Array, axis: Array, radius: float, length: float, color: str) -> Iterator[Face]:
    """A round bar along an axis: a revolute joint."""
    half = axis * (length / 2)
    yield from _prism(centre - half, centre + half, radius, color, 20, 0.0)


def _prism(begin: Array, end: Array, radius: float, color: str, sides: int, turn: float) -> Iterator[Face]:
    length = float(np.linalg.norm(end - begin))
    if length == 0.0:
        return
    paint = _rgb(color)
    axis = (end - begin) / length
    R = turn_to(axis)[:3, :3]
    angles = turn + 2 * math.pi * np.arange(sides + 1) / sides
    ring = radius * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(sides + 1)]) @ R.T
    pieces = max(1, math.ceil(length / (LONGEST * radius)))
    for piece in range(pieces):
        low = begin + axis * (length * piece / pieces)
        high = begin + axis * (length * (piece + 1) / pieces)
        for a, b in pairwise(ring):
            normal = (a + b) / np.linalg.norm(a + b)
            yield Face(np.array([low + a, low + b, high + b, high + a]), normal, paint)
    for a, b in pairwise(ring):  # slices: matplotlib projects polygons of different sizes wrongly
        yield Face(np.array([begin, begin + a, begin + b, begin]), -axis, paint)
        yield Face(np.array([end, end + a, end + b, end]), axis, paint)


def _rgb(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


TRAIL, WANTED = "#CC79A7", "#8C9199"


@dataclass(frozen=True)
class Paint:
    """Colours as #RRGGBB: of limbs, of turning parts, of parts that stand out among them, of the trace."""

    limb: str = LINK
    turning: str = REVOLUTE
    accent: str = PRISMATIC
    trail: str = TRAIL


UNPAINTED = Paint()


def paint_of(color: str) -> Paint:
    """Shades of one colour, which distinguish a body from its neighbours."""
    return Paint(lighter(color), color, _mix_with_grey(color, 0, 0.45), color)


def lighter(color: str) -> str:
    """A lighter shade of a colour."""
    return _mix_with_grey(color, 255, 0.5)


def _mix_with_grey(color: str, grey: int, share: float) -> str:
    parts = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round((1 - share) * part + share * grey):02X}" for part in parts)
