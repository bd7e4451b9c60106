"""What a constant holds is data: no byte of it is ever read as a part of the program."""

import ctypes
import ctypes.util
import math
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.native.callable import Native
from blockdyn.native.compiling import kernel
from blockdyn.native.fingerprint import fingerprint
from blockdyn.native.front_end import CannotCompile

X = np.array([0.0, 0.5, 1.0])
Y = np.array([0.0, 1.0, 3.0])


@bd.block
def lookup(u):
    return np.interp(u, X, Y)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_table_whose_last_number_lies_between_2_and_131072(compiled: bool) -> None:
    """Their last byte is 0x40, which is how symbols begin in LLVM's text."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(0.75)), d.add("y", lookup()))
    assert d.simulate(stop=0.1, compiled=compiled).final("y") == 2.0


def copied(values, out):
    """A kernel that reads two constants: the bytes of one, and a number beside it."""
    space = {"values": values, "one": np.array([1.0, 2.0])}
    text = "def f(out):\n    for i in range(len(values)):\n        out[i] = values[i]\n    return int(one[0])"
    exec(text, space)
    native = Native(lambda pieces: pieces.linked(space["f"]), fingerprint(space["f"]), ("i1",))  # type: ignore[arg-type]
    return native(out)


HOSTILE = (
    b'@k0_1"@"',
    b"\ndefine linkonce_odr i32 @f(ptr %x) {\n ret i32 1\n}\n",
    b'\n@"a" = external global i32\ndeclare void @NRT_x()\n',
    bytes(range(256)),
    b"\0" * 7 + b"@",
    b'\\40"\\22 ; %0 = !x #0 @',
)


@pytest.mark.parametrize("data", HOSTILE)
def test_constants_that_look_like_a_program(data: bytes) -> None:
    values = np.frombuffer(data + b" " * (-len(data) % 8), np.int64)
    out = np.zeros_like(values)
    assert copied(values, out) == 1
    assert (out == values).all()


@pytest.mark.parametrize("data", HOSTILE)
def test_what_a_constant_says_does_not_make_a_kernel_fail_or_allocate(data: bytes) -> None:
    values = np.frombuffer(data + b" " * (-len(data) % 8), np.float64)
    space = {"values": values}
    exec("def f(u):\n    return u + values[0]", space)
    made = kernel(space["f"], ("d",))  # type: ignore[arg-type]
    assert not made.fails
    assert not made.runtime


def test_a_function_that_raises_can_fail_and_one_that_does_not_cannot() -> None:
    """LLVM's module says which: a return of another status than 0."""

    def root(u):
        if u < 0.0:
            raise ValueError
        return u**0.5

    def square(u):
        return u * u

    assert kernel(root, ("d",)).fails
    assert not kernel(square, ("d",)).fails


def test_symbols_of_two_functions_are_never_the_same() -> None:
    """Two kernels of one text, with other constants, stand in one program."""
    symbols = set()
    for last in (1.0, 3.0, 70000.0):
        space = {"values": np.array([0.0, last])}
        exec("def f(u):\n    return u * values[1]", space)
        symbols.add(kernel(space["f"], ("d",)).symbol)  # type: ignore[arg-type]
    assert len(symbols) == 3


libm = ctypes.CDLL(ctypes.util.find_library("m") or ctypes.util.find_library("msvcrt"))
for function in (libm.cos, libm.sin):
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
TABLE = np.linspace(0.0, 1.0, 200_001)


@pytest.mark.parametrize(
    ("text", "named", "value"),
    [
        ("a(u)", libm.cos, math.cos(1.0)),
        ("a(u)", libm.sin, math.sin(1.0)),
        ("a[int(u * 200000)]", TABLE, 1.0),
        ("a[int(u * 1000)]", TABLE[::100], 0.5),
    ],
)
def test_what_has_an_address_alone_stays_in_python(text: str, named: Any, value: float) -> None:
    """The store has code for other processes, in which the library and the array lie elsewhere."""
    space = {"a": named}
    exec(f"def f(u):\n    return {text}", space)
    with pytest.raises(CannotCompile, match="by its address alone"):
        kernel(space["f"], ("d",))  # type: ignore[arg-type]
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("y", bd.Function(space["f"])))
    result = d.simulate(stop=1.0)
    assert result.final("y") == value
    assert "address" in str(result.statistics["python y"])
