"""Remainder of a division, exact: mantissas as integers, ten bits of the quotient at a time."""

from __future__ import annotations

from math import copysign, inf, isnan, nan

import numpy as np

from .doubles import bits_of, number_of

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
