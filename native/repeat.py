"""Repeat: a packed call over the rows of its arrays, or once if its numbers are finite, in machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

NOT_FINITE = -(2**63)
SLICE = 20_000  # rows between two looks at whether somebody pressed Ctrl-C

# rows(entry, block, count, moving, places, steps, stop): calls entry(block) count times and moves the
# addresses in the block's words `places` by `steps` bytes after each; with `stop`, ends at a call that
# gives 0 or more. The number of calls before it.
# checked(task), a task being entry, block, numbers, count: entry(block) where the numbers are finite, for
# which alone x - x is 0.
_TEXT = """
define i64 @rows(ptr %entry, ptr %block, i64 %count, i64 %moving, ptr %places, ptr %steps, i64 %stop) {
begin:
  br label %next
next:
  %k = phi i64 [ 0, %begin ], [ %k1, %moved ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %call, label %end
call:
  %status = call i64 %entry(ptr %block)
  %told = icmp sge i64 %status, 0
  %asked = icmp ne i64 %stop, 0
  %ends = and i1 %told, %asked
  br i1 %ends, label %end, label %move
move:
  %j = phi i64 [ 0, %call ], [ %j1, %step ]
  %left = icmp slt i64 %j, %moving
  br i1 %left, label %step, label %moved
step:
  %at = getelementptr i64, ptr %places, i64 %j
  %place = load i64, ptr %at
  %by = getelementptr i64, ptr %steps, i64 %j
  %bytes = load i64, ptr %by
  %word = getelementptr i64, ptr %block, i64 %place
  %old = load i64, ptr %word
  %new = add i64 %old, %bytes
  store i64 %new, ptr %word
  %j1 = add i64 %j, 1
  br label %move
moved:
  %k1 = add i64 %k, 1
  br label %next
end:
  ret i64 %k
}

define i64 @checked(ptr %task) {
begin:
  %entry = load ptr, ptr %task
  %task1 = getelementptr i64, ptr %task, i64 1
  %block = load ptr, ptr %task1
  %task2 = getelementptr i64, ptr %task, i64 2
  %numbers = load ptr, ptr %task2
  %task3 = getelementptr i64, ptr %task, i64 3
  %count = load i64, ptr %task3
  br label %next
next:
  %i = phi i64 [ 0, %begin ], [ %i1, %look ]
  %sum = phi double [ 0.0, %begin ], [ %sum1, %look ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %judge
look:
  %at = getelementptr double, ptr %numbers, i64 %i
  %x = load double, ptr %at
  %zero = fsub double %x, %x
  %sum1 = fadd double %sum, %zero
  %i1 = add i64 %i, 1
  br label %next
judge:
  %finite = fcmp oeq double %sum, 0.0
  br i1 %finite, label %call, label %refuse
call:
  %status = call i64 %entry(ptr %block)
  ret i64 %status
refuse:
  ret i64 -9223372036854775808
}
"""


@cache
def _code() -> Any:
    from . import cache as store
    from .engine import load_object, object_of
    from .fingerprint import toolchain

    names = ["rows", "checked"]
    key = sha256((toolchain() + _TEXT).encode()).hexdigest()
    data = store.read(f"{key}.object")
    if data is None:
        data = object_of(_TEXT, [], names)
        store.write(f"{key}.object", data)
    return load_object(data, names)


@cache
def _rows() -> Any:
    word, number = ctypes.c_void_p, ctypes.c_int64
    kind = ctypes.CFUNCTYPE(number, word, word, number, number, word, word, number)
    return kind(_code().addresses["rows"])


@cache
def _checked() -> Any:
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(_code().addresses["checked"])


def over_rows(entry: int, block: NDArray[np.int64], count: int, steps: dict[int, int], *, stop: bool) -> int:
    """Call `entry(block)` for each of `count` rows; steps: bytes from row to row of the addresses in words.

    With `stop`, ends at the first call that gives 0 or more. The number of calls before it. Afterwards the
    block stands at the row that comes next.
    """
    kind = ctypes.c_int64 * len(steps)
    places, by = kind(*steps), kind(*steps.values())
    address, arguments = block.ctypes.data, (len(steps), places, by, int(stop))
    done = 0
    while done < count:
        some = min(SLICE, count - done)
        calls = _rows()(entry, address, some, *arguments)
        done += calls
        if calls < some:
            break
    return done


def checked(entry: int, block: NDArray[np.int64], numbers: NDArray[np.float64]) -> Callable[[], int]:
    """`entry(block)`, as often as one likes; NOT_FINITE, without the call, where a number is not finite."""
    task = np.array([entry, block.ctypes.data, numbers.ctypes.data, numbers.size], np.int64)
    call = partial(_checked(), ctypes.c_void_p(task.ctypes.data))
    call.keep = task, block, numbers  # type: ignore[attr-defined]
    return call
