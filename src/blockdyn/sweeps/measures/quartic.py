"""The quartic through five equally spaced values of a signal: integrals, highest value, level crossings.

It is p(u) for u from -1 to 1, with y0 ... y4 at -1, -1/2, 0, 1/2, 1. Dense output of an explicit method of
order five is a quartic, so that its states are represented exactly.
"""

from __future__ import annotations

from math import sqrt

NONE = 2.0  # means "not between -1 and 1"
ROUNDS = 60
SAFETY = 4.0  # 1 - cos t and sin^2 t need 1 in steps up to a quarter of a period
ROUNDING = 8 * 2.220446049250313e-16


def value(c0: float, c1: float, c2: float, c3: float, c4: float, u: float) -> float:
    """p(u) = c0 + c1 u + ... + c4 u^4."""
    return c0 + u * (c1 + u * (c2 + u * (c3 + u * c4)))


def at(y0: float, y1: float, y2: float, y3: float, y4: float, u: float) -> float:
    """p(u) from the five values."""
    c1, c2 = linear(y0, y1, y3, y4), quadratic(y0, y1, y2, y3, y4)
    return value(y2, c1, c2, 0.5 * (y4 - y0) - c1, 0.5 * ((y4 - y2) + (y0 - y2)) - c2, u)


def slope(c1: float, c2: float, c3: float, c4: float, u: float) -> float:
    """p'(u)."""
    return c1 + u * (2.0 * c2 + u * (3.0 * c3 + u * 4.0 * c4))


def linear(y0: float, y1: float, y3: float, y4: float) -> float:
    """c1; c3 = (y4 - y0)/2 - c1."""
    return (8.0 * (y3 - y1) - (y4 - y0)) / 6.0


def quadratic(y0: float, y1: float, y2: float, y3: float, y4: float) -> float:
    """c2; c4 = (y0 + y4)/2 - y2 - c2, c0 = y2."""
    return (8.0 * ((y3 - y2) + (y1 - y2)) - 0.5 * ((y4 - y2) + (y0 - y2))) / 3.0


def integral(y0: float, y1: float, y2: float, y3: float, y4: float) -> float:
    """Mean of p over its interval: Boole's rule, exact to degree five."""
    return (7.0 * (y0 + y4) + 32.0 * (y1 + y3) + 12.0 * y2) / 90.0


def square(y0: float, y1: float, y2: float, y3: float, y4: float) -> float:
    """Mean of p^2 over its interval, exactly.

    In Legendre's polynomials the mean of the square is the sum of a_n^2/(2n + 1).
    """
    c1, c2 = linear(y0, y1, y3, y4), quadratic(y0, y1, y2, y3, y4)
    c3, c4 = 0.5 * (y4 - y0) - c1, 0.5 * ((y4 - y2) + (y0 - y2)) - c2
    a0 = y2 + c2 / 3.0 + c4 / 5.0
    a1 = c1 + 0.6 * c3
    a2 = 2.0 / 3.0 * c2 + 4.0 / 7.0 * c4
    a3, a4 = 0.4 * c3, 8.0 / 35.0 * c4
    return a0 * a0 + a1 * a1 / 3.0 + a2 * a2 / 5.0 + a3 * a3 / 7.0 + a4 * a4 / 9.0


def excess(y0: float, y1: float, y2: float, y3: float, y4: float) -> float:
    """Bound on the excursion of p beyond the range of its five values.

    Between the first two, Newton's form gives at most 0.23 of the first second difference, 0.15 of the second
    and 0.04 of the third; between others less.
    """
    return 0.5 * (abs(y0 - 2.0 * y1 + y2) + abs(y1 - 2.0 * y2 + y3) + abs(y2 - 2.0 * y3 + y4))


def doubt(y0: float, y1: float, y2: float, y3: float, y4: float) -> float:
    """Bound on the distance of the signal from p between its five values.

    The error is at most 0.03 of the fifth difference (Newton's remainder). That difference is estimated: the
    third and the fourth are continued by the ratio at which differences grow. Rounding of values is added.
    """
    a, b, c, d = y1 - y0, y2 - y1, y3 - y2, y4 - y3
    second = max(abs(b - a), abs(c - b), abs(d - c))
    left, right = (c - b) - (b - a), (d - c) - (c - b)
    third, fourth = max(abs(left), abs(right)), abs(right - left)
    if second == 0.0:
        return 0.0
    ratio = min(max(third / second, sqrt(fourth / second)), 1.0)
    return SAFETY * 0.03 * ratio * max(fourth, ratio * third) + rounding(y0, y1, y2, y3, y4)


def rounding(y0: float, y1: float, y2: float, y3: float, y4: float) -> float:
    """Bound on the rounding of values that come from a few operations."""
    return ROUNDING * max(abs(y0), abs(y1), abs(y2), abs(y3), abs(y4))


def stationary(c1: float, c2: float, c3: float, c4: float, left: float, right: float, rising: float) -> float:
    """The point at which p' changes its sign between `left` and `right`: from -rising to +rising."""
    u = 0.5 * (left + right)
    for _ in range(ROUNDS):
        f = rising * slope(c1, c2, c3, c4, u)
        if f < 0.0:
            left = u
        else:
            right = u
        d = rising * (2.0 * c2 + u * (6.0 * c3 + u * 12.0 * c4))
        new = 0.5 * (left + right)
        if d > 0.0 and left < u - f / d < right:
            new = u - f / d
        if abs(new - u) < 1e-10:
            return new
        u = new
    return u


def highest(y0: float, y1: float, y2: float, y3: float, y4: float) -> float:
    """The highest value of p, including the highest of the five."""
    best, at = y0, -1.0
    if y1 > best:
        best, at = y1, -0.5
    if y2 > best:
        best, at = y2, 0.0
    if y3 > best:
        best, at = y3, 0.5
    if y4 > best:
        best, at = y4, 1.0
    c1, c2 = linear(y0, y1, y3, y4), quadratic(y0, y1, y2, y3, y4)
    c3, c4 = 0.5 * (y4 - y0) - c1, 0.5 * ((y4 - y2) + (y0 - y2)) - c2
    here = slope(c1, c2, c3, c4, at)
    other = at + 0.5 if here > 0.0 else at - 0.5
    if here == 0.0 or abs(other) > 1.0 or slope(c1, c2, c3, c4, other) * here > 0.0:
        return best
    left, right = min(at, other), max(at, other)
    return max(best, value(y2, c1, c2, c3, c4, stationary(c1, c2, c3, c4, left, right, -1.0)))


def root(
    c0: float, c1: float, c2: float, c3: float, c4: float, left: float, right: float, side: float
) -> float:
    """The point at which p leaves `side` of zero between `left` and `right`: Newton, kept in by bisection."""
    u = 0.5 * (left + right)
    for _ in range(ROUNDS):
        f = side * value(c0, c1, c2, c3, c4, u)
        if f < 0.0:
            right = u
        else:
            left = u
        d = side * slope(c1, c2, c3, c4, u)
        new = 0.5 * (left + right)
        if d < 0.0 and left <= u - f / d <= right:
            new = u - f / d
        if abs(new - u) < 1e-15:
            return new
        u = new
    return u


def crossing(
    y0: float, y1: float, y2: float, y3: float, y4: float, level: float, start: float, side: float
) -> float:
    """The first u after `start` at which p leaves that side of the level (1 above, -1 below), or NONE.

    At the five points the values themselves count, so that a signal that is held at the level stays there.
    """
    y0, y1, y2, y3, y4 = y0 - level, y1 - level, y2 - level, y3 - level, y4 - level
    bound = excess(y0, y1, y2, y3, y4)
    least = min(side * y0, side * y1, side * y2, side * y3, side * y4)
    if least >= bound:
        return NONE
    c1, c2 = linear(y0, y1, y3, y4), quadratic(y0, y1, y2, y3, y4)
    c3, c4 = 0.5 * (y4 - y0) - c1, 0.5 * ((y4 - y2) + (y0 - y2)) - c2
    left = start
    down = side * slope(c1, c2, c3, c4, left)
    for k in range(1, 5):
        right = 0.5 * k - 1.0
        if right <= left:
            continue
        y = y1 if k == 1 else y2 if k == 2 else y3 if k == 3 else y4
        if side * y < 0.0:
            return root(y2, c1, c2, c3, c4, left, right, side)
        up = side * slope(c1, c2, c3, c4, right)
        if down < 0.0 and up > 0.0:
            lowest = stationary(c1, c2, c3, c4, left, right, side)
            if side * value(y2, c1, c2, c3, c4, lowest) < 0.0:
                return root(y2, c1, c2, c3, c4, left, lowest, side)
        left, down = right, up
    return NONE
