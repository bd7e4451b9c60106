"""Lane: the arrays in which one thread runs scenarios, one after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...diagrams.model.errors import (
    AssertionFailed,
    Chattering,
    NotFinite,
    StepCollapse,
    TimeLimit,
    TooManySteps,
    Unsettled,
    Zeno,
)
from ...diagrams.runs.diagnose import explain, out_of_time, stopped_by
from ...diagrams.runs.simulate import STUCK, TIME_UP
from ...solvers import layout
from ...solvers.layout import Floats, Integers
from ...solvers.loop.compiled import ADVANCE, BEGIN, native_loop
from ...solvers.loop.run import Run
from ..measures.compiled import Compiled
from ..place.base import Base
from ..place.placement import Overlay
from ..place.reasons import reason_of
from ..store.part import OUTCOMES, SUCCESSES, Part
from .driver import KEEP, MEASURE, NEXT, STATUS, native_driver
from .watched import LOST, TIMED, watched

BARE = 4  # functions of a program without a step of its own
CALLED_FOR, CANCELLED = 1, 2  # why the driver comes back before the end
_OUTCOMES: dict[type[BlockdynError], str] = {
    NotFinite: "not finite", StepCollapse: "step collapse", Zeno: "zeno", Chattering: "chattering",
    Unsettled: "unsettled", AssertionFailed: "assert", TooManySteps: "too many steps",
    TimeLimit: "time limit",
}  # fmt: skip


class Cancelled(Exception):
    """Somebody asked to stop; what is not finished is thrown away."""


def outcome_of(error: BlockdynError) -> int:
    """The index in OUTCOMES of what ended a run."""
    return OUTCOMES.index(
        next((name for kind, name in _OUTCOMES.items() if isinstance(error, kind)), "failed")
    )


@dataclass
class Lane:
    """A run of the base, used again and again; `room` is where measures grow."""

    base: Base
    measures: Compiled
    cancelled: Integers
    kept: bool = False  # rows on a grid are copied, and nothing is measured
    trying: Integers = field(default_factory=lambda: np.zeros(1, np.int64))

    def __post_init__(self) -> None:
        self.lost = False  # to a thread that does not come back
        base = self.base
        self.run = base.run(base.settings, base.problem, base.template.memory)
        self.run.begin[0][:], begin = base.template.begin[0], base.template.begin[1].copy()
        at = self.run.place(self.run.memory.table)
        begin[at : at + self.run.memory.table.size] = self.run.memory.table
        code = base.addresses
        if len(code) > BARE and self.run.work.I[layout.WRITTEN_OUT]:
            begin[self.run.place(self.run.work.I) + layout.WRITTEN_OUT] = 2
        self.run.begin[1][:] = begin
        self.room = np.zeros(self.measures.room)
        self._stop = np.zeros(1, np.int64)  # the same as `cancelled`, for this lane alone
        self._loop = native_loop(base.settings.method.steps)
        arrays = (*self.run.memory, *self.run.work)
        self._first = self._loop.pack(BEGIN, code, *arrays)
        self._later = self._loop.pack(ADVANCE, code, *arrays)

    def measure(self, overlay: Overlay, rows: Integers, part: Part) -> int:
        """Run the scenarios of these rows of the overlay, and write what they came to into the same rows.

        Returns how many are done: all of them, unless the last of these took longer than the limit and did
        not come back; then this lane is lost.
        """
        n = len(rows)
        results = np.full((n, part.measures.shape[1]), np.nan)
        status, end, steps = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
        progress = np.zeros(2, np.int64)
        numbers = part.start + rows + 1
        call = self._call(
            MEASURE, overlay, rows, numbers, results, status, end, steps, np.zeros((0, 0, 0)), progress
        )
        while (found := self._driven(call, progress)) in (CALLED_FOR, TIMED, LOST):
            k = int(progress[NEXT])
            timed = STUCK if found == LOST else TIME_UP
            self._ended(
                part, int(rows[k]), results[k], int(progress[STATUS]) if found == CALLED_FOR else timed
            )
            if found != CALLED_FOR:
                end[k], steps[k] = self.run.time, self.run.count(layout.STEPS)
            if found == LOST:
                n, self.lost = k + 1, True
                break
            progress[NEXT] = k + 1
        done = rows[:n]
        part.measures[done], part.end[done], part.steps[done] = results[:n], end[:n], steps[:n]
        return n

    def keep(self, overlay: Overlay, rows: Integers, start: int) -> tuple[Floats, int]:
        """Run them once more for the rows on the grid: (rows, times, elements), NaN behind an early end; and
        how many are done, as in `measure`.
        """
        n, times = len(rows), self.base.settings.times
        assert times is not None
        status, end, steps = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
        found = np.full((n, times.size, len(self.base.elements)), np.nan)
        progress = np.zeros(2, np.int64)
        none = np.zeros((n, 0))
        call = self._call(KEEP, overlay, rows, start + rows + 1, none, status, end, steps, found, progress)
        while (ended := self._driven(call, progress)) == TIMED:
            progress[NEXT] += 1
        if ended == LOST:
            self.lost = True
            n = int(progress[NEXT]) + 1
            return found[:n].copy(), n
        return found, n

    def _driven(self, call: Any, progress: Integers) -> int:
        """The driver's answer; where scenarios have a limit, also that one took longer. Raises Cancelled."""
        limit = self.base.request.max_time
        if limit is None:
            found = self._drive(call)
        else:
            drive = partial(self._drive, call)
            found = watched(drive, progress, self.run, limit, self.cancelled, self._stop)
        if found == CANCELLED:
            raise Cancelled
        return found

    def _drive(self, call: Any) -> int:
        """The driver's answer; a thread that is in it for ever holds this lane, and so all that it runs."""
        return native_driver().run(call)

    def _call(
        self, what: int, overlay: Overlay, rows: Integers, numbers: Integers, results: Floats,
        status: Integers, end: Floats, steps: Integers, kept: Floats, progress: Integers,
    ) -> Any:  # fmt: skip
        run, measures = self.run, self.measures
        whole = len(rows) == len(overlay.floats)
        floats = overlay.floats if whole else overlay.floats[rows]
        integers = overlay.integers if whole else overlay.integers[rows]
        return native_driver().pack(
            what, self._loop.address, self._first[0], self._later[0], run.floats, run.integers, *run.begin,
            overlay.float_at, floats, overlay.integer_at, integers,
            run.work.F, run.work.I, run.work.log, run.work.events,
            measures.spec, measures.numbers, self.room, results, status, end, steps, kept, progress,
            self.cancelled if self.base.request.max_time is None else self._stop, numbers, self.trying,
        )  # fmt: skip

    def _ended(self, part: Part, row: int, results: Floats, status: int) -> None:
        """A scenario that did not reach its stop time: why, in words."""
        outcome, reason = ended(self.base, self.run, status)
        part.outcome[row], part.reason[row] = outcome, reason
        if outcome >= SUCCESSES:
            results[:] = np.nan


def ended(base: Base, run: Run, status: int, failure: Any = None) -> tuple[int, str]:
    """The outcome of a run that did not reach its stop time, and the reason in words."""
    if status == layout.STOPPED:
        path, failed = stopped_by(base.program, run)
        if failed is None:
            return OUTCOMES.index("stopped"), f"{path} ended the run at t = {run.time!r} s"
        return OUTCOMES.index("assert"), reason_of(failed)
    error = (
        explain(base.program, run, status, failure)
        if status not in (TIME_UP, STUCK)
        else out_of_time(base.program, run, base.request.max_time or 0.0, failure, stuck=status == STUCK)
    )
    return outcome_of(error), reason_of(error)
