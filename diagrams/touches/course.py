"""A course stops at given instants, is touched there, and can return to earlier times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...solvers import layout
from ...solvers.addressed import callables
from ...solvers.events.dip import BEFORE
from ...solvers.layout import Floats, Integers
from ...solvers.loop.entry import Calls
from ...solvers.loop.run import Run
from ..compiler.program import Program
from ..model.errors import RunArgumentError
from ..model.settings import Settings
from ..model.touch import Touch, touches_of
from .retuning import Retuning, TouchedValues, merge_values

LATEST = (layout.RIGHT, layout.INITIAL)  # flags of the rows before and after a touch at one instant


def touch(run: Run, calls: Calls, change: Callable[[], None], evaluate: Callable[[], int]) -> int:
    """Change numbers of the run at its time; rows show both limits, and modes and crossings settle.

    The run is between two steps, and the rows of this instant are still in its log; its last timer is the
    timer of touches (`Program.problem`). `evaluate` computes its signals at its time and state. The solver
    continues as after any event: derivatives are computed anew, the size of the next step is kept. Returns a
    status of `layout`: PAUSED, FULL or DONE without an error.
    """
    s, m = run.work, run.memory
    if s.stale == 1:
        failed = evaluate()
        if failed != 0:
            s.detail, s.t_bad = failed, s.t
            return layout.KERNEL_FAILED if failed < 0 else layout.NONFINITE
        s.stale = 0
    shown = _take_back(run)
    change()
    before = s.samples[BEFORE].copy()
    timer = len(s.timers) - 1
    m.modes[s.timers[timer, layout.MODE]] = 0
    s.timer_floats[s.timers[timer, layout.DATA]] = s.t
    s.x_new[:] = m.x
    s.K[s.stages - 1] = s.K[0]
    s.t_new = s.t_row = s.t
    s.t_bad, s.refine_next = np.inf, s.refine
    s.phase, s.budget = layout.WRITING, 0
    first = s.rows
    status = calls[1]()
    s.samples[BEFORE] = before
    s.steps -= 1
    if shown is not None and s.rows > first:
        s.log[first : s.rows - 1] = s.log[first + 1 : s.rows]
        s.rows -= 1
        s.log[s.rows - 1, 1] = shown if shown == layout.INITIAL else s.log[s.rows - 1, 1]
    return status


def _take_back(run: Run) -> int | None:
    """Take back the last row of this instant, which the loop writes again.

    Returns its flag if it is a limit from the right, which no limit from the left may follow.
    """
    s = run.work
    k = s.rows - 1
    if k < 0 or s.log[k, 0] != s.t:
        return None
    flag = int(s.log[k, 1])
    if flag in (layout.AT_STEP, layout.AT_GRID, *LATEST):
        s.rows = k
    if flag == layout.AT_GRID:
        s.grid_next -= 1
    return flag if flag in LATEST else None


@dataclass(frozen=True)
class Mark:
    """A run between two steps at `time`, s: all its numbers, and two tables of its events and delays."""

    time: float
    words: Integers
    watch: Floats
    passed: Floats

    @property
    def bytes(self) -> int:
        return int(self.words.nbytes + self.watch.nbytes + self.passed.nbytes)


def mark(run: Run) -> Mark:
    """The present numbers of the run, without its log."""
    return Mark(run.time, run.words.copy(), run.work.watch.copy(), run.work.passed.copy())


def go_back(run: Run, to: Mark) -> None:
    """Restore the run; the rows that were in its log then must still be there."""
    run.words[:] = to.words
    run.work.watch[:] = to.watch
    run.work.passed[:] = to.passed


FEW, CHUNK = 2, 256  # steps between two marks before an instant: at first, at most
GOING = (layout.FULL, layout.PAUSED)


def ready(program: Program, request: Settings) -> tuple[tuple[Touch, TouchedValues], ...]:
    """The touches of a run with the numbers that they write.

    Raises RunArgumentError for a touch outside the run, and the errors of `Retuning.written`.
    """
    touches = touches_of("touches", [] if request.touches is None else request.touches)
    for each in touches:
        if not request.start <= each.at <= request.stop:
            expected = f"an instant of the run, from {request.start:g} s to {request.stop:g} s"
            raise RunArgumentError("touches", each.at, expected)
    retuning, values = Retuning(program, request), dict[str, Any]()
    written = []
    for each in touches:
        written.append((each, retuning.written(each.set, values)))
        values = merge_values(values, each.set)
    return tuple(written)


class Course:
    """A run with its functions, and the receiver of its rows.

    The last step before a touch is cut at its instant; earlier steps are the same as without it. So the
    result does not depend on how early the touch was announced.
    """

    def __init__(self, program: Program, run: Run, calls: Calls, take: Callable[[Run], None]) -> None:
        self.program, self.run = program, run
        self._calls, self._take = calls, take
        self._stop = float(run.work.t_end)

    def land(self, time: float) -> int:
        """Advance to a later instant; returns 0, or the status of a run that ended earlier."""
        run, s = self.run, self.run.work
        steps, most, here = FEW, CHUNK, mark(run)
        while s.t < time:
            s.budget = steps
            status = self._calls[1]()
            if status == layout.FULL and s.phase == layout.WRITING and s.t_new <= time:
                status = self._written_out()
            if s.t == time:
                return 0
            beyond = s.t > time or (s.phase == layout.WRITING and s.t_new > time)
            if status in GOING and not beyond:
                if status == layout.FULL:
                    self._take(run)
                here, steps = mark(run), min(2 * steps, most)
                continue
            go_back(run, here)
            if steps == 1:
                return self.cut(time)
            steps = most = steps // 2
        return 0

    def touch(self, written: TouchedValues) -> int:
        """Touch the run at its time. Returns the status of the instant."""
        self.run.work.t_end = self._stop
        return touch(self.run, self._calls, lambda: written.into(self.run), self._evaluate)

    def _written_out(self) -> int:
        """Take the rows of a step that filled the log, until the whole step is written and accepted."""
        s = self.run.work
        status = layout.FULL
        while status == layout.FULL and s.phase == layout.WRITING:
            self._take(self.run)
            s.budget = 0
            status = int(self._calls[1]())
        return status

    def cut(self, time: float) -> int:
        """Advance to an instant at which steps are cut."""
        s = self.run.work
        if s.t == time:
            return 0
        s.t_end = time
        status: int = layout.PAUSED
        while status in GOING:
            s.budget = CHUNK
            status = self._calls[1]()
            if status == layout.FULL:
                self._take(self.run)
        s.t_end = self._stop
        return 0 if status == layout.DONE else status

    def _evaluate(self) -> int:
        run = self.run
        if run.judge is not None:
            return int(run.judge.evaluate(None, run.work.t, run.memory.x, run.work.scratch, run.memory))
        evaluate = callables(self.program.addresses)[1]
        return evaluate(None, run.work.t, run.memory.x, run.work.scratch, run.memory)
