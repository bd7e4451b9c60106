"""A function in LLVM's textual form while it is being written, and the values that it handles."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from math import prod
from typing import Protocol

from ....blocks.contract.port import Shape

STACK = 2**20  # bytes of a function's arrays: threads have some MiB, shared by functions that call each other
LARGE = 2**10  # bytes: smaller arrays stay on the stack and may be kept in registers
ARRAY = re.compile(r"\[(\d+) x (double|i64|i8)\]$")
HEAP = "%heap = call ptr @malloc"
SIZES = {"double": 8, "i64": 8, "i8": 1}


def double(value: float) -> str:
    """A double constant, exactly."""
    return "0x" + struct.pack(">d", value).hex().upper()


class Writer:
    """Lines of one function; fresh names; stack slots in the entry block."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.stack, self.heap = 0, 0  # bytes of arrays in each
        self._count = 0

    def name(self) -> str:
        """A name not used before."""
        self._count += 1
        return f"%v{self._count}"

    def label(self) -> str:
        """A block label not used before."""
        self._count += 1
        return f"b{self._count}"

    def do(self, text: str) -> str:
        """Write an instruction with a result; returns its name."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def put(self, text: str) -> None:
        """Write an instruction without a result."""
        self.lines.append("  " + text)

    def begin(self, label: str) -> None:
        """Open the basic block `label`."""
        self.lines.append(f"{label}:")

    def slot(self, kind: str) -> str:
        """Memory of a type, valid in the whole function: on the stack, or on the heap once that is full."""
        name, array = self.name(), ARRAY.match(kind)
        size = -(-int(array[1]) * SIZES[array[2]] // 8) * 8 if array else 0
        if size >= LARGE and self.stack + size > STACK:
            self.slots.append(f"  {name} = getelementptr i8, ptr %heap, i64 {self.heap}")
            self.heap += size
        else:
            self.slots.append(f"  {name} = alloca {kind}, align 8")
            self.stack += size
        return name

    def at(self, base: str, offset: int | str, kind: str = "double") -> str:
        """The address of an element."""
        if offset == 0:
            return base
        return self.do(f"getelementptr inbounds {kind}, ptr {base}, i64 {offset}")

    def load(self, base: str, offset: int | str = 0, kind: str = "double") -> str:
        return self.do(f"load {kind}, ptr {self.at(base, offset, kind)}, align 8")

    def store(self, value: str, base: str, offset: int | str = 0, kind: str = "double") -> None:
        self.put(f"store {kind} {value}, ptr {self.at(base, offset, kind)}, align 8")

    def text(self, head: str) -> str:
        """The whole function."""
        slots, lines = self.slots, self.lines
        if self.heap:
            slots = [f"  {HEAP}(i64 {self.heap})", *slots]
            freed = ["  call void @free(ptr %heap)"]
            lines = [part for line in lines for part in (freed if line.startswith("  ret ") else []) + [line]]
        return "\n".join([head + " {", "entry:", *slots, *lines, "}", ""])


class Value(Protocol):
    """A signal inside a function."""

    shape: Shape

    def element(self, writer: Writer, index: int) -> str:
        """One element, in C order."""
        ...

    def pointer(self, writer: Writer) -> str:
        """All elements in memory, in C order."""
        ...


class InMemory:
    """Contiguous elements; `placed` if they are at the requested place."""

    def __init__(self, shape: Shape, base: str, offset: int = 0, *, placed: bool = False) -> None:
        self.shape, self.base, self.offset, self.placed = shape, base, offset, placed

    def element(self, writer: Writer, index: int) -> str:
        return writer.load(self.base, self.offset + index)

    def pointer(self, writer: Writer) -> str:
        return writer.at(self.base, self.offset)


class Scalars:
    """Elements that are values of the function."""

    def __init__(self, shape: Shape, names: Sequence[str]) -> None:
        self.shape, self.names = shape, list(names)

    def element(self, writer: Writer, index: int) -> str:
        return self.names[index]

    def pointer(self, writer: Writer) -> str:
        slot = writer.slot(f"[{len(self.names)} x double]")
        for i, name in enumerate(self.names):
            writer.store(name, slot, i)
        return slot


class LazyElements:
    """Elements of other values, looked up when needed."""

    def __init__(self, shape: Shape, parts: Sequence[tuple[Value, int]]) -> None:
        self.shape, self.parts = shape, list(parts)

    def element(self, writer: Writer, index: int) -> str:
        value, place = self.parts[index]
        return value.element(writer, place)

    def pointer(self, writer: Writer) -> str:
        first, start = self.parts[0]
        if isinstance(first, InMemory) and all(
            value is first and place == start + i for i, (value, place) in enumerate(self.parts)
        ):
            return writer.at(first.base, first.offset + start)
        slot = writer.slot(f"[{len(self.parts)} x double]")
        for i in range(len(self.parts)):
            writer.store(self.element(writer, i), slot, i)
        return slot


def copy(writer: Writer, value: Value, base: str, offset: int) -> None:
    """Store a value's elements at an address, unless they were computed there."""
    if not (isinstance(value, InMemory) and value.placed):
        write(writer, value, base, offset)


def write(writer: Writer, value: Value, base: str, offset: int) -> None:
    """Store a value's elements at an address."""
    count = prod(value.shape)
    if count <= 32:
        for i in range(count):
            writer.store(value.element(writer, i), base, offset + i)
        return
    source, target = value.pointer(writer), writer.at(base, offset)
    writer.put(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {8 * count}, i1 false)")
