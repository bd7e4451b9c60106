"""Compute the derivatives of a program's values with respect to the values that it reads, at one point."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...native.tangent.frame import NotDifferentiable
from ...solvers.differentiated import Shadows
from ...solvers.fields import WORD
from ...solvers.layout import Floats, Integers, Memory
from ...solvers.loop.run import Run
from ..compiler.program import Program
from ..compiler.tangents import Tangents
from .columns import LANES, columns
from .evaluation import IDLE, Arrays

Element = tuple[str, int]
"""A number that a program reads or writes: ("x", i), ("dx", i), ("z", i), ("w", i), ("p", i), or ("t", 0)."""


class Workspace:
    """The tangents of a memory, of states, slopes and the time."""

    def __init__(self, memory: Memory) -> None:
        n = memory.x.size
        self.shadows = Shadows(memory, LANES)
        self.arrays: dict[str, Floats] = {name: self.shadows.of(name) for name in ("p", "z", "w")}
        self.arrays |= {
            "x": np.zeros((n + 1, LANES)),
            "dx": np.zeros((n + 1, LANES)),
            "t": np.zeros((1, LANES)),
        }
        self.addresses = {name: array.ctypes.data for name, array in self.arrays.items()}
        self._listed: dict[tuple[Element, ...], Integers] = {}

    def places(self, elements: Sequence[Element]) -> Integers:
        """Addresses of the tangents of elements."""
        key = tuple(elements)
        if key not in self._listed:
            size = LANES * WORD
            places = [self.addresses[name] + size * i for name, i in key]
            self._listed[key] = np.array(places, np.int64)
        return self._listed[key]


class Directions:
    """Tangents of a program's functions; each call has arrays of its own: threads may call at once."""

    def __init__(self, program: Program) -> None:
        """Raises NotDifferentiable."""
        self._program = program
        self._evaluate = Tangents(program, "evaluate", lanes=LANES)
        self._idle: deque[Workspace] = deque(maxlen=IDLE)
        self._cuts: list[Element] = [("w", place) for place, _ in self._evaluate.loops]
        self._computed: list[Element] = [("w", place) for _, place in self._evaluate.loops]

    @cached_property
    def _update(self) -> Tangents:
        return Tangents(self._program, "update", lanes=LANES)

    @property
    def loops(self) -> bool:
        """True if there are algebraic loops, whose signals have to be solved for before."""
        return bool(self._cuts)

    @property
    def differences(self) -> tuple[str, ...]:
        """Paths of the blocks whose tangents are differences."""
        return self._evaluate.differences

    def columns(
        self, t: float, arrays: Arrays, by: Sequence[Element], of: Sequence[Element], *, ticking: bool = False
    ) -> Floats:
        """The derivatives `of` elements `by` elements at a point, (len(of), len(by)).

        With `ticking` those clocks that are marked in `hit` tick, and the memory is left as they leave it;
        without, signals and slopes are derived. Algebraic loops are solved for: v = F(v, u) changes by
        dv = (I - F_v)^-1 F_u du. Raises NotDifferentiable.
        """
        return self._closed(self._open([*of, *self._computed], [*by, *self._cuts], t, arrays, ticking))

    def moving(self, run: Run, by: Sequence[Element], of: Sequence[Element]) -> Callable[[float], Floats]:
        """The same between ticks, as a function of the time, for the arrays of a run in progress."""
        m = run.memory
        room, by, of = Workspace(m), [*by, *self._cuts], [*of, *self._computed]
        result = _room_for(of, by)
        work = m.x.ctypes.data, run.work.scratch.ctypes.data, m.address
        call = partial(columns(), *self._arguments(work, room, by, of, result))
        call.room = room  # type: ignore[attr-defined]  # which it has the addresses of

        def at(t: float) -> Floats:
            if call(t) < 0:
                raise NotDifferentiable("a block that failed near the requested point")
            return self._closed(result[:, : len(by)])

        return at

    def _closed(self, result: Floats) -> Floats:
        """The derivatives with the loops solved for."""
        k = len(self._cuts)
        if not k:
            return result
        try:
            change = np.linalg.solve(np.eye(k) - result[-k:, -k:], result[-k:, :-k])
        except np.linalg.LinAlgError:
            raise NotDifferentiable("an algebraic loop whose equations are singular here") from None
        closed: Floats = result[:-k, :-k] + result[:-k, -k:] @ change
        return closed

    def _open(
        self, of: Sequence[Element], by: Sequence[Element], t: float, arrays: Arrays, ticking: bool
    ) -> Floats:
        """The same with the cut signals of loops among the elements."""
        room = self._idle.pop() if self._idle else Workspace(arrays.memory)
        room.arrays["w"][:], room.arrays["z"][:] = 0.0, 0.0
        result = self._ticked(of, by, t, arrays, room) if ticking else self._flowing(of, by, t, arrays, room)
        self._idle.append(room)
        return result

    def _flowing(
        self, of: Sequence[Element], by: Sequence[Element], t: float, arrays: Arrays, room: Workspace
    ) -> Floats:
        """Between ticks an evaluation leaves all that it reads as it is: groups follow each other."""
        result = _room_for(of, by)
        status = columns()(*self._arguments(arrays.addresses[:3], room, by, of, result), t)
        if status < 0:
            raise NotDifferentiable("a block that failed near the requested point")
        return result[:, : len(by)]

    def _arguments(
        self,
        work: tuple[int, ...],
        room: Workspace,
        by: Sequence[Element],
        of: Sequence[Element],
        result: Floats,
    ) -> tuple[int, ...]:
        """Arguments of `columns` but the time; `work` has addresses of states, derivatives and memory."""
        x, slopes, memory = work
        at, seeds, results = room.addresses, room.places(by), room.places(of)
        return (
            self._evaluate.addresses[0], at["t"], x, at["x"], slopes, at["dx"], memory, room.shadows.address,
            seeds.ctypes.data, len(by), results.ctypes.data, len(of), result.ctypes.data,
        )  # fmt: skip

    def _ticked(
        self, of: Sequence[Element], by: Sequence[Element], t: float, arrays: Arrays, room: Workspace
    ) -> Floats:
        """Each group ticks anew, from the same memory."""
        x, slopes, memory, _ = arrays.addresses
        d, at = room.arrays, room.addresses
        places = _by_array(of)
        m, result = arrays.memory, np.empty((len(of), len(by)))
        begin = m.w.copy(), m.z.copy(), m.p.copy()
        for first in range(0, len(by), LANES):
            directions = by[first : first + LANES]
            m.w[:], m.z[:], m.p[:] = begin
            d["w"][:], d["z"][:], d["p"][:] = 0.0, 0.0, 0.0
            for lane, (name, i) in enumerate(directions):
                d[name][i, lane] = 1.0
            for call in (self._evaluate.call, self._update.call):
                status = call(t, at["t"], x, at["x"], slopes, at["dx"], memory, room.shadows.address)
                if status < 0:
                    raise NotDifferentiable("a block that failed near the requested point")
            for name, rows, elements in places:
                result[rows, first : first + len(directions)] = d[name][elements, : len(directions)]
            for lane, (name, i) in enumerate(directions):
                d[name][i, lane] = 0.0
        d["p"][:] = 0.0
        return result


def _room_for(of: Sequence[Element], by: Sequence[Element]) -> Floats:
    """An array for derivatives, in whole groups of directions."""
    return np.empty((len(of), -(-len(by) // LANES) * LANES))


def _by_array(elements: Sequence[Element]) -> list[tuple[str, Any, Any]]:
    """Of each array, which of the elements lie in it, and where there."""
    grouped: dict[str, list[tuple[int, int]]] = {}
    for row, (name, i) in enumerate(elements):
        grouped.setdefault(name, []).append((row, i))
    return [(name, *np.array(pairs, np.int64).T) for name, pairs in grouped.items()]
