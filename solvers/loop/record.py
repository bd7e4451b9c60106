"""What a run leaves behind: rows of signals and states, and a list of events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import layout

TIMER, CROSSING = 0, 1  # kinds of events
EVENT_COLUMNS = 4  # time, kind, number of the timer or crossing, direction


def record_end(m: Any, s: Any) -> None:
    """Add the row of the instant at which a Stop has ended a run between two times of its grid."""
    if (
        s.gridded == 1
        and any(m.modes[s.stop_modes])
        and s.grid_next < s.grid.size
        and s.grid[s.grid_next - 1] != s.t
    ):
        row, _ = make_record(lambda function: function)
        row(m, s, s.t, m.x, layout.AT_GRID)


def make_record(jit: Callable[[Any], Any]) -> tuple[Any, Any]:
    @jit
    def row(m: Any, s: Any, t: float, x: Any, flag: int) -> None:
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

    @jit
    def event(s: Any, t: float, kind: int, number: int, way: int) -> None:
        """One event; `way` is 1 where a crossing rose, -1 where it fell, 0 for a timer."""
        k = s.event_rows
        if k < s.events.shape[0]:
            s.events[k, 0] = t
            s.events[k, 1] = kind
            s.events[k, 2] = number
            s.events[k, 3] = way
            s.event_rows = k + 1

    return row, event
