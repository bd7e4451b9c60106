"""Calls: a mechanics kernel as machine code, bound to one robot's table, called with plain arrays."""

from __future__ import annotations

import math
import struct
import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RobotWarning, massless, outside
from .mechanics.errors import NotFinite, WrongSize
from .mechanics.work import work_shape
from .robot import Robot

Array = NDArray[np.float64]
Shape = tuple[int | str, ...]  # "n" stands for the number of joints, other letters for what the caller says

REMEMBERED = 128  # bound calls kept in each thread
FLOAT = np.dtype(np.float64)
ARRAY = np.ndarray


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
    """A kernel whose first argument is the table, and what its further arguments are.

    `weighs` says that its result means nothing without masses.
    """

    function: Callable[..., Any]
    arguments: tuple[Input | Output | Scratch | _Mark, ...]
    weighs: bool = False

    @property
    def types(self) -> tuple[str, ...]:
        kinds = ("i" if a is FLAG else "d2" if a is WORK else f"d{len(a.shape)}" for a in self.arguments)  # type: ignore[union-attr]
        return ("d2", *kinds)


class Bound:
    """One kernel with one robot's table and all its arrays, laid out once. Not to be shared by threads."""

    __slots__ = ("_given", "_places", "_run", "inputs", "names", "outputs", "robot", "shapes")

    def __init__(
        self, kernel: Kernel, robot: Robot, arm: Array, flags: Sequence[int], sizes: Sequence[tuple[str, int]]
    ) -> None:
        n = robot.n
        known = {"n": n, **dict(sizes)}
        self.robot = robot
        self.inputs: list[Array] = []
        self.outputs: list[Array] = []
        self.names: list[str] = []
        values: list[Any] = [arm]
        flag = iter(flags)
        self._given = _room(kernel, known)
        used = 0
        for argument in kernel.arguments:
            if argument is FLAG:
                values.append(next(flag))
            elif isinstance(argument, (Input, Output, Scratch)):
                shape = _sizes(argument.shape, known)
                array = np.zeros(shape)
                if isinstance(argument, Input):
                    array = self._given[used : used + array.size].reshape(shape)
                    used += array.size
                    self.inputs.append(array)
                    self.names.append(argument.name)
                elif isinstance(argument, Output):
                    self.outputs.append(array)
                values.append(array)
            else:
                values.append(np.zeros(work_shape(n)))
        self.shapes = [array.shape for array in self.inputs]
        self._places = tuple(zip(self.inputs, self.shapes, strict=True))
        self._run: Callable[[], int] = machine_code(kernel.function, kernel.types).bind(*values)

    def __call__(self, *values: Any, failed: Callable[[Robot, int], None] | None = None) -> Array:
        """Run on the values, and give the first output; `failed` gets the kernel's result and may raise.

        One of the values, or several, may have a row for each of many calls: the output then has so too.
        Raises WrongSize, NotFinite.
        """
        for (buffer, shape), value in zip(self._places, values):
            if type(value) is not ARRAY or value.dtype is not FLOAT:
                try:
                    value = np.asarray(value, FLOAT)
                except (TypeError, ValueError):
                    return self._slowly(values, failed)
            if value.shape != shape:
                return self._slowly(values, failed)
            buffer[...] = value
        if not isfinite(sum(self._given.tolist())):
            self._read(values)
        status = self._run()
        if failed is not None and status >= 0:
            failed(self.robot, status)
        return self.outputs[0].copy()

    def run(self, *values: Any) -> int:
        """Run on one value for each input; the kernel's result, where it is an integer. Raises WrongSize."""
        arrays, many = self._read(values)
        if many is not None:
            raise WrongSize(f"{self.robot.name}, {self.names[0]}", f"found {many} rows", "one")
        for buffer, array in zip(self.inputs, arrays):
            buffer[...] = array
        return self._run()

    def number(self, *values: Any) -> float:
        """The same, where the result is a float."""
        return float(struct.unpack("d", struct.pack("q", self.run(*values)))[0])

    def _slowly(self, values: Sequence[Any], failed: Callable[[Robot, int], None] | None) -> Array:
        """As a call, with anything that can be read as numbers."""
        arrays, many = self._read(values)
        result = np.empty((1 if many is None else many, *self.outputs[0].shape))
        for k in range(len(result)):
            for buffer, value in zip(self.inputs, arrays):
                buffer[...] = value[k] if value.ndim > buffer.ndim else value
            status = self._run()
            if failed is not None and status >= 0:
                failed(self.robot, status)
            result[k] = self.outputs[0]
        return result[0] if many is None else result

    def _read(self, values: Sequence[Any]) -> tuple[list[Array], int | None]:
        """The values as arrays, and how many rows they have where they have rows."""
        arrays: list[Array] = []
        many: int | None = None
        for name, shape, value in zip(self.names, self.shapes, values, strict=True):
            place = f"{self.robot.name}, {name}"
            try:
                array = np.asarray(value, dtype=np.float64)
            except (TypeError, ValueError):
                raise WrongSize(place, f"found {value!r:.60}", _expected(shape)) from None
            if array.shape[1:] == shape and array.ndim == len(shape) + 1:
                if many not in (None, len(array)):
                    found = f"{len(array)} rows beside {many}"
                    raise WrongSize(place, found, "as many rows in all arguments")
                many = len(array)
            elif array.shape != shape:
                raise WrongSize(place, f"found shape {array.shape}", _expected(shape))
            if not np.isfinite(array).all():
                raise NotFinite(place, array)
            arrays.append(array)
        return arrays, many


def _sizes(shape: Shape, known: dict[str, int]) -> list[int]:
    return [known[size] if isinstance(size, str) else size for size in shape]


def _room(kernel: Kernel, known: dict[str, int]) -> Array:
    """Zeros for all inputs, one behind the other."""
    inputs = (argument for argument in kernel.arguments if isinstance(argument, Input))
    return np.zeros(sum(math.prod(_sizes(argument.shape, known)) for argument in inputs))


def _expected(shape: tuple[int, ...]) -> str:
    inside = ", ".join(map(str, shape))
    return f"shape ({inside}{',' if len(shape) == 1 else ''}), or (k, {inside}) for k calls"


@cache
def machine_code(function: Callable[..., Any], types: tuple[str, ...]) -> Any:
    """The function as machine code, from the store or compiled."""
    from ..native.callable import Native
    from ..native.fingerprint import fingerprint

    return Native(lambda _: function, fingerprint(function, types, "called"), types)


_threads = threading.local()


def bound(
    kernel: Kernel,
    robot: Robot | str,
    of: str = "tool",
    flags: tuple[int, ...] = (),
    sizes: tuple[tuple[str, int], ...] = (),
) -> Bound:
    """The kernel bound to a robot, the frame `of` as its tool, found again in this thread.

    Warns of a robot without masses, once, where the kernel weighs. Raises UnknownFrame, UnknownRobot.
    """
    key = (kernel, robot if type(robot) is str else id(robot), of, flags, sizes)
    try:
        return _threads.known[key]  # type: ignore[no-any-return]
    except (AttributeError, KeyError):
        pass
    if not isinstance(robot, str):
        robot = the(robot)
        key = (kernel, id(robot), of, flags, sizes)  # of the robot itself, where it came as a mapping
    robot = the(robot)
    known: dict[Any, Bound] = _threads.__dict__.setdefault("known", {})
    if kernel.weighs:
        warn_of_no_masses(robot)
    if len(known) >= REMEMBERED:
        known.clear()
    known[key] = found = Bound(kernel, robot, robot.table(of), flags, sizes)
    return found  # it holds the robot, so that nothing else gets its id


def the(robot: Robot | str) -> Robot:
    """The robot itself, or the one of that name in the library. Raises UnknownRobot, InvalidRobot."""
    if isinstance(robot, Robot):
        return robot
    from .library import robot_from

    return robot_from(robot)


def warn_of_no_masses(robot: Robot) -> None:
    """Warn (RobotWarning), once for each robot, that its torques are 0 because nothing of it has mass."""
    if not robot.has_dynamics and not robot.__dict__.get("_warned"):
        robot.__dict__["_warned"] = True
        text = f"{massless(robot.name)}; what weight and inertia take counts as 0"
        warnings.warn(text, RobotWarning, stacklevel=outside())
