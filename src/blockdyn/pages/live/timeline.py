"""The computed part of a live run grows in slices, with moments to go back to and its touches."""

from __future__ import annotations

import math
import time as clock
from dataclasses import dataclass

from ...base.errors import BlockdynError
from ...diagrams.model.run_errors import LogFull
from ...diagrams.model.touch import Touch
from ...diagrams.runs.diagnose import explain, stopped_by
from ...diagrams.runs.log_bound import most_bytes
from ...diagrams.runs.prepared import PreparedRun, calls
from ...diagrams.touches.course import Course, Mark, go_back, mark
from ...diagrams.touches.retuning import TouchedValues
from ...solvers import layout
from ...solvers.loop.record import EVENT_COLUMNS
from ...solvers.loop.run import Run
from .moment import Rows

SLICE = 0.004  # s of computing between two marks
MARKS = 64 << 20  # bytes of marks; beyond it every second one is forgotten
LEAST_MARKS = 16
FEW = 64  # steps of the first slice
GOING = (layout.FULL, layout.PAUSED)
LOG_FULL = -100  # a status in addition to the solver's


@dataclass(frozen=True)
class Checkpoint:
    """A moment to go back to: the run, and how many rows, events and touches there were."""

    mark: Mark
    rows: int
    events: int
    touches: int


@dataclass(frozen=True)
class RunStatus:
    """Progress of a run: the solver's status, its error, in words."""

    status: int = layout.PAUSED
    error: BlockdynError | None = None
    message: str = ""


class Timeline:
    """Rows and events of a run from its start to `computed`, s, with `touches` at their instants.

    `branches` counts how often rows were cut because another future began.
    """

    def __init__(self, prepared: PreparedRun) -> None:
        self.program, self.request = prepared.program, prepared.request
        self.touches: list[tuple[Touch, TouchedValues]] = list(prepared.touches)
        program, request = self.program, self.request
        memory = program.room(touched=True)
        prepared.begin(memory)
        apart = prepared.settings.refine <= 1
        problem = program.problem(prepared.columns.elements, apart=apart, touched=True)
        self.run = Run(problem, prepared.settings, memory)
        self._calls = calls(program, self.run, request)
        self._course = Course(program, self.run, self._calls, self._take)
        self.rows = Rows(self.run.work.log.shape[1])
        self.events = Rows(EVENT_COLUMNS)
        self.branches = 0
        self.end = RunStatus()
        self._start = mark(self.run)
        self._marks: list[Checkpoint] = []
        self._applied, self._budget = 0, FEW
        self._step = 0.0  # s that a step led on, of late
        self._restart()

    @property
    def computed(self) -> float:
        """Time up to which the run is computed, s."""
        return self.run.time

    @property
    def _rows_end(self) -> float:
        """Time of the last row, s: the last point of a grid, not the last step."""
        return float(self.rows.all[-1, 0]) if self.run.work.gridded else self.computed

    @property
    def ended(self) -> bool:
        """True if the run ends where its computed part ends."""
        return self.end.status not in GOING

    def compute(self, until: float, patience: float = math.inf) -> None:
        """Compute the run up to a time, or as far as `patience` s of computing lead."""
        began = clock.perf_counter()
        while self._rows_end < until and not self.ended:
            try:
                self._slice(until)
            except LogFull as error:
                self.end = RunStatus(LOG_FULL, error, str(error))
            if clock.perf_counter() - began > patience:
                return

    def branch(self, touches: list[tuple[Touch, TouchedValues]]) -> None:
        """Set other touches, of which the last is new; forget the run after its instant."""
        self.touches = touches
        if self.computed >= touches[-1][0].at or self.ended:
            self.branches += 1
            self._land(len(touches) - 1)

    def stand_at(self, time: float) -> None:
        """Have the run itself at a computed time: its last step is cut there."""
        if self.computed > time:
            self._return(math.nextafter(time, math.inf))
        late = [k for k, (touch, _) in enumerate(self.touches) if self._applied <= k and touch.at <= time]
        if late:
            self._land(late[-1])
        self._course.land(time)
        self._take(self.run)

    def aside(self) -> _Restored:
        """A context that leaves the timeline as it was."""
        return _Restored(self)

    # ---- going on ----

    def _slice(self, until: float) -> None:
        """Some steps, and not many beyond a time: a touch there is near the last moment kept."""
        s = self.run.work
        planned = self.touches[self._applied][0].at if self._applied < len(self.touches) else math.inf
        needed = (until - s.t) / self._step if self._step > 0.0 else math.inf
        steps = max(1, int(min(self._budget, needed + 1.0)))
        s.budget, began = steps, s.t
        before = clock.perf_counter()
        status = self._calls[1]()
        spent = clock.perf_counter() - before
        self._budget = int(min(1e6, max(1, steps * min(4.0, SLICE / max(spent, 1e-7)))))
        self._step = (s.t - began) / steps
        if s.t >= planned or (status not in GOING and planned < math.inf):
            self._land(self._applied)
            return
        self._take(self.run)
        self._went(status)

    def _went(self, status: int) -> None:
        """A slice has ended so."""
        self.end = RunStatus(status) if status in GOING else self._outcome(status)
        if status in GOING and self.run.work.phase == layout.STEPPING:
            self._keep()

    def _outcome(self, status: int) -> RunStatus:
        run, program = self.run, self.program
        failure = program.callbacks.failure()
        if run.judge is not None and run.judge.failure is not None:
            failure = run.judge.failure
        if status == layout.DONE:
            return RunStatus(status, None, "reached the stop time")
        if status == layout.STOPPED:
            path, failed = stopped_by(program, run)
            text = f"{path} ended the run at t = {run.time!r} s" if failed is None else str(failed)
            return RunStatus(status, failed, text)
        error = explain(program, run, status, failure)
        return RunStatus(status, error, str(error))

    def _take(self, run: Run) -> None:
        """Take over the logged rows. Raises LogFull."""
        rows, events = run.empty_log()
        self.rows.add(rows)
        self.events.add(events)
        most = most_bytes(self.request)
        if self.rows.bytes > most:
            raise LogFull(run.time, self.rows.bytes, most)

    # ---- going back ----

    def _restart(self) -> None:
        """From the very start to just after its instant, with the touch there."""
        go_back(self.run, self._start)
        self.rows.cut(0)
        self.events.cut(0)
        self._applied = 0
        status = self._calls[0]() or layout.PAUSED
        self.end = RunStatus(status)
        if status in GOING:
            self._touch_here()
        self._take(self.run)
        self._went(self.end.status)

    def _keep(self) -> None:
        """Remember this moment, whose rows have been taken over."""
        moment = Checkpoint(mark(self.run), self.rows.count, self.events.count, self._applied)
        self._marks.append(moment)
        if len(self._marks) > LEAST_MARKS and len(self._marks) * moment.mark.bytes > MARKS:
            self._marks = [*self._marks[:-1:2], moment]

    def _return(self, time: float) -> None:
        """Back to the latest moment kept before a time, or to the start."""
        while self._marks and self._marks[-1].mark.time >= time:
            self._marks.pop()
        if not self._marks:
            self._restart()
            return
        moment = self._marks[-1]
        go_back(self.run, moment.mark)
        self.rows.cut(moment.rows)
        self.events.cut(moment.events)
        self._applied, self.end = moment.touches, RunStatus()

    def _land(self, number: int) -> None:
        """Be just after the instant of a touch, by its number, with all touches before it."""
        time = self.touches[number][0].at
        s = self.run.work
        if s.t >= time or self.ended or s.phase != layout.STEPPING:
            self._return(time)
        while self._applied <= number and not self.ended:
            status = self._course.land(self.touches[self._applied][0].at)
            self.end = RunStatus(status or layout.PAUSED)
            if status == 0:
                self._touch_here()
        self._take(self.run)
        self._went(self.end.status)

    def _touch_here(self) -> None:
        """The touch of this instant, where there is one."""
        if self._applied < len(self.touches) and self.touches[self._applied][0].at == self.run.time:
            written = self.touches[self._applied][1]
            self._applied += 1
            self.end = RunStatus(self._course.touch(written))


class _Restored:
    """Everything of a timeline put back at the end."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline

    def __enter__(self) -> None:
        t = self._timeline
        self._here, self._before = mark(t.run), dict(vars(t))
        t.rows, t.events, t._marks = t.rows.copy(), t.events.copy(), [*t._marks]

    def __exit__(self, *failure: object) -> None:
        vars(self._timeline).update(self._before)
        go_back(self._timeline.run, self._here)
