"""A packed call is repeated over the rows of its arrays, or made once for finite numbers, in machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache, partial
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

NOT_FINITE = -(2**63)
SLICE = 20_000  # rows between two looks at whether somebody pressed Ctrl-C

# checked(task), a task being entry, block, numbers, count: entry(block) where the numbers are finite, for
# which alone x - x is 0.
_TEXT = """
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

    names = ["checked"]
    key = sha256((toolchain() + _TEXT).encode()).hexdigest()
    data = store.read(f"{key}.object")
    if data is None:
        data = object_of(_TEXT, [], names)
        store.write(f"{key}.object", data)
    return load_object(data, names)


@cache
def _load_checking_call() -> Any:
    code = _code()
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.addresses["checked"])
    call.code = code  # type: ignore[attr-defined]  # lives as long
    return call


def over_rows(
    rows: int, block: NDArray[np.int64], count: int, steps: Mapping[int, int], moving: Mapping[int, int],
    *, stop: bool,
) -> tuple[int, int]:  # fmt: skip
    """Call the loop `rows` of `native.callable` for `count` rows: the calls made, and the last result.

    moving: addresses by the word of the block where they go; steps: for each word that holds an address, in
    their order, the bytes from row to row. With `stop`, the first call that gives 0 or more ends it, and is
    not counted.
    """
    words = (ctypes.c_int64 * block.size).from_buffer_copy(block)  # type: ignore[arg-type]
    for word, address in moving.items():
        words[word] = address
    by, done, call = (ctypes.c_int64 * len(steps))(*steps.values()), ctypes.c_int64(), _loop(rows)
    value = made = 0
    while made < count:
        some = min(SLICE, count - made)
        value = call(words, by, some, stop, ctypes.byref(done))
        made += done.value
        if made == count or done.value < some:
            break
        for word, step in steps.items():
            words[word] += step * some
    return made, value


def address_of(array: NDArray[np.float64]) -> int:
    """Address of the numbers of an array, found in a quicker way than NumPy's where there is one."""
    if array.size and array.flags.carray:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
    return int(array.ctypes.data)


@cache
def _loop(address: int) -> Any:
    word, number = ctypes.c_void_p, ctypes.c_int64
    return ctypes.CFUNCTYPE(number, word, word, number, number, word)(address)


def make_checking_call(
    entry: int, block: NDArray[np.int64], numbers: NDArray[np.float64]
) -> Callable[[], int]:
    """`entry(block)`, as often as one likes; NOT_FINITE, without the call, where a number is not finite."""
    task = np.array([entry, block.ctypes.data, numbers.ctypes.data, numbers.size], np.int64)
    call = partial(_load_checking_call(), ctypes.c_void_p(task.ctypes.data))
    call.keep = task, block, numbers  # type: ignore[attr-defined]
    return call
