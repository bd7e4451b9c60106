"""Find the type of array to which each pointer of a module leads, as C declares it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import gcd

from ...native.tangent.reading import NAME, SYMBOL, Function, Line, argument, first_type, split_list

SIZES = {"double": 8, "i64": 8, "i32": 4, "i16": 2, "i8": 1, "i1": 1, "ptr": 8}


def is_of_exceptions(line: Line) -> bool:
    """True if a line passes the description of an exception, or the absence of a result."""
    return line.word in ("load", "store") and line.operands.startswith("ptr")


Key = tuple[str, str]  # symbol of the function, and name in it


def size_of(kind: str) -> int:
    """The bytes of an LLVM type; an address has a word."""
    if kind in SIZES:
        return SIZES[kind]
    if match := re.fullmatch(r"\[(\d+) x (.+)\]", kind):
        return int(match[1]) * size_of(match[2])
    if kind.startswith("{"):
        return sum(max(size_of(part), 8) for part in split_list(kind[1:-1]))
    raise Unprintable(f"the type {kind}")


class Unprintable(Exception):
    """A construct of LLVM for which no C is printed."""

    def __init__(self, construct: str) -> None:
        super().__init__(construct)
        self.construct = construct


class Pointers:
    """Pointers of a module in groups that may lead to the same array, with the type of its elements."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self._parent: dict[Key, Key] = {}
        self._types: dict[Key, set[str]] = {}
        self._steps: dict[Key, int] = {}
        for symbol, function in functions.items():
            for block in function.blocks:
                for line in block.lines:
                    self._read(symbol, line)

    def kind(self, symbol: str, name: str) -> str:
        """The type of the elements that a pointer leads to. Raises Unprintable."""
        root = self._root(_key(symbol, name))
        types = self._types.get(root, set())
        if types == {"double", "i64"}:  # doubles are also copied as integers
            types = {"double"}
        kind = next(iter(types), "double")
        if len(types) > 1 or self._steps.get(root, 0) % SIZES[kind]:
            raise Unprintable("memory with numbers of several types")
        return kind

    def _root(self, key: Key) -> Key:
        while (parent := self._parent.get(key, key)) != key:
            key = parent
        return key

    def _join(self, a: Key, b: Key) -> None:
        a, b = self._root(a), self._root(b)
        if a != b:
            self._parent[b] = a
            self._types.setdefault(a, set()).update(self._types.pop(b, ()))
            self._steps[a] = gcd(self._steps.get(a, 0), self._steps.pop(b, 0))

    def _reaches(self, key: Key, kind: str) -> None:
        self._types.setdefault(self._root(key), set()).add(kind)

    def _read(self, symbol: str, line: Line) -> None:
        if line.word == "load":
            kind, address = split_list(line.operands)[:2]
            if kind != "ptr":
                self._reaches(_key(symbol, argument(address)[1]), kind)
        elif line.word == "store":
            value, address = split_list(line.operands)[:2]
            if not is_of_exceptions(line):
                self._reaches(_key(symbol, argument(address)[1]), first_type(value)[0])
        elif line.word == "getelementptr":
            kind, base, *indices = split_list(line.operands)
            self._join(_key(symbol, argument(base)[1]), _key(symbol, line.target))
            root = self._root(_key(symbol, line.target))
            for number, stride in strides(kind, indices):
                step = int(number) * stride if number.lstrip("-").isdigit() else stride if stride > 1 else 8
                self._steps[root] = gcd(self._steps.get(root, 0), step)
        elif line.word in ("phi", "select", "freeze") and "ptr" in line.operands:
            for name in re.findall(rf"{NAME}|{SYMBOL}", _values(line)):
                self._join(_key(symbol, name), _key(symbol, line.target))
        elif line.word == "call":
            called, arguments = call_of(line)
            if called in self._functions:
                parameters = self._functions[called].parameters
                for (kind, value), (_, name) in zip(arguments, parameters, strict=True):
                    if kind == "ptr" and value[0] in "%@":
                        self._join(_key(symbol, value), _key(called, name))


def call_of(line: Line) -> tuple[str, list[tuple[str, str]]]:
    """The function that a line calls, and its arguments with their types."""
    match = re.search(rf"({SYMBOL})\((.*)\)[^()]*$", line.operands)
    if match is None:
        raise Unprintable("a call by address")
    return match[1], [argument(each) for each in split_list(match[2]) if not each.startswith("metadata")]


def strides(kind: str, indices: list[str]) -> list[tuple[str, int]]:
    """The numbers of a `getelementptr`, each with the bytes that a unit of it moves by."""
    moves = []
    for place, index in enumerate(indices):
        number = argument(index)[1]
        if place == 0:
            moves.append((number, size_of(kind)))
        elif match := re.fullmatch(r"\[\d+ x (.+)\]", kind):
            kind = match[1]
            moves.append((number, size_of(kind)))
        else:
            parts = split_list(kind[1:-1])
            before = sum(max(size_of(part), 8) for part in parts[: int(number)])
            kind = parts[int(number)]
            moves.append(("1", before))
    return moves


def _values(line: Line) -> str:
    """The values of a phi or selection of pointers, without labels and condition."""
    if line.word == "phi":
        return " ".join(split_list(pair[1:-1])[0] for pair in split_list(line.operands.partition(" ")[2]))
    if line.word == "select":
        return " ".join(split_list(line.operands)[1:])
    return line.operands


def _key(symbol: str, name: str) -> Key:
    return ("", name) if name.startswith("@") else (symbol, name)
