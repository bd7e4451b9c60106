"""A run is made as arrays, advanced, and read out chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import accumulate
from math import prod
from threading import Lock
from typing import Any

import numpy as np

from ...native.engine import Entries
from ...native.tangent.code import LANES
from .. import layout
from ..differentiated import DifferentiatedProgram, Shadows
from ..events.dip import NODES, ROWS
from ..events.stop import log_doubtful_error
from ..events.timer import TimerTable, first_count, instants
from ..fields import WORD, Floats, Integers
from ..layout import Memory, Work
from ..methods import WRITTEN_OUT
from ..methods.method import Method, Want
from ..steps.stability import EVERY, stable_length
from ..steps.switching import gives_way, stand_by
from .record import EVENT_COLUMNS

ROW_BYTES = 1 << 22  # of a log buffer, unless said otherwise
MANY = 100  # states from which a Jacobian is sparse, where a method takes both kinds


@dataclass(frozen=True)
class Problem:
    """The initial value problem: sizes, timers and zero crossings of a program."""

    states: int
    crossings: int
    directions: Integers
    passages: Integers
    turns: Integers
    first: Integers  # of each zero crossing: the mode of its block, or of its element
    timers: TimerTable
    stop_modes: Integers
    columns: Integers  # signals that a row holds
    previous: Integers  # of signals that are kept as they were before an instant: the places in w and z
    delays: Integers = field(default_factory=lambda: np.zeros((0, 7), np.int64))  # see layout
    joint: int = -1  # the mode that has loops and modes solved together; -1: there is none
    heard: int = layout.NOTHING  # signals in such a row at ticks that only read
    differentiated: Callable[[], DifferentiatedProgram] | None = None  # for methods that want the Jacobian


@dataclass(frozen=True)
class Settings:
    """Settings of the integration; times in s."""

    start: float
    stop: float
    method: Method
    rtol: Floats  # one per state, as atol
    tightest: float  # the smallest rtol, also of a run without states
    atol: Floats
    max_step: float
    first_step: float = 0.0
    step: float = 0.0  # of fixed-step methods
    times: Floats | None = None
    refine: int = 1
    log_states: bool = True
    max_steps: int | None = None  # None: `usual_steps`


GAP = 1e-10  # of the run, and some spacings of t: events closer together than that are crowded
GAP_SPACINGS = 16  # of t: rounding puts a crossing that far from where it is, about
LEAST_ROWS, MOST_ROWS = 64, 200_000  # of a log buffer: room for the rows of one step, and no more than pays
EVENT_ROWS = 1024  # of an event buffer, besides several for each crossing and timer, which may meet
EVENTS_EACH = 8
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


NO_TIMES = np.zeros(0)
_LOCK = Lock()  # threads share a program, whose tangents are compiled once


class Run:
    """The memory of one run, and what it holds at its start: made once, used again after `reset`.

    `memory` is the program's part, `work` the solver's. All numbers that differ between runs of one program,
    or change during one, lie in one block, `words`, which is `floats` as well, so that starting anew is one
    copy, of `begin`.
    """

    def __init__(
        self, problem: Problem, settings: Settings, memory: Memory, *, row_bytes: int = ROW_BYTES
    ) -> None:
        tableau = settings.method.data.arrays()
        table = problem.timers
        self.differentiated: DifferentiatedProgram | None = None
        self.problem, self.method = problem, settings.method
        if self.method.wants and problem.differentiated is not None:
            self.differentiated = problem.differentiated()
        size = extents(problem.states, problem.crossings, self.method, self.differentiated, self.method.wants)
        changing = dict(memory.arrays()) | {
            "atol": settings.atol, "rtol": settings.rtol, "timers": table.table,
            "timer_integers": table.integers, "timer_floats": table.floats,
        }  # fmt: skip
        shapes = {name: array.shape for name, array in changing.items()} | Work.shapes(size)
        starts = [*accumulate((8 * -(-prod(shape) // 8) for shape in shapes.values()), initial=HEAD)]
        block = _allocate_aligned(starts.pop())
        views = {
            name: block[start : start + prod(shape)].view(_field(name).kind).reshape(shape)
            for (name, shape), start in zip(shapes.items(), starts, strict=True)
        }
        columns = 2 + (problem.states if settings.log_states else 0) + problem.columns.size
        rows = int(np.clip(row_bytes // (WORD * columns), LEAST_ROWS, MOST_ROWS))
        event_rows = EVENT_ROWS + EVENTS_EACH * (problem.crossings + len(table.table))
        arrays: dict[str, Any] = {
            "direction": problem.directions, "passage": problem.passages, "stop_modes": problem.stop_modes,
            "turns": problem.turns, "first": problem.first, "previous": problem.previous,
            "grid": NO_TIMES, "columns": problem.columns,
            "log": np.empty((rows, columns)), "events": np.empty((event_rows, EVENT_COLUMNS)),
            "nodes": NODES, "delays": problem.delays, "passed": np.zeros(len(problem.delays)),
            "modes_before": np.zeros(memory.modes.size if problem.joint >= 0 else 0, np.int64),
            "watch": np.zeros((2, memory.modes.size + memory.z.size)),
            "cuts": np.zeros((0, 2), np.int64), "signals_d": np.zeros((0, LANES)),
            **UNKNOWN,
            **{name: getattr(tableau, name) for name in ("A", "E", "E3", "M", "N", "NM")},
        }  # fmt: skip
        self.memory = Memory(views, block[: Memory.words])
        self.shadows: Shadows | None = None
        self.work = Work(views | arrays, block[HEAD - Work.words : HEAD])
        self.words: Integers = block[HEAD - Work.words + Work.numbers :]
        self.floats: Floats = self.words.view(np.float64)
        self.judge: Any = None  # the interpreter of a run that is not compiled
        self.taking_over: Taking = nullcontext  # holds while what another method needs is compiled
        self.begin: Integers = self.words.copy()
        self._tangents()
        self.start(settings, memory.copy_to)

    def start(self, settings: Settings, fill: Callable[[Memory], object]) -> None:
        """Begin with other numbers: settings with the same method and columns, memory that `fill` writes."""
        self.words.fill(0)
        fill(self.memory)
        s, table = self.work, self.problem.timers
        s.atol[:], s.rtol[:] = settings.atol, settings.rtol
        s.timers[:], s.timer_integers[:] = table.table, table.integers
        s.timer_floats[:] = table.until(settings.stop)
        s.put("grid", settings.times if settings.times is not None else NO_TIMES)
        _start(self, self.problem, settings)
        self.tell()
        self.begin[:] = self.words

    def differentiate(self) -> None:
        """Room for the Jacobian, and its functions, for the method that takes over."""
        assert self.method.stiff is not None
        if self.problem.differentiated is not None:
            with _LOCK:
                self.differentiated = self.problem.differentiated()
        states, crossings, stiff = self.problem.states, self.problem.crossings, self.method.stiff
        size = extents(states, crossings, stiff, self.differentiated, stiff.wants)
        shapes = Work.shapes(size)
        for name, extent in shapes.items():
            field: Any = Work.fields[name]
            if OF_JACOBIAN.intersection(field.shape):
                self.work.put(name, np.zeros(extent, field.kind))
        self._tangents()

    def _tangents(self) -> None:
        """Room for the tangents that there are; the method knows of them in this run and after `reset`."""
        facts = {"timed": int(self.differentiated is None or self.differentiated.timed)}
        if self.differentiated is not None and self.differentiated.exact:
            self.shadows = Shadows(self.memory)
            self.work.put("cuts", self.differentiated.cuts)
            self.work.put("signals_d", self.shadows.of("w"))
            facts |= {"exact": 1, "shadows": self.shadows.address}
        self._of_tangents = facts
        self.tell()
        self.begin_as(self)

    def tell(self) -> None:
        """Let the method know of the tangents that there are."""
        for name, value in self._of_tangents.items():
            setattr(self.work, name, value)

    def begin_as(self, other: Run) -> None:
        """Begin as another run of the same program does, but with the tangents at hand here."""
        self.begin[:] = other.begin
        for name, value in self._of_tangents.items():
            self.begin[self.place(name)] = value

    def reset(self) -> None:
        """Everything as at the start of a run."""
        self.words[:] = self.begin

    def place(self, name: str) -> int:
        """The first index of a field in `words`."""
        part = self.memory if name in Memory.fields else self.work
        return (part.place(name) - self.words.ctypes.data) // WORD

    def places(self, *names: str) -> Integers:
        """The indices in `words` of some fields of `work`."""
        sizes = (np.size(getattr(self.work, name)) for name in names)
        return np.concatenate(
            [self.place(name) + np.arange(size) for name, size in zip(names, sizes, strict=True)]
        )

    @property
    def time(self) -> float:
        return float(self.work.t)

    def code(self, otherwise: Entries) -> Entries:
        """Addresses of the functions that the method calls, with the tangent if it uses one."""
        return self.differentiated.code if self.differentiated is not None else otherwise

    def empty_log(self) -> tuple[Floats, Floats]:
        """Rows and events since the last time, copied; the buffers are free again."""
        s = self.work
        rows, events = s.log[: s.rows].copy(), s.events[: s.event_rows].copy()
        s.rows = s.event_rows = 0
        return rows, events


Taking = Callable[[], AbstractContextManager[None]]
HEAD = 8 * -(-(Memory.words + Work.words) // 8)  # words before the arrays, which begin at cache lines


def _field(name: str) -> Any:
    return Memory.fields.get(name) or Work.fields[name]


def _allocate_aligned(size: int) -> Integers:
    """So many words, all 0, from the beginning of a cache line on."""
    block = np.zeros(size + 8, np.int64)
    skip = (-block.ctypes.data // WORD) % 8
    return block[skip : skip + size]


def _start(run: Run, problem: Problem, settings: Settings) -> None:
    """Set the solver's numbers and the timers' counts for the start of a run."""
    tableau, s = settings.method.data.arrays(), run.work
    s.t = s.t_start = settings.start
    s.t_end, s.tightest = settings.stop, settings.tightest
    s.h_max, s.h_first, s.h_fixed = settings.max_step, settings.first_step, settings.step
    span = settings.stop - settings.start
    s.zeno_gap = GAP * span + GAP_SPACINGS * np.spacing(max(abs(settings.start), abs(settings.stop)))
    s.t_bad, s.touched = np.inf, -1
    s.fired_at[:] = settings.start
    s.joint = problem.joint
    s.turning = int(problem.turns.any())
    s.adaptive = int(settings.method.adaptive)
    s.stages, s.extra, s.estimate_order = tableau.stages, tableau.extra, tableau.estimate_order
    s.two_errors = int(tableau.two_errors)
    s.multistep = tableau.back
    s.gridded, s.refine = int(settings.times is not None), settings.refine
    s.refine_next = s.grid_step = 1
    s.heard, s.reading = problem.heard, int(problem.timers.table[:, layout.READS].any())
    most = settings.max_steps
    s.most_steps = usual_steps(settings, problem.timers) if most is None else most
    s.stable = stable_length(settings.method.data)
    s.log_doubtful = log_doubtful_error(settings.method.data)
    s.written_out = int(settings.method.data is WRITTEN_OUT)
    s.C[: tableau.C.size] = tableau.C
    s.next_look = EVERY - 1
    s.sparse = int(is_sparse(settings.method.wants, problem.states))
    if gives_way(settings.method, problem.states):
        stand_by(s, settings.method, problem.states)
    table = problem.timers
    for i in range(table.table.shape[0]):
        run.memory.modes[table.table[i, layout.MODE]] = first_count(table, i, settings.start)


def extents(
    states: int, crossings: int, method: Method, differentiated: DifferentiatedProgram | None,
    wants: tuple[Want, ...],
) -> dict[str, int]:  # fmt: skip
    """The extents that the fields of `Work` name; `wants` are the needs of the method that has a Jacobian."""
    both = [each.data.arrays().extents() for each in (method, method.stiff) if each is not None]
    of_method = {name: max(each[name] for each in both) for name in both[0]}
    square = "jacobian" in wants and not is_sparse(wants, states)
    unknowns = len(differentiated.cuts) if differentiated is not None and square else 0
    n = states
    return of_method | {
        "states": n, "crossings": crossings, "sample_rows": ROWS, "lanes": LANES,
        "square": n if square else 0, "complex": n * of_method["pairs"] if square else 0,
        "states_and_one": n + 1 if wants else 0, "unknowns": unknowns,
        "wide": n + unknowns if unknowns else 0, "directions": n + unknowns + 1 if unknowns else 0,
    }  # fmt: skip


def is_sparse(wants: tuple[Want, ...], states: int) -> bool:
    """True if the Jacobian of this number of states is sparse; some methods take both kinds."""
    return "sparse jacobian" in wants and ("jacobian" not in wants or states >= MANY)


OF_JACOBIAN = {"square", "complex", "states_and_one", "unknowns", "wide", "directions"}
"""Extents of what a method that takes over has room for when it first does."""
_COUNTS = ("columns_at", "rows_of", "colours", "order", "place_of", "lower_at", "lower_rows", "upper_at",
           "upper_rows")  # fmt: skip
_PAIRS = ("lower_pair", "upper_pair", "diagonal_pair", "column_pair")
_REALS = ("entries", "lower", "upper", "diagonal", "column", "number", "probe")
UNKNOWN: dict[str, Any] = {name: np.zeros(0, np.int64) for name in _COUNTS}
UNKNOWN |= {name: np.zeros(0) for name in _REALS}
UNKNOWN |= {name: np.zeros((2, 0)) for name in _PAIRS}
"""What is known of a sparse Jacobian before its structure is asked for."""
