"""Arithmetic on blocks and ports: each operation adds the block that computes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...base.location import Location, caller
from ...blocks.contract.formula import parse
from ...blocks.contract.parameter import Real
from ...blocks.contract.parameter_expression import Parameter
from .arguments import described
from .errors import BadWire

if TYPE_CHECKING:
    from ...blocks.contract.block import Block
    from .diagram import Diagram
    from .handle import Endpoint, Handle

Operand: TypeAlias = "Arithmetic | Real"
"""A block with one output, one of its ports, or a number, vector or matrix."""


class Arithmetic:
    """Arithmetic of signals with `+ - * / **`, unary minus and `abs`; each gives the added block.

    `a + b`, `a - b`: Sum. `2 * a`, `a / 2`, `-a`: Gain. `a * b`, `a / b`: Product. `a ** 2`: Power.
    `a ** b`, `2 ** a`: Expression. `abs(a)`: Abs. Other numbers become Constant blocks. New blocks are named
    after their kind: sum1, gain1. All are elementwise, with NumPy's broadcasting. Raises BadWire for signals
    of two diagrams, and for a division by the number 0.
    """

    __slots__ = ()

    diagram: Diagram

    def __add__(self, other: Operand) -> Handle:
        return _sum(self, other, "++")

    def __radd__(self, other: Operand) -> Handle:
        return _sum(other, self, "++")

    def __sub__(self, other: Operand) -> Handle:
        return _sum(self, other, "+-")

    def __rsub__(self, other: Operand) -> Handle:
        return _sum(other, self, "+-")

    def __mul__(self, other: Operand) -> Handle:
        if isinstance(other, Arithmetic):
            return _product(self, other, "**")
        return _gain(self, other)

    def __rmul__(self, other: Operand) -> Handle:
        return self.__mul__(other)

    def __truediv__(self, other: Operand) -> Handle:
        if isinstance(other, Arithmetic):
            return _product(self, other, "*/")
        return _gain(self, _inverse(other))

    def __rtruediv__(self, other: Operand) -> Handle:
        return _product(other, self, "*/")

    def __pow__(self, exponent: Operand) -> Handle:
        from ...blocks.mathematics.power import Power

        if isinstance(exponent, Arithmetic):
            return _power(self, exponent)
        return _unary(self, "power", Power(exponent=exponent))

    def __rpow__(self, base: Real) -> Handle:
        return _power(base, self)

    def __array_ufunc__(self, function: np.ufunc, method: str, *values: Any, **_: Any) -> Any:
        """`array * signal`; signals support no other NumPy functions."""
        swapped = _SWAPPED.get(function.__name__)
        if swapped is None or method != "__call__" or not isinstance(values[1], Arithmetic):
            return NotImplemented
        return getattr(values[1], swapped)(values[0])

    def __neg__(self) -> Handle:
        return _gain(self, -1.0)

    def __abs__(self) -> Handle:
        from ...blocks.mathematics.abs import Abs

        return _unary(self, "abs", Abs())

    def element(self, *indices: int) -> Handle:
        """The elements of a vector signal at these positions, from 0, through a Selector."""
        from ...blocks.routing.selector import Selector

        return _unary(self, "selector", Selector(indices=indices))


_SWAPPED = {
    "add": "__radd__", "subtract": "__rsub__", "multiply": "__rmul__", "divide": "__rtruediv__",
    "power": "__rpow__",
}  # fmt: skip
"""The operators of a signal to the right of an array, by NumPy's names."""


def _unary(signal: Arithmetic, stem: str, block: Block) -> Handle:
    new = signal.diagram.add_unnamed(stem, block)
    signal.diagram.connect(_end(signal), new)
    return new


def _gain(signal: Arithmetic, factor: Real) -> Handle:
    from ...blocks.mathematics.gain import Gain

    return _unary(signal, "gain", Gain(k=factor))


def _sum(a: Operand, b: Operand, signs: str) -> Handle:
    from ...blocks.mathematics.sum import Sum

    return _binary(a, b, "sum", Sum(signs=signs))


def _product(a: Operand, b: Operand, signs: str) -> Handle:
    from ...blocks.mathematics.product import Product

    return _binary(a, b, "product", Product(signs=signs))


def _power(base: Operand, exponent: Operand) -> Handle:
    from ...blocks.mathematics.expression import Expression

    return _binary(base, exponent, "power", Expression(formula="u0 ** u1"))


def _binary(a: Operand, b: Operand, stem: str, block: Block) -> Handle:
    diagram = a.diagram if isinstance(a, Arithmetic) else _signal(b).diagram
    ends = [_end(x) if isinstance(x, Arithmetic) else _constant(diagram, x) for x in (a, b)]
    for end in ends:
        check_own(diagram, end)
    new = diagram.add_unnamed(stem, block)
    for i, end in enumerate(ends):
        diagram.connect(end, new[i])
    return new


def _constant(diagram: Diagram, value: Real) -> Handle:
    from ...blocks.sources.constant import Constant

    return diagram.add_unnamed("constant", Constant(value=value))


def _end(signal: Arithmetic) -> Handle | Endpoint:
    from .handle import Endpoint, Handle

    assert isinstance(signal, (Handle, Endpoint))
    return signal


def _signal(operand: Operand) -> Arithmetic:
    assert isinstance(operand, Arithmetic)
    return operand


def _inverse(value: Real) -> Real:
    if isinstance(value, Parameter):
        return Parameter(parse(f"1 / ({value.formula.text})"))
    try:
        number = np.asarray(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        expected = "a signal, a number, a vector or a matrix"
        raise BadWire(f"a signal divided by {described(value)}", expected) from None
    if not np.all(number):
        raise BadWire("a signal divided by zero", "a divisor whose elements are not zero")
    return np.reciprocal(number)


def check_own(diagram: Diagram, handle: Handle | Endpoint, at: Location | None = None) -> None:
    """Raise BadWire when a handle belongs to another diagram."""
    if handle.diagram is not diagram:
        raise BadWire(
            f"{handle} belongs to diagram {handle.diagram.name}, not to {diagram.name}",
            "wires inside one diagram; signals enter and leave a subsystem through Inport and Outport",
            path=handle.handle.name,
            location=at or caller(),
        )
