"""Instants of clocks: each by one product and one rounding, many at once as one by one."""

from fractions import Fraction

import numpy as np
import pytest

from blockdyn.solvers.events.timer import PlacedTimer, Timer, clock_instants, instant, pack


@pytest.mark.parametrize(
    ("period", "offset"),
    [
        (0.002, 0.0),
        (0.1, 0.03),
        (1 / 3, 0.0),
        (np.pi / 100, 0.1),
        (Fraction(1, 7), Fraction(1, 3)),
        (1e-4, 1e-9),
    ],
)
def test_instants_are_the_nearest_doubles(period: float | Fraction, offset: float | Fraction) -> None:
    """Where period and offset are short fractions, to the fraction itself; else to two roundings."""
    clock = pack([PlacedTimer(Timer(period, offset), 0, 0)])
    counts = np.arange(0, 100_000, 997)
    together = clock_instants(clock, 0, counts)
    for count, time in zip(counts.tolist(), together.tolist(), strict=True):
        assert time == instant(clock.table, clock.integers, clock.floats, 0, count)
        exact = Fraction(offset).limit_denominator(10**4) + count * Fraction(period).limit_denominator(10**4)
        if clock.table[0, 0] == 1:
            assert time == float(exact)
        else:
            assert time == pytest.approx(float(offset) + count * float(period), rel=4e-16)
