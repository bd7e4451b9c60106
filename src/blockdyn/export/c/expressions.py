"""Expressions of C, with their precedence: parentheses stand where C requires them."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from textwrap import wrap

ATOM, UNARY, PRODUCT, SUM, RELATION, EQUALITY, CHOICE = range(7)
KEYWORDS = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while", "_Bool", "_Complex", "_Imaginary", "bool", "true", "false", "NULL", "NAN",
    "INFINITY", "INT64_MIN", "INT64_MAX", "INT64_C", "int64_t", "uint64_t", "int32_t", "uint32_t",
    "alignas", "alignof", "and", "and_eq", "asm", "bitand", "bitor", "catch", "char16_t", "char32_t",
    "class", "compl", "const_cast", "constexpr", "decltype", "delete", "dynamic_cast", "explicit", "export",
    "friend", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "reinterpret_cast", "static_assert", "static_cast",
    "template", "this", "thread_local", "throw", "try", "typeid", "typename", "using", "virtual", "wchar_t",
    "xor", "xor_eq", "main",
))  # fmt: skip
"""Words of C and C++, and names of their headers."""
EVERYWHERE = "*"  # unknown memory

TYPES = {
    "double": "double", "i64": "int64_t", "i32": "int32_t", "i16": "int16_t", "i8": "int8_t", "i1": "bool",
}  # fmt: skip
UNSIGNED = {"i64": "uint64_t", "i32": "uint32_t", "i16": "uint16_t", "i8": "uint8_t", "i1": "bool"}


@dataclass(frozen=True)
class Expression:
    """A text of C.

    level   the precedence of its outermost operator
    reads   the arrays that it reads
    """

    text: str
    level: int = ATOM
    reads: frozenset[str] = frozenset()

    def within(self, level: int) -> str:
        """The text as an operand of an operator of a level."""
        return self.text if self.level <= level else f"({self.text})"


def join(text: str, level: int, *parts: Expression) -> Expression:
    """An expression made of others."""
    return Expression(text, level, frozenset[str]().union(*(part.reads for part in parts)))


def binary(sign: str, a: Expression, b: Expression, level: int) -> Expression:
    """Two operands; the right one has parentheses if it has the same precedence."""
    return join(f"{a.within(level)} {sign} {b.within(level - 1)}", level, a, b)


def cast(kind: str, a: Expression) -> Expression:
    """A value as another type of C."""
    return join(f"({kind}){a.within(UNARY)}", UNARY, a)


def constant(kind: str, text: str) -> Expression:
    """A constant of LLVM."""
    if kind == "double":
        return real(text)
    if kind == "i1":
        return Expression("true" if text in ("true", "1") else "false")
    if text in ("undef", "poison", "zeroinitializer"):
        return Expression("0")
    number = int(text)
    if number == -(2**63):
        return Expression("INT64_MIN")
    if abs(number) >= 2**31:
        return Expression(f"INT64_C({number})")
    return Expression(str(number), ATOM if number >= 0 else UNARY)


def bits_of(kind: str, text: str) -> bytes:
    """The bytes of a constant of LLVM, the lowest first."""
    if kind != "double":
        return int(text).to_bytes(8 if kind == "i64" else 1, "little", signed=True)
    return int(text, 16).to_bytes(8, "little") if text.startswith("0x") else struct.pack("<d", float(text))


def real(text: str) -> Expression:
    """A constant double: the shortest decimal that is read as it."""
    if text in ("undef", "poison", "zeroinitializer"):
        return Expression("0.0")
    bits = bits_of("double", text)
    (number,) = struct.unpack("<d", bits)
    if math.isnan(number):
        return Expression("NAN" if bits[7] < 0x80 else "-NAN", ATOM if bits[7] < 0x80 else UNARY)
    if math.isinf(number):
        return Expression("INFINITY" if number > 0.0 else "-INFINITY", ATOM if number > 0.0 else UNARY)
    return Expression(repr(number), ATOM if math.copysign(1.0, number) > 0.0 else UNARY)


def wrapped(text: str) -> str:
    """A long declaration on several lines."""
    lines = wrap(text, 100, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def free(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken; it is taken from now on."""
    k, unique = 2, name
    while unique in taken:
        unique, k = f"{name}_{k}", k + 1
    taken.add(unique)
    return unique
