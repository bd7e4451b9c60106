"""BitOperation: and, or, xor, not and shifts of the bits of whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Real, option, parameter
from ..contract.port import Port

FUNCTIONS = ("and", "or", "xor", "not", "shift_left", "shift_right")


class BitOperation(Block):
    """Bit operations on whole numbers, element by element.

        y = u0 and u1,  u0 or u1,  u0 xor u1,  not u0,  u0 2^u1 (shift_left),  u0 / 2^u1 (shift_right)

    Numbers have `bits` bits, 0 to 2^bits - 1; bits that are shifted out are lost. u1 is the constant
    `operand`, or, if that is not given, a second input; `not` takes only u0. Signals are doubles, which hold
    whole numbers up to 2^53; fractions are truncated. A number that is negative or too large ends the run
    with BlockFailed. The block has no events of its own, because such inputs change only at events. All
    inputs feed through to y directly.

    Example:
        {type: BitOperation, function: "xor", operand: 5}
    """

    elementwise: ClassVar = True

    function: str = option(default="and", doc="the operation", choices=FUNCTIONS)
    operand: Real | None = parameter(default=None, unit="1", doc="u1; default: an input", minimum=0)
    bits: int = option(default=32, doc="width of the numbers, 1 to 52")

    def symbol(self) -> str:
        return self.function

    def check(self) -> None:
        if not 1 <= self.bits <= 52:
            raise ParameterError("BitOperation", "bits", self.bits, "a whole number from 1 to 52")
        if self.operand is not None:
            operand = np.asarray(self.operand, np.float64)
            if np.any(operand % 1) or np.any(operand >= 2.0**self.bits):
                expected = f"whole numbers below 2^{self.bits}"
                raise ParameterError("BitOperation", "operand", self.operand, expected)

    def constants(self) -> Mapping[str, Any]:
        values: dict[str, Any] = {"end": 2.0**self.bits}
        if self.function == "not":
            return values | {"u1": 2.0**self.bits - 1.0}  # not u is u xor ones
        return values if self.operand is None else values | {"u1": self.operand}

    def input_ports(self) -> tuple[Port, ...]:
        alone = self.operand is not None or self.function == "not"
        return (Port("u0"),) if alone else (Port("u0"), Port("u1"))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        kernels = {"and": both, "or": either, "xor": unlike, "not": unlike}
        shifts = {"shift_left": shift_left, "shift_right": shift_right}
        return {"output": {**kernels, **shifts}[self.function]}


WRONG = "an input is negative, or has more than `bits` bits"


def is_outside(u: float, end: float) -> bool:
    return not 0.0 <= u < end


def both(u0: float, u1: float, end: float) -> float:
    if is_outside(u0, end) or is_outside(u1, end):
        raise Refusal(WRONG)
    return float(int(u0) & int(u1))


def either(u0: float, u1: float, end: float) -> float:
    if is_outside(u0, end) or is_outside(u1, end):
        raise Refusal(WRONG)
    return float(int(u0) | int(u1))


def unlike(u0: float, u1: float, end: float) -> float:
    if is_outside(u0, end) or is_outside(u1, end):
        raise Refusal(WRONG)
    return float(int(u0) ^ int(u1))


def shift_left(u0: float, u1: float, end: float) -> float:
    if is_outside(u0, end) or is_outside(u1, end):
        raise Refusal(WRONG)
    return float(int(u0) * 2.0 ** min(int(u1), 60)) % end


def shift_right(u0: float, u1: float, end: float) -> float:
    if is_outside(u0, end) or is_outside(u1, end):
        raise Refusal(WRONG)
    return float(int(u0 * 2.0 ** -min(int(u1), 60)))
