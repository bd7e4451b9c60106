"""Frame of a function while its tangent is written, and errors of code without a derivative."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from ...base.errors import BlockdynError
from .reading import SYMBOL, Line, first_type, split_list
from .rules import Writer

SMOOTH = "numbers with which the result changes smoothly"
CODE = (
    "the arithmetic and the functions of `math`; what Python runs (`compiled=False` of a block of your own)"
    " is differentiated by differences"
)


class NotDifferentiable(BlockdynError):
    """Code without a derivative: `reason` is the cause, `paths` are the blocks that it concerns, if found."""

    def __init__(self, reason: str, paths: Sequence[str] = (), expected: str = SMOOTH) -> None:
        self.reason, self.paths = reason, tuple(paths)
        places = f"{', '.join(paths)}: " if paths else ""
        super().__init__(f"{places}it has no derivative here, because of {reason}\nexpected: {expected}")


class Module(Protocol):
    """Functions of its module that a function calls while its tangent is written."""

    lanes: int
    needed: dict[str, str]

    def defined(self, symbol: str) -> bool: ...

    def tangent(self, symbol: str, active: tuple[bool, ...]) -> str: ...

    def zeros(self, symbol: str) -> str: ...


def count_of(kind: str) -> int:
    """Number of eight-byte numbers in a type that may be doubles; 0: it has none."""
    if kind in ("double", "i64"):
        return 1
    match = re.match(r"<(\d+) x (?:double|i64)>$", kind)
    return int(match.group(1)) if match else 0


def add_suffix(name: str, suffix: str) -> str:
    """A name with a suffix."""
    return f'{name[:-1]}{suffix}"' if name.endswith('"') else f"{name}{suffix}"


class Frame:
    """The tangents and shadows of a function's values.

    Every number has a tangent, None where it is zero for certain. An active pointer has a shadow: the data n
    bytes after the pointer have their tangents `lanes` times n bytes after the shadow. A pointer that is not
    active leads to data that stay the same. A 64-bit integer that was loaded may be a double on its way to
    another place, and has a tangent, too.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.writer = Writer(module.lanes)
        self.tangents: dict[str, str | None] = {}
        self.shadows: dict[str, str | None] = {}
        self.bits: set[str] = set()  # integers that hold the bits of a double
        self.arrays: dict[str, int] = {}  # arrays of that many doubles
        self.bases: dict[str, str] = {}  # the memory that a pointer leads into
        self.origins: dict[str, str] = {}  # integers in which an address is, and the pointer that it is of
        self.holders: set[str] = set()  # memory in which addresses are kept
        self.loaded: dict[str, str] = {}  # the place in memory of an address that was loaded
        self.rooms: list[str] = []  # where functions put the tangents of their results

    def tangent(self, value: str) -> str | None:
        """The tangent of a number."""
        return self.tangents.get(value) if value.startswith("%") else None

    def shadow(self, pointer: str) -> str | None:
        """The shadow of a pointer, None for data that stay the same."""
        return self.shadows[pointer] if pointer.startswith("%") else None

    def name(self, target: str, tangent: str | None) -> None:
        self.tangents[target] = tangent

    def refuse(self, feature: str) -> NotDifferentiable:
        return NotDifferentiable(feature, expected=CODE)

    def shadow_of_any(self, pointer: str) -> str:
        """The shadow of any pointer, for memory and functions that require one."""
        shadow = self.shadow(pointer)
        if shadow is not None:
            return shadow
        symbols = re.findall(SYMBOL, pointer)
        if pointer in ("null", "poison", "undef"):
            return "null"
        if not symbols:
            raise self.refuse("an address that is a number, kept in memory")
        begin = self.module.zeros(symbols[0])
        return begin if begin == "null" or pointer == symbols[0] else self.moved(begin, symbols[0], pointer)

    def settled(self, pointer: str) -> str:
        """The shadow of a pointer that meets active ones."""
        shadow = self.shadow(pointer)
        if shadow is None and pointer not in ("null", "poison", "undef"):
            if not re.fullmatch(SYMBOL, pointer):
                raise self.refuse("an address of data that change in one case, and do not in another")
            return self.module.zeros(pointer)
        return shadow or "null"

    def moved(self, shadow: str, base: str, pointer: str) -> str:
        """The shadow of a pointer that lies some bytes after another one."""
        w = self.writer
        end, begin = w.do(f"ptrtoint ptr {pointer} to i64"), w.do(f"ptrtoint ptr {base} to i64")
        way = w.do(f"mul i64 {w.do(f'sub i64 {end}, {begin}')}, {w.lanes}")
        return w.do(f"getelementptr i8, ptr {shadow}, i64 {way}")

    def numbers_of(self, line: Line) -> tuple[int, list[str]]:
        """Number of doubles of an operation, and its operands."""
        kind, operands = first_type(line.operands)
        count = count_of(kind)
        if not count:
            raise self.refuse(f"numbers of type {kind}")
        return count, split_list(operands)
