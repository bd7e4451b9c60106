"""Lane: the arrays in which one thread runs scenarios, one after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.errors import BlockdynError
from ..diagrams.diagnose import explain, stopped_by
from ..diagrams.errors import (
    AssertionFailed,
    Chattering,
    NotFinite,
    StepCollapse,
    TooManySteps,
    Unsettled,
    Zeno,
)
from ..solvers import layout
from ..solvers.compiled import ADVANCE, BEGIN, native_loop
from ..solvers.layout import Floats, Integers
from ..solvers.run import Run
from .base import Base
from .driver import KEEP, MEASURE, NEXT, STATUS, native_driver
from .measures.compiled import Compiled
from .part import OUTCOMES, SUCCESSES, Part
from .placement import Overlay
from .reasons import reason_of

BARE = 4  # functions of a program without a step of its own
CALLED_FOR, CANCELLED = 1, 2  # why the driver comes back before the end
_OUTCOMES: dict[type[BlockdynError], str] = {
    NotFinite: "not finite", StepCollapse: "step collapse", Zeno: "zeno", Chattering: "chattering",
    Unsettled: "unsettled", AssertionFailed: "assert", TooManySteps: "too many steps",
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

    def __post_init__(self) -> None:
        base = self.base
        self.run = base.run(base.settings, base.problem, base.template.memory)
        self.run.begin[0][:], begin = base.template.begin[0], base.template.begin[1].copy()
        at = self.run.place(self.run.memory.table)
        begin[at : at + self.run.memory.table.size] = self.run.memory.table
        addresses = base.addresses
        if len(addresses) > BARE and self.run.work.I[layout.WRITTEN_OUT]:
            begin[self.run.place(self.run.work.I) + layout.WRITTEN_OUT] = 2
        self.run.begin[1][:] = begin
        self.room = np.zeros(self.measures.room)
        self._loop = native_loop()
        code = np.array(addresses, np.int64)
        arrays = (*self.run.memory, *self.run.work)
        self._first = self._loop.pack(BEGIN, code, *arrays)
        self._later = self._loop.pack(ADVANCE, code, *arrays)

    def measure(self, overlay: Overlay, rows: Integers, part: Part) -> None:
        """Run the scenarios of these rows of the overlay, and write what they came to into the same rows."""
        n = len(rows)
        results = np.full((n, part.measures.shape[1]), np.nan)
        status, end, steps = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
        progress = np.zeros(2, np.int64)
        call = self._call(MEASURE, overlay, rows, results, status, end, steps, np.zeros((0, 0, 0)), progress)
        while True:
            found = native_driver().run(call)
            if found == CANCELLED:
                raise Cancelled
            if found != CALLED_FOR:
                break
            k = int(progress[NEXT])
            self._ended(part, int(rows[k]), results[k], int(progress[STATUS]))
            progress[NEXT] = k + 1
        part.measures[rows], part.end[rows], part.steps[rows] = results, end, steps

    def keep(self, overlay: Overlay, rows: Integers) -> Floats:
        """Run them once more for the rows on the grid: (rows, times, elements), NaN behind an early end."""
        n, times = len(rows), self.base.settings.times
        assert times is not None
        status, end, steps = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
        found = np.full((n, times.size, len(self.base.elements)), np.nan)
        progress = np.zeros(2, np.int64)
        none = np.zeros((n, 0))
        call = self._call(KEEP, overlay, rows, none, status, end, steps, found, progress)
        if native_driver().run(call) == CANCELLED:
            raise Cancelled
        return found

    def _call(
        self, what: int, overlay: Overlay, rows: Integers, results: Floats, status: Integers, end: Floats,
        steps: Integers, kept: Floats, progress: Integers,
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
            self.cancelled,
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
    error = explain(base.program, run, status, failure)
    return outcome_of(error), reason_of(error)
