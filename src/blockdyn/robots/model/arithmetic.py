"""Formulas use numbers and names, `d3 + k*d4`, and one joint coordinate, `q1 - 90deg`."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sqrt": math.sqrt,
    "radians": math.radians,
}
_DEGREES = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(?:deg|°)")
_COORDINATE = re.compile(r"q[1-9]\d*")
LONGEST = 400  # characters; no formula of a robot is longer, and the parser recurses


class Formula:
    """`coefficient * q_i + constant`; joint and coefficient are 0 without a coordinate."""

    __slots__ = ("coefficient", "constant", "joint")

    def __init__(self, constant: float, joint: int = 0, coefficient: float = 0.0) -> None:
        self.constant, self.joint, self.coefficient = constant, joint, coefficient


def number(text: str, names: Mapping[str, float] | None = None) -> float:
    """The value of a formula without joint coordinates. Raises ValueError with the reason."""
    result = formula(text, names)
    if result.joint:
        raise ValueError(f"`{text}` holds a joint coordinate")
    return result.constant


def formula(text: str, names: Mapping[str, float] | None = None) -> Formula:
    """A formula that is linear in at most one joint coordinate q1, q2, ...

    Numbers, `pi`, the given names, + - * / **, sin cos tan sqrt radians; `90deg` is pi/2.
    Raises ValueError with the reason.
    """
    tree = _tree(text)
    try:
        result = _value(tree, names or {})
    except (ZeroDivisionError, OverflowError, RecursionError) as error:
        raise ValueError(f"`{text}` has no value: {error}") from None
    if not (math.isfinite(result.constant) and math.isfinite(result.coefficient)):
        raise ValueError(f"`{text}` is not finite")
    return result


@lru_cache(maxsize=1024)
def _tree(text: str) -> ast.expr:
    """The parts of a formula. Raises ValueError."""
    if len(text) > LONGEST:
        raise ValueError(f"a formula of {len(text)} characters, more than {LONGEST}")
    prepared = _DEGREES.sub(r"(\1*pi/180)", text.strip())
    try:
        return ast.parse(prepared, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"`{text}` is not a formula") from None


def _value(node: ast.expr, names: Mapping[str, float]) -> Formula:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return Formula(float(value))
        case ast.Name(id=name):
            return _look_up(name, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _value(operand, names)
            return Formula(-inner.constant, inner.joint, -inner.coefficient)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, names)
        case ast.BinOp(left=left, op=op, right=right):
            return _combine(_value(left, names), op, _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
            inner = _value(argument, names)
            if inner.joint:
                raise ValueError(f"{name} of a joint coordinate: a joint moves linearly with its coordinate")
            return Formula(_FUNCTIONS[name](inner.constant))
    raise ValueError("a formula is made of numbers, names, + - * / ** and sin cos tan sqrt radians")


def _look_up(name: str, names: Mapping[str, float]) -> Formula:
    if name in names:
        return Formula(float(names[name]))
    if name == "pi":
        return Formula(math.pi)
    if _COORDINATE.fullmatch(name):
        return Formula(0.0, int(name[1:]), 1.0)
    listed = ", ".join(["pi", *names])
    raise ValueError(f"there is no `{name}`; known are: {listed}, and joint coordinates q1, q2, ...")


def _combine(a: Formula, op: ast.operator, b: Formula) -> Formula:
    if a.joint and b.joint:
        raise ValueError("two joint coordinates in one formula")
    joint = a.joint or b.joint
    match op:
        case ast.Add():
            return Formula(a.constant + b.constant, joint, a.coefficient + b.coefficient)
        case ast.Sub():
            return Formula(a.constant - b.constant, joint, a.coefficient - b.coefficient)
        case ast.Mult() if a.joint:
            return Formula(a.constant * b.constant, joint, a.coefficient * b.constant)
        case ast.Mult():
            return Formula(a.constant * b.constant, joint, a.constant * b.coefficient)
        case ast.Div() if not b.joint:
            return Formula(a.constant / b.constant, joint, a.coefficient / b.constant)
        case ast.Pow() if not joint:
            power = a.constant**b.constant
            if isinstance(power, complex):
                raise ValueError("a root of a negative number")
            return Formula(power)
    raise ValueError("a joint coordinate can be negated and shifted, nothing else")
