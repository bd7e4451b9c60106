"""Elementary functions of compiled programs: within one ulp of mpmath's, with the special values of C99."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from math import inf, nan
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from blockdyn.native.elementary.names import OF_ONE, OF_TWO, PREFIX, declaration, renamed
from blockdyn.native.engine import Code, load_object, object_of

Numbers = NDArray[np.float64]
ALL = (*OF_ONE, *OF_TWO)
COUNT = 1500  # numbers of each kind; tools/fuzz tries as many as one likes
LEAST, LARGEST = 5e-324, 1.7976931348623157e308
IN_MPMATH = {"hypot": mpmath.hypot, "atan2": mpmath.atan2, "pow": mpmath.power, "log2": lambda x: mpmath.log(x, 2)}
IN_MPMATH["exp2"] = lambda x: mpmath.power(2, x)

LOOP = """
define i64 @f_{name}(ptr %x, ptr %y, ptr %result, i64 %count) {{
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


@cache
def code() -> Code:
    """All functions, each over arrays."""
    text = "".join(
        declaration(name)
        + LOOP.format(
            name=name, symbol=PREFIX + name, arguments="double %a, double %b" if name in OF_TWO else "double %a"
        )
        for name in ALL
    )
    names = [f"f_{name}" for name in ALL]
    return load_object(object_of(text, [], names), names)


def values(name: str, x: Any, y: Any = 0.0) -> Numbers:
    """A function at numbers, from machine code."""
    x, y = (np.array(part, dtype=float) for part in np.broadcast_arrays(np.atleast_1d(x), y))
    result = np.empty_like(x)
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_int64)(code().addresses[f"f_{name}"])
    call(x.ctypes.data, y.ctypes.data, result.ctypes.data, x.size)
    return result
