"""Calls: a mechanics kernel as machine code, bound to one robot's table, called with plain arrays."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .mechanics.errors import WrongSize
from .mechanics.work import work_shape

if TYPE_CHECKING:
    from .robot import Robot

Array = NDArray[np.float64]
Shape = tuple[int | str, ...]  # "n" stands for the number of joints, other letters for what the caller says

REMEMBERED = 128  # bound calls kept in each thread
FLOAT = np.dtype(np.float64)


@dataclass(frozen=True)
class Input:
    """An argument that the caller gives: an array of this shape, in this unit."""

    name: str
    shape: Shape = ("n",)


@dataclass(frozen=True)
class Output:
    """An array that the kernel writes and the caller gets."""

    shape: Shape = ("n",)


@dataclass(frozen=True)
class Scratch:
    """An array that the kernel needs."""

    shape: Shape


class _Mark:
    """An argument of a fixed kind."""


FLAG = _Mark()  # an integer that is a part of what is bound
WORK = _Mark()  # the work array of robots/mechanics/work.py


@dataclass(frozen=True, eq=False)
class Kernel:
    """A kernel whose first argument is the table, and what its further arguments are."""

    function: Callable[..., Any]
    arguments: tuple[Input | Output | Scratch | _Mark, ...]

    @property
    def types(self) -> tuple[str, ...]:
        kinds = ("i" if a is FLAG else "d2" if a is WORK else f"d{len(a.shape)}" for a in self.arguments)  # type: ignore[union-attr]
        return ("d2", *kinds)


class Bound:
    """One kernel with one table and all its arrays, laid out once. Not to be shared by threads."""

    __slots__ = ("_block", "_native", "inputs", "names", "outputs", "rows")

    def __init__(
        self, kernel: Kernel, arm: Array, flags: Sequence[int], sizes: Sequence[tuple[str, int]]
    ) -> None:
        n = arm.shape[0] - 1
        known = {"n": n, **dict(sizes)}
        self.inputs: list[Array] = []
        self.outputs: list[Array] = []
        self.names: list[str] = []
        self.rows = 0
        values: list[Any] = [arm]
        given = iter(flags)
        for argument in kernel.arguments:
            if argument is FLAG:
                values.append(next(given))
                continue
            if isinstance(argument, (Input, Output, Scratch)):
                array = np.zeros([known[size] if isinstance(size, str) else size for size in argument.shape])
                if isinstance(argument, Input):
                    self.inputs.append(array)
                    self.names.append(argument.name)
                elif isinstance(argument, Output):
                    self.outputs.append(array)
            else:
                array = np.zeros(work_shape(n))
            values.append(array)
        self._native = machine_code(kernel)
        self._block = self._native.pack(*values)

    def run(self) -> int:
        """The kernel's result, where it is an integer."""
        return self._native.run(self._block)  # type: ignore[no-any-return]

    def number(self) -> float:
        """The kernel's result, where it is a float."""
        return float(struct.unpack("d", struct.pack("q", self._native.run(self._block)))[0])


@cache
def machine_code(kernel: Kernel) -> Any:
    """The kernel as machine code, from the store or compiled."""
    from ..native.callable import Native
    from ..native.fingerprint import fingerprint

    function, types = kernel.function, kernel.types
    return Native(lambda pieces: pieces.linked(function), fingerprint(function, types, "called"), types)


_threads = threading.local()


def bound(kernel: Kernel, arm: Array, *flags: int, sizes: tuple[tuple[str, int], ...] = ()) -> Bound:
    """The kernel bound to a table and to flags, found again in this thread."""
    key = (kernel, id(arm), flags, sizes)
    try:
        return _threads.known[key][0]  # type: ignore[no-any-return]
    except (AttributeError, KeyError):
        pass
    known = _threads.__dict__.setdefault("known", {})
    if len(known) >= REMEMBERED:
        known.clear()
    found = Bound(kernel, arm, flags, sizes)
    known[key] = found, arm  # the table stays, so that its id means it
    return found


def call(
    ready: Bound, place: Robot, values: Sequence[Any], failed: Callable[[int], None] | None = None
) -> Any:
    """Run on the values, and give the first output; `failed` gets the kernel's result and may raise.

    One of the values, or several, may have a row for each of many calls: the output then has so too.
    Raises WrongSize.
    """
    for buffer, value in zip(ready.inputs, values):
        if value.__class__ is np.ndarray and value.shape == buffer.shape and value.dtype is FLOAT:
            buffer[...] = value
        else:
            return _call_slowly(ready, place, values, failed)
    status = ready.run()
    if failed is not None:
        failed(status)
    return ready.outputs[0].copy()


def _call_slowly(
    ready: Bound, place: Robot, values: Sequence[Any], failed: Callable[[int], None] | None
) -> Any:
    """The same with anything that can be read as numbers."""
    arrays, many = read(ready, place, values)
    if many is None:
        fill(ready, arrays)
        status = ready.run()
        if failed is not None:
            failed(status)
        return ready.outputs[0].copy()
    result = np.empty((many, *ready.outputs[0].shape))
    for k in range(many):
        for buffer, value in zip(ready.inputs, arrays):
            buffer[...] = value[k] if value.ndim > buffer.ndim else value
        status = ready.run()
        if failed is not None:
            failed(status)
        result[k] = ready.outputs[0]
    return result


def read(ready: Bound, place: Robot, values: Sequence[Any]) -> tuple[list[Array], int | None]:
    """The values as arrays, and how many rows they have where they have rows. Raises WrongSize."""
    arrays: list[Array] = []
    many: int | None = None
    for name, buffer, value in zip(ready.names, ready.inputs, values, strict=True):
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise WrongSize(f"{place.name}, {name}", f"found {value!r:.60}", _expected(buffer)) from None
        if array.ndim == buffer.ndim + 1 and array.shape[1:] == buffer.shape:
            if many not in (None, array.shape[0]):
                found = f"{array.shape[0]} rows beside {many}"
                raise WrongSize(f"{place.name}, {name}", found, "as many rows in all arguments")
            many = array.shape[0]
        elif array.shape != buffer.shape:
            found = f"found shape {array.shape}"
            raise WrongSize(f"{place.name}, {name}", found, _expected(buffer))
        arrays.append(array)
    return arrays, many


def fill(ready: Bound, arrays: Sequence[Array]) -> None:
    """Put arrays where the kernel finds them."""
    for buffer, value in zip(ready.inputs, arrays):
        buffer[...] = value


def _expected(buffer: Array) -> str:
    shape = ", ".join(map(str, buffer.shape))
    return f"shape ({shape}{',' if buffer.ndim == 1 else ''}), or (k, {shape}) for k calls"
