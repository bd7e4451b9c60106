"""The driver runs scenario after scenario in machine code and measures each from its rows.

It calls the solver's loop at its address, with the same argument blocks that Python passes for a single
run, so that a scenario in a sweep and a single run of it are the same operations on the same numbers.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ...native.callable import Native
from ...native.fingerprint import fingerprint, fingerprint_of_sources
from ...native.pieces import Pieces
from ...solvers import layout
from ...solvers.fields import Count, Counts, Reals, Structure
from ...solvers.loop.compiled import Loops, make_calls
from ..measures.kernel import absorb, absorb_events, clear, conclude

MEASURE, KEEP = 0, 1  # use of the rows
SLICE = 2000  # steps between two checks for cancellation
NEXT, STATUS, ENTERED, ROW = range(4)
"""Places in `progress`: the scenario, its status, whether it has begun, and the rows that are kept of it."""
PREPARES = 6  # the driver's status if the run must be prepared in Python before it continues


class Queue(Loops, Structure):
    """The scenarios that one call of the driver runs, and where their rows are written: a row each."""

    what = Count()  # MEASURE or KEEP
    run = Count()  # the address of the solver's Work
    run_words = Counts(dimensions=1)  # of the run, integers
    run_floats = Reals(dimensions=1)  # the same words as doubles
    run_begin = Counts(dimensions=1)  # how they begin
    float_at = Counts(dimensions=1)  # places where scenarios differ
    float_values = Reals(dimensions=2)
    integer_at = Counts(dimensions=1)
    integer_values = Counts(dimensions=2)
    spec = Counts(dimensions=2)  # the measures, see sweeps.measures.kernel
    spec_numbers = Reals(dimensions=2)
    room = Reals(dimensions=2)
    results = Reals(dimensions=2)
    status = Counts(dimensions=1)
    end = Reals(dimensions=1)  # s
    steps = Counts(dimensions=1)
    signals = Reals(dimensions=3)  # rows of the kept signals
    progress = Counts(dimensions=1)
    cancelled = Counts(dimensions=1)  # 1: return early
    which = Counts(dimensions=1)  # the number of each scenario, from 1 on
    trying = Counts(dimensions=1)  # [0]: the number of the running scenario, from 1 on


@cache
def native_driver() -> Native:
    """The driver, which takes a Queue."""
    solver = Path(layout.__file__).parent
    places = (solver / name for name in ("layout.py", "fields.py", "calls.py", "loop/compiled.py"))
    sources = fingerprint_of_sources(Path(__file__), *places)  # some import numba
    return Native(_make, fingerprint(build(None, None, None), sources, "driver"), ("a",))


def _make(pieces: Pieces) -> Any:
    from ...solvers.calls import enter, structure_at, work

    return build(enter, work, structure_at(Queue))


def build(enter: Any, work: Any, queue: Any) -> Any:
    """The driver over `enter(address, block)`, which calls the solver's loop, and structures at addresses."""
    start, advance = make_calls(enter)

    def drive(address: int) -> int:
        """Run scenarios from progress[NEXT] on. Returns 0 when all are done, 1 when one needs Python, 2 when
        cancelled, PREPARES when one has to be prepared in Python before it continues; that scenario is
        progress[NEXT], its status progress[STATUS], and the next call continues with it.
        """
        q = queue(address)
        what, s = q.what, work(q.run)
        words, floats, begin = q.run_words, q.run_floats, q.run_begin
        float_at, float_values = q.float_at, q.float_values
        integer_at, integer_values = q.integer_at, q.integer_values
        spec, numbers, room, results, trajectories = q.spec, q.spec_numbers, q.room, q.results, q.signals
        status, end, steps, progress = q.status, q.end, q.steps, q.progress
        cancelled, which, trying = q.cancelled, q.which, q.trying
        count = status.shape[0]
        while progress[0] < count:
            k = progress[0]
            trying[0] = which[k]
            row, ended = progress[3], 0
            if progress[2] == 0:
                for i in range(words.shape[0]):
                    words[i] = begin[i]
                for i in range(float_at.shape[0]):
                    floats[float_at[i]] = float_values[k, i]
                for i in range(integer_at.shape[0]):
                    words[integer_at[i]] = integer_values[k, i]
                if what == MEASURE:
                    clear(spec, numbers, room)
                row = 0
                ended = start(q)
            progress[2] = 0
            while ended == 0 or ended == layout.FULL or ended == layout.PAUSED:
                row = take(what, k, row, s, spec, numbers, room, trajectories)
                if cancelled[0] != 0:
                    return 2
                s.budget = SLICE
                ended = advance(q, s)
                if ended == layout.UNPREPARED:
                    progress[2], progress[3] = 1, row
                    return PREPARES
                if ended == layout.DONE:
                    break
            take(what, k, row, s, spec, numbers, room, trajectories)
            status[k] = ended
            end[k] = s.t
            steps[k] = s.steps
            if what == MEASURE:
                conclude(spec, numbers, room, s.t, results[k])
            if what == MEASURE and ended != layout.DONE:
                progress[1] = ended
                return 1
            progress[0] = k + 1
        return 0

    def take(
        what: int, k: int, row: int, s: Any, spec: Any, numbers: Any, room: Any, trajectories: Any
    ) -> int:
        """Use the rows logged since the last time; the buffers are free again."""
        rows, log = s.rows, s.log
        if what == MEASURE:
            absorb(spec, numbers, room, log, rows)
            absorb_events(spec, numbers, room, s.events, s.event_rows)
        else:
            for i in range(rows):
                if log[i, 1] == layout.AT_GRID and row < trajectories.shape[1]:
                    for j in range(trajectories.shape[2]):
                        trajectories[k, row, j] = log[i, 2 + j]
                    row += 1
        s.rows = 0
        s.event_rows = 0
        return row

    return drive
