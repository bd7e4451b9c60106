"""A program's compiled functions as Python callables, for loops that run in Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .layout import Memory

_TYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_void_p] * 3)


def callables(addresses: list[int]) -> tuple[Callable[..., int], ...]:
    """The functions (code, t, x, dx, memory) -> int at the given addresses."""
    return tuple(_callable(_TYPE(address)) for address in addresses)


def _callable(function: Any) -> Callable[..., int]:
    def call(code: Any, t: float, x: Any, dx: Any, m: Memory) -> int:
        return int(function(t, x.ctypes.data, dx.ctypes.data, m.table.ctypes.data))

    return call
