"""Jets: vectors with their first and second rates of change, for compiled code."""

from __future__ import annotations

from math import sqrt

Vector = tuple[float, float, float]
Jet = tuple[float, float, float, float, float, float, float, float, float]
"""A vector, its rate, and the rate of that: one flat tuple, as compiled functions return."""

SHORTEST = 1e-12  # a length below which a vector has no direction: rates stay numbers, and mean nothing


def cross(a: Vector, b: Vector) -> Vector:
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Vector, b: Vector) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def plus(a: Vector, s: float, b: Vector) -> Vector:
    """a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


def times(s: float, a: Vector) -> Vector:
    """s a."""
    return s * a[0], s * a[1], s * a[2]


def jet(a: Vector, a1: Vector, a2: Vector) -> Jet:
    """A vector with its first and second rate."""
    return a[0], a[1], a[2], a1[0], a1[1], a1[2], a2[0], a2[1], a2[2]


def part(a: Jet, order: int) -> Vector:
    """The vector (0), its rate (1) or the rate of that (2)."""
    return a[3 * order], a[3 * order + 1], a[3 * order + 2]


def jet_plus(a: Jet, s: float, b: Jet) -> Jet:
    """a + s b."""
    return jet(
        plus(part(a, 0), s, part(b, 0)), plus(part(a, 1), s, part(b, 1)), plus(part(a, 2), s, part(b, 2))
    )


def jet_cross(a: Jet, b: Jet) -> Jet:
    """a x b."""
    a0, a1, b0, b1 = part(a, 0), part(a, 1), part(b, 0), part(b, 1)
    second = plus(cross(part(a, 2), b0), 1.0, cross(a0, part(b, 2)))
    return jet(cross(a0, b0), plus(cross(a1, b0), 1.0, cross(a0, b1)), plus(second, 2.0, cross(a1, b1)))


def jet_unit(a: Jet) -> Jet:
    """u = a / |a|.

    With r = u . a', the rate of |a|: |a| u' = a' - r u, |a| u'' = a'' - 2 r u' - r' u.
    """
    a0, a1, a2 = part(a, 0), part(a, 1), part(a, 2)
    scale = 1.0 / max(sqrt(dot(a0, a0)), SHORTEST)
    u = times(scale, a0)
    r = dot(u, a1)
    u1 = times(scale, plus(a1, -r, u))
    r1 = dot(u1, a1) + dot(u, a2)
    return jet(u, u1, times(scale, plus(plus(a2, -2.0 * r, u1), -r1, u)))


def spin(x: Jet, y: Jet, z: Jet) -> Vector:
    """The angular velocity of a frame of unit vectors, in its own axes."""
    return dot(part(y, 1), part(z, 0)), dot(part(z, 1), part(x, 0)), dot(part(x, 1), part(y, 0))


def spin_rate(x: Jet, y: Jet, z: Jet) -> Vector:
    """Its angular acceleration."""
    return (
        dot(part(y, 2), part(z, 0)) + dot(part(y, 1), part(z, 1)),
        dot(part(z, 2), part(x, 0)) + dot(part(z, 1), part(x, 1)),
        dot(part(x, 2), part(y, 0)) + dot(part(x, 1), part(y, 1)),
    )
