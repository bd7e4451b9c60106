"""Random numbers that are functions of a key and a counter: the same bits in any order, on any thread.

A generator with a state would tie samples to the order in which blocks, scenarios and threads draw them.
Here the key identifies the source (seed of the run, scenario, path of the block), and the counter the sample.
"""

from __future__ import annotations

from math import cos, log, pi, sin, sqrt

WORD = 0xFFFFFFFF


def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Philox4x32-10: four 32-bit words from a counter of four and a key of two.

    Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC11, 2011, section 3.3,
    doi:10.1145/2063384.2063405; it passes TestU01's BigCrush.
    """
    # The two multipliers and the increments of the key (fractions of the golden ratio and of sqrt(3), times
    # 2^32) are the paper's. No statistical flaw is known with seven or more rounds; ten leave a margin.
    for _ in range(10):
        # 64-bit products. Compiled, they may wrap to negative numbers: the masks below remove the sign bits
        # of the arithmetic shift, so the words are the same as with unsigned numbers and with Python's
        # integers.
        a = 0xD2511F53 * c0
        b = 0xCD9E8D57 * c2
        c0, c1, c2, c3 = ((b >> 32) & WORD) ^ c1 ^ k0, b & WORD, ((a >> 32) & WORD) ^ c3 ^ k1, a & WORD
        k0 = (k0 + 0x9E3779B9) & WORD
        k1 = (k1 + 0xBB67AE85) & WORD
    return c0, c1, c2, c3


def uniforms(key0: float, key1: float, count: float, element: int) -> tuple[float, float]:
    """Two independent numbers, uniform in (0, 1], for sample `count`, 0 or greater, of an element."""
    # The element has its own word of the counter: elements of a vector never share a sample.
    tick = int(count)
    a, b, c, d = philox(tick & WORD, (tick >> 32) & WORD, element, 0, int(key0), int(key1))
    # 27 and 26 high bits make an integer of 53 bits, the precision of a double (genrand_res53 of
    # mt19937ar.c). The half excludes 0, because `normal` takes the logarithm; 2^53 - 1/2 rounds up, so 1
    # occurs once in 2^53.
    scale = 1.0 / 9007199254740992.0  # 2^-53
    first = ((a >> 5) * 67108864 + (b >> 6) + 0.5) * scale
    second = ((c >> 5) * 67108864 + (d >> 6) + 0.5) * scale
    return first, second


def normal(key0: float, key1: float, count: float, element: int) -> float:
    """A number of the standard normal distribution.

        z = sqrt(-2 ln u1) cos(2 pi u2)

    Box, Muller, A Note on the Generation of Random Normal Deviates, Annals of Mathematical Statistics 29(2),
    1958, doi:10.1214/aoms/1177706645.
    """
    # The sine would give a second number. It is not used, so that each sample is a function of its own count.
    # The smallest u1 is 2^-54, so |z| stays below sqrt(2 * 54 ln 2) = 8.7, which a normal number exceeds once
    # in 2e17.
    u1, u2 = uniforms(key0, key1, count, element)
    return sqrt(-2.0 * log(u1)) * cos(2.0 * pi * u2)


def normal_pair(key0: float, key1: float, count: float, element: int) -> tuple[float, float]:
    """Two independent numbers of the standard normal distribution; the first is the result of `normal`."""
    u1, u2 = uniforms(key0, key1, count, element)
    r = sqrt(-2.0 * log(u1))
    return r * cos(2.0 * pi * u2), r * sin(2.0 * pi * u2)


def tick(t: float, offset: float, sample_time: float) -> float:
    """The index of the sample that is taken at t, a tick of a clock."""
    # Rounded, not truncated: the quotient of three rounded doubles may lie just below the whole number.
    return float(int((t - offset) / sample_time + 0.5))
