"""From the rows of a run to its Result: one trace a signal, each with its own time axis."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..blocks.port import Size
from ..solvers import layout
from ..solvers.layout import Floats
from ..solvers.record import TIMER
from ..solvers.run import Run, Settings
from ..solvers.timer import instant
from .plan.unit import HELD, Source, Unit
from .program import Program
from .results.provenance import EventRecord, Provenance, ScopeFigure
from .results.result import Result
from .results.trace import Trace

if TYPE_CHECKING:
    from .simulate import Request


@dataclass(frozen=True)
class Column:
    """Where a logged signal stands in the rows, and what it is."""

    name: str
    unit: Unit
    port: str
    start: int


@dataclass(frozen=True)
class Columns:
    """All logged signals; `elements` are the places in w that a row copies."""

    signals: tuple[Column, ...]
    elements: list[int]


def make_columns(program: Program) -> Columns:
    """A column a logged signal, in the order of the taps."""
    number = {unit.path: unit for unit in program.plan.units}
    signals: list[Column] = []
    elements: list[int] = []
    starts: dict[tuple[str, str], int] = {}
    for tap in program.flat.taps:
        unit = number[tap.path]
        key = (tap.path, tap.port)
        if key not in starts:
            starts[key] = len(elements)
            at = unit.signals_at[tap.port]
            elements += range(at, at + unit.out_sizes[tap.port].count)
        signals.append(Column(tap.name, unit, tap.port, starts[key]))
    return Columns(tuple(signals), elements)


class Recorder:
    """Collects rows while a run goes on, and makes the Result at its end."""

    def __init__(self, program: Program, request: Request, settings: Settings, columns: Columns) -> None:
        self.program, self.request, self.settings, self.columns = program, request, settings, columns
        self.chunks: list[Floats] = []
        self.events: list[Floats] = []
        self.wall = 0.0
        self._bar: Any = None

    def take(self, run: Run) -> None:
        """Take over what has been logged since the last time."""
        rows, events = run.empty_log()
        if len(rows):
            self.chunks.append(rows)
        if len(events):
            self.events.append(events)

    # ---- progress ----

    def show_progress(self, run: Run, elapsed: float) -> None:
        """A bar on a terminal, once a run has lasted more than a second."""
        if self._bar is None:
            if self.request.progress is False or (elapsed < 1.0 and not self.request.progress):
                return
            from .progress import Bar

            self._bar = Bar(self.program.plan.name, self.settings.start, self.settings.stop, bool(self.request.progress))
        self._bar.show(run.time)

    def end_progress(self) -> None:
        if self._bar is not None:
            self._bar.close()

    # ---- the result ----

    def result(self, run: Run, *, complete: bool, by: str | None, message: str) -> Result:
        """Everything logged so far as a Result, put together when it is first looked at."""
        counters = run.work.I.tolist()
        end = run.time
        return Result.deferred(lambda: self._build(counters, end, complete, by, message))

    def _build(self, counters: list[int], end: float, complete: bool, by: str | None, message: str) -> Result:
        states = self.program.plan.states if self.settings.log_states else 0
        times, flags, x, y = _split(self.chunks, states)
        signals = {c.name: self._trace(c, times, flags, y) for c in self.columns.signals}
        return Result(
            signals, self._states(times, x), self._events(), self._provenance(counters, end, complete, by, message),
            self._scopes(), self._resample if complete else None,
        )  # fmt: skip

    def _trace(self, column: Column, times: Floats, flags: Floats, table: Floats) -> Trace:
        unit, size = column.unit, column.unit.out_sizes[column.port]
        values = table[:, column.start : column.start + size.count]
        held = unit.rate[column.port] == HELD
        if held and times.size:
            keep = self._held_rows(unit, times, flags, values)
            times, values = times[keep], values[keep]
        values = np.ascontiguousarray(values).reshape(len(times), *size.shape)
        port = unit.output_ports[column.port]
        return Trace(column.name, times.copy(), values, port.unit, _labels(size), "discrete" if held else "continuous")

    def _held_rows(self, unit: Unit, times: Floats, flags: Floats, values: Floats) -> Any:
        """The rows of a signal that changes at events only: its ticks, or its changes; the first and the last."""
        if self.settings.times is not None:
            return np.ones(times.size, bool)
        after = (flags == layout.RIGHT) | (flags == layout.INITIAL)
        if unit.clock >= 0:
            keep = after & np.isin(times, self._ticks(unit.clock, times[-1]))
        else:
            changed = np.ones(times.size, bool)
            changed[1:] = np.any(values[1:] != values[:-1], axis=1)
            keep = changed
        keep[0] = keep[-1] = True
        if times.size > 1 and times[-1] == times[-2] and keep[-2] and flags[-2] != layout.LEFT:
            keep[-2] = False
        return keep

    def _ticks(self, clock: int, end: float) -> Floats:
        table = self.program.timers
        row = next(i for i in range(len(table.table)) if table.table[i, layout.HIT] == clock)
        found: list[float] = []
        count = 0
        while (time := instant(table.table, table.integers, table.floats, row, count)) <= end:
            found.append(float(time))
            count += 1
        return np.array(found)

    def _states(self, times: Floats, table: Floats) -> dict[str, Trace]:
        found = {}
        if not self.settings.log_states:
            return found
        for unit in self.program.plan.units:
            for state in unit.block.states:
                base, start = unit.states_at[state.name]
                if base == "x":
                    shape = unit.state_shapes[state.name]
                    values = np.ascontiguousarray(table[:, start : start + prod(shape)]).reshape(len(times), *shape)
                    path = f"{unit.path}.{state.name}"
                    found[path] = Trace(path, times, values, state.unit)
        return found

    def _events(self) -> tuple[EventRecord, ...]:
        plan = self.program.plan
        found = []
        for time, kind, number in np.concatenate(self.events) if self.events else ():
            if int(kind) == TIMER:
                found.append(EventRecord(float(time), plan.units[plan.timer_owner[int(number)]].path, "time"))
            else:
                unit, name = plan.crossing_owner[int(number)]
                found.append(EventRecord(float(time), plan.units[unit].path, "zero crossing", name))
        return tuple(found)

    def _scopes(self) -> tuple[ScopeFigure, ...]:
        names = {(c.unit.index, c.port): c.name for c in self.columns.signals}
        found = []
        for unit in self.program.plan.units:
            if unit.block.kind() == "Scope":
                shown = [s for s in unit.inputs.values() if s is not None]
                found.append(
                    ScopeFigure(
                        unit.path, str(getattr(unit.block, "title", "") or unit.path),
                        tuple(names[s.unit, s.port] for s in shown),
                        tuple(getattr(unit.block, "labels", ()) or ()), _scope_unit(unit, shown, self.program),
                    )
                )  # fmt: skip
        return tuple(found)

    def _provenance(
        self, counters: list[int], end: float, complete: bool, by: str | None, message: str
    ) -> Provenance:
        request = {k: v for k, v in asdict(self.request).items() if k not in ("log", "progress", "times")}
        statistics = {
            "steps": counters[layout.STEPS], "rejected": counters[layout.REJECTED],
            "evaluations": counters[layout.EVALUATIONS], "state events": counters[layout.STATE_EVENTS],
            "time events": counters[layout.TIME_EVENTS], "end": end, "wall time": self.wall,
        }  # fmt: skip
        python = {f"python {path}": reason for path, reason in self.program.callbacks.reasons.items()}
        return Provenance(
            self.program.flat.name, None, dict(self.program.flat.parameters),
            request | {"max_step": self.settings.max_step}, versions(), self.request.seed, statistics | python,
            complete, by, message,
        )  # fmt: skip

    def _resample(self, times: Any) -> dict[str, Any]:
        """The same run once more, with rows at the given times."""
        from .simulate import simulate

        wanted = np.unique(np.asarray(times, np.float64))
        given = {k: v for k, v in self.request.__dict__.items() if k not in ("times", "every", "log", "refine")}
        again = simulate(self.program, **{**given, "times": wanted, "progress": False})
        at = np.searchsorted(wanted, np.asarray(times, np.float64))
        return {path: trace.values[at] for path, trace in (*again.signals.items(), *again.states.items())}


def _split(chunks: list[Floats], states: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Times, flags, states and signals of all rows; a chunk is let go as soon as it is copied."""
    count = sum(len(chunk) for chunk in chunks)
    width = chunks[0].shape[1] if chunks else 2 + states
    times, flags = np.empty(count), np.empty(count)
    x, y = np.empty((count, states)), np.empty((count, width - 2 - states))
    start = 0
    remaining = list(reversed(chunks))
    chunks.clear()
    while remaining:
        chunk = remaining.pop()
        rows = slice(start, start + len(chunk))
        times[rows], flags[rows] = chunk[:, 0], chunk[:, 1]
        x[rows], y[rows] = chunk[:, 2 : 2 + states], chunk[:, 2 + states :]
        start += len(chunk)
    return times, flags, x, y


def _labels(size: Size, prefix: str = "") -> tuple[str, ...]:
    """The names of a bus's elements."""
    found: list[str] = []
    for name, part in size.fields:
        path = f"{prefix}{name}"
        if part.fields:
            found += _labels(part, path + ".")
        elif part.count == 1:
            found.append(path)
        else:
            found += [f"{path}[{','.join(map(str, i))}]" for i in np.ndindex(*part.shape)]
    return tuple(found)


def _scope_unit(unit: Unit, shown: list[Source], program: Program) -> str:
    units = [u for u in getattr(unit.block, "units", ()) if u]
    if not units:
        units = [program.plan.units[s.unit].output_ports[s.port].unit for s in shown]
    return units[0] if units and len(set(units)) == 1 else ""


def _description(program: Program) -> str | None:
    """The diagram as YAML, when it can be written."""
    from ..solvers.errors import BlockdynError
    from .yaml import dumps

    try:
        return dumps(program.source)
    except BlockdynError:
        return None


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """The versions of blockdyn and of what it computes with."""
    found = {}
    for name in ("blockdyn", "numpy", "scipy", "numba", "llvmlite"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
