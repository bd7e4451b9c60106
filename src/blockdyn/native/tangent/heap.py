"""The tangents of arrays that are made while code runs, as numba makes them.

What is asked for is made larger, and the tangents lie behind it: both live and go together. The block that
numba allocates begins with a head, in which it counts references, and which says where the numbers lie.
Source: numba/core/runtime/nrt.cpp, struct MemInfo.
"""

from __future__ import annotations

from .frame import Frame
from .reading import Line

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


def allocate(f: Frame, line: Line, name: str, values: list[str]) -> None:
    """A call that allocates so many bytes."""
    w = f.writer
    head = 0 if name in PLAIN else HEAD * w.lanes
    size = w.do(f"and i64 {w.do(f'add i64 {values[0]}, {ALIGNED - 1}')}, -{ALIGNED}")
    whole = w.do(f"add i64 {w.do(f'mul i64 {size}, {w.lanes + 1}')}, {head}")
    begin, _, rest = line.text.partition("(")
    w.put(f"{begin}({rest.replace(f'i64 {values[0]}', f'i64 {whole}', 1)}")
    f.module.needed["@tangent.shadow"] = _SHADOW.format(data=DATA, lanes=w.lanes, place=DATA * w.lanes)
    f.module.needed["@llvm.memset.p0.i64"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    f.shadows[line.target] = w.do(f"call ptr @tangent.shadow(ptr {line.target}, i64 {size}, i64 {head})")
