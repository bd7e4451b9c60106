"""Inverse trigonometric functions, and the length of a vector.

    arctan q = arctan c + arctan t      c = i/64 next to q      t = (q - c) / (1 + c q)

With h = q - c and w = c h / (1 + c^2), t = h / (1 + c^2) / (1 + w): the divisions become a table and four
factors, as |w| < 1/128. arcsin is a polynomial up to 1/2, and pi/2 - 2 arcsin sqrt((1 - x) / 2) above.

Sources: Tang, Table-lookup algorithms for elementary functions and their error analysis, ARITH 10, 1991; Cody
and Waite, Software Manual for the Elementary Functions, 1980, chapters 10 and 11; Borges, An improved
algorithm for hypot(a, b), ACM Transactions on Mathematical Software 47(1), 2020. The polynomial of arcsin is
minimax, found by Remez' algorithm in 300 bits; the one of arctan is Taylor's.
"""

from __future__ import annotations

from math import copysign, inf, isnan, sqrt

from ..pieces import mark_cold, mark_inline
from .constants import ARC_HIGH, ARC_LOW, ARC_SLOPE, HALF_PI_HIGH, HALF_PI_LOW, PI_HIGH, PI_LOW
from .doubles import SHIFT, bits_of, fast_sum, head, quotient

FLAT = 1e20  # from here on arctan rounds to pi/2
SMALL, LARGE = 2.0**-500, 2.0**500  # between which nothing that is squared or divided leaves the doubles
LEAST = 2.0**-900  # whose products with 26 bits are exact
NONE = 2.0**-600  # against the square root of anything but 0


@mark_inline
def angle(first: float, tail: float, base: float, base_low: float, sign: float) -> float:
    """base + sign arctan(first + rest) for a sum between 0 and 1."""
    shifted = first + SHIFT / 64.0
    i = bits_of(shifted) & 127
    c = shifted - SHIFT / 64.0
    h, h_low = fast_sum(first - c, tail)
    slope = h * ARC_SLOPE[i]
    t = h + slope
    w = c * t
    w2 = w * w
    short = t * (w * (1.0 - w) * ((1.0 + w2) * (1.0 + w2 * w2)))
    s = t - short
    z = s * s
    low = (
        (ARC_LOW[i] + (h_low + h_low * ARC_SLOPE[i]))
        + (slope - short)
        + s * (z * ((-1 / 3 + z * (1 / 5)) - z * z * (1 / 7)))
    )
    total, low0 = fast_sum(base, sign * ARC_HIGH[i])
    total, low1 = fast_sum(total, sign * h)
    return total + ((low0 + low1 + base_low) + sign * low)


def atan(x: float) -> float:
    """Inverse tangent, within 0.55 ulp."""
    size = abs(x)
    if size <= 1.0:
        return copysign(angle(size, -0.0, 0.0, 0.0, 1.0), x)
    first, tail = quotient(1.0, 0.0, FLAT if size > FLAT else size, 0.0)
    return copysign(angle(first, tail, HALF_PI_HIGH, HALF_PI_LOW, -1.0), x)


def atan2(y: float, x: float) -> float:
    """Angle of a vector from the first axis, within 0.75 ulp; zeros and infinities as in C99, F.9.1.4."""
    steep, back = abs(y) > abs(x), bits_of(x) < 0
    small, large = (abs(x), abs(y)) if steep else (abs(y), abs(x))
    if not (large > SMALL and large < LARGE and small > LEAST):
        if isnan(x) or isnan(y):
            return x + y
        if not (steep or back) and small < large * 2.0**-60:
            return copysign(small / large, y)
        if large == 0.0 or large == inf:
            small, large = 1.0 if small == inf else 0.0, 1.0
        factor = SMALL if large > 1.0 else 1.0 if large == 1.0 else LARGE
        small, large = small * factor, large * factor
    base = HALF_PI_HIGH if steep else PI_HIGH if back else 0.0
    base_low = HALF_PI_LOW if steep else PI_LOW if back else 0.0
    first, tail = quotient(small, 0.0, large, 0.0)
    return copysign(angle(first, tail, base, base_low, 1.0 if steep == back else -1.0), y)


@mark_inline
def sine_series(z: float) -> float:
    """arcsin(x) / x - 1 with z = x^2, for z <= 1/4, to 2^-59."""
    z2 = z * z
    z4 = z2 * z2
    a = 0.16666666666666763 + z * 0.07499999999970106 + z2 * (0.044642857175280326 + z * 0.030381942675523736)
    b = 0.02237221589959385 + z * 0.01735159560691021 + z2 * (0.013981017307020187 + z * 0.011397302792407287)
    c = (
        0.0107892679452608
        + z * 0.0036723812953694123
        + z2 * (0.021790180628017974 - z * 0.021116073856703436)
    )
    return z * (a + z4 * (b + z4 * (c + z4 * 0.03270176726808175)))


@mark_inline
def half_chord(size: float) -> tuple[float, float, float]:
    """arcsin sqrt((1 - size) / 2) for size >= 1/2: a head and its rest, to be added, and the series' part."""
    z = 0.5 - 0.5 * size
    root = sqrt(z)
    first = head(root)
    tail = (z - first * first) / (root + first + NONE)
    return first, tail, root * sine_series(z)


def asin(x: float) -> float:
    """Inverse sine, within 0.7 ulp; NaN beyond 1."""
    size = abs(x)
    if size <= 0.5:
        return x + x * sine_series(x * x)
    first, tail, part = half_chord(size)
    total, low = fast_sum(HALF_PI_HIGH, -2.0 * first)
    return copysign(total + (low + HALF_PI_LOW - 2.0 * (tail + part)), x)


def acos(x: float) -> float:
    """Inverse cosine, within 0.7 ulp; NaN beyond 1."""
    size = abs(x)
    if size <= 0.5:
        total, low = fast_sum(HALF_PI_HIGH, -x)
        return total + (low + HALF_PI_LOW - x * sine_series(x * x))
    first, tail, part = half_chord(size)
    if x < 0.0:
        total, low = fast_sum(PI_HIGH, -2.0 * first)
        return total + (low + PI_LOW - 2.0 * (tail + part))
    return 2.0 * (first + (tail + part))


@mark_inline
def length(a: float, b: float) -> float:
    """sqrt(a^2 + b^2) for a >= b >= 0, with a correction by the residual, exact but for its last bits."""
    root = sqrt(a * a + b * b)
    a1, b1, root1 = head(a), head(b), head(root)
    tail = (a + a1) * (a - a1) + (b + b1) * (b - b1) - (root + root1) * (root - root1)
    return root + ((a1 * a1 - root1 * root1 + b1 * b1) + tail) * (0.5 / root)


@mark_cold
def length_far(a: float, b: float) -> float:
    """As `length` where a square may leave the doubles, or where a or b is not finite."""
    if a == inf or b == inf:
        return inf
    if isnan(a) or isnan(b):
        return a + b
    if b < a * 2.0**-60:
        return a + b
    factor = 2.0**600 if a < 1.0 else 2.0**-600
    return length(a * factor, b * factor) / factor if a > 0.0 else 0.0


def hypot(x: float, y: float) -> float:
    """Length of a vector, within 0.51 ulp; 1 in subnormal numbers. Infinite if x or y is, even beside NaN."""
    a, b = abs(x), abs(y)
    a, b = (a, b) if a > b else (b, a)
    if not (a < LARGE and b > SMALL):
        return length_far(a, b)
    return length(a, b)
