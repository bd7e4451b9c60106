"""A native lane runs scenarios one after another in machine code, in arrays that are reused."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...diagrams.compiler.emit.functions import NAMES
from ...diagrams.model.run_errors import InstanceFailed
from ...diagrams.runs.limited import GRACE, leave_behind
from ...diagrams.runs.owned import make_owned_objects
from ...diagrams.runs.simulate import STUCK, TIME_UP
from ...solvers.layout import Floats, Integers
from ...solvers.loop.entry import CompiledLoops
from ...solvers.loop.run import Run
from ..measures.prepared import KernelData
from ..place.base import Base
from ..place.placement import Overlay
from ..store.part import SUCCESSES, Part
from .driver import ENTERED, KEEP, MEASURE, NEXT, PREPARES, STATUS, Queue, native_driver
from .lane import Cancelled, ended, not_begun

CALLED_FOR, CANCELLED = 1, 2  # reasons why the driver returns early
TIMED, LOST, AGAIN = 3, 4, 5  # further statuses: one of the driver, two of the lane
LOOK = 0.05  # s between two checks at most


@dataclass
class NativeLane:
    """A run of the base; `room` is the workspace of measures. See `Lane`."""

    base: Base
    measures: KernelData
    cancelled: Integers
    trying: Integers = field(default_factory=lambda: np.zeros(1, np.int64))

    def __post_init__(self) -> None:
        self.lost = False  # to a thread that does not return
        base = self.base
        self.run = base.run(base.settings, base.problem, base.template.memory)
        self.run.begin_as(base.template)
        code = base.addresses
        if len(code) > len(NAMES) and self.run.work.written_out:
            self.run.begin[self.run.place("written_out")] = 2
        self._loops = CompiledLoops(code, self.run)
        at = self.run.place("p")
        self._numbers = self.run.begin[at : at + self.run.memory.p.size].view(np.float64)
        self.room = np.zeros(self.measures.room)
        self._stop = np.zeros(1, np.int64)  # as `cancelled`, for this lane only

    def measure(self, overlay: Overlay, rows: Integers, part: Part) -> int:
        try:
            with self._owned():
                return self._measured(overlay, rows, part)
        except InstanceFailed as error:
            not_begun(part, int(rows[0]), error)
            return 1

    def keep(self, overlay: Overlay, rows: Integers, start: int) -> tuple[Floats, int]:
        try:
            with self._owned():
                return self._keep_rows(overlay, rows, start)
        except InstanceFailed:
            return self._no_rows(1), 1

    @contextmanager
    def _owned(self) -> Iterator[None]:
        """Objects that blocks own, for the scenarios of one call of the driver: one, for instances."""
        with make_owned_objects(self.base.program, self._numbers) as owned:
            try:
                yield
            finally:
                if self.lost:
                    owned.leave()

    def _measured(self, overlay: Overlay, rows: Integers, part: Part) -> int:
        n = len(rows)
        results = np.full((n, part.measures.shape[1]), np.nan)
        status, end, steps = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
        progress = np.zeros(4, np.int64)
        numbers = part.start + rows + 1
        call = self._call(
            MEASURE, overlay, rows, numbers, results, status, end, steps, np.zeros((0, 0, 0)), progress
        )
        while (ended := self._driven(call, progress)) in (CALLED_FOR, TIMED, LOST):
            k = int(progress[NEXT])
            timed = STUCK if ended == LOST else TIME_UP
            self._ended(
                part, int(rows[k]), results[k], int(progress[STATUS]) if ended == CALLED_FOR else timed
            )
            if ended != CALLED_FOR:
                end[k], steps[k] = self.run.time, self.run.work.steps
            if ended == LOST:
                n = k + 1
                break
            progress[NEXT], progress[ENTERED] = k + 1, 0
        done = rows[:n]
        part.measures[done], part.end[done], part.steps[done] = results[:n], end[:n], steps[:n]
        return n

    def _no_rows(self, count: int) -> Floats:
        times = self.base.settings.times
        assert times is not None
        return np.full((count, times.size, len(self.base.elements)), np.nan)

    def _keep_rows(self, overlay: Overlay, rows: Integers, start: int) -> tuple[Floats, int]:
        n, trajectories = len(rows), self._no_rows(len(rows))
        status, end, steps = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
        progress = np.zeros(4, np.int64)
        none = np.zeros((n, 0))
        call = self._call(
            KEEP, overlay, rows, start + rows + 1, none, status, end, steps, trajectories, progress
        )
        while (ended := self._driven(call, progress)) == TIMED:
            progress[NEXT] += 1
            progress[ENTERED] = 0
        if ended == LOST:
            n = int(progress[NEXT]) + 1
            return trajectories[:n].copy(), n
        return trajectories, n

    def _driven(self, call: Any, progress: Integers) -> int:
        """The driver's status; with a time limit, also whether a scenario took longer. Raises Cancelled."""
        limit = self.base.request.max_time
        if limit is None:
            ended = self._drive(call)
        else:
            drive = partial(self._drive, call)
            ended = drive_with_limits(drive, progress, self.run, limit, self.cancelled, self._stop)
        self.lost = ended == LOST
        if ended == CANCELLED or (self.lost and self.cancelled[0]):
            raise Cancelled
        return ended

    def _drive(self, call: Any) -> int:
        """The driver's answer; a thread that never returns keeps this lane and its data alive."""
        while (ended := native_driver().run(call)) == PREPARES:
            self._loops.prepare()
        return ended

    def _call(
        self, what: int, overlay: Overlay, rows: Integers, numbers: Integers, results: Floats,
        status: Integers, end: Floats, steps: Integers, trajectories: Floats, progress: Integers,
    ) -> Any:  # fmt: skip
        run, measures = self.run, self.measures
        every_row = len(rows) == len(overlay.floats)
        floats = overlay.floats if every_row else overlay.floats[rows]
        integers = overlay.integers if every_row else overlay.integers[rows]
        cancelled = self.cancelled if self.base.request.max_time is None else self._stop
        queue = Queue({
            "run_words": run.words, "run_floats": run.floats, "run_begin": run.begin,
            "float_at": overlay.float_at, "float_values": floats,
            "integer_at": overlay.integer_at, "integer_values": integers,
            "spec": measures.spec, "spec_numbers": measures.numbers, "room": self.room, "results": results,
            "status": status, "end": end, "steps": steps, "signals": trajectories, "progress": progress,
            "cancelled": cancelled, "which": numbers, "trying": self.trying,
        })  # fmt: skip
        queue.what, queue.run = what, run.work.address
        self._loops.link(queue)
        return native_driver().pack(queue)

    def _ended(self, part: Part, row: int, results: Floats, status: int) -> None:
        """Record why a scenario did not reach its stop time."""
        outcome, reason = ended(self.base, self.run, status)
        part.outcome[row], part.reason[row] = outcome, reason
        if outcome >= SUCCESSES:
            results[:] = np.nan


def drive_with_limits(
    drive: Callable[[], int], progress: Integers, run: Run, limit: float, cancelled: Integers, stop: Integers
) -> int:
    """Run scenarios from progress[NEXT] on, each for `limit` s of wall-clock time; the driver's status, or

        TIMED   the scenario took longer, and the driver stopped between two steps
        LOST    it took longer, or was cancelled, and machine code did not return: its thread is in
                `drive` from now on, which holds all that it needs

    `cancelled` is set from outside, `stop` is the flag that the driver checks.
    """
    while True:
        status = _once(drive, progress, run, limit, cancelled, stop)
        if status != AGAIN:
            return status


def _once(
    drive: Callable[[], int], progress: Integers, run: Run, limit: float, cancelled: Integers, stop: Integers
) -> int:
    answer: list[int] = []
    stop[0] = 0
    thread = threading.Thread(target=lambda: answer.append(drive()), daemon=True)
    thread.start()
    scenario, since = int(progress[NEXT]), time.perf_counter()
    while True:
        thread.join(min(LOOK, limit / 4.0))
        if answer:
            return answer[0]
        now = time.perf_counter()
        if int(progress[NEXT]) != scenario:
            scenario, since = int(progress[NEXT]), now
        if cancelled[0] or now - since > limit:
            break
    stop[0] = 1
    run.work.budget = 0
    thread.join(GRACE)
    if not answer:
        leave_behind(thread)
        return LOST
    if answer[0] != CANCELLED or cancelled[0]:
        return answer[0]
    return TIMED if int(progress[NEXT]) == scenario else AGAIN
