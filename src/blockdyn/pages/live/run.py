"""A live run is shown at one of its times, paused, touched and rewound, to the last bit."""

from __future__ import annotations

import math
import time as clock
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.errors import BlockdynError
from ...diagrams.compiler.program import Program
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.touch import Touch, together
from ...diagrams.runs.diagnose import stopped_by
from ...diagrams.runs.outcome import Recorder
from ...diagrams.runs.prepared import PreparedRun, prepare_run
from ...diagrams.touches.retuning import Retuning, TouchedValues, merge_values
from ...solvers import layout
from ...solvers.layout import Floats
from ...solvers.loop.record import TIMER
from ..serving import LiveError
from .timeline import Timeline

if TYPE_CHECKING:
    from ...diagrams.results.provenance import EventRecord
    from ...diagrams.results.result import Result

REFINE = 4  # rows per step unless the diagram or the caller says otherwise: a plot is a line through rows


def with_refine(program: Program, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a run that is drawn: with REFINE unless they or the diagram say otherwise."""
    given = arguments.get("refine") is not None or "refine" in program.flat.simulation
    return arguments if given else {**arguments, "refine": REFINE}


class LiveRun:
    """A run that is shown at `time`, s, and computed up to `computed`, not before it.

    `advance` lets wall-clock time pass, `go_to` and `next_event` move on or back at once; `touch` gives other
    values from now on. A touch lands at its instant exactly, as a time event does, and the run that is
    simulated with `touches=live.touches` is the same to the last bit. Going back forgets nothing: what was
    touched later happens again, until something is touched before it.

    `pace` is the number of seconds of the run in one of the clock, infinite as many as can be computed. All
    other arguments are arguments of `Diagram.simulate`. Raises its errors, and LiveError for runs that cannot
    go back: blocks with memory of their own (`Instance`), `stream`, `max_time`.
    """

    def __init__(self, program: Program | Diagram, *, pace: float = 1.0, **arguments: Any) -> None:
        if isinstance(program, Diagram):
            inputs = {name: arguments.get(name) for name in ("loops", "inputs")}
            program = program.compile(**inputs)
        if not isinstance(program, Program):
            raise LiveError(f"a live run: a {type(program).__name__}", "a diagram, or its program")
        prepared = prepare_run(program, with_refine(program, arguments))
        _check(prepared)
        self.program, self.request, self.settings = prepared.program, prepared.request, prepared.settings
        self.columns = prepared.columns
        self.timeline = Timeline(prepared)
        self.retuning = Retuning(self.program, self.request)
        self.playing, self.time = False, self.settings.start
        self._standing: list[dict[str, Any]] = [{}]  # values after none of the touches, one, two ...
        plan = self.program.plan
        self._noise = [k for k, owner in enumerate(plan.timer_owner) if plan.units[owner].block.random]
        self.pace = pace

    @property
    def pace(self) -> float:
        return self._pace

    @pace.setter
    def pace(self, pace: float) -> None:
        if not (isinstance(pace, (int, float)) and pace > 0.0):
            raise LiveError(
                f"a live run: a pace of {pace!r}",
                "a number above 0, seconds of the run per second, or infinity",
            )
        self._pace = float(pace)

    # ---- where it is ----

    @property
    def computed(self) -> float:
        """Time up to which the run is computed, s."""
        return self.timeline.computed

    @property
    def start(self) -> float:
        return self.settings.start

    @property
    def stop(self) -> float:
        return self.settings.stop

    @property
    def at_end(self) -> bool:
        """True if the run is shown at its end: at its stop, or where it failed."""
        return self.timeline.ended and self.time >= self.computed

    @property
    def error(self) -> BlockdynError | None:
        """The error of the run, as far as it is computed."""
        return self.timeline.end.error

    @property
    def touches(self) -> tuple[Touch, ...]:
        """Past and future touches, in the order of time."""
        return tuple(touch for touch, _ in self.timeline.touches)

    @property
    def passed(self) -> int:
        """Number of touches up to now."""
        return bisect_right(self.timeline.touches, self.time, key=_instant)

    def values(self) -> dict[str, Any]:
        """Values from touches up to now, by path."""
        return self._values_after(self.passed)

    # ---- going on ----

    def advance(self, seconds: float, *, patience: float = 0.02) -> float:
        """Let wall-clock time pass: the run advances by `pace` times as much, as far as it can be computed in
        `patience` s. Returns its time.
        """
        if self.playing:
            target = self.stop if math.isinf(self.pace) else min(self.stop, self.time + seconds * self.pace)
            self.timeline.compute(target, patience)
            self.time = max(self.time, min(target, self.computed))
            if self.at_end:
                self.playing = False
        return self.time

    def go_to(self, time: float) -> float:
        """Go to a time, s, and compute up to it if needed. Returns the time, or the end's if that is
        earlier.
        """
        target = min(max(float(time), self.start), self.stop)
        self.timeline.compute(target)
        self.time = min(target, self.computed)
        return self.time

    def next_event(self, *, patience: float = math.inf) -> bool:
        """Go to the next event, or to the end: True; where `patience` s of computing do not find one, as far
        as they lead: False. The instants at which random blocks draw are passed over.
        """
        began = clock.perf_counter()
        while True:
            events = self.timeline.events
            later = events.all[events.until(self.time) :]
            later = later[~((later[:, 1] == TIMER) & np.isin(later[:, 2], self._noise))]
            if len(later):
                self.time = float(later[0, 0])
                return True
            self.time = self.computed
            if self.timeline.ended or clock.perf_counter() - began > patience:
                return self.timeline.ended
            self.timeline.compute(self.stop, 0.0)
            self.time = min(self.time, self.computed)

    # ---- touching ----

    def touch(self, changes: Mapping[str, Any], *, at: float | None = None) -> Touch:
        """Other values by path from now on, or from the time `at`; touches later than that are forgotten.

        Paths are as for `set` and a sweep's axes: parameters of the diagram or of blocks, its inputs,
        states. The run before that time stays as it is, to the last bit.
        Raises RunArgumentError, UnknownPath, BadParameter, LiveError; the run is then as before.
        """
        time = self.time if at is None else float(at)
        if not self.start <= time < self.stop or (self.timeline.ended and time > self.computed):
            raise LiveError(
                f"a live run: a touch at {time:.6g} s", "an instant before the run's end; go back first"
            )
        touches = self.timeline.touches
        first, last = bisect_left(touches, time, key=_instant), bisect_right(touches, time, key=_instant)
        earlier, here = touches[:first], [touch for touch, _ in touches[first:last]]
        touch = together([*here, Touch(time, dict(changes))])[0]
        written = self.retuning.written(touch.set, self._values_after(len(earlier)))
        del self._standing[len(earlier) + 1 :]
        self.timeline.branch([*earlier, (touch, written)])
        self.timeline.compute(self.time)
        self.time = min(self.time, self.computed)
        return touch

    def _values_after(self, count: int) -> dict[str, Any]:
        """Values from the first n touches, by path."""
        for k in range(len(self._standing), count + 1):
            self._standing.append(merge_values(self._standing[-1], self.timeline.touches[k - 1][0].set))
        return dict(self._standing[count])

    # ---- the result ----

    def result(self) -> Result:
        """The run up to `time`, as `simulate` returns it; the live run can continue afterwards."""
        timeline = self.timeline
        if self.at_end:
            stopped = timeline.end.status == layout.STOPPED
            by = stopped_by(self.program, timeline.run)[0] if stopped else None
            complete = self.error is None
            return self._result(complete, by if complete else "error", timeline.end.message)
        with timeline.aside():
            timeline.stand_at(self.time)
            return self._result(False, "viewer", f"ended at t = {self.time!r} s")

    def so_far(self) -> Result:
        """All computed rows, with the names and units of all logged signals."""
        return self._result(False, "interrupt", "")

    def named(self, events: Floats) -> tuple[EventRecord, ...]:
        """Events, one at least, in the user's terms: with every picture, so that it looks at few touches."""
        touches = self.timeline.touches
        first = bisect_left(touches, float(events[0, 0]), key=_instant)
        return Recorder(self.program, self.request, self.settings, self.columns).named(
            events, [touch for touch, _ in touches[first : self.passed]]
        )

    def recorder(self) -> Recorder:
        """Recorder that makes a Result of rows, with the touches up to now."""
        touches = [touch.written() for touch in self.touches[: self.passed]]
        request = replace(self.request, touches=touches or None)
        return Recorder(self.program, request, self.settings, self.columns)

    def _result(self, complete: bool, by: str | None, message: str) -> Result:
        timeline, recorder = self.timeline, self.recorder()
        recorder.add(timeline.rows.all, timeline.events.all.copy())
        if timeline.end.status == layout.STOPPED:
            recorder.note_end(timeline.run)
        result = recorder.result(timeline.run, complete=complete, by=by, message=message)
        _signals = result.signals  # put together now: rows are added later
        return result


def _instant(touch: tuple[Touch, TouchedValues]) -> float:
    return touch[0].at


def _check(prepared: PreparedRun) -> None:
    """Raise LiveError for a run that cannot go back."""
    if prepared.program.plan.owned:
        path = prepared.program.plan.owned[0].path
        raise LiveError(
            f"a live run: {path} has memory of its own (Instance)", "blocks whose memory are states"
        )
    for name in ("stream", "max_time"):
        if getattr(prepared.request, name) is not None:
            raise LiveError(f"a live run: `{name}`", f"no `{name}`: write the result when the run has ended")
