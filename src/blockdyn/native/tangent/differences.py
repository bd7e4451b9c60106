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
CLOSER = 0.1  # of a step: where the function is looked at once more, and the next step that is tried
STEPS, WORSE = 7, 2  # that are tried, as long as no more than so many in a row come no closer
AGREE = 1e-5  # of a slope, or of what the function changes by within the step over the step
ROUNDING = 16 * 2.0**-52  # of the function's values
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

    Where a kink, a jump or the end of where f is defined lies within the step, the slope closer to the point
    is another one, and the step is shortened. NaN for a function that is not defined on both sides however
    near, or has another value the second time.
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
        slopes[:, lane] = _slope(value, v, STEP / reach) if reach != 0.0 else 0.0
    return 0


def _slope(value: Any, v: Any, first: float) -> Any:
    """That along v, by the first step that has the slope closer to the point, or by the next best one."""
    slope: Any = np.nan
    least: Any = np.inf
    worse = 0
    for k in range(STEPS):
        h = first * CLOSER**k
        try:
            near, far = value(h * v) - value(-h * v), value(2 * h * v) - value(-2 * h * v)
            beside = value(CLOSER * h * v)
            closer = (beside - value(-CLOSER * h * v)) / (2 * CLOSER * h)
        except ArithmeticError:  # not defined there
            continue
        here = (8 * near - far) / (12 * h)
        most = np.max([np.abs(here), np.abs(closer), np.abs(near) / h, np.abs(far) / h], axis=0)
        allowed = AGREE * most + ROUNDING * np.abs(beside) / (CLOSER * h)
        off = np.where(here == closer, 0.0, np.abs(here - closer) / np.maximum(allowed, np.finfo(float).tiny))
        better = (least > 1.0) & (off < 0.5 * least)
        slope, least = np.where(better, here, slope), np.where(better, off, least)
        worse = 0 if np.any(better) else worse + 1
        if np.all(least <= 1.0) or worse == WORSE:
            break
    try:
        same = (least <= 1.0) | (value(0.0) == value(0.0))
    except ArithmeticError:
        same = least <= 1.0
    return np.where(same, slope, np.nan)
