"""The driver: scenario after scenario in machine code, each measured from its rows; nothing returns to Python
between two of them.

It calls the solver's loop at its address, with the same argument blocks that Python hands it for a single
run, so that a scenario in a sweep and the same one alone are the same operations on the same numbers.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ...native.callable import Native
from ...native.fingerprint import fingerprint, fingerprint_of_sources
from ...native.pieces import Pieces
from ...solvers import layout
from ..measures.kernel import absorb, absorb_events, clear, conclude

MEASURE, KEEP = 0, 1  # what becomes of the rows
SLICE = 2000  # steps between two looks at whether somebody wants to stop
NEXT, STATUS = 0, 1  # places in `progress`

_TYPES = (
    "i", "i", "i", "i",  # what, the loop's address, its blocks for BEGIN and ADVANCE
    "i1", "d1", "i1",  # the run's words, the same as doubles, and how they begin
    "i1", "d2", "i1", "i2",  # where each scenario differs, and its numbers
    "a",  # the solver's Work
    "i2", "d2", "d2", "d2",  # the measures: spec, numbers, room, results
    "i1", "d1", "i1", "d3",  # status, end, steps, kept rows
    "i1", "i1",  # progress, cancelled
    "i1", "i1",  # the number of each scenario and one more, and where that of the one that runs is seen
)  # fmt: skip


@cache
def native_driver() -> Native:
    """The driver; see `drive` for its arguments."""
    solver = Path(layout.__file__).parent
    places = (solver / name for name in ("layout.py", "fields.py", "calls.py"))
    calls = fingerprint_of_sources(Path(__file__).with_name("pointer.py"), *places)  # some import numba
    return Native(_make, fingerprint(build(None, None), _TYPES, calls, "driver"), _TYPES)


def _make(pieces: Pieces) -> Any:
    from ...solvers.calls import work
    from .pointer import enter

    return build(enter, work)


def build(enter: Any, work: Any) -> Any:
    """The driver over `enter(address, block)`, which calls the solver's loop, and Work at an address."""

    def drive(what, loop, first, later, words, floats, begin,  # type: ignore[no-untyped-def]
              float_at, float_values, integer_at, integer_values, address,
              spec, numbers, room, results, status, end, steps, kept, progress, cancelled,
              which, trying):  # fmt: skip
        """Run scenarios from progress[NEXT] on. Returns 0 when all are done, 1 when one needs Python, 2 when
        cancelled; that scenario is progress[NEXT], its status progress[STATUS].
        """
        count, s = status.shape[0], work(address)
        while progress[0] < count:
            k = progress[0]
            trying[0] = which[k]
            for i in range(words.shape[0]):
                words[i] = begin[i]
            for i in range(float_at.shape[0]):
                floats[float_at[i]] = float_values[k, i]
            for i in range(integer_at.shape[0]):
                words[integer_at[i]] = integer_values[k, i]
            if what == MEASURE:
                clear(spec, numbers, room)
            row = 0
            found = enter(loop, first)
            while found == 0 or found == layout.FULL or found == layout.PAUSED:
                row = take(what, k, row, s, spec, numbers, room, kept)
                if cancelled[0] != 0:
                    return 2
                s.budget = SLICE
                found = enter(loop, later)
                if found == layout.DONE:
                    break
            take(what, k, row, s, spec, numbers, room, kept)
            status[k] = found
            end[k] = s.t
            steps[k] = s.steps
            if what == MEASURE:
                conclude(spec, numbers, room, s.t, results[k])
            if what == MEASURE and found != layout.DONE:
                progress[1] = found
                return 1
            progress[0] = k + 1
        return 0

    def take(what: int, k: int, row: int, s: Any, spec: Any, numbers: Any, room: Any, kept: Any) -> int:
        """Use the rows logged since the last time; the buffers are free again."""
        rows, log = s.rows, s.log
        if what == MEASURE:
            absorb(spec, numbers, room, log, rows)
            absorb_events(spec, numbers, room, s.events, s.event_rows)
        else:
            for i in range(rows):
                if log[i, 1] == layout.AT_GRID and row < kept.shape[1]:
                    for j in range(kept.shape[2]):
                        kept[k, row, j] = log[i, 2 + j]
                    row += 1
        s.rows = 0
        s.event_rows = 0
        return row

    return drive
