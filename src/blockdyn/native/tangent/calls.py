"""Tangents of calls: of a module's functions, of LLVM's and the C library's, of Python by differences."""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import Any

import numpy as np

from ..engine import address_of
from . import memory
from .arithmetic import by_rule, reduce
from .frame import Frame, count_of
from .reading import NAME, SYMBOL, Line, argument, split_list
from .rules import SILENT, plain_name

STEP = 2e-3
"""How far the arguments go, against their size: the errors of the formula and of rounding are both some
1e-12 of it there."""
CLOSER = 0.1  # of a step: where the function is looked at once more, and the next step that is tried
STEPS, WORSE = 7, 2  # that are tried, until more than that many in a row come no closer
AGREE = 1e-5  # of a derivative, or of the function's change within the step over the step
ROUNDING = 16 * 2.0**-52  # of the function's values
_POINTER = ctypes.POINTER(ctypes.c_double)
_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, _POINTER, _POINTER)
_DIFFERENCE = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, *[_POINTER] * 4, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64
)


@cache
def difference() -> tuple[Any, int]:
    """The function that machine code calls, and its address: see `_differences`."""
    function = _DIFFERENCE(_differences)
    return function, address_of(function)


def _differences(
    address: int, numbers: Any, result: Any, point_d: Any, result_d: Any, n: int, m: int, lanes: int
) -> int:
    """Central differences of order 4 of a function of n numbers with m results, along `lanes` directions.

        f' v = (8 (f(x + h v) - f(x - h v)) - (f(x + 2 h v) - f(x - 2 h v))) / (12 h)

    Where a kink, a jump or the end of where f is defined lies within the step, the slope closer to the point
    is another one, and the step is shortened. NaN for a function that is not defined on both sides however
    near, or has another value the second time.
    Source: Abramowitz and Stegun (1964), 25.3.6.
    """
    function = _FUNCTION(address)
    point = np.ctypeslib.as_array(numbers, (n,)).copy()
    directions = np.ctypeslib.as_array(point_d, (n, lanes))
    slopes = np.ctypeslib.as_array(result_d, (m, lanes))
    x, y = np.empty(n), np.empty(max(m, 1))

    def value(offset: Any) -> Any:
        x[:] = point + offset
        status = function(x.ctypes.data_as(_POINTER), y.ctypes.data_as(_POINTER))
        if status:
            raise ArithmeticError
        return y[:m].copy()

    for lane in range(lanes):
        v = directions[:, lane]
        reach = np.max(np.abs(v) / np.maximum(1.0, np.abs(point)), initial=0.0)
        slopes[:, lane] = _slope(value, v, STEP / reach) if reach != 0.0 else 0.0
    return 0


def _slope(value: Any, v: Any, first: float) -> Any:
    """That along v, by the first step that has the slope closer to the point, or by the next best one."""
    slope: Any = np.nan
    least: Any = np.inf
    worse = 0
    for k in range(STEPS):
        h = first * CLOSER**k
        try:
            near, far = value(h * v) - value(-h * v), value(2 * h * v) - value(-2 * h * v)
            beside = value(CLOSER * h * v)
            closer = (beside - value(-CLOSER * h * v)) / (2 * CLOSER * h)
        except ArithmeticError:  # not defined there
            continue
        here = (8 * near - far) / (12 * h)
        most = np.max([np.abs(here), np.abs(closer), np.abs(near) / h, np.abs(far) / h], axis=0)
        allowed = AGREE * most + ROUNDING * np.abs(beside) / (CLOSER * h)
        off = np.where(here == closer, 0.0, np.abs(here - closer) / np.maximum(allowed, np.finfo(float).tiny))
        better = (least > 1.0) & (off < 0.5 * least)
        slope, least = np.where(better, here, slope), np.where(better, off, least)
        worse = 0 if np.any(better) else worse + 1
        if np.all(least <= 1.0) or worse == WORSE:
            break
    try:
        same = (least <= 1.0) | (value(0.0) == value(0.0))
    except ArithmeticError:
        same = least <= 1.0
    return np.where(same, slope, np.nan)


def call(f: Frame, line: Line) -> None:
    """A call with its tangent. Raises NotDifferentiable for a function that is on no list."""
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
    arguments = [argument(part) for part in split_list(listed) if not part.startswith("metadata")]
    if f.module.defined(symbol):
        _inner(f, line, symbol, arguments)
        return
    values = [value for _, value in arguments]
    if name in memory.PLAIN or name.startswith(memory.BLOCKS):
        memory.allocate_on_heap(f, line, name, values)
        return
    if symbol.startswith("%"):
        _foreign(f, line, symbol, arguments)
        return
    f.writer.put(line.text)
    if name.startswith(memory.QUIET):
        return
    if name.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
        memory.copy(f, name.split(".")[1], symbol, values)
    elif name.startswith("llvm.masked."):
        memory.access_with_mask(f, line, name, symbol, arguments, result_of(line))
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
    values = [argument(part)[1] for part in split_list(match.group(2))]
    if any(value not in f.arrays for value in values) or values[0] in f.holders:
        raise f.refuse("a function of Python that is given an array in place")
    f.writer.put(line.text)
    w, (source, result) = f.writer, values
    _, address = difference()
    shadows = ", ".join(f"ptr {f.shadow(value)}" for value in values)
    sizes = f"i64 {f.arrays[source]}, i64 {f.arrays[result]}, i64 {w.lanes}"
    pointers = f"ptr {source}, ptr {result}, {shadows}"
    w.do(f"call i64 inttoptr (i64 {address} to ptr)(i64 {match.group(1)}, {pointers}, {sizes})")


def _foreign(f: Frame, line: Line, symbol: str, arguments: list[tuple[str, str]]) -> None:
    """A function at an address, whose tangent has its address next to it, see `blocks.contract.owned`."""
    moving = [(kind, value) for kind, value in arguments if kind != "i64"]
    if not moving:  # a number that follows from handles
        f.writer.put(line.text)
        f.name(line.target, None)
        return
    place, w, result = f.loaded.get(symbol), f.writer, result_of(line)
    if place is None or any(kind not in ("double", "ptr") for kind, _ in moving):
        raise f.refuse("a foreign function, known by its address alone")
    rooms = []

    def room() -> str:
        rooms.append(f"%.foreign{len(f.rooms)}")
        f.rooms.append(f"  {rooms[-1]} = alloca {w.tangents(1)}, align 32")
        return rooms[-1]

    tangent = w.do(f"load ptr, ptr {w.do(f'getelementptr i64, ptr {place}, i64 1')}, align 8")
    typed = [f"{kind} {value}" for kind, value in arguments]
    for kind, value in moving:
        shadow = f.shadow(value) or "null" if kind == "ptr" else room()
        if kind == "double":
            w.put(f"store {w.tangents(1)} {f.tangent(value) or 'zeroinitializer'}, ptr {shadow}, align 8")
        typed.append(f"ptr {shadow}")
    if result == "double":
        typed.append(f"ptr {room()}")
    target = f"{line.target} = " if line.target else ""
    w.put(f"{target}call {result} {tangent}({', '.join([*typed, f'i64 {w.lanes}'])})")
    if result == "double":
        f.name(line.target, w.do(f"load {w.tangents(1)}, ptr {rooms[-1]}, align 8"))


def _inner(f: Frame, line: Line, symbol: str, arguments: list[tuple[str, str]]) -> None:
    typed = [f"{kind} {value}" for kind, value in arguments]
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
            typed.append(f"{'ptr' if kind == 'ptr' else f.writer.tangents(count_of(kind))} {moving}")
    result = result_of(line)
    if result == "double":
        room = f"%.result{len(f.rooms)}"
        f.rooms.append(f"  {room} = alloca {f.writer.tangents(1)}, align 32")
        typed.append(f"ptr {room}")
    tangent = f.module.tangent(symbol, tuple(active))
    target = f"{line.target} = " if line.target else ""
    f.writer.put(f"{target}call {result} {tangent}({', '.join(typed)})")
    if result == "double":
        f.name(line.target, f.writer.do(f"load {f.writer.tangents(1)}, ptr {room}, align 32"))


def result_of(line: Line) -> str:
    """The type that a call returns."""
    text = re.sub(r"\b(?:range|dereferenceable|align|nofpclass)\([^)]*\)", "", line.text)
    match = re.search(r"(void|double|ptr|i\d+|<[^<>]*>|\{[^{}]*\}) (?:@|%)", text.partition(" = ")[2] or text)
    return match.group(1) if match else "void"
