"""Doubles as bits; sums, products and quotients of two doubles with their rounding errors; exact remainders.

Sources: Dekker, A floating-point technique for extending the available precision, Numerische Mathematik 18,
1971; Knuth, The Art of Computer Programming 2, section 4.2.2. Nothing here needs a fused multiply-add.
"""

from __future__ import annotations

from math import copysign, inf, isnan, nan

import numpy as np

from ..pieces import mark_inline

SIGN = -(2**63)  # the bit of the sign
SHIFT = 1.5 * 2.0**52  # added to a number below 2^51, it leaves the nearest integer in the lowest bits


@mark_inline
def bits_of(x: float) -> int:
    """The 64 bits of a double as an integer."""
    return np.float64(x).view(np.int64)  # type: ignore[return-value]


@mark_inline
def number_of(bits: int) -> float:
    """The double that has these bits."""
    return np.int64(bits).view(np.float64)


@mark_inline
def head(x: float) -> float:
    """The upper 26 bits of a double: the product of two heads, or of a head and a rest, is exact."""
    return number_of(bits_of(x) & -0x8000000)


@mark_inline
def two_sum(a: float, b: float) -> tuple[float, float]:
    """The sum of two doubles and its rounding error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@mark_inline
def fast_sum(a: float, b: float) -> tuple[float, float]:
    """As `two_sum` where |a| >= |b|, where a is 0, and where the sum is exact."""
    total = a + b
    return total, (a - total) + b


@mark_inline
def product(a: float, b: float) -> tuple[float, float]:
    """The product of two doubles and its rounding error, to 2^-105 of the product."""
    total = a * b
    a1, b1 = head(a), head(b)
    a2, b2 = a - a1, b - b1
    return total, ((a1 * b1 - total) + a1 * b2 + a2 * b1) + a2 * b2


@mark_inline
def quotient(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """(a + a_low) / (b + b_low) as a number of 26 bits and a rest, to 2^-78: one division.

    The remainder of the 26 bits is exact, so that the rounding error of 1 / b only concerns the rest.
    """
    inverse = 1.0 / b
    first, b1 = head(a * inverse), head(b)
    tail = ((a - first * b1) - first * (b - b1)) + (a_low - first * b_low)
    return first, tail * inverse


BITS = 10  # of the quotient: a remainder of 53 bits times 2^10 is below 2^63


def fmod(x: float, y: float) -> float:
    """x - n y with the integer n = x / y, rounded towards 0; exact, with the sign of x."""
    a, b = abs(x), abs(y)
    if a < b and b < inf:
        return x
    if isnan(x) or isnan(y) or a == inf or b == 0.0:
        return nan
    if a < b:
        return x
    a_bits, b_bits = bits_of(a), bits_of(b)
    a_exponent, b_exponent = max(a_bits >> 52, 1), max(b_bits >> 52, 1)
    mantissa = a_bits - ((a_exponent - 1) << 52)  # of a normal number, with its first bit
    divisor = np.uint64(b_bits - ((b_exponent - 1) << 52))
    gap = a_exponent - b_exponent
    value = (np.uint64(mantissa) << np.uint64(min(gap, BITS))) % divisor
    while gap > BITS:
        gap -= BITS
        value = (value << np.uint64(min(gap, BITS))) % divisor
    return copysign(float(value) * 2.0**-52 * number_of(b_exponent << 52), x)
