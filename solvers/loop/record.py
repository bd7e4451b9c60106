"""Record rows of signals and states, and a list of events."""

from __future__ import annotations

from ...native.pieces import mark_inline
from .. import layout
from ..fields import Floats
from ..layout import Memory, Work

TIMER, CROSSING = 0, 1  # kinds of events
EVENT_COLUMNS = 4  # time, kind, number of the timer or crossing, direction


def record_end(m: Memory, s: Work) -> None:
    """Add the row of the instant at which a Stop has ended a run between two times of its grid."""
    if (
        s.gridded == 1
        and any(m.modes[s.stop_modes])
        and s.grid_next < s.grid.size
        and s.grid[s.grid_next - 1] != s.t
    ):
        row(m, s, s.t, m.x, layout.AT_GRID)


@mark_inline
def row(m: Memory, s: Work, t: float, x: Floats, flag: int) -> None:
    """One row: time, flag, all states, the chosen signals."""
    k = s.rows
    log, columns, w = s.log, s.columns, m.w
    states = log.shape[1] - 2 - columns.size
    log[k, 0] = t
    log[k, 1] = flag
    for i in range(states):
        log[k, 2 + i] = x[i]
    for i in range(columns.size):
        log[k, 2 + states + i] = w[columns[i]]
    s.rows = k + 1


def event(s: Work, t: float, kind: int, number: int, way: int) -> None:
    """One event; `way` is 1 where a crossing rose, -1 where it fell, 0 for a timer."""
    k = s.event_rows
    if k < s.events.shape[0]:
        s.events[k, 0] = t
        s.events[k, 1] = kind
        s.events[k, 2] = number
        s.events[k, 3] = way
        s.event_rows = k + 1


def keep_net(s: Work, first: int) -> None:
    """Keep the net changes of crossings among the events from row `first` on: there and back is none."""
    events, end = s.events, s.event_rows
    s.event_rows = first
    for k in range(first, end):
        before = -1
        for j in range(first, s.event_rows):
            if events[k, 1] == CROSSING and events[j, 1] == CROSSING and events[j, 2] == events[k, 2]:
                before = j
        if before < 0:
            for column in range(EVENT_COLUMNS):
                events[s.event_rows, column] = events[k, column]
            s.event_rows += 1
            continue
        s.event_rows -= 1
        for j in range(before, s.event_rows):
            for column in range(EVENT_COLUMNS):
                events[j, column] = events[j + 1, column]
