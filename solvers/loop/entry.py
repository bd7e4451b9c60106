"""These functions begin and advance a run, compiled or interpreted, by one method or by two."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...native.callable import Native
from ...native.engine import Entries
from ...native.tangent.code import LANES
from .. import layout
from ..addressed import callables
from ..fields import Floats
from ..linear_algebra.structure import SLIGHT, Along, dependencies, directions, structure
from ..methods.method import Family, Method
from ..steps.coloured import NUDGE
from ..variation.fields import DERIVATIVE
from .compiled import ADVANCE, BEGIN, LOOK, Loops, native_loop
from .run import Run

Calls = tuple[Callable[[], int], Callable[[], int]]
_TANGENT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_void_p] * 7)


def compiled_calls(code: Entries, run: Run) -> Calls:
    """`begin` and `advance` of a run, compiled; the interpreter lock is free while they work."""

    def packed(what: int, method: Method) -> Callable[[], int]:
        return _packed(what, native_loop(method.steps), run.code(code), run)

    advance = switching(run, lambda method: packed(ADVANCE, method))
    return packed(BEGIN, run.method), structuring(run, lambda: callables(code)[0], advance)


def followed_calls(code: Entries, run: Run, tangents: Sequence[int]) -> tuple[Callable[[], int], ...]:
    """`begin`, `advance` and `look` of a run with derivatives; `tangents` are the words of the table from
    `variation.fields.DERIVATIVE` on.
    """

    def packed(what: int, method: Method) -> Callable[[], int]:
        functions = run.code(code)
        table = np.zeros(DERIVATIVE + len(tangents), np.int64)
        table[: len(functions)], table[DERIVATIVE:] = functions, tangents
        entries = table.view(Entries)
        entries.code = functions.code
        return _packed(what, native_loop(method.steps, varied=True), entries, run)

    advance = switching(run, lambda method: packed(ADVANCE, method))
    begin, look = (packed(what, run.method) for what in (BEGIN, LOOK))
    return begin, structuring(run, lambda: callables(code)[0], advance), look


def _packed(what: int, loop: Native, code: Entries, run: Run) -> Callable[[], int]:
    block = loop.pack(what, code, run.memory, run.work)
    block[2].append(run)  # with the objects at its addresses
    return lambda: loop.run(block)


def plain_calls(build: Callable[[Family], tuple[Any, Any]], run: Run) -> Calls:
    """`begin` and `advance` of a run, interpreted; `build` makes both over the steps of a method."""

    def quietly(function: Any) -> int:
        with np.errstate(all="ignore"):
            return int(function(None, run.memory, run.work))

    begin, advance = build(run.method.steps)
    later = {run.method: advance}

    def advancing(method: Method) -> Callable[[], int]:
        function = later.get(method) or build(method.steps)[1]
        return lambda: quietly(function)

    return (lambda: quietly(begin)), structuring(run, lambda: run.judge.derivative, switching(run, advancing))


def structuring(run: Run, derivative: Callable[[], Any], advance: Callable[[], int]) -> Callable[[], int]:
    """`advance` that finds the structure of the Jacobian for a method that asks for it."""
    if "sparse jacobian" not in run.method.wants:
        return advance

    def structured() -> int:
        while (status := advance()) == layout.UNSTRUCTURED:
            give_structure(run, derivative())
        return status

    return structured


def switching(run: Run, advancing: Callable[[Method], Callable[[], int]]) -> Callable[[], int]:
    """`advance` by the method that steps now; that of a method that takes over is there when it first does.

    `advancing` makes the function for one method.
    """
    advance, stiff = advancing(run.method), run.method.stiff
    if stiff is None:
        return advance
    made: list[Callable[[], int]] = []

    def either() -> int:
        while True:
            if run.work.implicit and not made:
                with run.taking_over():
                    run.differentiate()
                    made.append(advancing(stiff))
            if run.work.implicit:
                run.tell()  # a run that has gone back does not keep its later course
            status = made[0]() if run.work.implicit else advance()
            if status != layout.SWITCHED:
                return status

    return either


class CompiledLoops:
    """The loops of one run, called by other machine code through `compiled.make_calls`.

    It holds the loops that it names by address: two threads that make one at the same time make two, and
    `native_loop` keeps the later one.
    """

    def __init__(self, code: Entries, run: Run) -> None:
        self._code, self._run = code, run
        self._loop = native_loop(run.method.steps)
        self._begin, self._advance = (self._packed(what, self._loop) for what in (BEGIN, ADVANCE))
        self._stiff: tuple[Native, Any] | None = None

    def _packed(self, what: int, loop: Native) -> Any:
        return loop.pack(what, self._run.code(self._code), self._run.memory, self._run.work)

    def link(self, loops: Loops) -> None:
        """Write the addresses into a structure; a method that takes over adds its own when it is prepared."""
        self._loops = loops
        loops.loop, loops.begin, loops.advance = self._loop.address, self._begin[0], self._advance[0]
        self._link_stiff()

    def _link_stiff(self) -> None:
        if self._stiff is not None:
            loop, block = self._stiff
            self._loops.stiff_loop, self._loops.stiff_advance = loop.address, block[0]

    def prepare(self) -> None:
        """Compile the method that takes over, or find the structure of the Jacobian: see UNPREPARED."""
        run, stiff = self._run, self._run.method.stiff
        if stiff is None or not run.work.implicit or self._stiff is not None:
            give_structure(run, callables(self._code)[0])
            return
        with run.taking_over():
            run.differentiate()
        loop = native_loop(stiff.steps)
        self._stiff = loop, self._packed(ADVANCE, loop)
        self._link_stiff()


def give_structure(run: Run, derivative: Callable[..., int]) -> None:
    """Find the structure at the present state, and add it to the structure found before.

    `derivative(code, t, x, dx, memory)` is the program's.
    """
    s, n = run.work, run.problem.states
    exact = run.shadows is not None and not len(s.cuts)
    rows, columns = dependencies(by_tangents(run) if exact else by_differences(run, derivative), n)
    before = s.rows_of.size if s.structures else 0
    if before:
        rows = np.concatenate([rows, s.rows_of])
        columns = np.concatenate([columns, np.repeat(np.arange(n), np.diff(s.columns_at))])
        columns, rows = np.divmod(np.unique(columns * n + rows), n)
    found = structure(rows, columns, n)
    for name, array in found._asdict().items():
        s.put(name, array)
    for name, size in (("entries", rows.size), ("lower", found.lower_rows.size)):
        s.put(name, np.zeros(size))
    s.put("upper", np.zeros(found.upper_rows.size))
    s.put("number", directions(n))
    for name in ("diagonal", "column", "probe"):
        s.put(name, np.zeros(n))
    for name, size in (("lower_pair", found.lower_rows.size), ("upper_pair", found.upper_rows.size)):
        s.put(name, np.zeros((2, size)))
    for name in ("diagonal_pair", "column_pair"):
        s.put(name, np.zeros((2, n)))
    s.structured = 2 if rows.size == before else 1
    s.structures += 1
    s.c_factored = 0.0


def by_tangents(run: Run) -> Along:
    """Exact derivatives of the slopes along directions, from the program's tangent."""
    assert run.differentiated is not None
    assert run.shadows is not None
    s, m, n, shadows = run.work, run.memory, run.problem.states, run.shadows
    tangent = _TANGENT(int(run.differentiated.code[-1]))

    def along(ways: Floats) -> Floats:
        changes = np.empty(ways.shape)
        for first in range(0, ways.shape[1], LANES):
            part = ways[:, first : first + LANES]
            s.states_d[:n] = 0.0
            s.states_d[:n, : part.shape[1]] = part
            tangent(
                s.t, s.time_d.ctypes.data, m.x.ctypes.data, s.states_d.ctypes.data, s.scratch.ctypes.data,
                s.slopes_d.ctypes.data, m.address, shadows.address,
            )  # fmt: skip
            changes[:, first : first + LANES] = s.slopes_d[:n, : part.shape[1]]
        s.states_d[:n] = 0.0
        return changes

    return along


def by_differences(run: Run, derivative: Callable[..., int]) -> Along:
    """The change of slopes along directions, 0 if within rounding."""
    s, m = run.work, run.memory
    size = NUDGE * np.maximum(np.maximum(np.abs(m.x), np.abs(s.h * s.K[0])), s.atol)

    def along(ways: Floats) -> Floats:
        changes = np.empty(ways.shape)
        for k, way in enumerate(ways.T):
            derivative(None, s.t, m.x + size * way, s.scratch, m)
            change = s.scratch - s.K[0]
            changes[:, k] = np.where(np.abs(change) <= SLIGHT * np.abs(s.K[0]), 0.0, change)
        return changes

    return along
