"""Instructions of a function, except branches, as statements of C."""

from __future__ import annotations

import re

from ...native.tangent.reading import Line, argument, first_type, last_type, split_list
from . import expressions
from .expressions import CHOICE, EVERYWHERE, PRODUCT, SUM, TYPES, Expression, join
from .instructions import FUNCTIONS, expression
from .pointers import SIZES, Unprintable, call_of, is_of_exceptions, size_of, strides
from .values import IGNORED, Place, Values, parts_of

SMALL = 16  # elements of an array that begins with zeros, so that a failed function leaves something in it
_EXTREMES = {"smax": ">", "smin": "<", "umax": ">", "umin": "<"}


class Statements:
    """Writes the statements of instructions."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def line(self, line: Line) -> None:
        if is_of_exceptions(line):
            return
        if line.word == "phi":
            kind = first_type(line.operands)[0]
            if self._values.uses[line.target] and parts_of(kind) is None:
                self._values.phi(line, kind)
        elif line.word == "extractvalue":
            kind, remainder = first_type(line.operands)
            value, place = split_list(remainder)
            parts = parts_of(kind) or []
            self._values.give(line.target, parts[int(place)], self._values.elements(parts, value)[int(place)])
        elif line.word == "insertvalue":
            self._insert(line)
        elif line.word == "alloca":
            kind = self._values.kind(line.target)
            size = -(-size_of(split_list(line.operands)[0]) // SIZES[kind])
            local = self._values.fresh(f"a{len(self._values.places)}")
            self._values.variables.setdefault(TYPES[kind], []).append(
                f"{local}[{size}] = {{0}}" if size <= SMALL else f"{local}[{size}]"
            )
            self._values.places[line.target] = Place(local, owner=local)
        elif line.word == "getelementptr":
            self._element(line)
        elif line.word == "load":
            self._load(line)
        elif line.word == "store":
            self._store(line)
        elif line.word == "call":
            self._call(line)
        elif line.word == "select" and split_list(line.operands)[1].startswith("ptr"):
            self._values.flush()
            condition, *ways = split_list(line.operands)
            local = self._values.phi(line, "ptr")
            a, b = (self._values.address(argument(way)[1]) for way in ways)
            c = self._values.read("i1", argument(condition)[1])
            self._values.put(f"{local} = {c.within(expressions.EQUALITY)} ? {a} : {b};")
        elif line.word == "fence":
            return
        else:
            kind = _result(line)
            self._values.give(line.target, kind, expression(line, self._values.read))

    def _insert(self, line: Line) -> None:
        """A structure with another value of an element."""
        base, value, place = split_list(line.operands)
        kind, name = first_type(base)
        elements = [*self._values.elements(parts_of(kind) or [], name)]
        part_kind, local = argument(value)
        self._values.atom(part_kind, local)
        elements[int(place)] = self._values.read(part_kind, local)
        self._values.aggregates[line.target] = elements

    def _element(self, line: Line) -> None:
        kind, base, *indices = split_list(line.operands)
        element = self._values.kind(line.target)
        unit = SIZES[element]
        place = self._values.place(argument(base)[1])
        fixed, moving = 0, [place.moving] if place.moving else []
        for number, stride in strides(kind, indices):
            if number.lstrip("-").isdigit():
                fixed += int(number) * stride
                continue
            index = self._values.atom("i64", number)
            if stride == unit:
                moving.append(index)
            elif stride % unit == 0:
                moving.append(f"{stride // unit} * {index}")
            else:
                moving.append(f"{index} / {unit}" if stride == 1 else f"{stride} * {index} / {unit}")
        self._values.places[line.target] = Place(
            place.array, place.fixed + fixed // unit, " + ".join(moving), place.owner
        )

    def _load(self, line: Line) -> None:
        kind, address = split_list(line.operands)[:2]
        name = argument(address)[1]
        element, place = self._values.kind(name), self._values.place(name)
        text = f"{place.array}[{place.index}]"
        if kind != element:
            text = f"bits_of({text})" if kind == "i64" else f"real_of({text})"
        self._values.give(line.target, kind, Expression(text, 0, frozenset((place.owner,))))

    def _store(self, line: Line) -> None:
        value, address = split_list(line.operands)[:2]
        kind, name = first_type(value)[0], argument(address)[1]
        text = self._values.read(*argument(value)).text
        element, place = self._values.kind(name), self._values.place(name)
        self._values.flush(place.owner)
        if kind != element:
            text = f"real_of({text})" if kind == "i64" else f"bits_of({text})"
        self._values.put(f"{place.array}[{place.index}] = {text};")

    def _call(self, line: Line) -> None:
        if any(each in line.text for each in IGNORED):
            return
        called, arguments = call_of(line)
        short = called[1:].removeprefix("llvm.").partition(".")[0]
        if short in ("memcpy", "memmove", "memset"):
            self._move(short, arguments)
            return
        kind = _result(line)
        if called in self._values.live and (parts := parts_of(kind)) is not None:
            self._call_for_parts(line, called, arguments, parts)
            return
        if called not in self._values.live:
            self._values.give(line.target, kind, self._intrinsic(short, kind, arguments, line))
            return
        texts = [
            self._values.address(value) if each == "ptr" else self._values.read(each, value).text
            for each, value in (arguments[k] for k in self._values.live[called])
        ]
        text = f"{self._values.names[called]}({', '.join(texts)})"
        self._values.flush(EVERYWHERE)
        if kind == "void" or not self._values.uses[line.target]:
            self._values.put(f"{text};")
        else:
            self._values.assign(line.target, kind, Expression(text))

    def _call_for_parts(
        self, line: Line, called: str, arguments: list[tuple[str, str]], parts: list[str]
    ) -> None:
        """A call of a function that returns a structure: it writes the elements to addresses."""
        texts = [self._values.read(*arguments[k]).text for k in self._values.live[called]]
        elements = [Expression(self._values.declare(TYPES[kind])) for kind in parts]
        self._values.aggregates[line.target] = elements
        texts += [f"&{element.text}" for element in elements]
        self._values.put(f"{self._values.names[called]}({', '.join(texts)});")

    def _move(self, word: str, arguments: list[tuple[str, str]]) -> None:
        (_, target), (kind, source), (_, count) = arguments[:3]
        second = self._values.address(source) if kind == "ptr" else self._values.read(kind, source).text
        size = self._values.read("i64", count)
        self._values.flush(EVERYWHERE)
        length = size.text if size.text.isdigit() else f"(size_t){size.within(expressions.UNARY)}"
        self._values.put(f"{word}({self._values.address(target)}, {second}, {length});")

    def _intrinsic(self, name: str, kind: str, arguments: list[tuple[str, str]], line: Line) -> Expression:
        values = [self._values.read(*each) for each in arguments]
        if name in FUNCTIONS and kind == "double":
            return join(f"{name}({', '.join(value.text for value in values)})", 0, *values)
        if name in _EXTREMES:
            a, b = (self._values.variable(kind, value) for value in values)
            cast = f"({expressions.UNSIGNED[kind]})" if name[0] == "u" else ""
            return join(
                f"{cast}{a.text} {_EXTREMES[name]} {cast}{b.text} ? {a.text} : {b.text}",
                CHOICE,
                a,
                b,
            )
        if name == "abs":
            a = self._values.variable(kind, values[0])
            return join(f"{a.text} < 0 ? -{a.text} : {a.text}", CHOICE, a)
        if name == "is":
            return join(f"is_of_class({values[0].text}, {values[1].text})", 0, values[0])
        if name == "fmuladd":
            a, b, c = values
            return expressions.binary("+", expressions.binary("*", a, b, PRODUCT), c, SUM)
        raise Unprintable(f"the function {name}")


def _result(line: Line) -> str:
    """The type of the value of an instruction."""
    if line.word in ("icmp", "fcmp"):
        return "i1"
    if line.word in ("sext", "zext", "trunc", "fptosi", "fptoui", "sitofp", "uitofp", "bitcast"):
        return line.operands.rsplit(" to ", 1)[1].strip()
    if line.word == "call":
        return last_type(line.operands.partition("@")[0])[0]
    if line.word == "select":
        return argument(split_list(line.operands)[1])[0]
    return first_type(re.sub(r"^(?:nuw |nsw |exact |disjoint )+", "", line.operands))[0]
