"""Logarithms and powers, from a table of 128 inverses with their logarithms and a short polynomial.

    x = 2^k z    r = z c - 1, exact in two doubles    log x = k ln 2 - log c + log(1 + r)    |r| < 2^-8.2

c has 11 bits and is the inverse of the middle of z's bin, so that no division and no fused operation is
needed. Sources: Tang, Table-driven implementation of the logarithm function, ACM Transactions on Mathematical
Software 16(4), 1990; Gal and Bachelis, An accurate elementary mathematical library, the same 17(1), 1991. The
polynomials are Taylor's.
"""

from __future__ import annotations

from math import copysign, inf, isnan, nan

import numpy as np

from ..pieces import mark_cold, mark_inline
from .constants import (
    LN2_HIGH,
    LN2_LOW,
    LOG2_E,
    LOG2_E_LOW,
    LOG2_HIGH,
    LOG2_LOW,
    LOG10_E,
    LOG10_E_LOW,
    LOG_HIGH,
    LOG_INVERSE,
    LOG_LOW,
    POWER_TAILS,
    START,
)
from .doubles import bits_of, fast_sum, head, number_of, two_sum
from .exponential import ORDINARY, exp_far, growth, power, steps_of

LEAST_BITS, INFINITE_BITS = 1 << 52, 2047 << 52  # of the least normal number and infinity


@mark_inline
def bin_of(bits: int) -> tuple[int, int, float]:
    """k, the number of the bin, and z of a double with these bits."""
    offset = bits - START
    k = offset >> 52
    return k, (offset >> 45) & 127, number_of(bits - (k << 52))


@mark_inline
def offset_in(z: float, inverse: float) -> tuple[float, float]:
    """z c - 1 as a double and the exact rest."""
    first = number_of(bits_of(z) & -0x100000000)
    return fast_sum(first * inverse - 1.0, (z - first) * inverse)


@mark_inline
def bend(r: float) -> float:
    """log(1 + r) - r."""
    square = r * r
    upper = (-1 / 4 + r * (1 / 5)) + square * (-1 / 6 + r * (1 / 7))
    return square * ((-0.5 + r * (1 / 3)) + square * upper)


@mark_inline
def logarithm(bits: int) -> tuple[float, float]:
    """The logarithm of a positive number as a double and a rest, to 2^-68."""
    k, i, z = bin_of(bits)
    r, r_low = offset_in(z, LOG_INVERSE[i])
    total, low = fast_sum(k * LN2_HIGH + LOG_HIGH[i], r)
    return total, low + ((k * LN2_LOW + LOG_LOW[i]) + (r_low + bend(r)))


@mark_cold
def bits_far(x: float) -> int:
    """The bits of a positive subnormal number as if exponents went on below -1022."""
    return bits_of(x * 2.0**52) - (52 << 52)


@mark_cold
def no_logarithm(x: float) -> float:
    """The logarithm of a number that is not positive and finite."""
    return -inf if x == 0.0 else nan if x < 0.0 else x


def log(x: float) -> float:
    """Natural logarithm, within 0.54 ulp."""
    bits = bits_of(x)
    if not LEAST_BITS <= bits < INFINITE_BITS:
        if not (x > 0.0 and x < inf):
            return no_logarithm(x)
        bits = bits_far(x)
    total, low = logarithm(bits)
    return total + low


def log2(x: float) -> float:
    """Logarithm to the base 2, within 0.55 ulp; exact for powers of 2."""
    bits = bits_of(x)
    if not LEAST_BITS <= bits < INFINITE_BITS:
        if not (x > 0.0 and x < inf):
            return no_logarithm(x)
        bits = bits_far(x)
    k, i, z = bin_of(bits)
    r, r_low = offset_in(z, LOG_INVERSE[i])
    first = head(r)
    total, low = fast_sum(k + LOG2_HIGH[i], first * LOG2_E)
    tail = (r - first) + (r_low + bend(r))
    return total + (low + (LOG2_LOW[i] + (tail * (LOG2_E + LOG2_E_LOW) + first * LOG2_E_LOW)))


def log10(x: float) -> float:
    """Logarithm to the base 10, within 0.54 ulp; exact for powers of 10."""
    bits = bits_of(x)
    if not LEAST_BITS <= bits < INFINITE_BITS:
        if not (x > 0.0 and x < inf):
            return no_logarithm(x)
        bits = bits_far(x)
    total, low = fast_sum(*logarithm(bits))
    first = head(total)
    return first * LOG10_E + ((total - first + low) * LOG10_E + total * LOG10_E_LOW)


def log1p(x: float) -> float:
    """log(1 + x), within 0.55 ulp: r takes the rounding error of 1 + x too."""
    if not (x > -1.0 and x < inf):
        return no_logarithm(1.0 + x)
    sum_, sum_low = two_sum(1.0, x)
    k, i, z = bin_of(bits_of(sum_))
    r, r_low = offset_in(z, LOG_INVERSE[i])
    r, tail = fast_sum(r, sum_low * number_of(max(1023 - k, 0) << 52) * LOG_INVERSE[i])
    total, low = fast_sum(k * LN2_HIGH + LOG_HIGH[i], r)
    low += (k * LN2_LOW + LOG_LOW[i]) + (r_low + tail) + bend(r)
    return copysign(total + low, x)


@mark_inline
def positive_power(bits: int, y: float) -> float:
    """x^y of a positive x with these bits, for |y| <= 2^70: e^(y log x), with log x to 2^-68."""
    k, i, z = bin_of(bits)
    r, r_low = offset_in(z, LOG_INVERSE[i])
    total, low = fast_sum(k * LN2_HIGH + LOG_HIGH[i], r)
    first = head(r)
    total, half = fast_sum(total, -0.5 * first * first)  # -r^2 / 2, whose head is exact
    square = r * r
    upper = (1 / 5 - r * (1 / 6)) + square * (1 / 7 - r * (1 / 8))
    low += half - 0.5 * (r - first) * (r + first)
    low += (k * LN2_LOW + LOG_LOW[i]) + (r_low - r_low * r)
    low += r * square * ((1 / 3 - r * (1 / 4)) + square * upper)
    total, low = fast_sum(total, low)
    first, y_first = head(total), head(y)
    exponent = first * y_first  # exact
    exponent_low = first * (y - y_first) + (total - first + low) * y
    if not abs(exponent) < ORDINARY:
        return exp_far(exponent, exponent_low)
    k, r, r_low = steps_of(exponent)
    scale = power(k, 0)
    return scale + scale * (POWER_TAILS[k & 127] + growth(r + (r_low + exponent_low)))


@mark_cold
def power_far(x: float, y: float) -> float:
    """x^y where one of them is zero, negative, subnormal, infinite, huge or NaN: C99, annex F.9.4.4."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if isnan(x) or isnan(y):
        return x + y
    size = abs(x)
    if abs(y) == inf:
        return 1.0 if size == 1.0 else inf if (size > 1.0) == (y > 0.0) else 0.0
    integral = np.floor(y) == y
    odd = integral and np.floor(0.5 * y) != 0.5 * y
    sign = x if odd else 1.0
    if size == 0.0 or size == inf:
        return copysign(0.0 if (size == 0.0) == (y > 0.0) else inf, sign)
    if x < 0.0 and not integral:
        return nan
    bits = bits_of(size)
    bits = bits if bits >= LEAST_BITS else bits_far(size)
    return copysign(positive_power(bits, min(max(y, -(2.0**70)), 2.0**70)), sign)


def pow(x: float, y: float) -> float:
    """x^y, within 0.7 ulp; 0.8 in subnormal numbers."""
    bits = bits_of(x)
    if not (LEAST_BITS <= bits < INFINITE_BITS and abs(y) < 2.0**70):
        return power_far(x, y)
    return positive_power(bits, y)
