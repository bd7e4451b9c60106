"""Arithmetic with signals is written down as formulas, one for each element, instead of being computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np

from ....blocks.contract.formula import LONGEST

_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _ATOM = range(1, 9)
_SIGNS = {  # of MATLAB: the sign of formulas, its level, and the least levels of its operands
    "+": ("+", _SUM, _SUM, _PRODUCT), "-": ("-", _SUM, _SUM, _PRODUCT),
    "*": ("*", _PRODUCT, _PRODUCT, _SIGN), "/": ("/", _PRODUCT, _PRODUCT, _SIGN),
    "^": ("**", _SIGN, _ATOM, _ATOM), "%": ("%", _PRODUCT, _PRODUCT, _SIGN),
    **{sign: (sign, _COMPARISON, _SUM, _SUM) for sign in ("<", "<=", ">", ">=", "==")},
    "~=": ("!=", _COMPARISON, _SUM, _SUM), "&": ("and", _AND, _AND, _NOT), "|": ("or", _OR, _OR, _AND),
}  # fmt: skip


MOST_ELEMENTS = 10_000  # of an array with signals: each becomes a text


class Term:
    """A formula of one element of a signal, with the level of its outermost operator."""

    __slots__ = ("level", "text")

    def __init__(self, text: str, level: int = _ATOM) -> None:
        if len(text) > LONGEST:
            raise ValueError(f"the formula has more than {LONGEST} characters; split it into several blocks")
        self.text, self.level = text, level

    def __repr__(self) -> str:
        return self.text

    def __add__(self, other: Scalar) -> Scalar:
        return combine("+", self, other)

    def __radd__(self, other: Scalar) -> Scalar:
        return combine("+", other, self)

    def __sub__(self, other: Scalar) -> Scalar:
        return combine("-", self, other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return combine("-", other, self)

    def __mul__(self, other: Scalar) -> Scalar:
        return combine("*", self, other)

    def __rmul__(self, other: Scalar) -> Scalar:
        return combine("*", other, self)

    def __truediv__(self, other: Scalar) -> Scalar:
        return combine("/", self, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return combine("/", other, self)

    def __neg__(self) -> Scalar:
        return Term(f"-{_operand(self, _SIGN)}", _SIGN)


Scalar: TypeAlias = "Term | float"
Array: TypeAlias = "np.ndarray[Any, Any]"


def literal(number: float) -> Term:
    """A number as formulas write it, with all its digits."""
    number = float(number)
    if math.isnan(number):
        raise ValueError("NaN cannot be written in a formula")
    short = number.is_integer() and abs(number) < 1e16 and (number != 0 or math.copysign(1, number) > 0)
    return Term(str(int(number)) if short else repr(number), _SIGN if math.copysign(1, number) < 0 else _ATOM)


def term(value: Scalar) -> Term:
    """A number or a formula as a formula."""
    return value if isinstance(value, Term) else literal(value)


def _operand(value: Scalar, least: int) -> str:
    """The text of an operand, in parentheses where its operator binds weaker than this level."""
    part = term(value)
    return part.text if part.level >= least else f"({part.text})"


def combine(sign: str, left: Scalar, right: Scalar) -> Scalar:
    """Two operands with a sign of MATLAB; numbers alone give a number, and a factor 1 is left out."""
    if not isinstance(left, Term) and not isinstance(right, Term):
        return _number(sign, left, right)
    if (sign == "*" and not isinstance(left, Term) and left == 1.0) or (
        sign in ("&", "|") and not isinstance(left, Term)
    ):
        return right if sign == "*" else _truth(sign, bool(left), right)
    if (sign in ("*", "/", "^") and not isinstance(right, Term) and right == 1.0) or (
        sign in ("&", "|") and not isinstance(right, Term)
    ):
        return left if sign not in ("&", "|") else _truth(sign, bool(right), left)
    written, level, least_left, least_right = _SIGNS[sign]
    return Term(f"{_operand(left, least_left)} {written} {_operand(right, least_right)}", level)


def _truth(sign: str, constant: bool, other: Scalar) -> Scalar:
    """A conjunction or disjunction with a constant."""
    return truth(other) if constant == (sign == "&") else float(constant)


def truth(value: Scalar) -> Scalar:
    """1 or 0 for a number other than 0 or 0; comparisons and logic have such values already."""
    if isinstance(value, Term) and value.level <= _COMPARISON:
        return value
    return combine("~=", value, 0.0)


def _number(sign: str, left: float, right: float) -> float:
    operations: dict[str, Callable[[float, float], float]] = {
        "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power, "%": np.mod,
        "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal,
        "~=": np.not_equal, "&": np.logical_and, "|": np.logical_or,
    }  # fmt: skip
    with np.errstate(all="ignore"):
        return float(operations[sign](np.float64(left), np.float64(right)))


def call(name: str, *parts: Scalar) -> Term:
    """A function of formulas."""
    return Term(f"{name}({', '.join(term(part).text for part in parts)})")


def negation(value: Scalar) -> Scalar:
    """Logical negation."""
    if not isinstance(value, Term):
        return float(not value)
    return Term(f"not {_operand(value, _NOT)}", _NOT)


def choice(condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
    """One of two values by a condition."""
    if not isinstance(condition, Term):
        return yes if condition else no
    if yes is no or (not isinstance(yes, Term) and not isinstance(no, Term) and yes == no):
        return yes
    if isinstance(yes, Term) and isinstance(no, Term) and yes.text == no.text:
        return yes
    return call("where", condition, yes, no)


def _fix(x: Scalar) -> Scalar:
    return combine("*", call("sign", x), call("floor", call("abs", x)))


def _round(x: Scalar) -> Scalar:
    """Half away from zero; the fraction is compared, because 0.5 - 2^-54 + 0.5 is 1 in rounded numbers."""
    size = call("abs", x)
    below = call("floor", size)
    return combine("*", call("sign", x), combine("+", below, combine(">=", combine("-", size, below), 0.5)))


def _mod(x: Scalar, y: Scalar) -> Scalar:
    """MATLAB's modulus: the sign of the divisor, and x for a divisor of 0."""
    if isinstance(y, Term):
        return choice(combine("==", y, 0.0), x, combine("%", x, y))
    return combine("%", x, y) if y else x


def _rem(x: Scalar, y: Scalar) -> Scalar:
    """The remainder with the sign of the dividend."""
    size = abs(y) if not isinstance(y, Term) else call("abs", y)
    return combine("*", call("sign", x), combine("%", call("abs", x), size))


def _sinc(x: Scalar) -> Scalar:
    """sin(pi x)/(pi x), which is even. Moving |pi x| away from 0 by 1e-9 changes less than rounding does."""
    angle = combine("*", x, math.pi)
    angle = call("sqrt", combine("+", combine("*", angle, angle), 1e-18))
    return combine("/", call("sin", angle), angle)


_WRITTEN = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10", "log2",
    "sqrt", "abs", "sign", "floor", "ceil", "atan2", "hypot", "min", "max",
)  # fmt: skip
TERMS: dict[str, tuple[int, Callable[..., Scalar]]] = {
    **{
        name: (2 if name in ("atan2", "hypot", "min", "max") else 1, (lambda *x, name=name: call(name, *x)))
        for name in _WRITTEN
    },
    "fix": (1, _fix), "round": (1, _round), "mod": (2, _mod), "rem": (2, _rem), "not": (1, negation),
    "sec": (1, lambda x: combine("/", 1.0, call("cos", x))),
    "csc": (1, lambda x: combine("/", 1.0, call("sin", x))),
    "cot": (1, lambda x: combine("/", 1.0, call("tan", x))),
    "deg2rad": (1, lambda x: combine("*", x, math.pi / 180)),
    "rad2deg": (1, lambda x: combine("*", x, 180 / math.pi)),
    "sinc": (1, _sinc),
    "logical": (1, truth), "boolean": (1, truth),
    "double": (1, lambda x: x),
    "xor": (2, lambda x, y: combine("~=", truth(x), truth(y))),
}  # fmt: skip
"""Functions of one or two elements, by MATLAB's names."""


def elements(function: Callable[..., Scalar], *arrays: Array) -> Array:
    """A function of elements for each element of arrays, numbers among them."""
    return np.asarray(np.frompyfunc(function, len(arrays), 1)(*map(objects, arrays)), dtype=object)


def objects(array: Array) -> Array:
    """An array whose elements can be formulas. Raises ValueError for integer and single numbers."""
    if array.dtype.kind in "iu" or array.dtype == np.float32:
        raise ValueError(f"signals with numbers of the class {array.dtype} cannot be written as a formula")
    if array.size > MOST_ELEMENTS:
        raise ValueError(
            f"an array of {array.size} elements with signals; at most {MOST_ELEMENTS} are written"
        )
    return array if array.dtype == object else array.astype(np.float64).astype(object)


def lessen(array: Array) -> Array:
    """An array of objects as numbers, if all its elements are."""
    if array.dtype == object and not any(isinstance(each, Term) for each in array.flat):
        return array.astype(np.float64)
    return array


def fold(sign: str, parts: Sequence[Scalar], empty: float) -> Scalar:
    """Operands with the same sign between them, from the left."""
    return reduce(lambda left, right: combine(sign, left, right), parts) if parts else empty
