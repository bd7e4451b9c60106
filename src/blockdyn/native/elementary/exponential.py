"""Exponentials and hyperbolic functions, from a table of 2^(i/128) and short polynomials.

    e^x = 2^(k/128) e^r      k the integer next to 128 x / ln 2      |r| <= ln 2 / 256 = 2^-8.5

Sources: Tang, Table-driven implementation of the exponential function, ACM Transactions on Mathematical
Software 15(2), 1989; Tang, Table-driven implementation of the expm1 function, the same 18(2), 1992; Cody and
Waite, Software Manual for the Elementary Functions, 1980, chapter 6, for ln 2 in two parts. The polynomials
are Taylor's; the first term that each leaves out is below 2^-60 of the result.
"""

from __future__ import annotations

from math import copysign, inf, isnan

from ..pieces import mark_cold, mark_inline
from .constants import (
    LN2_DOUBLE,
    LN2_HIGH,
    LN2_LOW,
    POWER_BITS,
    POWER_TAILS,
    STEP_HIGH,
    STEP_LOW,
    STEPS_PER_ONE,
)
from .doubles import SHIFT, bits_of, fast_sum, number_of, quotient, two_sum

ORDINARY = 708.0  # up to here e^x and e^-x are normal numbers
FLAT_TANH = 22.0  # from here on tanh rounds to 1


@mark_inline
def steps_of(x: float) -> tuple[int, float, float]:
    """k, and r with its rounding error."""
    shifted = x * STEPS_PER_ONE + SHIFT
    count = shifted - SHIFT
    r, low = fast_sum(x - count * STEP_HIGH, -(count * STEP_LOW))
    return bits_of(shifted) - bits_of(SHIFT), r, low


@mark_inline
def power(k: int, exponent: int) -> float:
    """2^(k/128 + exponent), rounded."""
    return number_of(POWER_BITS[k & 127] + (((k >> 7) + exponent) << 52))


@mark_inline
def growth(r: float) -> float:
    """e^r - 1."""
    square = r * r
    return r + square * ((0.5 + r * (1 / 6)) + square * (1 / 24 + r * (1 / 120)))


@mark_inline
def scale_by_power(k: int, r: float) -> float:
    """2^(k/128) e^r, by two powers of 2 more, so that a subnormal number is rounded once."""
    scale = power(k & 127, 0)
    value = scale + scale * (POWER_TAILS[k & 127] + growth(r))
    exponent = k >> 7
    half = exponent >> 1
    return value * number_of((half + 1023) << 52) * number_of((exponent - half + 1023) << 52)


@mark_cold
def exp_far(x: float, low: float) -> float:
    """e^(x + low) where it may leave the normal numbers."""
    if isnan(x):
        return x
    if x > 720.0:
        return inf
    if x < -760.0:
        return 0.0
    k, r, tail = steps_of(x)
    return scale_by_power(k, r + (tail + low))


def exp(x: float) -> float:
    """e^x, within 0.52 ulp; 0.77 in subnormal numbers."""
    if not abs(x) < ORDINARY:
        return exp_far(x, 0.0)
    k, r, _ = steps_of(x)
    scale = power(k, 0)
    return scale + scale * (POWER_TAILS[k & 127] + growth(r))


def exp2(x: float) -> float:
    """2^x, within 0.52 ulp; 0.77 in subnormal numbers. Integers give exact powers."""
    if not abs(x) < 1020.0:
        return exp2_far(x)
    shifted = x + SHIFT / 128.0
    k = bits_of(shifted) - bits_of(SHIFT / 128.0)
    scale = power(k, 0)
    return scale + scale * (POWER_TAILS[k & 127] + growth((x - (shifted - SHIFT / 128.0)) * LN2_DOUBLE))


@mark_cold
def exp2_far(x: float) -> float:
    """2^x where it may leave the normal numbers."""
    if not abs(x) < 1100.0:
        return inf if x > 0.0 else 0.0 if x < 0.0 else x
    shifted = x + SHIFT / 128.0
    r = (x - (shifted - SHIFT / 128.0)) * LN2_DOUBLE
    return scale_by_power(bits_of(shifted) - bits_of(SHIFT / 128.0), r)


def expm1(x: float) -> float:
    """e^x - 1, within 0.53 ulp.

    e^x - 1 = (s - 1) + r + (s - 1) r + s (e^r - 1 - r) with s = 2^(k/128). The first two terms are added
    exactly; the others are small against them, for k = 0 too, where s - 1 = 0.
    """
    if not abs(x) < ORDINARY:
        return exp_far(x, 0.0) if x > 0.0 else x if isnan(x) else -1.0
    k, r, r_low = steps_of(x)
    scale = power(k, 0)
    first, first_low = two_sum(scale, -1.0)
    square = r * r
    bend = square * (
        (0.5 + r * (1 / 6)) + square * ((1 / 24 + r * (1 / 120)) + square * (1 / 720 + r * (1 / 5040)))
    )
    total, low = fast_sum(first, r)
    tail = POWER_TAILS[k & 127]
    low += first_low + scale * ((tail + tail * r) + (r_low + bend)) + first * r
    return copysign(total + low, x)


@mark_inline
def halves(x: float) -> tuple[float, float, float, float]:
    """sinh x and cosh x for x >= 0, each as a double and a rest.

    With a = 2^(k/128) / 2 and b = 2^(-k/128) / 2, S = sinh r and C = cosh r:
    sinh x = (a - b) C + (a + b) S and cosh x = (a + b) C + (a - b) S.
    """
    k, r, r_low = steps_of(x)
    down = max(-k, -12800)  # b is of no account long before
    a, b = power(k, -1), power(down, -1)
    a_low, b_low = a * POWER_TAILS[k & 127], b * POWER_TAILS[down & 127]
    minus, minus_low = fast_sum(a, -b)
    plus, plus_low = fast_sum(a, b)
    square = r * r
    bend = square * (0.5 + square * (1 / 24 + square * (1 / 720)))  # C - 1
    curve = r_low + r * square * (1 / 6 + square * (1 / 120))  # S - r
    sine, sine_low = fast_sum(minus, r)
    sine_low += (minus_low + (a_low - b_low)) + (
        (((a - 0.5) + (b - 0.5)) + (a_low + b_low)) * r + (plus * curve + minus * bend)
    )
    cosine_low = (plus_low + (a_low + b_low)) + (plus * bend + minus * (r + curve))
    return sine, sine_low, plus, cosine_low


def sinh(x: float) -> float:
    """Hyperbolic sine, within 0.53 ulp."""
    size = abs(x)
    if not size < ORDINARY:
        return copysign(exp_far(size - LN2_HIGH, -LN2_LOW), x)
    sine, low, _, _ = halves(size)
    return copysign(sine + low, x)


def cosh(x: float) -> float:
    """Hyperbolic cosine, within 0.53 ulp."""
    size = abs(x)
    if not size < ORDINARY:
        return exp_far(size - LN2_HIGH, -LN2_LOW)
    _, _, cosine, low = halves(size)
    return cosine + low


def tanh(x: float) -> float:
    """Hyperbolic tangent, the quotient of sine and cosine, within 0.55 ulp."""
    size = abs(x)
    size = FLAT_TANH if size > FLAT_TANH else size
    sine, sine_low, cosine, cosine_low = halves(size)
    sine, sine_low = fast_sum(sine, sine_low)
    cosine, cosine_low = fast_sum(cosine, cosine_low)
    first, tail = quotient(sine, sine_low, cosine, cosine_low)
    return copysign(first + tail, x)
