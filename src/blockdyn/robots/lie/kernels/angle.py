"""Functions of an angle in exp, log and their Jacobians, accurate to rounding also at 0.

t is the square of the angle x: sinc sin x / x, versine (1 - cos x) / x^2, remainders of the next series.
Below an angle of 2 the remainders are summed as series, because the closed forms would cancel.
"""

from __future__ import annotations

from math import cos, sin, sqrt

SERIES = 4.0  # squared angle below which a series is used; above it the closed forms lose a digit at most
TERMS = 13  # of a series: at an angle of 2 the last is below 1e-19 of the sum


def sinc(t: float) -> float:
    """sin x / x."""
    if t < 1e-8:  # t^2 / 120, the next term, is below rounding
        return 1.0 - t / 6.0
    x = sqrt(t)
    return sin(x) / x


def versine(t: float) -> float:
    """(1 - cos x) / x^2, by the half angle."""
    half = sinc(0.25 * t)
    return 0.5 * half * half


def sine_rest(t: float) -> float:
    """(x - sin x) / x^3."""
    if t < SERIES:
        term = 1.0 / 6.0
        total = term
        for k in range(1, TERMS):
            term *= -t / ((2 * k + 2) * (2 * k + 3))
            total += term
        return total
    x = sqrt(t)
    return (x - sin(x)) / (t * x)


def cosine_rest(t: float) -> float:
    """(x^2 / 2 - 1 + cos x) / x^4."""
    if t < SERIES:
        term = 1.0 / 24.0
        total = term
        for k in range(1, TERMS):
            term *= -t / ((2 * k + 3) * (2 * k + 4))
            total += term
        return total
    return (0.5 * t - 1.0 + cos(sqrt(t))) / (t * t)


def mixed_rest(t: float) -> float:
    """(2 x - 3 sin x + x cos x) / (2 x^5)."""
    if t < SERIES:
        term = 1.0 / 120.0
        total = term
        for k in range(1, TERMS):
            term *= -t / ((2 * k + 4) * (2 * k + 5))
            total += (k + 1) * term
        return total
    x = sqrt(t)
    return (2.0 * x - 3.0 * sin(x) + x * cos(x)) / (2.0 * t * t * x)


def cotangent_rest(t: float) -> float:
    """(1 - (x / 2) cot(x / 2)) / x^2: 1/12 at 0, unbounded towards 2 pi."""
    if t < 0.25:  # the series of |B_2n| / (2n)! t^(n-1), B_2n the Bernoulli numbers
        high = 1.0 / 47900160.0 + t * (691.0 / 1307674368000.0 + t / 74724249600.0)
        return 1.0 / 12.0 + t * (1.0 / 720.0 + t * (1.0 / 30240.0 + t * (1.0 / 1209600.0 + t * high)))
    half = 0.5 * sqrt(t)
    return (1.0 - half * cos(half) / sin(half)) / t
