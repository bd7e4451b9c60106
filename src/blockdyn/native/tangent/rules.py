"""Derivatives of mathematical functions as LLVM instructions, and the writer of these lines.

Each rule is given the arguments of a function and its value, and returns the partial derivatives in the order
of the arguments. Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), chapters 4, 7.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Sequence
from math import log, pi, sqrt

from ..elementary.names import OF_ONE, OF_TWO, PREFIX, declaration


class Writer:
    """Writes instructions. The tangent of k numbers is a vector of k times `lanes`, None where it is zero."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.lines: list[str] = []
        self._count = 0

    def put(self, line: str) -> None:
        """Write a line."""
        self.lines.append(f"  {line}")

    def do(self, line: str) -> str:
        """Write an instruction, and return the name of its value."""
        self._count += 1
        self.put(f"%.t{self._count} = {line}")
        return f"%.t{self._count}"

    def tangents(self, count: int) -> str:
        """The type of the tangents of this number of values."""
        return f"<{count * self.lanes} x double>"

    def spread(self, value: str, count: int, kind: str = "double") -> str:
        """Each of `count` numbers repeated for every direction."""
        lanes = self.lanes
        if count == 1:
            vector = f"<{lanes} x {kind}>"
            one = self.do(f"insertelement {vector} poison, {kind} {value}, i64 0")
            return self.do(f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer")
        vector = f"<{count} x {kind}>"
        mask = indices(i for i in range(count) for _ in range(lanes))
        return self.do(f"shufflevector {vector} {value}, {vector} poison, {mask}")

    def scaled(self, tangent: str | None, factor: str, count: int) -> str | None:
        """A tangent times a number."""
        if tangent is None:
            return None
        return self.do(f"fmul {self.tangents(count)} {tangent}, {self.spread(factor, count)}")

    def calm(self, tangent: str | None, factor: str, count: int) -> str | None:
        """As `scaled`, also where the factor is infinite: a constant has the tangent 0."""
        product = self.scaled(tangent, factor, count)
        if product is None:
            return None
        kind = self.tangents(count)
        moves = self.do(f"fcmp une {kind} {tangent}, zeroinitializer")
        mask = f"<{count * self.lanes} x i1>"
        return self.do(f"select {mask} {moves}, {kind} {product}, {kind} zeroinitializer")

    def added(self, tangents: Sequence[str | None], count: int) -> str | None:
        """The sum of tangents."""
        total = None
        for tangent in tangents:
            if total is None:
                total = tangent
            elif tangent is not None:
                total = self.do(f"fadd {self.tangents(count)} {total}, {tangent}")
        return total

    def negative(self, tangent: str | None, count: int) -> str | None:
        """A tangent of the other sign."""
        return None if tangent is None else self.do(f"fneg {self.tangents(count)} {tangent}")

    def chosen(self, condition: str, tangents: Sequence[str | None], count: int, wide: bool) -> str | None:
        """The first of two tangents where a condition holds, the second elsewhere; `wide`: it is a vector."""
        if tangents[0] == tangents[1]:
            return tangents[0]
        mask = self.spread(condition, count, "i1") if wide else condition
        test = f"<{count * self.lanes} x i1>" if wide else "i1"
        kind = self.tangents(count)
        first, second = (tangent or "zeroinitializer" for tangent in tangents)
        return self.do(f"select {test} {mask}, {kind} {first}, {kind} {second}")

    def picked(self, tangents: Sequence[str | None], counts: int, elements: Sequence[int]) -> str | None:
        """Some elements of the tangents of two vectors of `counts` numbers each."""
        if tangents[0] is None and tangents[1] is None:
            return None
        first, second = (tangent or "zeroinitializer" for tangent in tangents)
        kind, lanes = self.tangents(counts), self.lanes
        mask = indices(max(i, 0) * lanes + j for i in elements for j in range(lanes))
        return self.do(f"shufflevector {kind} {first}, {kind} {second}, {mask}")


def indices(numbers: Iterable[int]) -> str:
    """A constant vector of indices."""
    listed = list(numbers)
    return f"<{len(listed)} x i32> <" + ", ".join(f"i32 {i}" for i in listed) + ">"


class Algebra:
    """Arithmetic on numbers, or on vectors of them, of one type."""

    def __init__(self, writer: Writer, count: int) -> None:
        self.writer, self.count = writer, count
        self.type = "double" if count == 1 else f"<{count} x double>"
        self._suffix = "f64" if count == 1 else f"v{count}f64"
        self.needed: dict[str, str] = {}

    def number(self, value: float) -> str:
        """A constant."""
        text = f"0x{_bits(value):016X}"
        return text if self.count == 1 else "<" + ", ".join([f"double {text}"] * self.count) + ">"

    def _two(self, word: str, a: str, b: str) -> str:
        return self.writer.do(f"{word} {self.type} {a}, {b}")

    def add(self, a: str, b: str) -> str:
        return self._two("fadd", a, b)

    def subtract(self, a: str, b: str) -> str:
        return self._two("fsub", a, b)

    def multiply(self, a: str, b: str) -> str:
        return self._two("fmul", a, b)

    def divide(self, a: str, b: str) -> str:
        return self._two("fdiv", a, b)

    def negative(self, a: str) -> str:
        return self.writer.do(f"fneg {self.type} {a}")

    def call(self, name: str, *values: str) -> str:
        """One of our elementary functions, or an intrinsic function of LLVM."""
        if name in (*OF_ONE, *OF_TWO):
            symbol = f"@{PREFIX}{name}"
            self.needed[symbol] = declaration(name)
        else:
            symbol = f"@llvm.{name}.{self._suffix}"
            self.needed[symbol] = f"declare {self.type} {symbol}({', '.join([self.type] * len(values))})"
        listed = ", ".join(f"{self.type} {value}" for value in values)
        return self.writer.do(f"call {self.type} {symbol}({listed})")

    def where(self, relation: str, a: str, b: str, yes: str, no: str) -> str:
        """`yes` where a relation holds, `no` elsewhere."""
        truth = "i1" if self.count == 1 else f"<{self.count} x i1>"
        test = self.writer.do(f"fcmp {relation} {self.type} {a}, {b}")
        return self.writer.do(f"select {truth} {test}, {self.type} {yes}, {self.type} {no}")

    def square(self, a: str) -> str:
        return self.multiply(a, a)

    def one_minus(self, a: str) -> str:
        return self.subtract(self.number(1.0), a)

    def one_plus(self, a: str) -> str:
        return self.add(self.number(1.0), a)

    def inverse(self, a: str) -> str:
        return self.divide(self.number(1.0), a)


Rule = Callable[..., list[str]]


def _inverse_sine(m: Algebra, u: str, y: str, sign: float) -> list[str]:
    return [m.divide(m.number(sign), m.call("sqrt", m.multiply(m.one_minus(u), m.one_plus(u))))]


def _power(m: Algebra, base: str, exponent: str, y: str) -> list[str]:
    """x^a: a x^(a - 1) and x^a log x; 0 where a is 0, and where x and its power are."""
    lower = m.call("pow", base, m.subtract(exponent, m.number(1.0)))
    first = m.where("oeq", exponent, m.number(0.0), exponent, m.multiply(exponent, lower))
    second = m.where("oeq", y, m.number(0.0), y, m.multiply(y, m.call("log", base)))
    return [first, second]


def _arctangent(m: Algebra, y: str, x: str, value: str) -> list[str]:
    square = m.add(m.square(y), m.square(x))
    return [m.divide(x, square), m.negative(m.divide(y, square))]


def _copied_sign(m: Algebra, size: str, sign: str, y: str) -> list[str]:
    one = m.number(1.0)
    return [m.multiply(m.call("copysign", one, size), m.call("copysign", one, sign)), m.number(0.0)]


def _choice(relation: str) -> Rule:
    def rule(m: Algebra, a: str, b: str, y: str) -> list[str]:
        first = m.where(relation, a, b, m.number(1.0), m.number(0.0))
        return [first, m.one_minus(first)]

    return rule


RULES: dict[str, Rule] = {
    "sqrt": lambda m, u, y: [m.divide(m.number(0.5), y)],
    "cbrt": lambda m, u, y: [m.divide(m.number(1 / 3), m.square(y))],
    "sin": lambda m, u, y: [m.call("cos", u)],
    "cos": lambda m, u, y: [m.negative(m.call("sin", u))],
    "tan": lambda m, u, y: [m.one_plus(m.square(y))],
    "asin": lambda m, u, y: _inverse_sine(m, u, y, 1.0),
    "acos": lambda m, u, y: _inverse_sine(m, u, y, -1.0),
    "atan": lambda m, u, y: [m.inverse(m.one_plus(m.square(u)))],
    "sinh": lambda m, u, y: [m.call("cosh", u)],
    "cosh": lambda m, u, y: [m.call("sinh", u)],
    "tanh": lambda m, u, y: [m.multiply(m.one_minus(y), m.one_plus(y))],
    "asinh": lambda m, u, y: [m.inverse(m.call("sqrt", m.one_plus(m.square(u))))],
    "acosh": lambda m, u, y: [
        m.inverse(m.call("sqrt", m.multiply(m.subtract(u, m.number(1.0)), m.one_plus(u))))
    ],
    "atanh": lambda m, u, y: [m.inverse(m.multiply(m.one_minus(u), m.one_plus(u)))],
    "exp": lambda m, u, y: [y],
    "exp2": lambda m, u, y: [m.multiply(m.number(log(2)), y)],
    "expm1": lambda m, u, y: [m.one_plus(y)],
    "log": lambda m, u, y: [m.inverse(u)],
    "log2": lambda m, u, y: [m.divide(m.number(1 / log(2)), u)],
    "log10": lambda m, u, y: [m.divide(m.number(1 / log(10)), u)],
    "log1p": lambda m, u, y: [m.inverse(m.one_plus(u))],
    "erf": lambda m, u, y: [m.multiply(m.number(2 / sqrt(pi)), m.call("exp", m.negative(m.square(u))))],
    "erfc": lambda m, u, y: [m.multiply(m.number(-2 / sqrt(pi)), m.call("exp", m.negative(m.square(u))))],
    "fabs": lambda m, u, y: [m.call("copysign", m.number(1.0), u)],
    "atan2": _arctangent,
    "hypot": lambda m, x, y, value: [m.divide(x, value), m.divide(y, value)],
    "pow": _power,
    "fmod": lambda m, a, b, y: [m.number(1.0), m.negative(m.call("trunc", m.divide(a, b)))],
    "copysign": _copied_sign,
    "minnum": _choice("olt"), "minimum": _choice("olt"), "fmin": _choice("olt"),
    "maxnum": _choice("ogt"), "maximum": _choice("ogt"), "fmax": _choice("ogt"),
    "fma": lambda m, a, b, c, y: [b, a, m.number(1.0)],
    "fmuladd": lambda m, a, b, c, y: [b, a, m.number(1.0)],
}  # fmt: skip
"""By name: `sqrt` stands for `llvm.sqrt.f64`, `llvm.sqrt.v4f64` and the function of the C library."""

FLAT = {"floor", "ceil", "rint", "nearbyint", "round", "roundeven", "trunc"}
"""Functions whose value stays the same, but for where it jumps."""

SINGULAR = {
    "sqrt",
    "cbrt",
    "asin",
    "acos",
    "acosh",
    "atanh",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "atan2",
    "hypot",
}
"""Functions whose derivative is infinite somewhere: what does not change has the tangent 0 there, too."""

SILENT = ("lifetime.", "experimental.noalias", "assume", "dbg.", "donothing", "invariant.")
"""Intrinsic functions that tell LLVM something and compute nothing."""


def plain_name(symbol: str) -> str:
    """`@llvm.sqrt.v4f64` as `sqrt`, `@elementary.sin` as `sin`."""
    name = symbol[1:].strip('"').removeprefix(PREFIX)
    match = re.match(r"llvm\.(\w+)\.(?:v\d+)?f64$", name)
    return match.group(1) if match else name


def _bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])
