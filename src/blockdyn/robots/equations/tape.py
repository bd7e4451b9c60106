"""A tape lists the operations of a function in order, each once, with constants folded.

Python code runs on `Number`s, and every operation goes on the tape. Multiplications by 0, 1 and -1 and sums
with 0 are removed; equal operations are merged; signs move outwards into sums. Sums are never reassociated,
and no rounding changes: straight-line code returns the bits of the traced function, except for the sign of
zeros.

A branch on a number becomes a requirement: the tape follows the usual side, and its caller calls
the original if a requirement does not hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from ..errors import RobotError

ARITHMETIC = ("add", "sub", "mul", "div", "neg")
FUNCTIONS = ("sin", "cos", "sqrt", "abs")
RELATIONS = ("greater", "less", "equal")
COMMUTATIVE = frozenset({"add", "mul", "equal"})
REQUIRE = "require"
SELECT = "select"

Operand = int | float
"""An int is the index of an input's element or of an operation's result; a float is a constant."""


class NotTraceable(RobotError):
    """A function has an operation that a tape cannot record."""

    def __init__(self, function: str, reason: str) -> None:
        self.function, self.reason = function, reason
        super().__init__(
            f"{function}: its equations cannot be written as straight-line code: {reason}\n"
            "expected: sums, products, quotients, sin, cos, sqrt, abs and comparisons of numbers\n"
            "use the function itself, or a robot with the same equations in that form"
        )


@dataclass(frozen=True)
class Operation:
    """One operation: its name and operands.

    `add`, `sub`, `mul`, `div`, `neg`, `sin`, `cos`, `sqrt`, `abs` return numbers; `greater`, `less` and
    `equal` conditions; `select` (condition, number if true, number if false) returns a number; `require`
    (condition, 1.0 or 0.0) has no result, and requires that the condition is true or false.
    """

    name: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class Variable:
    """An input array: its name and shape. Its elements take successive places, row by row."""

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class ResultArray:
    """An output array: its name, its shape, and the operand of each element, row by row."""

    name: str
    shape: tuple[int, ...]
    elements: tuple[Operand, ...]


@dataclass(frozen=True)
class StraightLine:
    """A function without loops: the places 0, 1, ... are the elements of the inputs, then the operations.

    `status` is the return value if all requirements hold, None without a return value.
    """

    name: str
    inputs: tuple[Variable, ...]
    operations: tuple[Operation, ...]
    outputs: tuple[ResultArray, ...]
    status: int | None = None

    @cached_property
    def first(self) -> int:
        """The place of the first operation: the number of elements of all inputs."""
        return sum(variable.size for variable in self.inputs)

    @property
    def count(self) -> int:
        """The number of sums, products and quotients."""
        return sum(operation.name in ("add", "sub", "mul", "div") for operation in self.operations)

    def counts(self) -> dict[str, int]:
        """The count of each operation."""
        names = [operation.name for operation in self.operations]
        return {name: names.count(name) for name in dict.fromkeys(names)}

    def places(self) -> list[tuple[str, tuple[int, ...]]]:
        """The variable and the element index of every input place."""
        return [
            (variable.name, tuple(map(int, index)))
            for variable in self.inputs
            for index in np.ndindex(variable.shape)
        ]

    def __call__(self, *values: Any) -> tuple[np.ndarray, ...]:
        """The outputs at these inputs, evaluated in Python. Raises NotTraceable if a requirement fails."""
        numbers: list[Any] = [float(x) for value in values for x in np.ravel(value)]
        if len(numbers) != self.first:
            raise NotTraceable(self.name, f"found {len(numbers)} numbers, its inputs have {self.first}")

        def get(operand: Operand) -> Any:
            return numbers[operand] if isinstance(operand, int) else operand

        for operation in self.operations:
            operands = [get(operand) for operand in operation.operands]
            if operation.name == REQUIRE:
                if bool(operands[0]) != bool(operands[1]):
                    raise NotTraceable(self.name, "these inputs are on the other side of a branch")
                numbers.append(None)
            else:
                numbers.append(_EVALUATE[operation.name](*operands))
        return tuple(
            np.array([get(element) for element in output.elements], np.float64).reshape(output.shape)
            for output in self.outputs
        )


_EVALUATE: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "sin": math.sin,
    "cos": math.cos,
    "sqrt": math.sqrt,
    "abs": abs,
    "greater": lambda a, b: a > b,
    "less": lambda a, b: a < b,
    "equal": lambda a, b: a == b,
    "select": lambda c, a, b: a if c else b,
}


class Tape:
    """Recorder of operations; `finish` returns them as a StraightLine."""

    def __init__(self, name: str, inputs: Iterable[Variable]) -> None:
        self.name, self.inputs = name, tuple(inputs)
        self._first = sum(variable.size for variable in self.inputs)
        self._operations: list[Operation] = []
        self._places: dict[tuple[str, tuple[Operand, ...]], int] = {}
        self._required: dict[int, bool] = {}

    def variables(self) -> dict[str, np.ndarray]:
        """Arrays of numbers for all inputs, by name."""
        arrays, at = {}, 0
        for variable in self.inputs:
            numbers = np.empty(variable.size, object)
            for k in range(variable.size):
                numbers[k] = Number(self, at + k)
            arrays[variable.name] = numbers.reshape(variable.shape)
            at += variable.size
        return arrays

    def put(self, name: str, *operands: Operand) -> int:
        """The place of an operation; a new one is recorded."""
        if name in COMMUTATIVE:
            operands = tuple(sorted(operands, key=lambda x: (isinstance(x, float), x)))
        key = name, operands
        if key not in self._places:
            self._places[key] = self._first + len(self._operations)
            self._operations.append(Operation(name, operands))
        return self._places[key]

    def require(self, condition: int, usual: bool) -> bool:
        """Require the usual side of a branch, once, and return it."""
        if condition not in self._required:
            self._required[condition] = usual
            self._operations.append(Operation(REQUIRE, (condition, float(usual))))
        return self._required[condition]

    def finish(self, outputs: Sequence[tuple[str, np.ndarray]], status: int | None = None) -> StraightLine:
        """The function with these outputs, without unused operations."""
        results = [
            ResultArray(name, array.shape, tuple(self._operand(x) for x in array.ravel()))
            for name, array in outputs
        ]
        needed = {x for result in results for x in result.elements if isinstance(x, int)}
        chosen: list[int] = []
        for k in range(len(self._operations) - 1, -1, -1):
            operation = self._operations[k]
            if operation.name == REQUIRE or self._first + k in needed:
                chosen.append(k)
                needed.update(x for x in operation.operands if isinstance(x, int))
        chosen.reverse()
        places = {place: place for place in range(self._first)}
        places |= {self._first + k: self._first + i for i, k in enumerate(chosen)}

        def moved(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
            return tuple(places[x] if isinstance(x, int) else x for x in operands)

        return StraightLine(
            self.name,
            self.inputs,
            tuple(Operation(self._operations[k].name, moved(self._operations[k].operands)) for k in chosen),
            tuple(ResultArray(result.name, result.shape, moved(result.elements)) for result in results),
            status,
        )

    def _operand(self, x: Any) -> Operand:
        """The operand of a number or a constant."""
        if not isinstance(x, Number):
            return float(x)
        return self.put("neg", x.place) if x.negative else x.place


class Condition:
    """A comparison; as the condition of an `if`, its usual outcome becomes a requirement."""

    def __init__(self, tape: Tape, place: int, *, usual: bool) -> None:
        self._tape, self.place, self._usual = tape, place, usual

    def __bool__(self) -> bool:
        return self._tape.require(self.place, self._usual)

    def select(self, a: Any, b: Any) -> Any:
        """`a` if the condition is true, otherwise `b`."""
        operands = self._tape._operand(a), self._tape._operand(b)
        return (
            a
            if operands[0] == operands[1]
            else Number(self._tape, self._tape.put(SELECT, self.place, *operands))
        )


class Number:
    """A place on a tape, or its negative."""

    __slots__ = ("negative", "place", "tape")

    def __init__(self, tape: Tape, place: int, *, negative: bool = False) -> None:
        self.tape, self.place, self.negative = tape, place, negative

    def __neg__(self) -> Number:
        return Number(self.tape, self.place, negative=not self.negative)

    def __pos__(self) -> Number:
        return self

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Number):
            factor = float(other)
            if factor == 0.0:
                return 0.0
            if abs(factor) == 1.0:
                return self if factor > 0.0 else -self
            return self._put("mul", abs(factor), negative=self.negative != (factor < 0.0))
        return self._put("mul", other.place, negative=self.negative != other.negative)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, Number):
            divisor = float(other)
            if abs(divisor) == 1.0:
                return self * divisor
            return self._put("div", abs(divisor), negative=self.negative != (divisor < 0.0))
        return self._put("div", other.place, negative=self.negative != other.negative)

    def __rtruediv__(self, other: Any) -> Any:
        dividend = float(other)
        if dividend == 0.0:
            return 0.0
        place = self.tape.put("div", abs(dividend), self.place)
        return Number(self.tape, place, negative=self.negative != (dividend < 0.0))

    def __pow__(self, exponent: int) -> Any:
        if exponent != 2:
            raise NotTraceable(self.tape.name, f"a power of {exponent}")
        return self * self

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Number):
            constant = float(other)
            if constant == 0.0:
                return self
            if self.negative == (constant < 0.0):
                return self._put("add", abs(constant), negative=self.negative)
            if self.negative:
                return Number(self.tape, self.tape.put("sub", constant, self.place))
            return self._put("sub", -constant)
        if self.negative == other.negative:  # -a - b = -(a + b), with equal rounding
            return self._put("add", other.place, negative=self.negative)
        if self.place == other.place:
            return 0.0
        a, b = (other, self) if self.negative else (self, other)
        return a._put("sub", b.place)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __abs__(self) -> Number:
        return self._put("abs")

    def sine(self) -> Number:
        return self._put("sin", negative=self.negative)

    def cosine(self) -> Number:
        return self._put("cos")

    def root(self) -> Number:
        return Number(self.tape, self.tape.put("sqrt", self.tape._operand(self)))

    def __gt__(self, other: Any) -> Any:
        return self._compare("greater", other, usual=True)

    def __lt__(self, other: Any) -> Any:
        return self._compare("less", other, usual=False)

    def __eq__(self, other: object) -> Any:
        return self._compare("equal", other, usual=True)

    __hash__ = None  # type: ignore[assignment]

    def _put(self, name: str, *operands: Operand, negative: bool = False) -> Number:
        return Number(self.tape, self.tape.put(name, self.place, *operands), negative=negative)

    def _compare(self, name: str, other: Any, *, usual: bool) -> Condition:
        operand = self.tape._operand
        return Condition(self.tape, self.tape.put(name, operand(self), operand(other)), usual=usual)


def sine(x: Any) -> Any:
    """The sine of a number or a constant."""
    return x.sine() if isinstance(x, Number) else math.sin(x)


def cosine(x: Any) -> Any:
    """The cosine of a number or a constant."""
    return x.cosine() if isinstance(x, Number) else math.cos(x)


def root(x: Any) -> Any:
    """The square root of a number or a constant."""
    return x.root() if isinstance(x, Number) else math.sqrt(x)


def real(x: Any) -> Any:
    """`float` for a number or a constant."""
    return x if isinstance(x, Number) else float(x)


def choose(condition: Any, a: Any, b: Any) -> Any:
    """`a` if the condition holds, otherwise `b`, without a branch."""
    return condition.select(a, b) if isinstance(condition, Condition) else a if condition else b
