"""Tangents in memory: loads, stores, addresses, copies, and arrays that numba makes while code runs.

Requested memory is made larger, and the tangents follow it: both live and die together. The block that numba
allocates begins with a head, in which it counts references, and which has the place of the numbers. Source:
numba/core/runtime/nrt.cpp, struct MemInfo.
"""

from __future__ import annotations

import re

from .frame import Frame, count_of
from .reading import NAME, Line, argument, first_type, split_list


def load(f: Frame, line: Line) -> None:
    kind, pointer = split_list(line.operands)[:2]
    shadow = f.shadow(argument(pointer)[1])
    if kind == "ptr":
        f.loaded[line.target] = argument(pointer)[1]
        at = shadow and f.writer.do(f"load ptr, ptr {shadow}, align 8")
        f.shadows[line.target] = at
    elif count := count_of(kind):
        loaded = f"load {f.writer.tangents(count)}, ptr {shadow}, align 8"
        f.name(line.target, shadow and f.writer.do(loaded))
    elif not re.match(r"i\d+$|<\d+ x i\d+>$", kind):
        raise f.refuse(f"numbers of type {kind}")


def store(f: Frame, line: Line) -> None:
    value, pointer = split_list(line.operands)[:2]
    kind, stored = argument(value)
    shadow = f.shadow(argument(pointer)[1])
    if kind == "ptr":
        place = argument(pointer)[1]
        f.holders.add(f.bases.get(place, place))
        if shadow is not None:
            f.writer.put(f"store ptr {f.shadow_of_any(stored)}, ptr {shadow}, align 8")
    elif count := count_of(kind):
        tangent = f.tangent(stored)
        if shadow is not None:
            vector = f.writer.tangents(count)
            f.writer.put(f"store {vector} {tangent or 'zeroinitializer'}, ptr {shadow}, align 8")
        elif tangent is not None and "double" in kind:
            raise f.refuse("a number written where nothing may change")
    elif not re.match(r"i\d+$|<\d+ x i\d+>$", kind):
        raise f.refuse(f"numbers of type {kind}")


def element(f: Frame, line: Line) -> None:
    base = argument(split_list(line.operands)[1])[1]
    shadow = f.shadow(base)
    if "<" in split_list(line.operands)[1].split()[0]:
        raise f.refuse("a vector of addresses")
    f.bases[line.target] = f.bases.get(base, base)
    f.shadows[line.target] = shadow and f.moved(shadow, base, line.target)


def part(f: Frame, line: Line) -> None:
    if re.search(r"double|ptr|<", first_type(line.operands)[0]):
        raise f.refuse("numbers that a function returns together")


def allocate(f: Frame, line: Line) -> None:
    kind, *options = split_list(line.operands)
    if match := re.match(r"\[(\d+) x double\]$", kind):
        f.arrays[line.target] = int(match.group(1))
    number = next((f", {part}" for part in options if part.startswith("i")), "")
    f.shadows[line.target] = f.writer.do(f"alloca [{f.writer.lanes} x {kind}]{number}, align 32")


def number_of(f: Frame, line: Line) -> None:
    """Follow addresses in integers: the pointer whose address is in a sum, "" where it is lost."""
    names = [name for name in re.findall(NAME, line.operands) if name in f.origins]
    if line.word == "ptrtoint":
        pointer = argument(line.operands.rpartition(" to ")[0])[1]
        if f.shadow(pointer) is not None:
            f.origins[line.target] = pointer
    elif line.word == "sub" and len(names) == 2:
        return
    elif names and line.word not in ("icmp", "br", "switch"):
        single = len(names) == 1 and line.word in ("add", "sub")
        f.origins[line.target] = f.origins[names[0]] if single else ""


def address(f: Frame, line: Line) -> None:
    """A pointer from an integer: some bytes after the one that it came from, or to constant data."""
    number = argument(line.operands.rpartition(" to ")[0])[1]
    origin = f.origins.get(number)
    if origin == "":
        raise f.refuse("an address that is computed from others")
    shadow = f.shadow(origin) if origin else None
    f.shadows[line.target] = f.moved(shadow, origin, line.target) if origin and shadow else None


def copy(f: Frame, kind: str, symbol: str, values: list[str]) -> None:
    w, shadow = f.writer, f.shadow(values[0])
    if shadow is None:
        if kind != "memset" and f.shadow(values[1]) is not None:
            raise f.refuse("numbers copied to where nothing may change")
        return
    size = w.do(f"mul i64 {values[2]}, {w.lanes}")
    source = None if kind == "memset" else f.shadow(values[1])
    if source is None:
        f.module.needed["@llvm.memset.p0.i64"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
        w.put(f"call void @llvm.memset.p0.i64(ptr {shadow}, i8 0, i64 {size}, i1 false)")
    else:
        w.put(f"call void {symbol}(ptr {shadow}, ptr {source}, i64 {size}, i1 false)")


def access_with_mask(
    f: Frame, line: Line, name: str, symbol: str, arguments: list[tuple[str, str]], result: str
) -> None:
    """Loads and stores of some elements: (pointer, alignment, mask, else) and (value, pointer, ...)."""
    storing = name.startswith("llvm.masked.store")
    kind = arguments[0][0] if storing else result
    count = count_of(kind)
    shadow = f.shadow(arguments[1 if storing else 0][1])
    if not count or not name.startswith(("llvm.masked.store", "llvm.masked.load")):
        raise f.refuse(f"the function `{name}`")
    if shadow is None:
        return None if storing else f.name(line.target, None)
    lanes, wide = f.writer.lanes, f.writer.tangents(count)
    tangents = []
    for listed, value in arguments:
        if listed == kind:
            tangents.append(f"{wide} {f.tangent(value) or 'zeroinitializer'}")
        elif listed == "ptr":
            tangents.append(f"ptr {shadow}")
        elif listed.startswith("<"):
            tangents.append(f"<{count * lanes} x i1> {f.writer.spread(value, count, 'i1')}")
        else:
            tangents.append(f"{listed} 8")
    widened = re.sub(r"v\d+(f64|i64)", f"v{count * lanes}f64", symbol)
    kinds = ", ".join(part.rpartition(" ")[0] for part in tangents)
    call = f"{'void' if storing else wide} {widened}"
    f.module.needed[widened] = f"declare {call}({kinds})"
    if storing:
        f.writer.put(f"call {call}({', '.join(tangents)})")
    else:
        f.name(line.target, f.writer.do(f"call {call}({', '.join(tangents)})"))


DATA, HEAD = 24, 48  # bytes in the head before the address of the numbers, and in all of it
ALIGNED = 32
BLOCKS = ("NRT_MemInfo_alloc", "NRT_MemInfo_new_varsize")
PLAIN = "NRT_Allocate", "malloc"
QUIET = (
    "NRT_MemInfo_call_dtor", "NRT_Free", "free", "llvm.x86.atomic.", "numba_gil_ensure", "numba_fatal_error",
    "Py_FatalError", "numba_attempt_nocopy_reshape",
)  # fmt: skip
"""Functions that count references, give back memory, compute strides, end a process: no number changes."""

_SHADOW = """define internal ptr @tangent.shadow(ptr %block, i64 %size, i64 %head) {{
begin:
  %none = icmp eq ptr %block, null
  br i1 %none, label %out, label %in
in:
  %cell = getelementptr i8, ptr %block, i64 {data}
  %behind = icmp ne i64 %head, 0
  br i1 %behind, label %headed, label %bare
headed:
  %numbers = load ptr, ptr %cell
  br label %bare
bare:
  %begin.of = phi ptr [ %block, %in ], [ %numbers, %headed ]
  %shadow = getelementptr i8, ptr %begin.of, i64 %size
  %length = mul i64 %size, {lanes}
  %whole = add i64 %length, %head
  call void @llvm.memset.p0.i64(ptr %shadow, i8 0, i64 %whole, i1 false)
  br i1 %behind, label %last, label %near
near:
  ret ptr %shadow
last:
  %own = getelementptr i8, ptr %shadow, i64 %length
  %place = getelementptr i8, ptr %own, i64 {place}
  store ptr %shadow, ptr %place, align 8
  ret ptr %own
out:
  ret ptr null
}}"""


def allocate_on_heap(f: Frame, line: Line, name: str, values: list[str]) -> None:
    """A call that allocates this number of bytes."""
    w = f.writer
    head = 0 if name in PLAIN else HEAD * w.lanes
    size = w.do(f"and i64 {w.do(f'add i64 {values[0]}, {ALIGNED - 1}')}, -{ALIGNED}")
    total = w.do(f"add i64 {w.do(f'mul i64 {size}, {w.lanes + 1}')}, {head}")
    begin, _, call_arguments = line.text.partition("(")
    w.put(f"{begin}({call_arguments.replace(f'i64 {values[0]}', f'i64 {total}', 1)}")
    f.module.needed["@tangent.shadow"] = _SHADOW.format(data=DATA, lanes=w.lanes, place=DATA * w.lanes)
    f.module.needed["@llvm.memset.p0.i64"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    f.shadows[line.target] = w.do(f"call ptr @tangent.shadow(ptr {line.target}, i64 {size}, i64 {head})")
