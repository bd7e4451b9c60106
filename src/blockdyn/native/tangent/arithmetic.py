"""The tangents of arithmetic: sums, products, functions, and elements of vectors."""

from __future__ import annotations

import re

from .frame import Frame, count_of
from .reading import Line, argument, split_list
from .rules import FLAT, RULES, SINGULAR, Algebra


def add(f: Frame, line: Line) -> None:
    count, (a, b) = f.numbers_of(line)
    second = f.tangent(b)
    if line.word == "fsub":
        second = f.writer.negative(second, count)
    f.name(line.target, f.writer.added([f.tangent(a), second], count))


def multiply(f: Frame, line: Line) -> None:
    count, (a, b) = f.numbers_of(line)
    w = f.writer
    parts = [w.scaled(f.tangent(a), b, count), w.scaled(f.tangent(b), a, count)]
    f.name(line.target, w.added(parts, count))


def divide(f: Frame, line: Line) -> None:
    count, (a, b) = f.numbers_of(line)
    w, m = f.writer, Algebra(f.writer, count)
    top, below = f.tangent(a), f.tangent(b)
    if top is None and below is None:
        return f.name(line.target, None)
    inverse = m.inverse(b)
    change = w.scaled(below, m.negative(line.target), count)
    f.name(line.target, w.scaled(w.added([top, change], count), inverse, count))


def remainder(f: Frame, line: Line) -> None:
    count, (a, b) = f.numbers_of(line)
    by_rule(f, line.target, "fmod", [a, b], count)


def negate(f: Frame, line: Line) -> None:
    count, (a,) = f.numbers_of(line)
    f.name(line.target, f.writer.negative(f.tangent(a), count))


def by_rule(f: Frame, target: str, name: str, values: list[str], count: int) -> None:
    tangents = [f.tangent(value) for value in values]
    if name in FLAT or all(tangent is None for tangent in tangents):
        return f.name(target, None)
    rule = RULES.get(name)
    if rule is None:
        raise f.refuse(f"the function `{name}`")
    algebra = Algebra(f.writer, count)
    factors = rule(algebra, *values, target)
    f.module.needed.update(algebra.needed)
    times = f.writer.calm if name in SINGULAR else f.writer.scaled
    parts = [times(t, f, count) for t, f in zip(tangents, factors, strict=True)]
    f.name(target, f.writer.added(parts, count))


def select(f: Frame, line: Line) -> None:
    test, first, second = map(argument, split_list(line.operands))
    kind = first[0]
    if kind == "ptr":
        shadows = [f.shadow(value) for _, value in (first, second)]
        if shadows == [None, None] and any(value.startswith("%") for _, value in (first, second)):
            f.shadows[line.target] = None
            return
        a, b = f.settled(first[1]), f.settled(second[1])
        f.shadows[line.target] = f.writer.do(f"select i1 {test[1]}, ptr {a}, ptr {b}")
    elif count := count_of(kind):
        tangents = [f.tangent(value) for _, value in (first, second)]
        f.name(line.target, f.writer.chosen(test[1], tangents, count, test[0] != "i1"))
        f.bits.update([line.target] * any(v in f.bits for _, v in (first, second)))
        if any(v in f.origins for _, v in (first, second)):
            f.origins[line.target] = ""


def same(f: Frame, line: Line) -> None:
    kind, value = argument(line.operands)
    if kind == "ptr":
        f.shadows[line.target] = f.shadow(value)
    elif count_of(kind):
        f.name(line.target, f.tangent(value))


def cast(f: Frame, line: Line) -> None:
    source, _, target_kind = line.operands.rpartition(" to ")
    kind, value = argument(source)
    if "double" in kind:
        f.bits.add(line.target)
    elif "double" in target_kind and value in f.bits and f.tangent(value) is None:
        raise f.refuse("arithmetic with the bits of a number")
    if count_of(kind) != count_of(target_kind):
        raise f.refuse(f"{kind} taken as {target_kind}")
    f.name(line.target, f.tangent(value))


def constant(f: Frame, line: Line) -> None:
    f.name(line.target, None)


def extract(f: Frame, line: Line) -> None:
    vector, index = map(argument, split_list(line.operands))
    count, tangent = count_of(vector[0]), f.tangent(vector[1])
    if tangent is None or not count:
        return f.name(line.target, None)
    if not index[1].isdigit():
        raise f.refuse("an element of a vector whose place is computed")
    f.name(line.target, f.writer.picked([tangent, None], count, [int(index[1])]))


def insert(f: Frame, line: Line) -> None:
    vector, element, index = map(argument, split_list(line.operands))
    count = count_of(vector[0])
    old, new = f.tangent(vector[1]), f.tangent(element[1])
    if (old is None and new is None) or not count:
        return f.name(line.target, None)
    if not index[1].isdigit():
        raise f.refuse("an element of a vector whose place is computed")
    wide = f.writer.picked([new, None], 1, [0] * count) if new else None
    elements = [count + i if i == int(index[1]) else i for i in range(count)]
    f.name(line.target, f.writer.picked([old, wide], count, elements))


def shuffle(f: Frame, line: Line) -> None:
    first, second, mask = split_list(line.operands)
    (kind, a), (_, b) = argument(first), argument(second)
    elements = [int(i) for i in re.findall(r"i32 (-?\d+)", mask.replace("poison", "0").replace("undef", "0"))]
    if not elements:
        elements = [0] * int(mask[1:].split()[0])
    if count := count_of(kind):
        tangents = [f.tangent(a), f.tangent(b)]
        f.name(line.target, f.writer.picked(tangents, count, elements))


def reduce(f: Frame, line: Line, arguments: list[tuple[str, str]]) -> None:
    (_, begin), (kind, vector) = arguments
    parts, tangent = [f.tangent(begin)], f.tangent(vector)
    if tangent is not None:
        count = count_of(kind)
        parts += [f.writer.picked([tangent, None], count, [i]) for i in range(count)]
    f.name(line.target, f.writer.added(parts, 1))
