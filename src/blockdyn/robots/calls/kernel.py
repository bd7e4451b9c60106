"""Kernels of mechanics as machine code, bound to one robot's table, called with plain arrays."""

from __future__ import annotations

import ctypes
import math
import struct
import threading
import warnings
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import all_finite, of_truth, real_numbers
from ...native.repeat import NOT_FINITE, address_of, make_checking_call, over_rows
from ..errors import RobotWarning, count_own_frames, massless
from ..mechanics.bodies import work_shape
from ..mechanics.errors import WrongSize, not_finite
from ..model.robot import Robot
from .direct import OTHER, REFUSED, Direct

Array = NDArray[np.float64]
ARRAY, FLOAT = np.ndarray, np.dtype(np.float64)
LISTS = list, tuple
NUMBERS = frozenset({float, int, np.float64})


def read_values(
    robot: Robot, names: Sequence[str], shapes: Sequence[tuple[int, ...]], values: Sequence[Any]
) -> tuple[dict[str, Array], int | None]:
    """Values with these names and shapes as arrays by position, and the number of their rows, if any.

    Raises WrongSize.
    """
    arrays: dict[str, Array] = {}
    many: int | None = None
    for name, shape, value in zip(names, shapes, values, strict=True):
        place = f"{robot.name}, {name}"
        try:
            array = real_numbers(value)
        except (TypeError, ValueError, OverflowError):
            expected = _describe_shape(shape) + of_truth(value)
            if isinstance(value, str) and value in robot.named:
                expected = f'the numbers of the pose: robot.named["{value}"]'
            raise WrongSize(place, f"found {value!r:.60}", expected) from None
        if array.shape[1:] == shape and array.ndim == len(shape) + 1:
            if many not in (None, len(array)):
                said = f"{len(array)} rows, and {many}"
                raise WrongSize(place, said, "as many rows in all arguments")
            many = len(array)
        elif array.shape != shape:
            raise WrongSize(place, f"found shape {array.shape}", _describe_shape(shape))
        arrays[place] = array
    return arrays, many


def flat(value: Any) -> Any:
    """Convert lists of numbers, and vectors of other types than float64, for the inputs of a kernel."""
    if type(value) in LISTS and NUMBERS.issuperset(map(type, value)):
        return array("d", value)
    if type(value) is ARRAY and value.dtype is not FLOAT and value.ndim == 1 and value.dtype.kind in "iuf":
        return value.astype(FLOAT)
    return value


def finite(arrays: dict[str, Array]) -> dict[str, Array]:
    """The arrays, if all their numbers are finite. Raises WrongSize."""
    for place, values in arrays.items():
        if not all_finite(values):
            raise not_finite(place, values)
    return arrays


def _describe_shape(shape: tuple[int, ...]) -> str:
    inside = ", ".join(map(str, shape))
    return f"shape ({inside}{',' if len(shape) == 1 else ''}), or (k, {inside}) for k calls"


Shape = tuple[
    int | str, ...
]  # "n" is the number of coordinates, "joints" of moving joints; callers pass other sizes

UNFIT = TypeError, ValueError, BufferError, NotImplementedError, OverflowError
REMEMBERED = 128  # bound calls cached per thread
STORED, COMPILED = 1_000, 200_000
"""Numbers of calls after which code traced for the robot is read from the store, and compiled:
a call then takes about 0.3 us less; compiling takes about 100 ms."""


@dataclass(frozen=True)
class Input:
    """An argument that the caller passes: an array of this shape, in this unit."""

    name: str
    shape: Shape = ("n",)


@dataclass(frozen=True)
class Output:
    """An array that the kernel writes and the caller receives."""

    shape: Shape = ("n",)


@dataclass(frozen=True)
class Scratch:
    """An array that the kernel needs."""

    shape: Shape


class _Mark:
    """An argument of a fixed kind."""


FLAG = _Mark()  # an integer argument that is fixed when the kernel is bound
WORK = _Mark()  # the work array of robots/mechanics/bodies.py


@dataclass(frozen=True, eq=False)
class Kernel:
    """A kernel whose first argument is the table, and the kinds of its further arguments.

    `weighs` is True if its result has no meaning without masses. `failed` receives the robot and a result of
    at least 0, and raises.
    """

    function: Callable[..., Any]
    arguments: tuple[Input | Output | Scratch | _Mark, ...]
    weighs: bool = False
    failed: Callable[[Robot, int], None] | None = None

    @property
    def types(self) -> tuple[str, ...]:
        kinds = ("i" if a is FLAG else "d2" if a is WORK else f"d{len(a.shape)}" for a in self.arguments)  # type: ignore[union-attr]
        return ("d2", *kinds)


class Bound:
    """One kernel with one robot's table and preallocated arrays. Not to be shared by threads."""

    __slots__ = (
        "_block", "_buffer", "_checked", "_direct", "_native", "_places", "_rows_address", "_source",
        "_stored", "_values", "_words", "call", "inputs", "names", "outputs", "robot", "shapes",
    )  # fmt: skip

    def __init__(
        self, kernel: Kernel, robot: Robot, arm: Array, flags: Sequence[int], sizes: Sequence[tuple[str, int]]
    ) -> None:
        n = robot.n
        lengths = {"n": n, "joints": len(arm) - 1, **dict(sizes)}
        self.robot = robot
        self.inputs: list[Array] = []
        self.outputs: list[Array] = []
        self.names: list[str] = []
        values: list[Any] = [arm]
        flag = iter(flags)
        self._buffer = _room(kernel, lengths)
        used = 0
        for argument in kernel.arguments:
            if argument is FLAG:
                values.append(next(flag))
            elif isinstance(argument, (Input, Output, Scratch)):
                shape = _sizes(argument.shape, lengths)
                array = np.zeros(shape)
                if isinstance(argument, Input):
                    array = self._buffer[used : used + array.size].reshape(shape)
                    used += array.size
                    self.inputs.append(array)
                    self.names.append(argument.name)
                elif isinstance(argument, Output):
                    self.outputs.append(array)
                values.append(array)
            else:
                values.append(np.zeros(work_shape(n, len(arm) - 1)))
        self.shapes = [array.shape for array in self.inputs]
        self._places = tuple(memoryview(array) for array in self.inputs)  # type: ignore[arg-type]
        self._native = native = machine_code(kernel.function, kernel.types)
        _, self._block, self._values = native.pack(*values)
        words = zip(values, native.words(*values), kernel.types)
        self._words = {id(value): word for value, word, letter in words if len(letter) > 1}
        self._checked = make_checking_call(native.address, self._block, self._buffer)
        self._rows_address, self._stored = native.rows_address, True
        self._source = kernel, arm, tuple(flags), tuple(sizes)
        output = self.outputs[0] if self.outputs else None
        self._direct = Direct(
            native.address, self._block, self.inputs, output, self._general,
            calls=STORED, fails=kernel.failed is not None,
        )  # fmt: skip
        self.call: Callable[..., Array] = self._direct.call

    def __call__(self, *values: Any, failed: Callable[[Robot, int], None] | None = None) -> Array:
        """Run on the values and return the first output; `failed` receives a result of at least 0 and raises.

        Values may have one row for each of many calls; the output then has these rows as well.
        Raises WrongSize.
        """
        if failed is None:
            return self.call(*values)
        status = self._direct.status(*values)
        if status == REFUSED:
            return self._general(*values, failed=failed)
        if status == NOT_FINITE:
            finite(read_values(self.robot, self.names, self.shapes, values)[0])  # raises with the place
        if status >= 0:
            failed(self.robot, status)
        return self.outputs[0].copy()

    def _general(self, *values: Any, failed: Callable[[Robot, int], None] | None = None) -> Array:
        """Run on any values that can be read as numbers."""
        failed = failed or self._source[0].failed
        if self._direct.calls == 0:
            self.specialise(stored=self._stored)
        rows = self._fill(values)
        if rows is not None:
            return self._rows(*rows, failed)
        status = self._checked()
        if status == NOT_FINITE:
            finite(read_values(self.robot, self.names, self.shapes, values)[0])
        if failed is not None and status >= 0:
            failed(self.robot, status)
        return self.outputs[0].copy()

    def run(self, *values: Any) -> int:
        """Run on one value for each input; the kernel's result, if it is an integer. Raises WrongSize."""
        rows = self._fill(values)
        if rows is not None:
            raise WrongSize(f"{self.robot.name}, {self.names[0]}", f"found {rows[1]} rows", "one")
        status = self._checked()
        if status == NOT_FINITE:
            finite(read_values(self.robot, self.names, self.shapes, values)[0])
        return status

    def number(self, *values: Any) -> float:
        """Run on one value for each input; the kernel's result, if it is a float."""
        return float(struct.unpack("d", struct.pack("q", self.run(*values)))[0])

    def specialise(self, *, stored: bool = False) -> None:
        """Use code traced for the robot in further calls, if any; with `stored`, only from the store."""
        from ..equations.specialise import code_of_call  # imported here: few robots are called so often

        code = code_of_call(*self._source, stored=stored)
        if code is not None:
            self._direct.enter(code.addresses["entry"])
            branches = ctypes.CFUNCTYPE(ctypes.c_int64)(code.addresses["branches"])()
            if not branches or self._source[0].failed is not None:  # the result of each row is checked
                self._rows_address = code.addresses["rows"]
        elif stored:
            self._direct.pause_after(COMPILED)
            self._stored = False

    def _fill(self, values: Sequence[Any]) -> tuple[dict[str, Array], int] | None:
        """Write values that can be read as numbers into the kernel's inputs; return the ones with rows."""
        try:
            for place, value in zip(self._places, values):
                place[:] = flat(value)
        except UNFIT:
            arrays, many = read_values(self.robot, self.names, self.shapes, values)
            if many is not None:
                return finite(arrays), many
            for buffer, array in zip(self.inputs, arrays.values()):
                buffer[...] = array
        return None

    def _rows(
        self, arrays: Mapping[str, Array], count: int, failed: Callable[[Robot, int], None] | None
    ) -> Array:
        """Run row by row in machine code, reading the rows in place and writing into the result's rows."""
        result = np.empty((count, *self.outputs[0].shape))
        steps = dict.fromkeys(self._words.values(), 0)
        moving: dict[int, int] = {}
        held: list[Array] = []
        for buffer, rows in zip((*self.inputs, self.outputs[0]), (*arrays.values(), result)):
            if rows.ndim == buffer.ndim:
                buffer[...] = rows
                continue
            rows = rows if rows.flags.carray else np.require(rows, FLOAT, ("C", "A"))
            held.append(rows)
            word = self._words[id(buffer)]
            moving[word], steps[word] = address_of(rows), rows.strides[0]
        stop, left = failed is not None, self._direct.calls
        self._direct.pause_after(left - count)
        if left - count <= 0 < left:  # rows count as calls
            self.specialise(stored=self._stored)
        made, status = over_rows(self._rows_address, self._block, count, steps, moving, stop=stop)
        if made < count and status == OTHER:  # a branch that the traced code lacks
            made, status = over_rows(self._native.rows_address, self._block, count, steps, moving, stop=stop)
        if failed is not None and made < count:
            failed(self.robot, status)
        return result


def _sizes(shape: Shape, lengths: dict[str, int]) -> list[int]:
    return [lengths[size] if isinstance(size, str) else size for size in shape]


def _room(kernel: Kernel, lengths: dict[str, int]) -> Array:
    """Zeros for all inputs, one after the other."""
    inputs = (argument for argument in kernel.arguments if isinstance(argument, Input))
    return np.zeros(sum(math.prod(_sizes(argument.shape, lengths)) for argument in inputs))


@cache
def machine_code(function: Callable[..., Any], types: tuple[str, ...]) -> Any:
    """The function as machine code, from the store or compiled."""
    from ...native.callable import Native
    from ...native.fingerprint import fingerprint

    return Native(lambda _: function, fingerprint(function, types, "called"), types, rows=True)


class _Thread(threading.local):
    """Kernels that a thread has bound."""

    def __init__(self) -> None:
        self.ready: dict[Any, Bound] = {}


_thread = _Thread()


def bound(
    kernel: Kernel,
    robot: Robot | str,
    of: str = "tool",
    flags: tuple[int, ...] = (),
    sizes: tuple[tuple[str, int], ...] = (),
) -> Bound:
    """The kernel bound to a robot, the frame `of` as its tool, cached in this thread.

    Warns once about a robot without masses if the kernel needs masses. Raises UnknownFrame, UnknownRobot.
    """
    key = (kernel, robot if type(robot) is str else id(robot), of, flags, sizes)
    try:
        return _thread.ready[key]
    except (KeyError, TypeError):  # TypeError: a frame or robot that cannot be hashed
        pass
    if not isinstance(robot, str):
        robot = as_robot(robot)
        key = (kernel, id(robot), of, flags, sizes)  # of the robot object, also if it was a mapping
    robot = as_robot(robot)
    remembered = _thread.ready
    if kernel.weighs:
        warn_of_no_masses(robot)
    if len(remembered) >= REMEMBERED:
        remembered.clear()
    remembered[key] = made = Bound(kernel, robot, robot.table(of), flags, sizes)
    return made  # it references the robot, so its id is not reused


def as_robot(robot: Robot | str) -> Robot:
    """The robot itself, or the robot of this name in the library. Raises UnknownRobot, InvalidRobot."""
    if isinstance(robot, Robot):
        return robot
    from ..library.catalogue import robot_from

    return robot_from(robot)


def warn_of_no_masses(robot: Robot) -> None:
    """Warn (RobotWarning), once for each robot, that its torques are 0 because it has no mass."""
    if not robot.has_dynamics and not robot.__dict__.get("_warned"):
        robot.__dict__["_warned"] = True
        text = f"{massless(robot.name)}; its weight and inertia count as 0"
        warnings.warn(text, RobotWarning, stacklevel=count_own_frames())
