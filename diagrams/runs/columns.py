"""A tangent function is called for one group of directions after another, in machine code."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from ...native.engine import load_object, object_of

LANES = 8
"""Directions at once: what they share, the values themselves, is computed half as often as with four."""
_CALL = ctypes.CFUNCTYPE(
    ctypes.c_int64, *[ctypes.c_void_p] * 9, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64,
    ctypes.c_void_p, ctypes.c_double,
)  # fmt: skip

_TEXT = f"""
define i64 @columns(ptr %f, ptr %td, ptr %x, ptr %xd, ptr %dx, ptr %dxd, ptr %m, ptr %s, ptr %seeds,
                    i64 %count, ptr %results, i64 %rows, ptr %out, double %t) {{
begin:
  %over = add i64 %count, {LANES - 1}
  %groups = udiv i64 %over, {LANES}
  %stride = mul i64 %groups, {LANES}
  br label %group
group:
  %first = phi i64 [ 0, %begin ], [ %following, %reset ]
  %going = icmp slt i64 %first, %count
  br i1 %going, label %seed, label %end
seed:
  %a = phi i64 [ 0, %group ], [ %a1, %seeded ]
  %ia = add i64 %first, %a
  %ina = icmp slt i64 %ia, %count
  %fita = icmp slt i64 %a, {LANES}
  %goa = and i1 %ina, %fita
  br i1 %goa, label %seeded, label %run
seeded:
  %pa = getelementptr ptr, ptr %seeds, i64 %ia
  %ra = load ptr, ptr %pa
  %qa = getelementptr double, ptr %ra, i64 %a
  store double 1.0, ptr %qa
  %a1 = add i64 %a, 1
  br label %seed
run:
  %status = call i64 %f(double %t, ptr %td, ptr %x, ptr %xd, ptr %dx, ptr %dxd, ptr %m, ptr %s)
  %failed = icmp slt i64 %status, 0
  br label %row
row:
  %r = phi i64 [ 0, %run ], [ %r1, %copied ]
  %inr = icmp slt i64 %r, %rows
  br i1 %inr, label %copied, label %unseed
copied:
  %pr = getelementptr ptr, ptr %results, i64 %r
  %from = load ptr, ptr %pr
  %value = load <{LANES} x double>, ptr %from, align 8
  %line = mul i64 %r, %stride
  %place = add i64 %line, %first
  %to = getelementptr double, ptr %out, i64 %place
  store <{LANES} x double> %value, ptr %to, align 8
  %r1 = add i64 %r, 1
  br label %row
unseed:
  %b = phi i64 [ 0, %row ], [ %b1, %unseeded ]
  %ib = add i64 %first, %b
  %inb = icmp slt i64 %ib, %count
  %fitb = icmp slt i64 %b, {LANES}
  %gob = and i1 %inb, %fitb
  br i1 %gob, label %unseeded, label %judge
unseeded:
  %pb = getelementptr ptr, ptr %seeds, i64 %ib
  %rb = load ptr, ptr %pb
  %qb = getelementptr double, ptr %rb, i64 %b
  store double 0.0, ptr %qb
  %b1 = add i64 %b, 1
  br label %unseed
judge:
  br i1 %failed, label %fail, label %reset
reset:
  %following = add i64 %first, {LANES}
  br label %group
fail:
  ret i64 -1
end:
  ret i64 0
}}
"""


@cache
def columns() -> Any:
    """(f, time_d, x, states_d, dx, slopes_d, memory, shadows, seeds, count, results, rows, out, t) -> status.

    f            the address of a tangent function
    seeds        addresses of the tangents of `count` numbers, each changed by 1 in a direction of its own
    results      addresses of the tangents of `rows` numbers
    out          (rows, count rounded up to whole groups) derivatives
    """
    code = load_object(object_of(_TEXT, [], ["columns"]), ["columns"])
    function: Any = _CALL(code.addresses["columns"])
    function.code = code  # held as long as the function
    return function
