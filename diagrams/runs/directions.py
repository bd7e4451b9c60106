"""Compute the derivatives of a program's values with respect to the values that it reads, at one point."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from ...native.engine import load_object, object_of
from ...native.tangent.frame import NotDifferentiable
from ...solvers.differentiated import Shadows
from ...solvers.fields import WORD
from ...solvers.layout import Floats, Integers, Memory
from ...solvers.loop.run import Run
from ..compiler.program import Program
from ..compiler.tangents import Tangents
from .evaluation import IDLE, Arrays

Element = tuple[str, int]
"""A number that a program reads or writes: ("x", i), ("dx", i), ("z", i), ("w", i), ("p", i), or ("t", 0)."""
LANES = 8
"""Directions at once: what they share, the values themselves, is computed half as often as with four."""
_CALL = ctypes.CFUNCTYPE(
    ctypes.c_int64, *[ctypes.c_void_p] * 9, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64,
    ctypes.c_void_p, ctypes.c_double,
)  # fmt: skip

_TEXT = f"""
define i64 @columns(ptr %f, ptr %td, ptr %x, ptr %xd, ptr %dx, ptr %dxd, ptr %m, ptr %s, ptr %seeds,
                    i64 %count, ptr %results, i64 %rows, ptr %out, double %t) {{
begin:
  %over = add i64 %count, {LANES - 1}
  %groups = udiv i64 %over, {LANES}
  %stride = mul i64 %groups, {LANES}
  br label %group
group:
  %first = phi i64 [ 0, %begin ], [ %following, %reset ]
  %going = icmp slt i64 %first, %count
  br i1 %going, label %seed, label %end
seed:
  %a = phi i64 [ 0, %group ], [ %a1, %seeded ]
  %ia = add i64 %first, %a
  %ina = icmp slt i64 %ia, %count
  %fita = icmp slt i64 %a, {LANES}
  %goa = and i1 %ina, %fita
  br i1 %goa, label %seeded, label %run
seeded:
  %pa = getelementptr ptr, ptr %seeds, i64 %ia
  %ra = load ptr, ptr %pa
  %qa = getelementptr double, ptr %ra, i64 %a
  store double 1.0, ptr %qa
  %a1 = add i64 %a, 1
  br label %seed
run:
  %status = call i64 %f(double %t, ptr %td, ptr %x, ptr %xd, ptr %dx, ptr %dxd, ptr %m, ptr %s)
  %failed = icmp slt i64 %status, 0
  br label %row
row:
  %r = phi i64 [ 0, %run ], [ %r1, %copied ]
  %inr = icmp slt i64 %r, %rows
  br i1 %inr, label %copied, label %unseed
copied:
  %pr = getelementptr ptr, ptr %results, i64 %r
  %from = load ptr, ptr %pr
  %value = load <{LANES} x double>, ptr %from, align 8
  %line = mul i64 %r, %stride
  %place = add i64 %line, %first
  %to = getelementptr double, ptr %out, i64 %place
  store <{LANES} x double> %value, ptr %to, align 8
  %r1 = add i64 %r, 1
  br label %row
unseed:
  %b = phi i64 [ 0, %row ], [ %b1, %unseeded ]
  %ib = add i64 %first, %b
  %inb = icmp slt i64 %ib, %count
  %fitb = icmp slt i64 %b, {LANES}
  %gob = and i1 %inb, %fitb
  br i1 %gob, label %unseeded, label %judge
unseeded:
  %pb = getelementptr ptr, ptr %seeds, i64 %ib
  %rb = load ptr, ptr %pb
  %qb = getelementptr double, ptr %rb, i64 %b
  store double 0.0, ptr %qb
  %b1 = add i64 %b, 1
  br label %unseed
judge:
  br i1 %failed, label %fail, label %reset
reset:
  %following = add i64 %first, {LANES}
  br label %group
fail:
  ret i64 -1
end:
  ret i64 0
}}
"""


class Workspace:
    """The tangents of a memory, of states, derivatives and the time."""

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
    """Tangents of a program's functions; each call has its own arrays, so that threads may call at once."""

    def __init__(self, program: Program) -> None:
        """Raises NotDifferentiable."""
        self._program = program
        self._evaluate = Tangents(program, "evaluate", lanes=LANES, crossings=False)
        self._idle: deque[Workspace] = deque(maxlen=IDLE)
        self._cuts: list[Element] = [("w", place) for place, _ in self._evaluate.loops]
        self._computed: list[Element] = [("w", place) for _, place in self._evaluate.loops]

    @cached_property
    def _update(self) -> Tangents:
        return Tangents(self._program, "update", lanes=LANES)

    @property
    def loops(self) -> bool:
        """True if there are algebraic loops, whose signals must be solved for first."""
        return bool(self._cuts)

    @property
    def differences(self) -> tuple[str, ...]:
        """Paths of the blocks with finite-difference tangents."""
        return self._evaluate.differences

    def columns(
        self, t: float, arrays: Arrays, by: Sequence[Element], of: Sequence[Element], *, ticking: bool = False
    ) -> Floats:
        """The derivatives `of` elements `by` elements at a point, (len(of), len(by)).

        With `ticking`, the clocks marked in `hit` tick, and the memory keeps their results; without it,
        signals and derivatives are differentiated. Algebraic loops are solved for: v = F(v, u) changes by
        dv = (I - F_v)^-1 F_u du. Raises NotDifferentiable.
        """
        return self._closed(self._open([*of, *self._computed], [*by, *self._cuts], t, arrays, ticking))

    def moving(self, run: Run, by: Sequence[Element], of: Sequence[Element]) -> Callable[[float], Floats]:
        """The derivatives between ticks, as a function of time, for the arrays of a run in progress."""
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
        """The derivatives with the cut signals of loops among the elements."""
        room = self._idle.pop() if self._idle else Workspace(arrays.memory)
        room.arrays["w"][:], room.arrays["z"][:] = 0.0, 0.0
        result = self._ticked(of, by, t, arrays, room) if ticking else self._flowing(of, by, t, arrays, room)
        self._idle.append(room)
        return result

    def _flowing(
        self, of: Sequence[Element], by: Sequence[Element], t: float, arrays: Arrays, room: Workspace
    ) -> Floats:
        """Between ticks an evaluation does not change its inputs: groups follow each other."""
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
        """Arguments of `columns` except the time; `work` has addresses of states, derivatives and memory."""
        x, slopes, memory = work
        at, seeds, results = room.addresses, room.places(by), room.places(of)
        return (
            self._evaluate.addresses[0], at["t"], x, at["x"], slopes, at["dx"], memory, room.shadows.address,
            seeds.ctypes.data, len(by), results.ctypes.data, len(of), result.ctypes.data,
        )  # fmt: skip

    def _ticked(
        self, of: Sequence[Element], by: Sequence[Element], t: float, arrays: Arrays, room: Workspace
    ) -> Floats:
        """Each group ticks again from the same memory."""
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
    """For each array, the elements in it and their positions."""
    grouped: dict[str, list[tuple[int, int]]] = {}
    for row, (name, i) in enumerate(elements):
        grouped.setdefault(name, []).append((row, i))
    return [(name, *np.array(pairs, np.int64).T) for name, pairs in grouped.items()]


@cache
def columns() -> Any:
    """(f, time_d, x, states_d, dx, slopes_d, memory, shadows, seeds, count, results, rows, out, t) -> status.

    f            the address of a tangent function
    seeds        addresses of the tangents of `count` numbers, each changed by 1 in its own direction
    results      addresses of the tangents of `rows` numbers
    out          (rows, count rounded up to whole groups) derivatives
    """
    code = load_object(object_of(_TEXT, [], ["columns"]), ["columns"])
    function: Any = _CALL(code.addresses["columns"])
    function.code = code  # kept alive as long as the function
    return function
