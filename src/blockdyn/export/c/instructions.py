"""Instructions of LLVM that compute a value, as expressions of C."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ...native.tangent.reading import Line, argument, first_type, split_list
from .expressions import (
    CHOICE,
    EQUALITY,
    PRODUCT,
    RELATION,
    SUM,
    TYPES,
    UNARY,
    UNSIGNED,
    Expression,
    binary,
    cast,
    join,
)
from .pointers import Unprintable

Read: TypeAlias = Callable[[str, str], Expression]  # the expression of a value of a type

_REAL = {"fadd": ("+", SUM), "fsub": ("-", SUM), "fmul": ("*", PRODUCT), "fdiv": ("/", PRODUCT)}
_INTEGER = {
    "add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT), "sdiv": ("/", PRODUCT),
    "srem": ("%", PRODUCT), "and": ("&", CHOICE), "or": ("|", CHOICE), "xor": ("^", CHOICE),
}  # fmt: skip
_WRAPPING = {"add", "sub", "mul", "shl"}
_ORDERED = {"olt": "<", "ole": "<=", "ogt": ">", "oge": ">=", "oeq": "==", "une": "!="}
_NEGATED = {"ult": ">=", "ule": ">", "ugt": "<=", "uge": "<"}
_COMPARISONS = {
    "eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">=",
    "ult": "<", "ule": "<=", "ugt": ">", "uge": ">=",
}  # fmt: skip
FUNCTIONS = frozenset((
    "sqrt", "fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "copysign", "fma",
))  # fmt: skip
"""Functions of C's <math.h> that are exact by the standard, by LLVM's names."""


def _compared(sign: str, a: Expression, b: Expression) -> Expression:
    """A comparison; comparisons in it have parentheses."""
    level = EQUALITY if sign in ("==", "!=") else RELATION
    return join(f"{a.within(SUM)} {sign} {b.within(SUM)}", level, a, b)


def expression(line: Line, read: Read) -> Expression:
    """The value of an instruction that only computes. Raises Unprintable."""
    word = line.word
    if word in _REAL:
        kind, remainder = first_type(line.operands)
        a, b = (read(kind, part) for part in split_list(remainder))
        return binary(_REAL[word][0], a, b, _REAL[word][1])
    if word == "fneg":
        a = read(*argument(line.operands))
        return join(f"-{a.within(PRODUCT) if a.level != UNARY else f'({a.text})'}", UNARY, a)
    if word == "fcmp":
        return _compare_reals(line, read)
    if word == "icmp":
        return _compare_integers(line, read)
    if word == "select":
        condition, *ways = split_list(line.operands)
        c, (a, b) = read("i1", argument(condition)[1]), (read(*argument(way)) for way in ways)
        return join(f"{c.within(EQUALITY)} ? {a.within(EQUALITY)} : {b.within(EQUALITY)}", CHOICE, c, a, b)
    if word in _INTEGER or word in ("shl", "lshr", "ashr", "udiv", "urem"):
        return _integer(line, read)
    if word in ("sext", "zext", "trunc", "fptosi", "fptoui", "sitofp", "uitofp", "bitcast"):
        return _cast(line, read)
    if word == "freeze":
        return read(*argument(line.operands))
    raise Unprintable(f"the instruction {word}")


def _compare_reals(line: Line, read: Read) -> Expression:
    match = re.match(r"(\w+) (\S+) (.*)", line.operands)
    assert match is not None
    predicate, kind, operands = match.groups()
    names = split_list(operands)
    a, b = (read(kind, part) for part in names)
    if predicate in _ORDERED:
        sign = _ORDERED[predicate]
        return _compared(sign, a, b)
    if predicate in _NEGATED:
        compared = binary(_NEGATED[predicate], a, b, RELATION)
        return join(f"!({compared.text})", UNARY, compared)
    if predicate in ("uno", "ord"):
        parts = [f"isnan({x.text})" for x, name in zip((a, b), names, strict=True) if name.startswith("%")]
        parts = list(dict.fromkeys(parts))
        text = " || ".join(parts)
        if predicate == "ord":
            return join(f"!({text})", UNARY, a, b)
        return join(text, UNARY if len(parts) == 1 else CHOICE, a, b)
    if predicate in ("one", "ueq"):
        less, more = (binary(sign, a, b, RELATION).text for sign in "<>")
        text = f"{less} || {more}"
        return join(f"!({text})", UNARY, a, b) if predicate == "ueq" else join(text, CHOICE, a, b)
    raise Unprintable(f"the comparison `{line.text}`")


def _compare_integers(line: Line, read: Read) -> Expression:
    match = re.match(r"(?:samesign )?(\w+) (\S+) (.*)", line.operands)
    assert match is not None
    predicate, kind, operands = match.groups()
    if kind == "ptr":
        raise Unprintable("a comparison of addresses")
    a, b = (read(kind, part) for part in split_list(operands))
    if predicate[0] == "u" and "samesign" not in line.text:
        a, b = cast(UNSIGNED[kind], a), cast(UNSIGNED[kind], b)
    sign = _COMPARISONS[predicate]
    return _compared(sign, a, b)


def _integer(line: Line, read: Read) -> Expression:
    word, flags = line.word, line.text.partition("=")[2]
    kind, remainder = first_type(re.sub(r"^(?:nuw |nsw |exact |disjoint )+", "", line.operands))
    a, b = (read(kind, part) for part in split_list(remainder))
    if kind == "i1":
        return _boolean(word, a, b)
    # numba says of products, too, that they do not overflow, and those of random numbers do
    if word in _INTEGER and (word not in _WRAPPING or (" nsw " in flags and word != "mul")):
        sign, level = _INTEGER[word]
        if level == CHOICE:
            value = join(f"{a.within(UNARY)} {sign} {b.within(UNARY)}", CHOICE, a, b)
        else:
            value = binary(sign, a, b, level)
        return value if kind == "i64" else cast(TYPES[kind], value)
    if word == "ashr":
        value = join(f"{a.within(UNARY)} >> {b.within(UNARY)}", CHOICE, a, b)
        return value if kind == "i64" else cast(TYPES[kind], value)
    sign = {"shl": "<<", "lshr": ">>", "udiv": "/", "urem": "%"}.get(word) or _INTEGER[word][0]
    unsigned = UNSIGNED[kind]
    second = b if word in ("shl", "lshr") else cast(unsigned, b)
    value = join(f"{cast(unsigned, a).text} {sign} {second.within(UNARY)}", CHOICE, a, b)
    return cast(TYPES[kind], value)


def _boolean(word: str, a: Expression, b: Expression) -> Expression:
    if word == "xor" and b.text == "true":
        return join(f"!{a.within(UNARY)}", UNARY, a)
    sign = {"and": "&&", "or": "||", "xor": "!=", "add": "!="}.get(word)
    if sign is None:
        raise Unprintable(f"`{word}` of truth values")
    level = SUM if sign == "!=" else EQUALITY
    return join(f"{a.within(level)} {sign} {b.within(level)}", CHOICE, a, b)


def _cast(line: Line, read: Read) -> Expression:
    operands = re.sub(r"^(?:nneg |nuw |nsw |samesign )+", "", line.operands)
    source, target = operands.rsplit(" to ", 1)
    kind, value = argument(source)
    a = read(kind, value)
    if line.word == "bitcast":
        if {kind, target} != {"double", "i64"}:
            raise Unprintable(f"the instruction `{line.text}`")
        return join(f"{'bits_of' if kind == 'double' else 'real_of'}({a.text})", 0, a)
    if line.word in ("fptosi", "fptoui"):
        return (
            cast(TYPES[target], join(f"integer_of({a.text})", 0, a))
            if target != "i64"
            else join(f"integer_of({a.text})", 0, a)
        )
    if kind == "i1" and line.word in ("sext", "sitofp"):
        return join(f"-{cast(TYPES[target], a).within(PRODUCT)}", UNARY, a)
    if target == "i1":
        return join(f"({a.within(UNARY)} & 1) != 0", EQUALITY, a)
    if line.word in ("zext", "uitofp") and kind != "i1" and "nneg" not in line.text:
        a = cast(UNSIGNED[kind], a)
    return cast(TYPES[target], a)
