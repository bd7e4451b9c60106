"""Python calls the elementary functions: for formulas, and for kernels that Python runs itself.

A kernel that Python runs (with `compiled=False`, for breakpoints) computes with the functions of its compiled
form. Its operator `**` stays Python's.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .. import cache as store
from ..fingerprint import toolchain
from ..target import Target
from .names import OF_ONE, OF_TWO, PREFIX, declaration

FUNCTIONS = (*OF_ONE, *OF_TWO)
IN_NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power"}
_TEXT = """
define double @one(double %a, double %b) {{
  %value = call double @{symbol}({arguments})
  ret double %value
}}
define i64 @many(ptr %x, ptr %y, ptr %result, i64 %count) {{
begin:
  br label %next
next:
  %i = phi i64 [ 0, %begin ], [ %i1, %next ]
  %x_i = getelementptr double, ptr %x, i64 %i
  %y_i = getelementptr double, ptr %y, i64 %i
  %a = load double, ptr %x_i
  %b = load double, ptr %y_i
  %value = call double @{symbol}({arguments})
  %result_i = getelementptr double, ptr %result, i64 %i
  store double %value, ptr %result_i
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %count
  br i1 %more, label %next, label %end
end:
  ret i64 0
}}
"""
ENTRIES = ("one", "many")
_ONE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
_MANY = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_int64)


@cache
def _calls(name: str, target: Target | None) -> tuple[Callable[..., float], Callable[..., int]]:
    """The calls of a function's machine code for two numbers and for arrays.

    Threads that need it first at the same time may each load a copy, which lives as long as its calls.
    """
    from ..engine import load_object, object_of

    key = sha256(f"{toolchain()} {name} {target}".encode()).hexdigest()
    data = store.read(f"{key}.object")
    if data is None:
        arguments = "double %a, double %b" if name in OF_TWO else "double %a"
        text = declaration(name) + _TEXT.format(symbol=PREFIX + name, arguments=arguments)
        data = object_of(text, [], [*ENTRIES], target=target)
        store.write(f"{key}.object", data)
    code = load_object(data, ENTRIES)
    one, many = _ONE(code.addresses["one"]), _MANY(code.addresses["many"])
    one.code = many.code = code  # type: ignore[attr-defined]  # lives as long as either
    return one, many


def of_number(name: str) -> Callable[..., float]:
    """A function of one or two numbers, by its name in `math`."""

    def call(x: float, y: float = 0.0) -> float:
        return _calls(name, None)[0](float(x), float(y))

    return call


def of_arrays(name: str, target: Target | None = None) -> Callable[..., Any]:
    """A function of one or two arrays, element by element; for this processor or a simpler model."""

    def call(x: Any, y: Any = 0.0) -> Any:
        if np.ndim(x) == np.ndim(y) == 0:
            return np.float64(_calls(name, target)[0](float(x), float(y)))
        arrays = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
        first, second = map(np.ascontiguousarray, arrays)
        result = np.empty_like(first)
        _calls(name, target)[1](first.ctypes.data, second.ctypes.data, result.ctypes.data, first.size)
        return result.reshape(arrays[0].shape)[()]

    return call


def _for_numpy(name: str) -> tuple[Any, Callable[..., Any]]:
    """NumPy's function, and one that is ours for real numbers."""
    theirs, ours = getattr(np, IN_NUMPY.get(name, name)), of_arrays(name)

    def call(*values: Any, **options: Any) -> Any:
        real = not options and all(np.asarray(value).dtype.kind in "biuf" for value in values)
        return (ours if real else theirs)(*values, **options)

    return theirs, call


_OURS: dict[Any, Callable[..., Any]] = {
    **{getattr(math, name): of_number(name) for name in FUNCTIONS},
    **dict(map(_for_numpy, FUNCTIONS)),
}
COPY = "elementary copy"  # of a function: that it is one


@cache
def _module(module: Any) -> SimpleNamespace:
    """`math` or `numpy` with our functions in place of its own."""
    return SimpleNamespace(**{name: _ours(value) for name, value in vars(module).items()})


def _ours(value: Any) -> Any:
    return _OURS.get(value, value) if isinstance(value, BuiltinFunctionType | np.ufunc) else value


_copies: WeakKeyDictionary[FunctionType, FunctionType] = WeakKeyDictionary()


def with_ours(value: Any) -> Any:
    """A Python function that computes with our elementary functions, as do the functions that it names.

    It is a copy with the same code, so that breakpoints stop in it. Other values stay as they are.
    """
    if value is math or value is np:
        return _module(value)
    if not isinstance(value, FunctionType) or COPY in vars(value):
        return _ours(value)
    if value not in _copies:
        space = dict(value.__globals__)
        closure = value.__closure__ and tuple(map(_cell, value.__closure__))
        copy = FunctionType(value.__code__, space, value.__name__, value.__defaults__, closure)
        copy.__dict__.update(vars(value), **{COPY: True})
        copy.__kwdefaults__, copy.__annotations__ = value.__kwdefaults__, value.__annotations__
        copy.__module__, copy.__qualname__ = value.__module__, value.__qualname__
        _copies[value] = copy  # first: it may name itself
        space.update({name: with_ours(space[name]) for name in _names(value.__code__) if name in space})
    return _copies[value]


def _cell(cell: CellType) -> CellType:
    """The cell itself unless it holds a function that is another here."""
    try:
        ours = with_ours(cell.cell_contents)
    except ValueError:  # it is empty as yet
        return cell
    return cell if ours is cell.cell_contents else CellType(ours)


def _names(code: CodeType) -> set[str]:
    """The global names of a function's code and of functions inside it."""
    inner = [_names(part) for part in code.co_consts if isinstance(part, CodeType)]
    return {*code.co_names}.union(*inner)
