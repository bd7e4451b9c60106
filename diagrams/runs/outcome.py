"""Turn the rows of a run into its Result: one trace per signal, each with its own time axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...blocks.contract.internal_names import MODE
from ...solvers.layout import Floats
from ...solvers.loop.record import CROSSING, EVENT_COLUMNS, TIMER, record_end
from ...solvers.loop.run import Run, Settings as SolverSettings
from ..compiler.program import Program
from ..compiler.variables import places
from ..model.run_errors import LogFull
from ..model.touch import Touch, touches_of
from ..results.errors import ResultFileError
from ..results.logged_rows import LoggedRows
from ..results.provenance import DIRECTIONS, EventRecord, FlightFigure, Provenance, ScopeFigure
from ..results.result import Result, read_only
from ..results.stream import Stream
from .diagnose import meanwhile
from .ended import End, provenance
from .interruption import postpone_signals
from .log_bound import most_bytes, thinning_notices
from .logged import FIRST, Columns, StateColumn
from .rows import HeldSeries, Rows, Ticks
from .scope_figures import flight_figures, scope_figures
from .waiting import Compiler

if TYPE_CHECKING:
    from ..compiler.plan.unit import Unit
    from ..model.settings import Settings


class Recorder:
    """Collects rows during a run, and makes the Result at its end."""

    def __init__(
        self, program: Program, request: Settings, settings: SolverSettings, columns: Columns
    ) -> None:
        self.program, self.request, self.settings, self.columns = program, request, settings, columns
        self.events: list[Floats] = []
        self.wall, self.compiler = 0.0, Compiler(request.progress)
        self.costs: dict[str, tuple[int, float]] = {}  # calls and seconds of blocks that run in Python
        self.stream: Stream | None = None
        self.refusal: ResultFileError | LogFull | None = None
        self._rows: Rows | None = None
        self._last: Floats | None = None
        self._bar: Any = None
        if request.stream is not None:
            states = [c.heading for c in self._states()]
            signals = [c.heading for c in columns.signals]
            self.stream = Stream(request.stream, signals, states, self._order())

    def take(self, run: Run, *, last: bool = False) -> None:
        """Move the rows logged since the last call into the file or into memory.

        The last rows are joined with the others only when the result is used. Raises ResultFileError if
        the file cannot grow.
        """
        if last and self.stream is None:
            self._take(run, last)
            return
        with postpone_signals():
            self._take(run, last)

    def _take(self, run: Run, last: bool) -> None:
        if last:
            record_end(run.memory, run.work)
        self.add(*run.empty_log(), last=last)

    def add(self, rows: Floats, events: Floats, *, last: bool = False) -> None:
        """Rows and events of a run; the last rows are joined with the others when the result is used."""
        if len(events):
            self.events.append(events)
        if self.stream is not None:
            self.stream.write(rows, sum(map(len, self.events)))
        elif last:
            self._last = rows if self._last is None else self._last
        else:
            self._rows = self._rows or self._new_rows()
            self._rows.add(rows, self._event_times())

    def note_end(self, run: Run) -> None:
        """Record a stop that was true at the start of the run as an event: it ended the run without
        becoming true.
        """
        plan = self.program.plan
        for slot, owner in zip(plan.stop_modes, plan.stop_owner, strict=True):
            numbers = [i for i, (unit, _) in enumerate(plan.crossing_owner) if unit == owner]
            if run.memory.modes[slot] != 0 and numbers and not self._noted(run.time, numbers):
                self.events.append(np.array([[run.time, CROSSING, numbers[0], 0.0]]))
                run.work.state_events += 1

    def _noted(self, time: float, crossings: list[int]) -> bool:
        """True if one of these crossings is a recorded event at this time."""
        return any(
            bool(np.any((rows[:, 0] == time) & (rows[:, 1] == CROSSING) & np.isin(rows[:, 2], crossings)))
            for rows in self.events[-1:]
        )

    def _states(self) -> Sequence[StateColumn]:
        return self.columns.states if self.settings.log_states else ()

    def _spans(self) -> list[tuple[int, int]]:
        """First column and width of every signal and state in a row."""
        first = FIRST + (self.program.plan.states if self.settings.log_states else 0)
        spans = [(first + c.start, c.size.count) for c in self.columns.signals]
        return spans + [(FIRST + start, prod(heading.shape)) for start, heading in self._states()]

    def _order(self) -> list[int]:
        """The columns of a row in the order of a file's: time, signals, states; without the flag."""
        return [0, *(start + i for start, width in self._spans() for i in range(width))]

    def _new_rows(self) -> Rows:
        held: dict[int, HeldSeries] = {}
        if self.settings.times is None:
            clocks: dict[int, Ticks] = {}
            for i, column in enumerate(self.columns.signals):
                if column.held:
                    clock = -1 if column.unit.enables else column.unit.clock
                    if clock >= 0 and clock not in clocks:
                        clocks[clock] = Ticks(self.program.timers, clock, self.settings.start)
                    held[i] = HeldSeries(clocks[clock].within if clock >= 0 else None)
        bounded = self.settings.times is None
        return Rows(self._spans(), held, most_bytes(self.request) if bounded else np.inf)

    def _event_times(self) -> Floats:
        return np.concatenate([rows[:, 0] for rows in self.events]) if self.events else np.zeros(0)

    # ---- progress ----

    def show_progress(self, run: Run, elapsed: float) -> None:
        """A bar on a terminal, once a run has lasted more than a second; it notes a stiff diagram."""
        if self._bar is None:
            if self.request.progress is False or (elapsed < 1.0 and not self.request.progress):
                return
            from ...base.progress import Bar

            total = self.settings.stop - self.settings.start
            self._bar = Bar(self.program.plan.name, total, shown=self.request.progress or None)
        stiff = meanwhile(run.work.totals(), run.memory.x.size)
        words = f"t = {run.time:.4g} of {self.settings.stop:.4g} s{stiff}"
        self._bar.show(run.time - self.settings.start, words)

    def end_progress(self) -> None:
        if self._bar is not None:
            self._bar.close()

    # ---- the result ----

    def result(self, run: Run, *, complete: bool, by: str | None, message: str) -> Result:
        """Everything logged so far as a Result, assembled at first use."""
        arrays = {name: getattr(run.memory, name).copy() for name in ("x", "z", "w")}
        work = run.work
        end = End(
            work.integers, work.counted.copy(), run.time, work.t_switched, arrays, complete, by, message
        )
        if self.stream is None:
            return Result.deferred(partial(self._build, end), self._logged())
        result = Result._recorded({}, {}, None, **self._record(end, self._provenance(end)))
        with postpone_signals():
            return self.stream.finish(result)

    def _logged(self) -> LoggedRows | None:
        """The rows, if they came in one piece."""
        if self._rows is not None or self._last is None:
            return None
        first = FIRST + (self.program.plan.states if self.settings.log_states else 0)
        return LoggedRows(self._last, self.columns.by_path(first))

    def _build(self, end: End) -> Result:
        rows = self._rows or self._new_rows()
        if self._last is not None:
            rows.add(self._last, self._event_times(), last=True)
        self._rows = self._last = None
        names = [column.name for column in self.columns.signals]
        thinned = list(thinning_notices(rows.thinned, names, self.request))
        series = rows.done()
        stepped = max((times for times, _ in series), key=len, default=np.zeros(0))
        headings = [*(c.heading for c in self.columns.signals), *(c.heading for c in self._states())]
        traces = [
            heading.recorded(times, values) for heading, (times, values) in zip(headings, series, strict=True)
        ]
        count = len(self.columns.signals)
        signals = {trace.path: trace for trace in traces[:count]}
        states = {trace.path: trace for trace in traces[count:]}
        resample = self.resample if end.complete else None
        logged = {(c.unit.path, c.port): trace for c, trace in zip(self.columns.signals, traces)}
        origin = self._provenance(end, thinned, stepped, logged)
        return Result._recorded(signals, states, resample, **self._record(end, origin))

    def _record(self, end: End, origin: Callable[[], Provenance]) -> dict[str, Callable[[], Any]]:
        """All of a Result except its rows; `origin` gives its provenance."""
        return {
            "events": self._events, "provenance": origin, "scopes": self._scopes,
            "finals": partial(self._finals, end), "flights": self._flights,
        }  # fmt: skip

    def _finals(self, end: End) -> Mapping[str, Floats]:
        """Final values of the run: states, and outputs of sampled blocks."""
        return read_only({place.name: place.at_end(end.arrays) for place in places(self.program.plan)})

    def _events(self) -> tuple[EventRecord, ...]:
        return self.named(np.concatenate(self.events) if self.events else np.zeros((0, EVENT_COLUMNS)))

    def named(self, events: Floats, touches: Sequence[Touch] | None = None) -> tuple[EventRecord, ...]:
        """Events in the user's terms; `touches` are the run's touches so far, by default all."""
        plan = self.program.plan
        if touches is None:
            touches = touches_of("touches", self.request.touches) if self.request.touches else ()
        touched = {touch.at: ", ".join(touch.set) for touch in touches}
        ticks = [(plan.units[owner].path, "time") for owner in plan.timer_owner]
        one = [has_one_value(unit) for unit in plan.units]
        crossings = [(plan.units[unit].path, name, one[unit]) for unit, name in plan.crossing_owner]
        records: list[EventRecord] = []
        for time, kind, number, way in events.tolist():
            if kind != TIMER:
                path, name, tells = crossings[int(number)]
                direction = DIRECTIONS[int(way)] if tells else ""
                records.append(EventRecord(time, path, "zero crossing", name, direction))
            elif number < len(ticks):
                records.append(EventRecord(time, *ticks[int(number)]))
            else:
                records.append(EventRecord(time, "", "touch", touched.get(time, "")))
        return tuple(records)

    def _scopes(self) -> tuple[ScopeFigure, ...]:
        return scope_figures(self.program, self.columns)

    def _flights(self) -> tuple[FlightFigure, ...]:
        return flight_figures(self.program, self.columns, self._states())

    def _provenance(self, end: End, *rows: Any) -> Callable[[], Provenance]:
        """Return a function that makes the provenance of the run; `rows` describe its rows."""
        return lambda: provenance(
            self.program, self.request, self.settings, end, self.wall, self.costs, *rows
        )

    def resample(self, times: ArrayLike) -> dict[str, Any]:
        """Signals and states at instants (m,) in s, by path, as arrays (m, *shape): the dense output.

        It repeats the run, with rows at these times: exact to the tolerance of the solver, limits
        from the right at events. `result.to_dataset(times)` and `result.trace(path).at(times)` use it.
        """
        from .simulate import simulate

        instants = np.unique(np.asarray(times, np.float64))
        replaced = ("times", "every", "log", "refine", "stream")
        arguments: dict[str, Any] = {
            name: value for name, value in self.request.__dict__.items() if name not in replaced
        }
        arguments |= {"times": instants, "progress": False}
        again = simulate(self.program, **arguments)
        at = np.searchsorted(instants, np.asarray(times, np.float64))
        return {path: trace.values[at] for path, trace in (*again.signals.items(), *again.states.items())}


def has_one_value(unit: Unit) -> bool:
    """True if crossings watch the same value in every mode, so that its direction has a meaning."""
    return MODE not in unit.names.get("crossing", ())
