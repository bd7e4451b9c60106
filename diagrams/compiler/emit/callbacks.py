"""Python functions that the native loop calls: exceptions are kept for the thread that ran into them."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
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
from ..plan.unit import Unit, role_arguments, role_name

_TYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))


class Callbacks:
    """All callbacks of one program; they live as long as it does."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}  # path -> why its function runs in Python
        self._alive: dict[tuple[str, str], tuple[Any, int]] = {}
        self._local = threading.local()

    def __len__(self) -> int:
        return len(self._alive)

    def replace(self, unit: Unit, role: str, reason: str) -> Callback:
        """The uncompiled form of a function that numba does not take."""
        self.reasons[unit.path] = reason
        function = unit.functions[role]
        names = role_arguments(function)
        function = taking_fields(function)
        if unit.elementwise and unit.shape:
            function = lifted(function, unit.shape, [name in unit.block.tables for name in names])
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
        """What this thread's run leaves: its failure, and what its callbacks cost."""
        notes: dict[str, Any] = self._local.__dict__.setdefault("notes", {})
        return notes

    @notes.setter
    def notes(self, notes: dict[str, Any]) -> None:
        """Leave it elsewhere: in the notes of the thread for which this one runs."""
        self._local.notes = notes

    def failure(self) -> tuple[str, BaseException] | None:
        """The exception that ended this thread's run, with the block's path; it is forgotten."""
        failure: tuple[str, BaseException] | None = self.notes.pop("failure", None)
        return failure

    def costs(self) -> dict[str, tuple[int, float]]:
        """Calls and seconds of this thread's run by block path; the count starts anew."""
        costs = self.notes.pop("costs", {})
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
        sizes = [words(a) for a in arguments]
        total_in, total_out = sum(sizes), sum(prod(shape) for _, shape in requested)

        def call(inputs: Any, result: Any) -> int:
            began = perf_counter()
            try:
                flat = np.ctypeslib.as_array(inputs, (max(total_in, 1),)).copy()
                values = unflatten(flat, arguments)
                answer = np.ctypeslib.as_array(result, (max(total_out, 1),))
                call_into(function, unit, role, values, requested, answer)
            except BaseException as error:  # noqa: BLE001  raised again where the run ends; C cannot pass it on
                self.notes["failure"] = (unit.path, error)
                return 1
            finally:
                self._count(unit.path, perf_counter() - began)
            return 0

        return call


def lifted(function: Any, shape: Shape, as_tables: Sequence[bool]) -> Any:
    """A scalar function applied to every element of its arguments, broadcast to `shape`, but for tables."""

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
    """How many words of a buffer an argument takes: what is the run's own goes in by its address."""
    return 1 if argument.kind == binding.MEMORY else prod(argument.shape)


def unflatten(flat: Any, arguments: Sequence[Argument]) -> list[Any]:
    """Numbers and arrays from one buffer."""
    values: list[Any] = []
    start = 0
    for a in arguments:
        size = words(a)
        part = flat[start : start + size]
        if a.kind == binding.MEMORY:
            place = (ctypes.c_double * prod(a.shape)).from_address(int(part.view(np.int64)[0]))
            values.append(np.ctypeslib.as_array(place).reshape(a.shape))
        elif a.kind in binding.INTEGERS:
            values.append(int(part[0]) if a.shape == () else part.astype(np.int64).reshape(a.shape))
        else:
            values.append(float(part[0]) if a.shape == () else part.reshape(a.shape))
        start += size
    return values


def call_into(
    function: Any,
    unit: Unit,
    role: str,
    values: list[Any],
    requested: Sequence[tuple[str, Shape]],
    result: Any,
) -> None:
    """Call a block's Python function and put what it gives, named targets first, into one buffer.

    Raises ValueError when it gives something of the wrong size.
    """
    by_name: dict[str, Any] = {}
    plain = iter(values)
    call: list[Any] = []
    for a in bind(unit, role, role_arguments(function)):
        if a.kind == binding.TARGET:
            by_name[a.name] = np.zeros(a.shape)
            call.append(by_name[a.name])
        elif a.kind == binding.SCRATCH:
            call.append(np.zeros(a.shape))
        else:
            call.append(next(plain))
    answer = function(*call)
    returned = [(name, shape) for name, shape in requested if name not in by_name]
    if returned and answer is None:
        listed = ", ".join(name for name, _ in returned)
        raise ValueError(f"{role_name(role, function)}: it returned None, expected {listed}")
    if returned and len(returned) > 1:
        parts = list(answer) if np.iterable(answer) and not isinstance(answer, str) else [answer]
    elif returned:
        parts = [answer]
    else:
        parts = []
    if len(parts) != len(returned):
        listed = ", ".join(name for name, _ in returned)
        mismatch = f"it gives {len(parts)} results, expected {len(returned)}: {listed}"
        raise ValueError(f"{role_name(role, function)}: {mismatch}")
    for (name, shape), part in zip(returned, parts, strict=True):
        try:
            array = np.asarray(part, np.float64)
        except (TypeError, ValueError):
            mismatch = f"it gives {part!r} for `{name}`, expected numbers"
            raise ValueError(f"{role_name(role, function)}: {mismatch}") from None
        if array.size != prod(shape):
            actual = f"{array.size} numbers in shape {array.shape}"
            expected = f"expected shape {shape}"
            raise ValueError(f"{role_name(role, function)}: result `{name}` has {actual}, {expected}")
        by_name[name] = array.reshape(shape)
    start = 0
    for name, shape in requested:
        result[start : start + prod(shape)] = np.ravel(by_name[name])
        start += prod(shape)
