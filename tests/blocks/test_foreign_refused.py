"""A Foreign that cannot be called as declared is refused before anything is called."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import pytest

import blockdyn as bd

INTEGERS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda u: u)
COSINE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(math.cos)


@pytest.mark.parametrize(
    ("function", "names"),
    [(-5, ("u",)), (2**70, ("u",)), (0, ("u",)), (COSINE, ("u", "u")), (COSINE, ("",)), (COSINE, ("u", "v")),
     (INTEGERS, ("u",))],
)  # fmt: skip
def test_what_is_no_such_function(function: Any, names: tuple[str, ...]) -> None:
    with pytest.raises(bd.BlockdynError, match=r"^Foreign: .*\nexpected: "):
        bd.Foreign(function, *names)


def test_a_function_that_is_one() -> None:
    assert bd.Foreign(COSINE, "u")(0.5) == math.cos(0.5)
