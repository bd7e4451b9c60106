"""The kernel of measures: polynomials to their degree, pieces of any length, machine code and Python."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from blockdyn.solvers.layout import AT_STEP, INITIAL, LEFT, RIGHT
from blockdyn.sweeps.measures import kinds, quartic
from blockdyn.sweeps.measures.prepared import KernelData

from .measured_rows import measured_rows

SIGNAL_KINDS = [
    kinds.HIGHEST, kinds.RANGE, kinds.INTEGRAL, kinds.MEAN, kinds.RMS, kinds.ITAE, kinds.FINAL, kinds.INITIAL,
    kinds.OVERSHOOT, kinds.SETTLING, kinds.RISE, kinds.TIME_TO, kinds.COUNT, kinds.SHARE, kinds.SATURATED,
    kinds.LAST_ROW, kinds.STEPS,
]  # fmt: skip


def compiled(*measures, refine=4):
    """Measures (kind, flags, numbers by their place) of the first column."""
    spec = np.zeros((len(measures), kinds.SPEC), np.int64)
    numbers = np.full((len(measures), kinds.NUMBERS), np.nan)
    room = kinds.FIRST_ROW + len(measures)
    for i, (kind, flags, given_numbers) in enumerate(measures):
        spec[i, [kinds.KIND, kinds.FLAGS, kinds.REFINE, kinds.BASE]] = kind, flags, refine, room
        room += 2 * kinds.ROOM if kind in (kinds.SETTLING, kinds.RISE) else 0
        numbers[i, [kinds.AFTER, kinds.BEFORE, kinds.LEVEL]] = -math.inf, math.inf, 0.2
        numbers[i, [kinds.BAND, kinds.LOW, kinds.HIGH]] = 0.02, 0.1, 0.9
        for place, number in given_numbers.items():
            numbers[i, place] = number
    return KernelData(spec, numbers, (room, max(kinds.WIDTH, 1 + len(measures))), refine, (0,))


def rows(function, times, jumps=()):
    """Rows with three points inside each step; at `jumps` both limits, all 1 higher from there on."""
    found, offset = [(times[0], INITIAL, function(times[0]))], 0.0
    for t0, t1 in pairwise(times):
        for k in range(1, 5):
            t = t0 + (t1 - t0) * k / 4
            flag = LEFT if k == 4 and t1 in jumps else AT_STEP
            found.append((t1 if k == 4 else t, flag, function(t) + offset))
        if t1 in jumps:
            offset += 1.0
            found.append((t1, RIGHT, function(t1) + offset))
    return np.array(found, float)


def everything():
    chosen = [(kind, flags, {}) for kind in SIGNAL_KINDS for flags in (0, kinds.ABSOLUTE, kinds.NEGATE)]
    return compiled(*chosen, *((kind, 3, {kinds.AFTER: 0.3, kinds.BEFORE: 2.9}) for kind in SIGNAL_KINDS))


def wobble(t):
    return 0.6 * math.sin(3 * t) - 0.2 * t + 0.3 * math.cos(11 * t)


@given(st.lists(st.integers(0, 200), max_size=12))
def test_pieces_of_any_length_give_the_same_bits(cuts):
    measures, data = everything(), rows(wobble, np.linspace(0, 4, 41), jumps=(1.0, 2.5))
    whole = measured_rows(measures, [data], end=4.0)
    pieces = measured_rows(measures, np.split(data, sorted(cuts)), end=4.0)
    np.testing.assert_array_equal(whole, pieces)


def test_machine_code_and_python_agree():
    measures, data = everything(), rows(wobble, np.linspace(0, 4, 41), jumps=(1.0, 2.5))
    machine = measured_rows(measures, [data], end=4.0)
    plain = measured_rows(measures, [data], end=4.0, compiled=False)
    np.testing.assert_allclose(machine, plain, rtol=1e-13, atol=1e-14)


def test_touches_are_none_in_machine_code_and_python():
    kind_of = [
        (kind, flags, {kinds.LEVEL: 0.0})
        for kind in (kinds.TIME_TO, kinds.COUNT, kinds.SHARE)
        for flags in (0, 2)
    ]
    measures = compiled(*kind_of)
    for shift in np.linspace(-0.1, 0.1, 21):  # where in a step the touch lies
        data = rows(lambda t: 1 - math.cos(t + shift), np.linspace(1, 12, 70))  # noqa: B023
        for native in (True, False):
            found = measured_rows(measures, [data], end=12.0, compiled=native)
            np.testing.assert_array_equal(found, [0, math.nan, 0, 0, 1, 0])


coefficients = st.lists(st.floats(-2, 2), min_size=5, max_size=5)


@given(coefficients)
def test_a_quartic_is_measured_exactly(c):
    p = np.polynomial.Polynomial(c)
    y = [float(p(u)) for u in (-1, -0.5, 0, 0.5, 1)]
    area, square = p.integ(), (p * p).integ()
    assert quartic.integral(*y) == pytest.approx((area(1) - area(-1)) / 2, abs=1e-12)
    assert quartic.square(*y) == pytest.approx((square(1) - square(-1)) / 2, abs=1e-11)
    fine = p(np.linspace(-1, 1, 20_001))
    assert fine.max() <= max(y) + quartic.excess(*y) + 1e-12


@given(coefficients, st.floats(-1, 1))
def test_every_crossing_seen_from_the_points_is_found(c, level):
    p = np.polynomial.Polynomial(c)
    y = [float(p(u)) for u in (-1, -0.5, 0, 0.5, 1)]
    if any(abs(v - level) < 1e-9 for v in y):
        return
    side, u, turns = (1.0 if y[0] > level else -1.0), -1.0, 0
    while (u := quartic.crossing(*y, level, u, side)) <= 1.0:
        assert p(u) == pytest.approx(level, abs=1e-9)
        side, turns = -side, turns + 1
    assert side == (1.0 if y[-1] > level else -1.0)
    assert turns <= 4


def test_both_limits_of_a_jump_count_and_nothing_between():
    data = rows(lambda t: 0.0 * t, np.array([0.0, 1.0, 2.0]), jumps=(1.0,))
    data[5:, 2] = 5.0
    data[4, 2] = 0.0
    measures = compiled(
        (kinds.HIGHEST, 0, {}), (kinds.HIGHEST, 2, {}), (kinds.INTEGRAL, 0, {}),
        (kinds.SHARE, 0, {}), (kinds.TIME_TO, 0, {}), (kinds.COUNT, 0, {}), (kinds.STEPS, 0, {}),
        (kinds.HIGHEST, 0, {kinds.BEFORE: 1.0}), (kinds.HIGHEST, 2, {kinds.AFTER: 1.0}),
    )  # fmt: skip
    found = measured_rows(measures, [data], end=2.0)
    np.testing.assert_array_equal(found, [5, 0, 5, 0.5, 1, 1, 2, 0, 5])


def test_an_absolute_value_has_its_kink_at_the_zero_not_at_a_row():
    data = rows(lambda t: t - 1 / 3, np.array([0.0, 1.0]))
    measures = compiled(
        (kinds.INTEGRAL, 1, {}), (kinds.RMS, 1, {}), (kinds.HIGHEST, 3, {}), (kinds.ITAE, 1, {})
    )
    found = measured_rows(measures, [data], end=1.0)
    itae = 1 / 3 * (1 / 3) ** 2 / 2 - (1 / 3) ** 3 / 3 + (1 / 3) * (2 / 3) ** 2 / 2 + (2 / 3) ** 3 / 3
    np.testing.assert_allclose(found, [5 / 18, 1 / 3, 0.0, itae], atol=1e-14)


def test_a_held_signal_at_the_level_is_not_above_it():
    data = rows(lambda t: min(t, 1.0), np.linspace(0, 4, 9))
    measures = compiled((kinds.TIME_TO, 0, {kinds.LEVEL: 1.0}), (kinds.SHARE, 0, {kinds.LEVEL: 1.0}))
    np.testing.assert_array_equal(measured_rows(measures, [data], end=4.0), [math.nan, 0.0])


def test_a_history_that_is_full_is_thinned_without_loss_that_matters():
    times = np.linspace(0, 12, 4001)  # every panel of a decay can be the last above some level
    data = rows(lambda t: math.exp(-t), times)
    measures = compiled((kinds.SETTLING, 0, {kinds.TARGET: 0.0}), (kinds.RISE, 0, {kinds.TARGET: 0.0}))
    found = measured_rows(measures, [data], end=12.0)
    np.testing.assert_allclose(found, [math.log(50), math.log(9)], rtol=1e-3)


def test_a_step_whose_end_has_no_row_is_closed_by_the_next():
    data = rows(lambda t: t**3, np.array([0.0, 1.0, 2.0]), jumps=(1.0,))
    data = np.delete(data, 4, axis=0)  # the limit from the left at 1
    measures = compiled((kinds.INTEGRAL, 0, {}), (kinds.STEPS, 0, {}))
    found = measured_rows(measures, [data], end=2.0)
    np.testing.assert_allclose(found, [5.0, 2.0], rtol=1e-14)


def test_rows_without_interior_points_move_on_straight_lines():
    data = np.array(
        [(0, INITIAL, 0.0), (1, AT_STEP, 2.0), (2, LEFT, 0.0), (2, RIGHT, 1.0), (3, AT_STEP, 1.0)]
    )
    measures = compiled((kinds.INTEGRAL, 0, {}), (kinds.SHARE, 0, {kinds.LEVEL: 0.5}), refine=1)
    np.testing.assert_allclose(
        measured_rows(measures, [data], end=3.0), [3.0, (0.75 + 0.75 + 1) / 3], rtol=1e-14
    )
