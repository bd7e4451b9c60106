"""A program's compiled functions as Python callables, for loops that run in Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ..native.engine import Entries
from .backend import Code
from .fields import Floats
from .layout import Memory

_TYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_void_p] * 3)


def callables(code: Entries) -> tuple[Callable[..., int], ...]:
    """The functions (code, t, x, dx, memory) -> int at the given addresses."""
    return tuple(_callable(_TYPE(int(address)), code) for address in code)


def bare(code: Entries) -> tuple[Callable[[float, int, int, int], int], ...]:
    """The same, called with (t, address of x, of dx, of the memory): in a third of the time."""
    return tuple(_bare(_TYPE(int(address)), code) for address in code)


def _bare(function: Any, entries: Entries) -> Callable[[float, int, int, int], int]:
    function.code = entries  # held as long as the function
    return function  # type: ignore[no-any-return]


def _callable(function: Any, entries: Entries) -> Callable[..., int]:
    def call(code: Code, t: float, x: Floats, dx: Floats, m: Memory) -> int:
        return int(function(t, x.ctypes.data, dx.ctypes.data, m.address))

    call.code = entries  # type: ignore[attr-defined]  # held as long as the function
    return call
