"""Sine, cosine and tangent: the argument less a multiple of pi/2, then polynomials on |r| <= pi/4.

pi/2 is subtracted in three parts (Cody and Waite). Where the argument is too large for that, or so close to a
multiple that few digits are left, it is multiplied by the bits of 2/pi that matter (Payne and Hanek).

Sources: Cody and Waite, Software Manual for the Elementary Functions, 1980, chapter 8; Payne and Hanek,
Radian reduction for trigonometric functions, SIGNUM Newsletter 18(1), 1983; Ng, Argument reduction for huge
arguments, 1992. The polynomials are minimax, found by Remez' algorithm in 300 bits.
"""

from __future__ import annotations

from math import inf, nan

from ..pieces import mark_cold, mark_inline
from .constants import (
    HALF_PI_1,
    HALF_PI_2,
    HALF_PI_3,
    HALF_PI_HIGH,
    HALF_PI_LOW,
    TWO_OVER_PI,
    TWO_OVER_PI_WORDS,
)
from .doubles import SHIFT, SIGN, bits_of, fast_sum, head, number_of, product, quotient

LARGEST = 2.0**20  # up to which the multiple of pi/2 has 20 bits
NEAR = 2.0**-58  # of a multiple of pi/2, times the multiple: the three parts, 119 bits, leave 61 bits of r
QUARTER = 0.785  # below pi/4
WORD = 0xFFFFFFFF


@mark_inline
def reduce_angle(x: float) -> tuple[int, float, float]:
    """n modulo 4, and r as a double and a rest, below 2^-45, with x = n pi/2 + r, for x >= 0."""
    if x <= QUARTER:
        return 0, x, 0.0
    shifted = x * TWO_OVER_PI + SHIFT
    count = shifted - SHIFT
    r, low = fast_sum(x - count * HALF_PI_1, -(count * HALF_PI_2))
    if not (x <= LARGEST and abs(r) >= NEAR * count):
        return reduced_far(x)
    return bits_of(shifted), r, low - count * HALF_PI_3


@mark_cold
def reduced_far(x: float) -> tuple[int, float, float]:
    """As `reduced`, for x >= 1: m 2^e times 2/pi modulo 4, from seven words of 2/pi, to 2^-138."""
    if not x < inf:
        return 0, nan, nan
    bits = bits_of(x)
    exponent = (bits >> 52) - 1075 + 62  # of the words that are left out, multiples of 4
    mantissa = (bits & 0xFFFFFFFFFFFFF) | (1 << 52)
    place, shift = exponent >> 5, exponent & 31
    a0 = (mantissa << shift) & WORD
    a1 = (mantissa >> (32 - shift)) & WORD
    a2 = mantissa >> (64 - shift) if shift else 0
    carry = w0 = w1 = w2 = w3 = w4 = g1 = g2 = 0
    for j in range(7):  # a column of the product after the other, from the last; int64 may wrap
        g0 = TWO_OVER_PI_WORDS[place + 6 - j]
        p0, p1, p2 = a0 * g0, a1 * g1, a2 * g2
        total = (carry & WORD) + (p0 & WORD) + (p1 & WORD) + (p2 & WORD)
        carry = (carry >> 32) + (total >> 32)
        carry += ((p0 >> 32) & WORD) + ((p1 >> 32) & WORD) + ((p2 >> 32) & WORD)
        w0, w1, w2, w3, w4 = w1, w2, w3, w4, total & WORD
        g1, g2 = g0, g1
    # The last two bits before the point, and 158 after it: the first 64 with a sign, to the nearest integer.
    first = (w4 << 34) | (w3 << 2) | (w2 >> 30)
    second = ((w2 << 34) | (w1 << 2) | (w0 >> 30)) & -1
    n = (w4 >> 30) + (1 if first < 0 else 0)
    r, low0 = fast_sum((first >> 32) * 2.0**-32, (first & WORD) * 2.0**-64)
    r, low1 = fast_sum(r, ((second >> 32) & WORD) * 2.0**-96)
    r, low = fast_sum(r, low0 + low1 + (second & WORD) * 2.0**-128)
    total_, tail = product(r, HALF_PI_HIGH)
    r, low = fast_sum(total_, tail + (r * HALF_PI_LOW + low * HALF_PI_HIGH))
    return n, r, low


@mark_inline
def sine_curve(z: float) -> float:
    """sin(r) / r - 1 with z = r^2, to 2^-57."""
    z2 = z * z
    p = (-0.16666666666666632 + z * 0.008333333333322413) + z2 * (
        (-0.00019841269829807865 + z * 2.755731369194071e-06)
        + z2 * (-2.505075811915769e-08 + z * 1.5896795893288284e-10)
    )
    return z * p


@mark_inline
def cosine_curve(z: float) -> float:
    """cos(r) - 1 + z / 2 with z = r^2, to 2^-59."""
    z2 = z * z
    p = (0.0416666666666666 + z * -0.0013888888888874125) + z2 * (
        (2.4801587289482936e-05 + z * -2.7557314352525423e-07)
        + z2 * (2.087572329696373e-09 + z * -1.1359648935599295e-11)
    )
    return z2 * p


@mark_inline
def slopes(r: float, z: float) -> tuple[float, float]:
    """cos(r) and sin(r) with z = r^2, to 2^-11: the changes of sine and cosine with the rest of r."""
    z2 = z * z
    return 1.0 - 0.5 * z + z2 * (1 / 24), r * (1.0 - z * (1 / 6) + z2 * (1 / 120))


def sincos(x: float) -> tuple[float, float]:
    """Sine and cosine, within 0.85 ulp: the rounding of r^2 is left out."""
    n, r, low = reduce_angle(abs(x))
    z = r * r
    of_sine, of_cosine = slopes(r, z)
    even = bits_of(r + (r * sine_curve(z) + low * of_sine))
    first, tail = fast_sum(1.0, -0.5 * z)
    odd = bits_of(first + (tail + (cosine_curve(z) - low * of_cosine)))
    change = (even ^ odd) & -(n & 1)
    sine = number_of(even ^ change ^ ((n & 2) << 62) ^ (bits_of(x) & SIGN))
    return sine, number_of(odd ^ change ^ (((n + 1) & 2) << 62))


def tan(x: float) -> float:
    """Tangent, the quotient of sine and cosine, within 0.95 ulp."""
    n, r, low = reduce_angle(abs(x))
    z, r1 = r * r, head(r)
    z_low = (r1 * r1 - z) + (r + r1) * (r - r1)
    of_sine, of_cosine = slopes(r, z)
    sine, sine_low = fast_sum(r, r * (sine_curve(z) - z_low * (1 / 6)) + low * of_sine)
    first, tail = fast_sum(1.0, -0.5 * z)
    cosine, cosine_low = fast_sum(first, tail + (cosine_curve(z) - (low * of_cosine + 0.5 * z_low)))
    odd = n & 1
    first, tail = quotient(
        cosine if odd else sine,
        cosine_low if odd else sine_low,
        sine if odd else cosine,
        sine_low if odd else cosine_low,
    )
    return number_of(bits_of(first + tail) ^ (odd << 63) ^ (bits_of(x) & SIGN))
