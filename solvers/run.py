"""One run as arrays: made, advanced, and read out chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import layout
from .compiled import ADVANCE, BEGIN, native_loop
from .layout import Floats, Integers, Memory, Work
from .tableau import Tableau
from .timer import TimerTable, first_count

ROW_BYTES = 1 << 22  # of a log buffer


@dataclass(frozen=True)
class Problem:
    """What is to be integrated: sizes, timers and zero crossings of a program."""

    states: int
    crossings: int
    directions: Integers
    timers: TimerTable
    stop_modes: Integers
    columns: Integers  # signals that a row holds


@dataclass(frozen=True)
class Settings:
    """How it is to be integrated; times in s."""

    start: float
    stop: float
    tableau: Tableau
    rtol: float
    atol: Floats
    max_step: float
    first_step: float = 0.0
    step: float = 0.0  # of fixed-step methods
    times: Floats | None = None
    refine: int = 1
    log_states: bool = True


@dataclass
class Run:
    """The arrays of one run. `memory` is the program's, `work` the solver's."""

    memory: Memory
    work: Work
    judge: Any = None  # the interpreter of a run that is not compiled

    @property
    def time(self) -> float:
        return float(self.work.F[layout.T])

    def count(self, index: int) -> int:
        """One of the counters of solvers.layout."""
        return int(self.work.I[index])

    def empty_log(self) -> tuple[Floats, Floats]:
        """Rows and events since the last time, copied; the buffers are free again."""
        rows = self.work.log[: self.count(layout.ROWS)].copy()
        events = self.work.events[: self.count(layout.EVENT_ROWS)].copy()
        self.work.I[layout.ROWS] = self.work.I[layout.EVENT_ROWS] = 0
        return rows, events


def make_run(problem: Problem, settings: Settings, memory: Memory) -> Run:
    """Arrays for a run from the settings; `memory.modes` gets the timers' counts at the start."""
    tableau = settings.tableau.arrays()
    n, q = problem.states, problem.crossings
    stages, total = tableau.stages, tableau.stages + tableau.extra
    columns = 2 + (n if settings.log_states else 0) + problem.columns.size
    rows = int(np.clip(ROW_BYTES // (8 * columns), 64, 200_000))
    F = np.zeros(layout.FLOATS)
    I = np.zeros(layout.INTEGERS, np.int64)  # noqa: E741
    F[layout.T] = F[layout.T_START] = settings.start
    F[layout.T_END], F[layout.RTOL] = settings.stop, settings.rtol
    F[layout.H_MAX], F[layout.H_FIRST], F[layout.H_FIXED] = settings.max_step, settings.first_step, settings.step
    span = settings.stop - settings.start
    F[layout.ZENO_GAP] = 1e-12 * span + 16 * np.spacing(max(abs(settings.start), abs(settings.stop)))
    F[layout.T_BAD] = np.inf
    I[layout.ADAPTIVE] = int(settings.tableau.adaptive)
    I[layout.STAGES], I[layout.EXTRA] = stages, tableau.extra
    I[layout.ESTIMATE_ORDER] = tableau.estimate_order
    I[layout.TWO_ERRORS] = int(bool(settings.tableau.e3))
    I[layout.MULTISTEP] = max(0, len(settings.tableau.multistep) - 1)
    I[layout.GRID], I[layout.REFINE] = int(settings.times is not None), settings.refine
    I[layout.REFINE_NEXT], I[layout.GRID_STEP] = 1, 1
    table = problem.timers
    for i in range(table.table.shape[0]):
        memory.modes[table.table[i, layout.MODE]] = first_count(table, i, settings.start)
    work = Work(
        F, I, np.zeros(n), np.zeros(n), np.zeros(n), settings.atol.copy(),
        np.zeros((total, n)), np.zeros((stages, q)), np.zeros((max(1, int(I[layout.MULTISTEP])), n)),
        np.zeros(q, np.int64), np.zeros(q), problem.directions, np.zeros((9, q)),
        problem.stop_modes, table.table, table.integers, table.floats,
        tableau.A, tableau.C, tableau.E, tableau.E3, tableau.M, tableau.N, tableau.NM,
        settings.times if settings.times is not None else np.zeros(0),
        problem.columns, np.empty((rows, columns)), np.empty((1024 + 8 * (q + table.table.shape[0]), 3)),
    )  # fmt: skip
    return Run(memory, work)


Calls = tuple[Callable[[], int], Callable[[], int]]


def compiled_calls(addresses: list[int], run: Run) -> Calls:
    """`begin` and `advance` of a run, compiled; the interpreter lock is free while they work."""
    loop = native_loop()
    code = np.array(addresses, np.int64)
    arrays = (*run.memory, *run.work)
    first, later = loop.pack(BEGIN, code, *arrays), loop.pack(ADVANCE, code, *arrays)
    return lambda: loop.run(first), lambda: loop.run(later)


def plain_calls(begin: Any, advance: Any, run: Run) -> Calls:
    """`begin` and `advance` of a run, interpreted."""
    return (lambda: int(begin(None, run.memory, run.work))), (lambda: int(advance(None, run.memory, run.work)))
