"""A packed call of machine code becomes a Python function that takes arrays by their addresses.

Python calls a function of its C interface in a tenth of the time of a ctypes call. This function reads
the headers of NumPy's arrays, copies vectors of float64 to the kernel's inputs, checks that all
numbers are finite, calls the kernel, and returns a copy of its output. It passes all other arguments to
the general function, which converts them or raises an error.

The layout of an array's header (PyArrayObject) and the index of PyArray_NewCopy belong to NumPy's binary
interface, METH_FASTCALL and vectorcall (PEP 590) to Python's. The layout is checked before it is used.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...native import cache as store
from ...native.engine import Code, load_object, object_of
from ...native.fingerprint import toolchain
from ...native.repeat import NOT_FINITE

REFUSED = NOT_FINITE + 1
OTHER = 2**62  # the result of traced code if a branch differs from the trace
FASTCALL = 0x80  # METH_FASTCALL: (self, address of the arguments, their count)
ALIGNED = 0x100  # NPY_ARRAY_ALIGNED
HEADER = {"type": 8, "data": 16, "nd": 24, "dimensions": 32, "strides": 40, "descr": 56, "flags": 64}
"""Bytes from the start of an array object on a 64-bit machine."""

# direct(self, arguments, count). self is an array of words (see WORDS), then the address and length of each
# input. A number is finite if x - x is 0. Without an output it returns the kernel's result, NOT_FINITE or
# REFUSED.
_TEXT = """
define ptr @direct(ptr %self, ptr %arguments, i64 %count) {{
begin:
  %task_at = getelementptr i8, ptr %self, i64 {data}
  %task = load ptr, ptr %task_at
  %kind_at = getelementptr i64, ptr %task, i64 3
  %kind = load ptr, ptr %kind_at
  %number_at = getelementptr i64, ptr %task, i64 4
  %number = load ptr, ptr %number_at
  %inputs_at = getelementptr i64, ptr %task, i64 5
  %inputs = load i64, ptr %inputs_at
  %fits = icmp eq i64 %inputs, %count
  %made_at = getelementptr i64, ptr %task, i64 7
  %made = load i64, ptr %made_at
  %silent = icmp eq i64 %made, 0
  %calls_at = getelementptr i64, ptr %task, i64 6
  %calls = load i64, ptr %calls_at
  %fewer = sub i64 %calls, 1
  store i64 %fewer, ptr %calls_at
  %pause = icmp eq i64 %fewer, 0
  %goes = select i1 %pause, i1 false, i1 %fits
  br i1 %goes, label %next, label %refuse
next:
  %i = phi i64 [ 0, %begin ], [ %i1, %copied ]
  %sum = phi double [ 0.0, %begin ], [ %sum2, %copied ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %judge
look:
  %argument_at = getelementptr ptr, ptr %arguments, i64 %i
  %array = load ptr, ptr %argument_at
  %type_at = getelementptr i8, ptr %array, i64 {type}
  %type = load ptr, ptr %type_at
  %same = icmp eq ptr %type, %kind
  br i1 %same, label %shape, label %refuse
shape:
  %place_word = mul i64 %i, 2
  %place_at0 = add i64 %place_word, {places}
  %place_at = getelementptr i64, ptr %task, i64 %place_at0
  %place = load ptr, ptr %place_at
  %length_at = getelementptr ptr, ptr %place_at, i64 1
  %length = load i64, ptr %length_at
  %nd_at = getelementptr i8, ptr %array, i64 {nd}
  %nd = load i32, ptr %nd_at
  %vector = icmp eq i32 %nd, 1
  %descr_at = getelementptr i8, ptr %array, i64 {descr}
  %descr = load ptr, ptr %descr_at
  %real = icmp eq ptr %descr, %number
  %flags_at = getelementptr i8, ptr %array, i64 {flags}
  %flags = load i32, ptr %flags_at
  %alignment = and i32 %flags, {aligned}
  %aligned = icmp ne i32 %alignment, 0
  %and1 = and i1 %vector, %real
  %and2 = and i1 %and1, %aligned
  br i1 %and2, label %size, label %refuse
size:
  %dimensions_at = getelementptr i8, ptr %array, i64 {dimensions}
  %dimensions = load ptr, ptr %dimensions_at
  %found = load i64, ptr %dimensions
  %equal = icmp eq i64 %found, %length
  br i1 %equal, label %copy, label %refuse
copy:
  %strides_at = getelementptr i8, ptr %array, i64 {strides}
  %strides = load ptr, ptr %strides_at
  %stride = load i64, ptr %strides
  %from_at = getelementptr i8, ptr %array, i64 {data}
  %from = load ptr, ptr %from_at
  br label %item
item:
  %k = phi i64 [ 0, %copy ], [ %k1, %store ]
  %sum2 = phi double [ %sum, %copy ], [ %sum3, %store ]
  %left = icmp slt i64 %k, %length
  br i1 %left, label %store, label %copied
store:
  %offset = mul i64 %k, %stride
  %x_at = getelementptr i8, ptr %from, i64 %offset
  %x = load double, ptr %x_at
  %y_at = getelementptr double, ptr %place, i64 %k
  store double %x, ptr %y_at
  %zero = fsub double %x, %x
  %sum3 = fadd double %sum2, %zero
  %k1 = add i64 %k, 1
  br label %item
copied:
  %i1 = add i64 %i, 1
  br label %next
judge:
  %finite = fcmp oeq double %sum, 0.0
  br i1 %finite, label %call, label %refuse
call:
  %entry = load ptr, ptr %task
  %block_at = getelementptr i64, ptr %task, i64 1
  %block = load ptr, ptr %block_at
  %status = call i64 %entry(ptr %block)
  %branched = icmp eq i64 %status, {other}
  br i1 %branched, label %refuse, label %called
called:
  br i1 %silent, label %boxed, label %judged
judged:
  %fails_at = getelementptr i64, ptr %task, i64 11
  %fails = load i64, ptr %fails_at
  %failing = icmp ne i64 %fails, 0
  %positive = icmp sge i64 %status, 0
  %failed = and i1 %failing, %positive
  br i1 %failed, label %refuse, label %copied_output
copied_output:
  %output_at = getelementptr i64, ptr %task, i64 7
  %output = load ptr, ptr %output_at
  %new_at = getelementptr i64, ptr %task, i64 8
  %new = load ptr, ptr %new_at
  %result = call ptr %new(ptr %output, i32 0)
  ret ptr %result
refuse:
  %value = phi i64 [ {refused}, %begin ], [ {refused}, %look ], [ {refused}, %shape ], [ {refused}, %size ],
    [ {not_finite}, %judge ], [ {refused}, %call ], [ {refused}, %judged ]
  br i1 %silent, label %boxed, label %passed
boxed:
  %word = phi i64 [ %status, %called ], [ %value, %refuse ]
  %box_at = getelementptr i64, ptr %task, i64 2
  %box = load ptr, ptr %box_at
  %integer = call ptr %box(i64 %word)
  ret ptr %integer
passed:
  %general_at = getelementptr i64, ptr %task, i64 9
  %general = load ptr, ptr %general_at
  %vectorcall_at = getelementptr i64, ptr %task, i64 10
  %vectorcall = load ptr, ptr %vectorcall_at
  %object = call ptr %vectorcall(ptr %general, ptr %arguments, i64 %count, ptr null)
  ret ptr %object
}}
"""
WORDS = (
    "entry", "block", "PyLong_FromLongLong", "type of arrays", "type of their numbers", "inputs",
    "calls up to a pause", "output or 0", "PyArray_NewCopy", "general function", "PyObject_Vectorcall",
    "fails",
)  # fmt: skip
NEW_COPY = 85  # index of PyArray_NewCopy in NumPy's table of functions, since 1.0


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("address", ctypes.c_void_p), ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )  # fmt: skip
    code: Code  # the code that contains the address


class Direct:
    """A packed call as functions of its inputs, which take vectors of float64 of the inputs' lengths.

    `call(*vectors)` returns a copy of `output`; `status(*vectors)` returns the result of `entry(block)`,
    NOT_FINITE without a call if a number is not finite, or REFUSED. `call` passes other arguments,
    and one call after `calls` calls, to `general`; if the kernel `fails`, also results of at least 0.
    """

    __slots__ = ("_tasks", "call", "status")

    def __init__(
        self,
        entry: int,
        block: NDArray[np.int64],
        inputs: Sequence[NDArray[np.float64]],
        output: NDArray[np.float64] | None,
        general: Callable[..., Any],
        *,
        calls: int,
        fails: bool,
    ) -> None:
        self.call, self.status = general, _refuse
        api = ctypes.pythonapi
        kinds = id(np.ndarray), id(np.dtype(np.float64))
        words = [entry, block.ctypes.data, _address(api.PyLong_FromLongLong), *kinds, len(inputs), calls, 0]
        words += [0, id(general), _address(api.PyObject_Vectorcall), fails]
        for array in inputs:
            words += [array.ctypes.data, array.size]
        silent = np.array(words, np.int64)
        self._tasks = silent, silent.copy()
        if not _layout_holds() or any(array.ndim != 1 for array in inputs):
            return
        api.PyCFunction_NewEx.restype = ctypes.py_object
        api.PyCFunction_NewEx.argtypes = ctypes.c_void_p, ctypes.py_object, ctypes.py_object
        declared = _method()
        make, method = api.PyCFunction_NewEx, ctypes.addressof(declared)
        held = block, inputs, output, general, declared  # they live as long as the functions
        self.status = make(method, silent, held)
        if output is not None:
            self._tasks[1][7:9] = id(output), _new_copy()
            self.call = make(method, self._tasks[1], held)

    @property
    def calls(self) -> int:
        """The number of calls before the pause, below 1 after it."""
        return int(self._tasks[1][6])

    def pause_after(self, calls: int) -> None:
        """Forward one call to `general` after this number of calls."""
        self._tasks[1][6] = calls

    def enter(self, entry: int) -> None:
        """Replace the machine code of further calls."""
        for task in self._tasks:
            task[0] = entry


def _refuse(*values: Any) -> int:
    """The call for a kernel with matrices, or for builds of Python or NumPy with another layout."""
    return REFUSED


def _address(function: Any) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


@cache
def _new_copy() -> int:
    """The address of PyArray_NewCopy."""
    core = import_module("numpy._core._multiarray_umath")
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = pointer(core._ARRAY_API, None)
    return ctypes.c_int64.from_address(table + 8 * NEW_COPY).value


@cache
def _method() -> _Method:
    code = _code()
    method = _Method(b"direct", code.addresses["direct"], FASTCALL, None)
    method.code = code  # two threads may load it simultaneously
    return method


@cache
def _code() -> Code:
    text = _TEXT.format(
        **HEADER,
        aligned=ALIGNED,
        not_finite=NOT_FINITE,
        refused=REFUSED,
        other=OTHER,
        places=len(WORDS),
    )
    key = sha256((toolchain() + text).encode()).hexdigest()
    data = store.read(f"{key}.object")
    if data is None:
        data = object_of(text, [], ["direct"])
        store.write(f"{key}.object", data)
    return load_object(data, ["direct"])


@cache
def _layout_holds() -> bool:
    """True if arrays and objects of this process have the layout that the code reads."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    if sysconfig.get_config_var("Py_GIL_DISABLED") or hasattr(sys, "getobjects"):
        return False
    array = np.zeros((5, 7))[::2, :]

    def word(address: int) -> int:
        return ctypes.c_int64.from_address(address).value

    at = {name: id(array) + offset for name, offset in HEADER.items()}
    return (
        word(at["type"]) == id(np.ndarray)
        and word(at["data"]) == array.ctypes.data
        and ctypes.c_int32.from_address(at["nd"]).value == array.ndim
        and [word(word(at["dimensions"]) + 8 * k) for k in range(2)] == [*array.shape]
        and [word(word(at["strides"]) + 8 * k) for k in range(2)] == [*array.strides]
        and word(at["descr"]) == id(np.dtype(np.float64))
        and bool(ctypes.c_int32.from_address(at["flags"]).value & ALIGNED)
    )
