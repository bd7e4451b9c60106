"""One run as arrays: made, advanced, and read out chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ...native.engine import Entries
from .. import layout
from ..events.dip import NODES, ROWS
from ..events.timer import TimerTable, first_count, instants
from ..layout import TABLE, Floats, Integers, Memory, Work
from ..methods import WRITTEN_OUT
from ..methods.method import Method
from ..steps import parts
from ..steps.stability import stable_length
from .compiled import ADVANCE, BEGIN, native_loop
from .record import EVENT_COLUMNS

ROW_BYTES = 1 << 22  # of a log buffer, unless said otherwise


@dataclass(frozen=True)
class Problem:
    """What is to be integrated: sizes, timers and zero crossings of a program."""

    states: int
    crossings: int
    directions: Integers
    passages: Integers
    timers: TimerTable
    stop_modes: Integers
    columns: Integers  # signals that a row holds


@dataclass(frozen=True)
class Settings:
    """How it is to be integrated; times in s."""

    start: float
    stop: float
    method: Method
    rtol: float
    atol: Floats
    max_step: float
    first_step: float = 0.0
    step: float = 0.0  # of fixed-step methods
    times: Floats | None = None
    refine: int = 1
    log_states: bool = True
    max_steps: int | None = None  # None: `usual_steps`


MOST_STEPS = 10_000_000  # of a run that nothing makes long
STEPS_EACH = 10  # more for every instant and for every step that the caller's longest step asks for


def usual_steps(settings: Settings, timers: TimerTable) -> int:
    """The steps after which a run is given up unless its caller says otherwise.

    Ten million, and ten for every tick and time event, and for every step that the longest step (the step of
    fixed-step methods) makes the run have: what is asked for does not fail. The same on every machine.
    """
    span = settings.stop - settings.start
    longest = settings.max_step if settings.method.adaptive else settings.step
    asked = (span / longest if span > 0.0 else 0.0) + instants(timers, span)
    return int(min(MOST_STEPS + STEPS_EACH * asked, 2.0**62))


def shapes(problem: Problem, settings: Settings) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays that a run changes."""
    tableau = settings.method.data.arrays()
    n, q = problem.states, problem.crossings
    stages, total = tableau.stages, tableau.stages + tableau.extra
    return {
        "F": (layout.FLOATS,), "x_new": (n,), "x_trial": (n,), "scratch": (n,),
        "K": (total + parts.rows(tableau), n), "G": (stages, q),
        "back": (max(1, tableau.back), n), "shift": (q,), "samples": (ROWS, q),
        "I": (layout.INTEGERS,), "side": (q,),
    }  # fmt: skip


INTEGER_NAMES = {name for name, letters in layout.TYPES.items() if letters[0] == "i"}


class Run:
    """The arrays of one run, and what they hold at its start: made once, used again after `reset`.

    `memory` is the program's part, `work` the solver's. Everything that differs between runs of one program,
    or changes during one, lies in two blocks, `floats` and `integers`, so that starting anew is two copies,
    of `begin`.
    """

    def __init__(
        self, problem: Problem, settings: Settings, memory: Memory, *, row_bytes: int = ROW_BYTES
    ) -> None:
        tableau = settings.method.data.arrays()
        table = problem.timers
        given = {
            **memory._asdict(), "atol": settings.atol, "timers": table.table,
            "timer_integers": table.integers, "timer_floats": table.until(settings.stop),
        }  # fmt: skip
        wanted = {name: array.shape for name, array in given.items()} | shapes(problem, settings)
        self.floats, floats = _block(wanted, np.dtype(np.float64))
        self.integers, integers = _block(wanted, np.dtype(np.int64))
        views = floats | integers
        for name, array in given.items():
            views[name][...] = array
        columns = 2 + (problem.states if settings.log_states else 0) + problem.columns.size
        rows = int(np.clip(row_bytes // (8 * columns), 64, 200_000))
        event_rows = 1024 + 8 * (problem.crossings + len(table.table))
        views["table"][:] = [views[name].ctypes.data for name in TABLE]
        self.memory = Memory(**{name: views[name] for name in Memory._fields})
        fixed: dict[str, Any] = {
            "direction": problem.directions, "passage": problem.passages, "stop_modes": problem.stop_modes,
            "grid": settings.times if settings.times is not None else np.zeros(0), "columns": problem.columns,
            "log": np.empty((rows, columns)), "events": np.empty((event_rows, EVENT_COLUMNS)),
            "nodes": NODES,
            "watch": np.empty((2, memory.modes.size + memory.z.size)),
            **{name: getattr(tableau, name) for name in ("A", "C", "E", "E3", "M", "N", "NM")},
        }  # fmt: skip
        arrays: dict[str, Any] = {name: views.get(name, fixed.get(name)) for name in Work._fields}
        self.work = Work(**arrays)
        self.method = settings.method
        self.judge: Any = None  # the interpreter of a run that is not compiled
        _start(self, problem, settings)
        self.begin = (self.floats.copy(), self.integers.copy())

    def reset(self) -> None:
        """Everything as at the start of a run."""
        self.floats[:], self.integers[:] = self.begin

    def place(self, view: Floats | Integers) -> int:
        """Where a changing array begins, in elements of `floats` or `integers`."""
        block = self.integers if view.dtype == np.int64 else self.floats
        return int(view.ctypes.data - block.ctypes.data) // 8

    @property
    def time(self) -> float:
        return float(self.work.F[layout.T])

    def count(self, index: int) -> int:
        """One of the counters of solvers.layout."""
        return int(self.work.I[index])

    def empty_log(self) -> tuple[Floats, Floats]:
        """Rows and events since the last time, copied; the buffers are free again."""
        counters = self.work.I
        rows = self.work.log[: counters[layout.ROWS]].copy()
        events = self.work.events[: counters[layout.EVENT_ROWS]].copy()
        counters[layout.ROWS] = counters[layout.EVENT_ROWS] = 0
        return rows, events


def _block(wanted: dict[str, tuple[int, ...]], kind: np.dtype[Any]) -> tuple[Any, dict[str, Any]]:
    """One array for all of a type, and the views of it by name; each starts at a cache line."""
    names = [name for name in wanted if (name in INTEGER_NAMES) == (kind == np.int64)]
    starts = [0]
    for name in names:
        starts.append(starts[-1] + 8 * ((prod(wanted[name]) + 7) // 8))
    block = np.zeros(starts[-1] + 8, kind)
    skip = (-block.ctypes.data // 8) % 8
    block = block[skip : skip + starts[-1]]
    views = {
        name: block[start : start + prod(wanted[name])].reshape(wanted[name])
        for name, start in zip(names, starts, strict=False)
    }
    return block, views


def _start(run: Run, problem: Problem, settings: Settings) -> None:
    """What F, I and the timers' counts hold when a run begins."""
    tableau = settings.method.data.arrays()
    F, I = run.work.F, run.work.I  # noqa: E741
    F[layout.T] = F[layout.T_START] = settings.start
    F[layout.T_END], F[layout.RTOL] = settings.stop, settings.rtol
    F[layout.H_MAX], F[layout.H_FIRST] = settings.max_step, settings.first_step
    F[layout.H_FIXED] = settings.step
    span = settings.stop - settings.start
    F[layout.ZENO_GAP] = 1e-10 * span + 16 * np.spacing(max(abs(settings.start), abs(settings.stop)))
    F[layout.T_BAD] = np.inf
    I[layout.ADAPTIVE] = int(settings.method.adaptive)
    I[layout.STAGES], I[layout.EXTRA] = tableau.stages, tableau.extra
    I[layout.ESTIMATE_ORDER] = tableau.estimate_order
    I[layout.TWO_ERRORS] = int(tableau.two_errors)
    I[layout.MULTISTEP] = tableau.back
    I[layout.GRID], I[layout.REFINE] = int(settings.times is not None), settings.refine
    I[layout.REFINE_NEXT], I[layout.GRID_STEP] = 1, 1
    most = settings.max_steps
    I[layout.MOST_STEPS] = usual_steps(settings, problem.timers) if most is None else most
    F[layout.STABLE] = stable_length(settings.method.data)
    I[layout.WRITTEN_OUT] = int(settings.method.data is WRITTEN_OUT)
    table = problem.timers
    for i in range(table.table.shape[0]):
        run.memory.modes[table.table[i, layout.MODE]] = first_count(table, i, settings.start)


Calls = tuple[Callable[[], int], Callable[[], int]]


def compiled_calls(code: Entries, run: Run) -> Calls:
    """`begin` and `advance` of a run, compiled; the interpreter lock is free while they work."""
    loop = native_loop(run.method.steps)
    arrays = (*run.memory, *run.work)
    first, later = loop.pack(BEGIN, code, *arrays), loop.pack(ADVANCE, code, *arrays)
    return lambda: loop.run(first), lambda: loop.run(later)


def plain_calls(begin: Any, advance: Any, run: Run) -> Calls:
    """`begin` and `advance` of a run, interpreted."""

    def quietly(function: Any) -> int:
        with np.errstate(all="ignore"):
            return int(function(None, run.memory, run.work))

    return (lambda: quietly(begin)), (lambda: quietly(advance))
