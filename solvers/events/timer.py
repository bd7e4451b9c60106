"""Timers: instants known beforehand, computed by multiplication and never by adding up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...base.annotations import real_array
from ...base.errors import BlockdynError
from .. import layout
from ..layout import Floats, Integers

EXACT = 2**53  # integers up to here are doubles
ROUNDING = 8  # spacings of double precision within which the end of a motion and that of a run are one


class InvalidTimer(BlockdynError):
    """Instants that are no numbers."""


@dataclass(frozen=True)
class Timer:
    """The instants `offset + cycle period + phase_j`, or a list of them.

    `closed` says that the last of a list ends an interval to which it belongs, as the end of a motion does:
    a run that stops there stops within the interval, and does not count it.

    Decimal and fractional inputs (0.1, 1/3) are taken as the fractions they stand for, so that two
    timers meet at exactly the same double wherever their fractions are equal.
    """

    period: float | Fraction = Fraction(0)
    offset: float | Fraction = Fraction(0)
    phases: tuple[float | Fraction, ...] = (Fraction(0),)
    times: tuple[float, ...] | None = None
    closed: bool = False

    @staticmethod
    def at(times: Sequence[float], *, closed: bool = False) -> Timer:
        """A timer for given instants, in s. Raises InvalidTimer."""
        try:
            instants = real_array(times).ravel().tolist()
        except ValueError:
            raise InvalidTimer(f"Timer.at: found {times!r:.80}\nexpected: numbers, in s") from None
        return Timer(times=tuple(sorted(set(instants))), closed=closed)


def fraction(value: float | Fraction) -> Fraction:
    """The fraction that a number was meant to be: 0.1 is 1/10, 0.3333333333333333 is 1/3."""
    if isinstance(value, Fraction):
        return value
    if value == 0:
        return Fraction(0)
    for bound in (10**4, 10**6, 10**8):
        near = Fraction(value).limit_denominator(bound)
        if float(near) == value:
            return near
    return Fraction(value)


@dataclass(frozen=True)
class TimerTable:
    """Timers as the native loop reads them; `ends` are the places in `floats` where closed intervals end."""

    table: Integers
    integers: Integers
    floats: Floats
    ends: tuple[int, ...]

    def until(self, stop: float) -> Floats:
        """The instants of lists, for a run that ends at `stop`: no closed interval ends there."""
        floats = self.floats.copy()
        for place in self.ends:
            if abs(floats[place] - stop) <= ROUNDING * np.spacing(abs(stop)):
                floats[place] = np.inf
        return floats


def pack(timers: Sequence[tuple[Timer, int, int]]) -> TimerTable:
    """Rows for (timer, mode slot or -1, clock or -1)."""
    table = np.zeros((len(timers), layout.TIMER_COLUMNS), np.int64)
    integers: list[int] = []
    floats: list[float] = []
    ends: list[int] = []
    for row, (timer, mode, hit) in zip(table, timers, strict=True):
        row[layout.MODE], row[layout.HIT] = mode, hit
        if timer.times is not None:
            row[layout.RATIONAL], row[layout.COUNT], row[layout.DATA] = 2, len(timer.times), len(floats)
            floats += timer.times
            if timer.closed:
                ends.append(len(floats) - 1)
            continue
        row[layout.COUNT] = len(timer.phases)
        parts = [fraction(v) for v in (timer.offset, timer.period, *timer.phases)]
        den = int(np.lcm.reduce(np.array([p.denominator for p in parts], dtype=object)))
        if den * max(Fraction(1), *(abs(p) for p in parts)) < EXACT / 2**20:
            offset, period, *phases = (int(p * den) for p in parts)
            row[layout.RATIONAL], row[layout.DENOMINATOR] = 1, den
            row[layout.OFFSET], row[layout.PERIOD], row[layout.DATA] = offset, period, len(integers)
            integers += phases
        else:
            row[layout.RATIONAL], row[layout.DATA] = 0, len(floats)
            floats += [float(timer.offset), float(timer.period), *(float(p) for p in timer.phases)]
    return TimerTable(table, np.array(integers or [0], np.int64), np.array(floats or [0.0]), tuple(ends))


def instant(table: Integers, integers: Integers, floats: Floats, timer: int, count: int) -> float:
    """The time of a timer's event number `count`, from 0, in s."""
    n = table[timer, layout.COUNT]
    data = table[timer, layout.DATA]
    kind = table[timer, layout.RATIONAL]
    if kind == 2:
        return float(floats[data + count]) if count < n else np.inf
    cycle = count // n
    phase = count - cycle * n
    if kind == 1:
        total = table[timer, layout.OFFSET] + cycle * table[timer, layout.PERIOD] + integers[data + phase]
        return float(total / table[timer, layout.DENOMINATOR])
    return float(floats[data] + cycle * floats[data + 1] + floats[data + 2 + phase])


def instants(table: TimerTable, span: float) -> float:
    """How many instants all timers have within a span, s, about."""
    total = 0.0
    for row, period in zip(table.table, _periods(table), strict=True):
        total += float(row[layout.COUNT]) * (span / period if 0.0 < period < np.inf else 1.0)
    return total


def shortest_period(table: TimerTable) -> float:
    """The shortest period of any timer, s; infinite without one."""
    return min(_periods(table), default=np.inf)


def _periods(table: TimerTable) -> list[float]:
    """The period of each timer, s; infinite for instants that do not repeat."""
    found = []
    for row in table.table:
        kind, data = row[layout.RATIONAL], row[layout.DATA]
        if kind == 1:
            period = float(row[layout.PERIOD]) / float(row[layout.DENOMINATOR])
        else:
            period = float(table.floats[data + 1]) if kind == 0 else 0.0
        found.append(period or np.inf)
    return found


def first_count(table: TimerTable, timer: int, start: float) -> int:
    """How many of a timer's events lie before `start`."""
    if instant(table.table, table.integers, table.floats, timer, 0) >= start:
        return 0
    low, high = 0, 1
    while instant(table.table, table.integers, table.floats, timer, high) < start:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if instant(table.table, table.integers, table.floats, timer, middle) < start:
            low = middle
        else:
            high = middle
    return high


def make_next(jit: Callable[[Any], Any]) -> Any:
    """`next_time(s, m) -> t`: the earliest instant of any timer, from its count in the modes."""
    at = jit(instant)

    @jit
    def next_time(s: Any, m: Any) -> float:
        best = np.inf
        for i in range(s.timers.shape[0]):
            time = at(s.timers, s.timer_integers, s.timer_floats, i, m.modes[s.timers[i, 6]])
            if time < best:
                best = time
        return best

    return next_time
