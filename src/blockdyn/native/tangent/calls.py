"""The tangents of calls: of the module's own functions, of LLVM's and the C library's, of Python."""

from __future__ import annotations

import re

from . import heap, memory
from .arithmetic import by_rule, reduce
from .differences import difference
from .frame import Frame, count_of
from .reading import NAME, SYMBOL, Line, argument, separated
from .rules import SILENT, plain_name


def call(f: Frame, line: Line) -> None:
    """A call with its tangent. Raises NotDifferentiable for what is on no list."""
    if "inttoptr (i64" in line.text:
        _python(f, line)
        return
    match = re.search(rf"({SYMBOL}|{NAME})\((.*)\)", line.text)
    if match is None:
        raise f.refuse("code that is not a function")
    symbol, listed = match.groups()
    name = plain_name(symbol)
    if name.startswith("llvm.") and name[5:].startswith(SILENT):
        return
    arguments = [argument(part) for part in separated(listed) if not part.startswith("metadata")]
    if f.module.defined(symbol):
        _inner(f, line, symbol, arguments)
        return
    values = [value for _, value in arguments]
    if name in heap.PLAIN or name.startswith(heap.BLOCKS):
        heap.allocate(f, line, name, values)
        return
    f.writer.put(line.text)
    if name.startswith(heap.QUIET):
        return
    if name.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
        memory.copy(f, name.split(".")[1], symbol, values)
    elif symbol.startswith("%"):
        raise f.refuse("a foreign function, known by its address alone")
    elif name.startswith("llvm.masked."):
        memory.masked(f, line, name, symbol, arguments, result_of(line))
    elif name.startswith("llvm.vector.reduce.fadd"):
        reduce(f, line, arguments)
    elif line.target and arguments and count_of(kind := result_of(line)) and "double" in kind:
        by_rule(f, line.target, name, values, count_of(kind))
    elif not name.startswith(("llvm.is.fpclass", "llvm.fptosi", "llvm.fptoui")) and any(
        "double" in kind or kind == "ptr" for kind in (result_of(line), *dict(arguments))
    ):
        raise f.refuse(f"the function `{name}`")


def _python(f: Frame, line: Line) -> None:
    """(numbers, results) -> status, at the address of a function of Python: differences of it alone."""
    match = re.search(r"inttoptr \(i64 (-?\d+) to ptr\)\((.*)\)", line.text)
    if match is None:
        raise f.refuse("a function of Python in an expression")
    values = [argument(part)[1] for part in separated(match.group(2))]
    if any(value not in f.arrays for value in values) or values[0] in f.holders:
        raise f.refuse("a function of Python that is given an array in place")
    f.writer.put(line.text)
    w, (given, result) = f.writer, values
    _, address = difference()
    shadows = ", ".join(f"ptr {f.shadow(value)}" for value in values)
    sizes = f"i64 {f.arrays[given]}, i64 {f.arrays[result]}, i64 {w.lanes}"
    pointers = f"ptr {given}, ptr {result}, {shadows}"
    w.do(f"call i64 inttoptr (i64 {address} to ptr)(i64 {match.group(1)}, {pointers}, {sizes})")


def _inner(f: Frame, line: Line, symbol: str, arguments: list[tuple[str, str]]) -> None:
    given = [f"{kind} {value}" for kind, value in arguments]
    active = []
    for kind, value in arguments:
        nowhere = value in ("null", "poison", "undef")
        moving = (
            ("null" if nowhere else f.shadow(value))
            if kind == "ptr"
            else f.tangent(value)
            if kind != "i64"
            else None
        )
        active.append(moving is not None)
        if moving is not None:
            given.append(f"{'ptr' if kind == 'ptr' else f.writer.tangents(count_of(kind))} {moving}")
    result = result_of(line)
    if result == "double":
        room = f"%.result{len(f.rooms)}"
        f.rooms.append(f"  {room} = alloca {f.writer.tangents(1)}, align 32")
        given.append(f"ptr {room}")
    tangent = f.module.tangent(symbol, tuple(active))
    target = f"{line.target} = " if line.target else ""
    f.writer.put(f"{target}call {result} {tangent}({', '.join(given)})")
    if result == "double":
        f.name(line.target, f.writer.do(f"load {f.writer.tangents(1)}, ptr {room}, align 32"))


def result_of(line: Line) -> str:
    """The type that a call returns."""
    text = re.sub(r"\b(?:range|dereferenceable|align|nofpclass)\([^)]*\)", "", line.text)
    match = re.search(r"(void|double|ptr|i\d+|<[^<>]*>|\{[^{}]*\}) (?:@|%)", text.partition(" = ")[2] or text)
    return match.group(1) if match else "void"
