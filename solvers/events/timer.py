"""Timers have instants that are computed by multiplication, never by adding up, or announced by a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite, isnan
from typing import Any, NamedTuple

import numpy as np

from ...base.annotations import real_array
from ...base.errors import BlockdynError
from ...base.schema import is_number
from ...native.pieces import mark_cold, mark_inline
from .. import layout
from ..layout import Floats, Integers, Memory, Work
from .chatter import CROWD

EXACT = 2**53  # integers up to here are doubles
CYCLES = 2**20  # a million of them at least are counted in integers that are doubles
DENOMINATORS = (10**4, 10**6, 10**8)  # tried in turn: the simplest fraction that rounds to a number is meant
LISTED, HELD = 2, 3  # in the table's first column: instants of a list, or times that states in z announce
DUE, AT, CROWDED, LAST = range(4)  # of such a timer in `floats`: see `announce`
STANDSTILL = 3  # crowded events in a row, after which a repeated instant is the end of time
ROUNDING = 8  # spacings of double precision within which a motion and a run end together
NEAR = 16.0 * 2.0**-52  # of the largest time of a run: instants within so much of each other are one


@dataclass(frozen=True)
class Timer:
    """The instants `offset + cycle period + phase_j`, a list of them, or those that a state announces.

    `closed` says that the last of a list ends an interval to which it belongs, as the end of a motion does:
    a run that stops there stops within the interval, and does not count it.

    `next` names a held state of the block, which is the next instant, in s, and infinite while there is none.
    The block's `jump` gives another one, at this event or at any other. An instant that has passed when it is
    announced is due at once, and each is one event only. Of several elements each announces its own. NaN,
    instants that have passed without end, and instants that crowd together end the run.

    Decimal and fractional inputs (0.1, 1/3) are taken as the fractions they stand for, so that two
    timers meet at exactly the same double wherever their fractions are equal.
    """

    period: float | Fraction = Fraction(0)
    offset: float | Fraction = Fraction(0)
    phases: tuple[float | Fraction, ...] = (Fraction(0),)
    times: tuple[float, ...] | None = None
    closed: bool = False
    next: str = ""

    def __post_init__(self) -> None:
        phases: Any = self.phases if isinstance(self.phases, tuple) else (None,)
        parts: tuple[Any, ...] = (self.period, self.offset, *phases)
        if not all(isinstance(part, Fraction) or (is_number(part) and isfinite(part)) for part in parts):
            fields = f"period={self.period!r:.20}, offset={self.offset!r:.20}, phases={self.phases!r:.40}"
            raise BlockdynError(f"Timer: found {fields}\nexpected: finite times, in s; `phases` as a tuple")
        if self.period < 0:
            raise BlockdynError(f"Timer: found period={self.period}\nexpected: a time above 0, in s")
        alone = not self.period and not self.offset and len(self.phases) == 1 and self.times is None
        if not isinstance(self.next, str) or (self.next and (self.closed or not alone)):
            expected = '`Timer(next="due")` alone, with the name of a held state'
            raise BlockdynError(f"Timer: found next={self.next!r:.80}, and more\nexpected: {expected}")

    @staticmethod
    def at(times: Sequence[float], *, closed: bool = False) -> Timer:
        """A timer for given instants, in s. Raises BlockdynError."""
        try:
            instants = real_array(times).ravel().tolist()
            if any(map(isnan, instants)):
                raise ValueError("NaN")
        except ValueError:
            raise BlockdynError(f"Timer.at: found {times!r:.80}\nexpected: numbers, in s") from None
        return Timer(times=tuple(sorted(set(instants))), closed=closed)


def fraction(value: float | Fraction) -> Fraction:
    """The fraction that a number was meant to be: 0.1 is 1/10, 0.3333333333333333 is 1/3."""
    if isinstance(value, Fraction):
        return value
    if value == 0:
        return Fraction(0)
    for bound in DENOMINATORS:
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

    @cached_property
    def periods(self) -> tuple[float, ...]:
        """The period of each timer, s; infinite for instants that do not repeat."""
        periods = []
        for row in self.table:
            kind, data = row[layout.RATIONAL], row[layout.DATA]
            if kind == 1:
                period = float(row[layout.PERIOD]) / float(row[layout.DENOMINATOR])
            else:
                period = float(self.floats[data + 1]) if kind == 0 else 0.0
            periods.append(period or np.inf)
        return tuple(periods)

    def until(self, stop: float) -> Floats:
        """The instants of lists, for a run that ends at `stop`: no closed interval ends there."""
        floats = self.floats.copy()
        for place in self.ends:
            if abs(floats[place] - stop) <= ROUNDING * np.spacing(abs(stop)):
                floats[place] = np.inf
        return floats


class PlacedTimer(NamedTuple):
    """A timer, the mode that counts its events, the clock whose ticks they are or -1, where in z the state
    begins and ends that announces them, and whether they only read, so that no step ends at them.
    """

    timer: Timer
    mode: int
    clock: int = -1
    states: tuple[int, int] = (0, 0)
    reads: bool = False


def pack(timers: Sequence[PlacedTimer]) -> TimerTable:
    """The rows of timers."""
    table = np.zeros((len(timers), layout.TIMER_COLUMNS), np.int64)
    integers: list[int] = []
    floats: list[float] = []
    ends: list[int] = []
    for row, (timer, mode, hit, (first, stop), reads) in zip(table, timers, strict=True):
        row[layout.MODE], row[layout.HIT], row[layout.READS] = mode, hit, reads
        if timer.next:
            row[layout.RATIONAL], row[layout.OFFSET] = HELD, first
            row[layout.COUNT], row[layout.DATA] = stop - first, len(floats)
            floats += [np.inf, -np.inf, 0.0, *[np.nan] * (stop - first)]
            continue
        if timer.times is not None:
            row[layout.RATIONAL], row[layout.COUNT], row[layout.DATA] = LISTED, len(timer.times), len(floats)
            floats += timer.times
            if timer.closed:
                ends.append(len(floats) - 1)
            continue
        row[layout.COUNT] = len(timer.phases)
        parts = [fraction(v) for v in (timer.offset, timer.period, *timer.phases)]
        den = int(np.lcm.reduce(np.array([p.denominator for p in parts], dtype=object)))
        if den * max(Fraction(1), *(abs(p) for p in parts)) < EXACT / CYCLES:
            offset, period, *phases = (int(p * den) for p in parts)
            row[layout.RATIONAL], row[layout.DENOMINATOR] = 1, den
            row[layout.OFFSET], row[layout.PERIOD], row[layout.DATA] = offset, period, len(integers)
            integers += phases
        else:
            row[layout.RATIONAL], row[layout.DATA] = 0, len(floats)
            floats += [float(timer.offset), float(timer.period), *(float(p) for p in timer.phases)]
    return TimerTable(table, np.array(integers or [0], np.int64), np.array(floats or [0.0]), tuple(ends))


def instant(table: Integers, integers: Integers, floats: Floats, timer: int, count: Any) -> float:
    """The time of a timer's event number `count`, from 0, in s."""
    n = table[timer, layout.COUNT]
    data = table[timer, layout.DATA]
    kind = table[timer, layout.RATIONAL]
    if kind == LISTED:
        return float(floats[data + count]) if count < n else np.inf
    cycle = count // n
    phase = count - cycle * n
    if kind == 1:
        total = table[timer, layout.OFFSET] + cycle * table[timer, layout.PERIOD] + integers[data + phase]
        return float(total / table[timer, layout.DENOMINATOR])
    if kind == HELD:
        return float(floats[data + DUE])
    return float(floats[data] + cycle * floats[data + 1] + floats[data + 2 + phase])


def clock_instants(table: TimerTable, timer: int, counts: Integers) -> Floats:
    """The times of these events of a clock, s, to the last bit as `instant` returns them."""
    data = table.table[timer, layout.DATA]
    if table.table[timer, layout.RATIONAL] == 1:
        offset, period, denominator = table.table[timer, [layout.OFFSET, layout.PERIOD, layout.DENOMINATOR]]
        return np.asarray((offset + counts * period + table.integers[data]) / denominator, np.float64)
    return np.asarray(table.floats[data] + counts * table.floats[data + 1] + table.floats[data + 2])


def instants(table: TimerTable, span: float) -> float:
    """The approximate number of instants of all timers within a span, s."""
    total = 0.0
    for row, period in zip(table.table, table.periods, strict=True):
        total += float(row[layout.COUNT]) * (span / period if 0.0 < period < np.inf else 1.0)
    return total


def shortest_period(table: TimerTable) -> float:
    """The shortest period of any timer, s; infinite without one."""
    return min(table.periods, default=np.inf)


def first_count(table: TimerTable, timer: int, start: float) -> int:
    """The number of a timer's events before `start`."""
    return count_before(table.table, table.integers, table.floats, timer, start)


def count_before(table: Integers, integers: Integers, floats: Floats, timer: int, start: float) -> int:
    """The same of the arrays of a table."""
    if instant(table, integers, floats, timer, 0) >= start:
        return 0
    low, high = 0, 1
    while instant(table, integers, floats, timer, high) < start:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if instant(table, integers, floats, timer, middle) < start:
            low = middle
        else:
            high = middle
    return high


@mark_cold
def announce(s: Work, m: Memory) -> None:
    """Read the next event time from the states: the earliest that has not been an event."""
    for i in range(s.timers.shape[0]):
        if s.timers[i, layout.RATIONAL] == HELD:
            first, data = s.timers[i, layout.OFFSET], s.timers[i, layout.DATA]
            best = np.inf
            for k in range(s.timers[i, layout.COUNT]):
                time = m.z[first + k]
                if time < best and time != s.timer_floats[data + LAST + k]:
                    best = time
            s.timer_floats[data + DUE] = best


@mark_cold
def pass_by(s: Work, m: Memory, timer: int, t: float, near: float) -> None:
    """Note that the times up to t that a timer's states have announced are events, and whether they crowd.

    What they have announced for this instant, but for rounding, becomes it, so that t reaches it.
    """
    first, data = s.timers[timer, layout.OFFSET], s.timers[timer, layout.DATA]
    gap = t - s.timer_floats[data + AT]
    if gap > 0.0:
        s.timer_floats[data + AT] = t
        s.timer_floats[data + CROWDED] = s.timer_floats[data + CROWDED] + 1.0 if gap <= s.zeno_gap else 0.0
    if s.timer_floats[data + CROWDED] >= STANDSTILL:
        s.creeping = timer
    s.announcer = timer
    for k in range(s.timers[timer, layout.COUNT]):
        if m.z[first + k] <= t + near:
            m.z[first + k] = min(m.z[first + k], t)
            s.timer_floats[data + LAST + k] = m.z[first + k]
    announce(s, m)


@mark_cold
def creeps(s: Work, m: Memory, t: float) -> int:
    """A timer whose instants have crowded together too often, or have no later double to go to; or -1."""
    for i in range(s.timers.shape[0]):
        first, data = s.timers[i, layout.OFFSET], s.timers[i, layout.DATA]
        if s.timers[i, layout.RATIONAL] != HELD or s.timer_floats[data + AT] != t:
            continue
        if s.timer_floats[data + CROWDED] > CROWD:
            return i
        for k in range(s.timers[i, layout.COUNT]):
            if s.timer_floats[data + CROWDED] >= STANDSTILL and m.z[first + k] == t:
                return i
    return -1


def rounding(t: float, start: float) -> float:
    """Distance from t, in a run from `start`, within which an instant is the same but for rounding."""
    return NEAR * max(abs(t), abs(start))


@mark_inline
def next_time(s: Work, m: Memory) -> float:
    """The earliest instant of any timer whose ticks do not only read.

    Instants that only rounding separates are one: a fraction's if there is one, as ticks are, or the end of
    the run.
    """
    best = np.inf
    for i in range(s.timers.shape[0]):
        if s.timers[i, layout.READS] == 0:
            count = m.modes[s.timers[i, layout.MODE]]
            best = min(best, instant(s.timers, s.timer_integers, s.timer_floats, i, count))
    if best == np.inf:
        return best
    near, same = rounding(best, s.t_start), np.inf
    for i in range(s.timers.shape[0]):
        if s.timers[i, layout.RATIONAL] != 1:
            continue
        count = m.modes[s.timers[i, layout.MODE]]
        if s.timers[i, layout.READS] == 1:  # a step passes several ticks of such a clock
            cycles = (best * s.timers[i, layout.DENOMINATOR] - s.timers[i, layout.OFFSET]) / s.timers[
                i, layout.PERIOD
            ]
            count = max(count, int(cycles + 0.5))
        time = instant(s.timers, s.timer_integers, s.timer_floats, i, count)
        if abs(time - best) <= near:
            same = min(same, time)
    if abs(s.t_end - best) <= near:
        same = min(same, s.t_end)
    return same if same < np.inf else best


@mark_inline
def next_tick(s: Work, m: Memory) -> float:
    """The earliest instant of any timer whose ticks only read."""
    best = np.inf
    for i in range(s.timers.shape[0]):
        if s.timers[i, layout.READS] == 1:
            count = m.modes[s.timers[i, layout.MODE]]
            best = min(best, instant(s.timers, s.timer_integers, s.timer_floats, i, count))
    return best
