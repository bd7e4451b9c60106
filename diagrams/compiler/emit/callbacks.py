"""Python functions that the native loop calls: exceptions are kept for the thread that raised them."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from math import prod
from time import perf_counter
from typing import Any

import numpy as np

from ....blocks.contract.callback import Callback
from ....blocks.contract.port import Shape
from ....native.engine import address_of
from ....native.groups import taking_fields
from ..plan import binding
from ..plan.binding import Argument, bind
from ..plan.unit import Unit, role_name

_TYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


class Callbacks:
    """All callbacks of one program; they live as long as it does."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}  # path -> why its function runs in Python
        self._alive: dict[tuple[str, str], tuple[Any, int]] = {}
        self._local = threading.local()

    def __len__(self) -> int:
        return len(self._alive)

    def __contains__(self, place: object) -> bool:
        """True if the function at this (path, role) runs in Python."""
        return place in self._alive

    def replace(self, unit: Unit, role: str, reason: str) -> Callback:
        """The uncompiled form of a function that numba cannot compile."""
        self.reasons[unit.path] = reason
        function = unit.functions[role]
        names = unit.names[role]
        function = taking_fields(function)
        if unit.elementwise and unit.shape:
            function = lift_to_arrays(function, unit.shape, [name in unit.block.tables for name in names])
        return Callback(function, names)

    def address(
        self,
        unit: Unit,
        role: str,
        function: Any,
        arguments: Sequence[Argument],
        requested: Sequence[tuple[str, Shape]],
    ) -> int:
        """The address of `(arguments*, results*) -> status` for a function."""
        key = (unit.path, role)
        if key not in self._alive:
            self.reasons.setdefault(unit.path, "a Python function by request")
            callback = _TYPE(self._wrap(unit, role, function, list(arguments), list(requested)))
            self._alive[key] = (callback, address_of(callback))
        return self._alive[key][1]

    @property
    def notes(self) -> dict[str, Any]:
        """Notes of this thread's run: its failure, and the cost of its callbacks."""
        notes: dict[str, Any] = self._local.__dict__.setdefault("notes", {})
        return notes

    @notes.setter
    def notes(self, notes: dict[str, Any]) -> None:
        """Set them to the notes of another thread, for which this one runs."""
        self._local.notes = notes

    def failure(self) -> tuple[str, BaseException] | None:
        """The exception that ended this thread's run, with the block's path; it is forgotten."""
        return self.notes.pop("failure", None) if self._alive else None

    def costs(self) -> dict[str, tuple[int, float]]:
        """Calls and seconds of this thread's run by block path; the count starts anew."""
        costs = self.notes.pop("costs", {}) if self._alive else {}
        return {path: (int(calls), seconds) for path, (calls, seconds) in costs.items()}

    def _count(self, path: str, seconds: float) -> None:
        costs = self.notes.setdefault("costs", {})
        calls, spent = costs.get(path, (0, 0.0))
        costs[path] = (calls + 1, spent + seconds)

    def _wrap(
        self,
        unit: Unit,
        role: str,
        function: Any,
        arguments: list[Argument],
        requested: list[tuple[str, Shape]],
    ) -> Any:
        read, put = reader(arguments), caller(function, unit, role, requested)
        taken = ctypes.c_double * max(sum(map(words, arguments)), 1)
        room = ctypes.c_double * max(sum(prod(shape) for _, shape in requested), 1)

        def call(inputs: int, result: int) -> int:
            began = perf_counter()
            try:
                values = read(np.frombuffer(memoryview(taken.from_address(inputs))).copy())
                put(values, np.frombuffer(memoryview(room.from_address(result))))
            except BaseException as error:  # noqa: BLE001  raised again where the run ends; C cannot pass it on
                self.notes["failure"] = (unit.path, error)
                return 1
            finally:
                self._count(unit.path, perf_counter() - began)
            return 0

        return call


def lift_to_arrays(function: Any, shape: Shape, as_tables: Sequence[bool]) -> Any:
    """A scalar function applied to every element of its arguments, broadcast to `shape`, except tables."""

    def apply(*values: Any) -> Any:
        columns = [
            [v] * prod(shape) if as_table else np.broadcast_to(v, shape).ravel().tolist()
            for v, as_table in zip(values, as_tables, strict=True)
        ]
        results = [function(*row) for row in zip(*columns, strict=True)]
        if isinstance(results[0], tuple):
            return tuple(np.array(column).reshape(shape) for column in zip(*results, strict=True))
        return np.array(results).reshape(shape)

    return apply


def words(argument: Argument) -> int:
    """Number of words of a buffer that an argument takes: the run's own memory is passed by its address."""
    return 1 if argument.kind in binding.IN_PLACE else prod(argument.shape)


def reader(arguments: Sequence[Argument]) -> Callable[[Any], list[Any]]:
    """Return a function that takes numbers and arrays from one buffer."""
    parts: list[Callable[[Any], Any]] = []
    start = 0
    for a in arguments:
        parts.append(_part(a, start, start + words(a)))
        start += words(a)
    return lambda flat: [part(flat) for part in parts]


def _part(a: Argument, start: int, end: int) -> Callable[[Any], Any]:
    """One argument out of a buffer."""
    if a.kind in binding.IN_PLACE:
        room = ctypes.c_double * prod(a.shape)

        def memory(flat: Any) -> Any:
            place = room.from_address(flat.view(np.int64).item(start))
            return np.frombuffer(memoryview(place)).reshape(a.shape)

        return memory
    if a.shape == ():
        return (lambda flat: int(flat.item(start))) if a.kind in binding.INTEGERS else _number(start)
    if a.kind in binding.INTEGERS:
        return lambda flat: flat[start:end].astype(np.int64).reshape(a.shape)
    return lambda flat: flat[start:end].reshape(a.shape)


def _number(place: int) -> Callable[[Any], float]:
    return lambda flat: float(flat.item(place))


def caller(
    function: Any, unit: Unit, role: str, requested: Sequence[tuple[str, Shape]]
) -> Callable[[list[Any], Any], None]:
    """Return a function that calls a block's Python function and puts its results, named targets first, into
    one buffer.

    It raises ValueError if a result of the function has the wrong size.
    """
    bound = bind(unit, role, unit.names[role])
    named = {a.name for a in bound if a.kind == binding.TARGET}
    returned = [(name, shape) for name, shape in requested if name not in named]
    places: dict[str, slice] = {}
    start = 0
    for name, shape in requested:
        places[name] = slice(start, start + prod(shape))
        start += prod(shape)

    def put(values: list[Any], result: Any) -> None:
        by_name: dict[str, Any] = {}
        plain = iter(values)
        call: list[Any] = []
        for a in bound:
            if a.kind == binding.TARGET:
                by_name[a.name] = np.zeros(a.shape)
                call.append(by_name[a.name])
            elif a.kind == binding.SCRATCH:
                call.append(np.zeros(a.shape))
            else:
                call.append(next(plain))
        answer = function(*call)
        if returned:
            by_name |= _name_results(answer, returned, role, function)
        for name, place in places.items():
            result[place] = by_name[name].ravel()

    return put


def _name_results(answer: Any, returned: list[tuple[str, Shape]], role: str, function: Any) -> dict[str, Any]:
    """Results of a function, by name. Raises ValueError when one is of the wrong size."""
    if answer is None:
        listed = ", ".join(name for name, _ in returned)
        raise ValueError(f"{role_name(role, function)}: it returned None, expected {listed}")
    if len(returned) > 1:
        parts = list(answer) if np.iterable(answer) and not isinstance(answer, str) else [answer]
    else:
        parts = [answer]
    if len(parts) != len(returned):
        listed = ", ".join(name for name, _ in returned)
        mismatch = f"it returned {len(parts)} results, expected {len(returned)}: {listed}"
        raise ValueError(f"{role_name(role, function)}: {mismatch}")
    by_name: dict[str, Any] = {}
    for (name, shape), part in zip(returned, parts, strict=True):
        try:
            array = np.asarray(part, np.float64)
        except (TypeError, ValueError, OverflowError):
            mismatch = f"it returned {part!r} for `{name}`, expected numbers"
            raise ValueError(f"{role_name(role, function)}: {mismatch}") from None
        if array.size != prod(shape):
            actual = f"{array.size} numbers in shape {array.shape}"
            expected = f"expected shape {shape}"
            raise ValueError(f"{role_name(role, function)}: result `{name}` has {actual}, {expected}")
        by_name[name] = array
    return by_name
