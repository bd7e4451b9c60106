"""Constants and tables of the elementary functions, rounded once from 60 or more digits.

`decimal` rounds its exponentials and logarithms correctly, so these are the same numbers on every machine.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np

DIGITS = Context(prec=60)


def table(values: Iterable[float]) -> Sequence[float]:
    """Numbers as an array, the only sequence that machine code reads."""
    return np.array([*values])  # type: ignore[return-value]


def split(value: Decimal | Fraction, bits: int) -> tuple[float, float]:
    """A number as a multiple of 2^-bits, and the double next to the rest."""
    exact = Fraction(value)
    first = Fraction(round(exact * 2**bits), 2**bits)
    return float(first), float(exact - first)


def two_doubles(value: Decimal | Fraction) -> tuple[float, float]:
    """The double next to a number, and the one next to the rest."""
    exact = Fraction(value)
    return float(exact), float(exact - Fraction(float(exact)))


def inverse_tangent(x: Fraction, bits: int) -> Fraction:
    """arctan x for 0 <= x <= 1 to 2^-bits, by Euler's series.

    arctan x = sum over n of 2^(2n) (n!)^2 / (2n + 1)! x^(2n + 1) / (1 + x^2)^(n + 1)
    """
    one = 1 << (bits + 20)
    step = x * x / (1 + x * x)
    term = total = round(x / (1 + x * x) * one)
    n = 0
    while term:
        n += 1
        term = term * step.numerator * 2 * n // (step.denominator * (2 * n + 1))
        total += term
    return Fraction(total, one)


PI_BITS = 1312  # the exponents of doubles, 53 bits of the number, and some 190 that its remainder needs
PI = 16 * inverse_tangent(Fraction(1, 5), PI_BITS) - 4 * inverse_tangent(Fraction(1, 239), PI_BITS)  # Machin

with localcontext(DIGITS):
    LN2 = Decimal(2).ln()
    LN10 = Decimal(10).ln()

    STEPS = 128  # of the tables between two powers of 2
    _powers = [(LN2 * i / STEPS).exp() for i in range(STEPS)]
    POWER_BITS = np.array([float(power) for power in _powers]).view(np.int64)  # of 2^(i/128)
    POWER_TAILS = table(float(power / Decimal(float(power)) - 1) for power in _powers)  # relative

    # The bins of the logarithm: START and its successors, 2^45 doubles each, up to 2 START. 1 lies in the
    # middle of its bin, whose logarithm is 0. An inverse has 11 bits: times 32 bits it is exact.
    START = (1023 << 52) - 75 * 2**45 - round(Fraction(2**46, 3))
    _edges = np.array([START + i * 2**45 for i in range(STEPS + 1)]).view(np.float64)
    _middles = [Fraction(float(low) + float(high)) / 2 for low, high in itertools.pairwise(_edges)]
    _inverses = [Fraction(round(2**10 / middle), 2**10) for middle in _middles]
    _logarithms = [-(Decimal(part.numerator) / Decimal(part.denominator)).ln() for part in _inverses]
    LOG_INVERSE = table(map(float, _inverses))
    LOG_HIGH, LOG_LOW = map(table, zip(*(split(part, 42) for part in _logarithms), strict=True))
    LOG2_HIGH, LOG2_LOW = map(table, zip(*(split(part / LN2, 42) for part in _logarithms), strict=True))

    LN2_HIGH, LN2_LOW = split(LN2, 42)  # times an exponent, the first is exact
    STEP_HIGH, STEP_LOW = split(LN2 / STEPS, 42)  # times a number of steps, 18 bits, as well
    STEPS_PER_ONE = float(STEPS / LN2)
    LN2_DOUBLE = float(LN2)
    LOG2_E, LOG2_E_LOW = split(1 / LN2, 25)
    LOG10_E, LOG10_E_LOW = split(1 / LN10, 27)

ARCS = 64  # of the table between 0 and 1; the rest up to 127 stands for NaN, whose index is any
_arcs = [two_doubles(inverse_tangent(Fraction(i, ARCS), 130)) for i in range(ARCS + 1)]
ARC_HIGH, ARC_LOW = map(table, zip(*_arcs, *_arcs[:1] * (127 - ARCS), strict=True))
ARC_SLOPE = table(float(Fraction(-i * i, ARCS * ARCS + i * i)) for i in range(128))  # 1 / (1 + c^2) - 1

PI_HIGH, PI_LOW = two_doubles(PI)
HALF_PI_HIGH, HALF_PI_LOW = two_doubles(PI / 2)
TWO_OVER_PI = float(2 / PI)
# pi / 2 as 33, 33 and 53 bits: times a number of 20 bits, the first two are exact
HALF_PI_1, _rest = split(PI / 2, 32)
HALF_PI_2, HALF_PI_3 = split(PI / 2 - Fraction(HALF_PI_1), 66)
# 2 / pi as words of 32 bits, after two of zeros
_count = PI_BITS // 32
_bits = int(2 / PI * 2 ** (32 * _count))
TWO_OVER_PI_WORDS = np.array([0, 0, *(_bits >> 32 * (_count - 1 - i) & 0xFFFFFFFF for i in range(_count))])
