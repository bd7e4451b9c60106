"""Normals: the common normals between successive axes, from which both Denavit-Hartenberg forms are read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model.poses import Array
from .chain import Station

TINY = 1e-9  # of direction vectors, and in metres


@dataclass(frozen=True)
class Normal:
    """The common normal of two axes: its feet on them, and its direction."""

    on_first: Array
    on_second: Array
    x: Array


def normals(stations: Sequence[Station], x: Array, origin: Array) -> list[Normal]:
    """The normals between axis i and i + 1; between parallel ones the one through the foot before it.

    `x` is the direction before the first axis, `origin` its foot there. Of the two directions of a normal the
    one that turns by less against the one before it is taken.
    """
    chain: list[Normal] = []
    foot = origin
    for first, second in pairwise(stations):
        normal = _normal(first, second, foot, x)
        chain.append(normal)
        foot, x = normal.on_second, normal.x
    return chain


def _normal(first: Station, second: Station, foot: Array, before: Array) -> Normal:
    a, b = first.axis, second.axis
    across = np.cross(a, b)
    if float(np.linalg.norm(across)) < TINY:
        on_second = second.point + b * float(b @ (foot - second.point))
        between = on_second - foot
        x = between if float(np.linalg.norm(between)) > TINY else before
        return Normal(foot, on_second, _turned(_perpendicular(x, a), before, a))
    gap = second.point - first.point
    s = float(np.cross(gap, b) @ across) / float(across @ across)
    t = float(np.cross(gap, a) @ across) / float(across @ across)
    on_first, on_second = first.point + s * a, second.point + t * b
    between = on_second - on_first
    x = between if float(np.linalg.norm(between)) > TINY else across
    return Normal(on_first, on_second, _turned(_perpendicular(x, a), before, a))


def _perpendicular(x: Array, axis: Array) -> Array:
    x = x - axis * float(axis @ x)
    return np.asarray(x / np.linalg.norm(x))


def _turned(x: Array, before: Array, axis: Array) -> Array:
    """x or -x, whichever turns by less than a right angle against `before` about the axis."""
    angle = math.atan2(float(axis @ np.cross(before, x)), float(before @ x))
    return -x if abs(angle) > math.pi / 2 + TINY else x


def any_perpendicular(axis: Array) -> Array:
    """A unit vector at right angles to an axis: the world's x, or y, made perpendicular."""
    seed = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    return _perpendicular(seed, axis)


def frame(x: Array, z: Array, origin: Array) -> Array:
    """The frame with these axes and this origin."""
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, origin
    return T
