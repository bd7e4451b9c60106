"""Differences: the tangents of what Python computes, from calls at points beside."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np

from ..engine import address_of

STEP = 2e-3
"""How far the arguments go, against their size: the error of the formula and that of rounding are both some
1e-12 of it there."""
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
        if reach == 0.0:
            slopes[:, lane] = 0.0
            continue
        h = STEP / reach
        try:
            near = value(h * v) - value(-h * v)
            far = value(2 * h * v) - value(-2 * h * v)
        except ArithmeticError:
            return -1
        slopes[:, lane] = (8 * near - far) / (12 * h)
    return 0
