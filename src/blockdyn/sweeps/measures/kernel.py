"""The kernel adds rows and events of a run to all measures; numba compiles it.

Rows come in pieces of any length, in order. Between two rows of a step the signal is the quartic through
the step's start, its three interior points and its end; at an event both limits count, nothing between.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...native.callable import Native
from ...native.fingerprint import fingerprint
from ...solvers import layout
from ...solvers.loop.record import CROSSING, TIMER
from . import kinds
from .kinds import (
    AFTER,
    BEFORE,
    BEGAN,
    COLUMN,
    FIRST,
    FIRST_EVENT,
    FIRST_ROW,
    IN_STEP,
    KIND,
    LAST,
    LAST_SIGNAL,
    PANEL,
    POINTS,
    REFINE,
    START,
    STEP_COUNT,
    STOP_EVENT,
    STRIDE,
    TIMER_EVENT,
    A,
    B,
)
from .outcome import finished
from .panel import measure

if TYPE_CHECKING:
    from .prepared import KernelData


def clear(spec: Any, numbers: Any, acc: Any) -> None:
    """Clear the workspace for a run."""
    for j in range(acc.shape[1]):
        acc[0, j] = 0.0
    acc[0, START] = float("nan")
    for i in range(spec.shape[0]):
        row, kind = FIRST_ROW + i, spec[i, KIND]
        for j in range(kinds.WIDTH):
            acc[row, j] = 0.0
        acc[row, BEGAN] = acc[row, FIRST] = acc[row, LAST] = float("nan")
        if kind == kinds.HIGHEST or kind == kinds.RANGE or kind == kinds.OVERSHOOT:
            acc[row, A] = acc[row, B] = float("-inf")
        elif kind == kinds.TIME_TO or kind == kinds.EVENT_TIME:
            acc[row, A] = float("nan")


def absorb(spec: Any, numbers: Any, acc: Any, rows: Any, count: int) -> None:
    """Take the first `count` rows: time, flag, columns; see solvers.layout for the flags."""
    if spec.shape[0] == 0:
        return
    refine = spec[0, REFINE]
    parts = min(refine, 4)
    r = 0
    while r < count:
        flag = rows[r, 1]
        if flag == layout.INITIAL or flag == layout.RIGHT:
            if flag == layout.INITIAL:
                acc[0, START] = rows[r, 0]
            elif rows[r, 0] > acc[PANEL, 0]:  # the limit from the left is not finite and is not a row
                lost(spec, numbers, acc, rows[r, 0])
            begin(spec, acc, rows, r)
            instant(spec, numbers, acc)
        elif flag != layout.AT_GRID:
            left = flag == layout.LEFT or flag == layout.WITHIN
            points = int(acc[0, POINTS])
            if points == 1 and parts == 4 and r + 3 < count and smooth(rows, r):
                swift(spec, numbers, acc, rows, r)
                acc[0, IN_STEP] += 3.0
                r, points = r + 3, 4
                flag = rows[r, 1]
                left = flag == layout.LEFT or flag == layout.WITHIN
            elif points == 1 and parts == 1:
                straight(spec, numbers, acc, rows, r)
            else:
                note(spec, acc, rows, r, points)
                acc[0, POINTS] = points + 1
                if points == parts or left:
                    close(spec, numbers, acc)
            acc[0, IN_STEP] += 1.0
            if acc[0, IN_STEP] == refine or left:
                acc[0, IN_STEP] = 0.0
                if flag != layout.WITHIN:
                    acc[0, STEP_COUNT] += 1.0
            if points == parts or left:
                begin(spec, acc, rows, r)
        r += 1


def smooth(rows: Any, r: int) -> bool:
    """True if the next four rows belong to the panel that starts here."""
    inside = rows[r, 1] == layout.AT_STEP and rows[r + 1, 1] == layout.AT_STEP
    end = rows[r + 3, 1]
    ends_step = end == layout.AT_STEP or end == layout.LEFT or end == layout.WITHIN
    return bool(inside and rows[r + 2, 1] == layout.AT_STEP and ends_step)


def swift(spec: Any, numbers: Any, acc: Any, rows: Any, r: int) -> None:
    """As `close`, for a panel that lies entirely in these rows."""
    t = acc[PANEL, 0]
    h = rows[r + 3, 0] - t
    if h <= 0.0:
        return
    for i in range(spec.shape[0]):
        if spec[i, KIND] < LAST_SIGNAL:
            j = 2 + spec[i, COLUMN]
            y1, y2, y3, y4 = rows[r, j], rows[r + 1, j], rows[r + 2, j], rows[r + 3, j]
            measure(spec, numbers, acc, i, t, h, acc[PANEL, 1 + i], y1, y2, y3, y4)


def straight(spec: Any, numbers: Any, acc: Any, rows: Any, r: int) -> None:
    """As `close`, for a step that ends at this row and lacks interior points."""
    t = acc[PANEL, 0]
    h = rows[r, 0] - t
    if h <= 0.0:
        return
    for i in range(spec.shape[0]):
        if spec[i, KIND] < LAST_SIGNAL:
            y0, y4 = acc[PANEL, 1 + i], rows[r, 2 + spec[i, COLUMN]]
            d = 0.25 * (y4 - y0)
            measure(spec, numbers, acc, i, t, h, y0, y0 + d, y0 + 2.0 * d, y0 + 3.0 * d, y4)


def begin(spec: Any, acc: Any, rows: Any, r: int) -> None:
    """Store a row as the first point of a panel."""
    acc[0, POINTS] = 1.0
    note(spec, acc, rows, r, 0)


def note(spec: Any, acc: Any, rows: Any, r: int, point: int) -> None:
    """Store a row as a point of the panel."""
    acc[PANEL + point, 0] = rows[r, 0]
    for i in range(spec.shape[0]):
        if spec[i, COLUMN] >= 0:
            acc[PANEL + point, 1 + i] = rows[r, 2 + spec[i, COLUMN]]


def instant(spec: Any, numbers: Any, acc: Any) -> None:
    """Take the first point alone: the start of the run, or the limit from the right at an event."""
    for i in range(spec.shape[0]):
        if spec[i, KIND] < LAST_SIGNAL:
            y = acc[PANEL, 1 + i]
            measure(spec, numbers, acc, i, acc[PANEL, 0], 0.0, y, y, y, y, y)


def close(spec: Any, numbers: Any, acc: Any) -> None:
    """Add the panel to every measure. Without interior points the signal is linear."""
    last = PANEL + int(acc[0, POINTS]) - 1
    t = acc[PANEL, 0]
    h = acc[last, 0] - t
    if h <= 0.0:
        return
    for i in range(spec.shape[0]):
        if spec[i, KIND] < LAST_SIGNAL:
            j = 1 + i
            y0, y4 = acc[PANEL, j], acc[last, j]
            if last == PANEL + 4:
                y1, y2, y3 = acc[PANEL + 1, j], acc[PANEL + 2, j], acc[PANEL + 3, j]
            else:
                d = 0.25 * (y4 - y0)
                y1, y2, y3 = y0 + d, y0 + 2.0 * d, y0 + 3.0 * d
            measure(spec, numbers, acc, i, t, h, y0, y1, y2, y3, y4)


def lost(spec: Any, numbers: Any, acc: Any, t: float) -> None:
    """Close a step whose end is not a row; extrapolate the cubic through its points or hold the last."""
    points = int(acc[0, POINTS])
    acc[0, POINTS] = points + 1
    acc[0, STEP_COUNT] += 1.0
    acc[0, IN_STEP] = 0.0
    at = PANEL + points
    acc[at, 0] = t
    for j in range(1, spec.shape[0] + 1):
        acc[at, j] = acc[at - 1, j]
        if points == 4:
            acc[at, j] = 4.0 * (acc[at - 1, j] + acc[at - 3, j]) - 6.0 * acc[at - 2, j] - acc[at - 4, j]
    close(spec, numbers, acc)


def absorb_events(spec: Any, numbers: Any, acc: Any, events: Any, count: int) -> None:
    """Take the first `count` events: time, kind, number of the crossing or timer."""
    for i in range(spec.shape[0]):
        kind = spec[i, KIND]
        if kind != kinds.EVENT_COUNT and kind != kinds.EVENT_TIME:
            continue
        row = FIRST_ROW + i
        for e in range(count):
            t, number = events[e, 0], int(events[e, 2])
            if t < numbers[i, AFTER] or t > numbers[i, BEFORE]:
                continue
            first = spec[i, FIRST_EVENT]
            ours = events[e, 1] == TIMER and number == spec[i, TIMER_EVENT]
            if events[e, 1] == CROSSING and first <= number < spec[i, STOP_EVENT]:
                ours = (number - first) % spec[i, STRIDE] == 0
            if ours and kind == kinds.EVENT_COUNT:
                acc[row, A] += 1.0
            elif ours and acc[row, A] != acc[row, A]:
                acc[row, A] = t


def conclude(spec: Any, numbers: Any, acc: Any, end: float, out: Any) -> None:
    """Write every measure of a run that ended at the time `end`; NaN for measures of other measures."""
    for i in range(spec.shape[0]):
        out[i] = finished(spec, numbers, acc, i, end)


CLEAR, ABSORB, CONCLUDE = 0, 1, 2
_TYPES = ("i", "i2", "d2", "d2", "d2", "i", "d2", "i", "d", "d1")


@cache
def native_measures() -> Native:
    """`measures(what, spec, numbers, room, rows, row count, events, event count, end, out)`."""
    return Native(lambda pieces: pieces.linked(measures), fingerprint(measures, _TYPES, "measures"), _TYPES)


def measures(what, spec, numbers, room, rows, count, events, event_count, end, out):  # type: ignore[no-untyped-def]
    """Clear the workspace, add rows and events, or conclude."""
    if what == 0:
        clear(spec, numbers, room)
    elif what == 1:
        absorb(spec, numbers, room, rows, count)
        absorb_events(spec, numbers, room, events, event_count)
    else:
        conclude(spec, numbers, room, end, out)
    return 0


class Absorber:
    """The measures of one run, computed piece by piece: rows (n, 2 + columns), events (e, 3)."""

    def __init__(self, measures: KernelData) -> None:
        self._measures, self._room = measures, np.zeros(measures.room)
        self._out = np.zeros(len(measures.spec))
        self._run(CLEAR, np.zeros((0, 2)), np.zeros((0, 3)), 0.0)

    def take(self, rows: NDArray[np.float64], events: NDArray[np.float64]) -> None:
        """Add the next rows and events."""
        self._run(ABSORB, rows, events, 0.0)

    def concluded(self, end: float) -> NDArray[np.float64]:
        """The measures (m,) of the run, which ended at the time `end`, s."""
        self._run(CONCLUDE, np.zeros((0, 2)), np.zeros((0, 3)), end)
        return self._out.copy()

    def _run(self, what: int, rows: NDArray[np.float64], events: NDArray[np.float64], end: float) -> None:
        spec, numbers = self._measures.spec, self._measures.numbers
        native_measures()(
            what, spec, numbers, self._room, rows, len(rows), events, len(events), end, self._out
        )
