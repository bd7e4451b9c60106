"""Vectors of three numbers as tuples: what the closed forms are written in."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

from ..mechanics.work import Array

Vector = tuple[float, float, float]

ALONG = 1e-10  # a part across an axis below this is none: the angle about the axis is free


def vector(m: Array, row: int, at: int) -> Vector:
    """Three numbers of a row."""
    return m[row, at], m[row, at + 1], m[row, at + 2]


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def plus(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def dot(a: Vector, b: Vector) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length(a: Vector) -> float:
    """|a|."""
    return sqrt(dot(a, a))


def across(a: Vector, k: Vector) -> Vector:
    """The part of a at right angles to the unit vector k."""
    s = dot(a, k)
    return a[0] - s * k[0], a[1] - s * k[1], a[2] - s * k[2]


def turned(k: Vector, angle: float, p: Vector) -> Vector:
    """p turned by the angle about the unit vector k (Rodrigues)."""
    c, s = cos(angle), sin(angle)
    x, y, z = cross(k, p)
    d = (1.0 - c) * dot(k, p)
    return c * p[0] + s * x + d * k[0], c * p[1] + s * y + d * k[1], c * p[2] + s * z + d * k[2]


def apart(a: Vector, b: Vector) -> float:
    """The angle between two vectors, 0 to pi, accurate at both ends."""
    return atan2(length(cross(a, b)), dot(a, b))


def turn_between(k: Vector, p: Vector, r: Vector, free: float) -> float:
    """The angle about k that takes p to r, as seen along k; `free` where either lies along k.

    Paden-Kahan subproblem 1: Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation
    (1994), 3.3.
    """
    a, b = across(p, k), across(r, k)
    if length(a) < ALONG or length(b) < ALONG:
        return free
    return atan2(dot(k, cross(a, b)), dot(a, b))


def moved(G: Array, p: Vector) -> Vector:
    """G p for a pose G and a point p."""
    return plus(spun(G, p), (G[0, 3], G[1, 3], G[2, 3]))


def spun(G: Array, v: Vector) -> Vector:
    """R v for the rotation R of a pose."""
    return (
        G[0, 0] * v[0] + G[0, 1] * v[1] + G[0, 2] * v[2],
        G[1, 0] * v[0] + G[1, 1] * v[1] + G[1, 2] * v[2],
        G[2, 0] * v[0] + G[2, 1] * v[1] + G[2, 2] * v[2],
    )


def unspun(G: Array, v: Vector) -> Vector:
    """R^T v for the rotation R of a pose."""
    return (
        G[0, 0] * v[0] + G[1, 0] * v[1] + G[2, 0] * v[2],
        G[0, 1] * v[0] + G[1, 1] * v[1] + G[2, 1] * v[2],
        G[0, 2] * v[0] + G[1, 2] * v[1] + G[2, 2] * v[2],
    )
