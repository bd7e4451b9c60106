"""Give compiled functions of an FMU the caller's arrays by address, and calls of functions by name.

The functions that are called have the prefix of `interface.TRAMPOLINES`; none of them exists in this process.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...native.pieces import NOWHERE

_WORD, _HALF, _BYTE, _REAL = ir.IntType(64), ir.IntType(32), ir.IntType(8), ir.DoubleType()


def _reader(element: Any, kind: Any) -> Any:
    """An intrinsic, (address, index) -> an element of an array."""

    @intrinsic
    def read(typing_context, address, index):  # type: ignore[no-untyped-def]
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = builder.inttoptr(values[0], element.as_pointer())
            value = builder.load(builder.gep(array, [values[1]]), align=1)
            if element in (_WORD, _REAL):
                return value
            return builder.sext(value, _WORD) if element is _HALF else builder.zext(value, _WORD)

        return kind(types.int64, types.int64), emit

    return read


def _writer(element: Any, kind: Any) -> Any:
    """An intrinsic, (address, index, value), that writes an element of an array."""

    @intrinsic
    def write(typing_context, address, index, value):  # type: ignore[no-untyped-def]
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = builder.inttoptr(values[0], element.as_pointer())
            number = values[2] if element in (_WORD, _REAL) else builder.trunc(values[2], element)
            builder.store(number, builder.gep(array, [values[1]]), align=1)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, kind), emit

    return write


get_word, get_number, get_byte = (
    _reader(_WORD, types.int64),
    _reader(_HALF, types.int64),
    _reader(_BYTE, types.int64),
)
get_real = _reader(_REAL, types.float64)
set_word, set_number, set_byte = (
    _writer(_WORD, types.int64),
    _writer(_HALF, types.int64),
    _writer(_BYTE, types.int64),
)
set_real = _writer(_REAL, types.float64)


def _external(name: str, reals: int, words: int) -> Any:
    """The call of a function, (doubles, then words) -> word."""
    llvm.add_symbol(name, NOWHERE)  # for numba's linker, whose copy never runs

    def typed(typing_context: Any, *arguments: Any) -> Any:
        signature = types.int64(*[types.float64] * reals, *[types.int64] * words)

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = ir.FunctionType(_WORD, [_REAL] * reals + [_WORD] * words)
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)

        return signature, emit

    names = ", ".join(f"a{i}" for i in range(reals + words))
    space: dict[str, Any] = {"typed": typed}
    exec(
        f"def call(context{', ' if names else ''}{names}):\n    return typed(context, {names})\n", space
    )  # its count
    return intrinsic(space["call"])


run = _external("fmu_run", 0, 3)
"""(what, memory, work) -> status, see `export.module`."""
evaluate = _external("fmu_evaluate", 1, 3)
"""(t, address of x, of dx, memory) -> 0, 1 if a signal is not finite, or a negative number."""
allocate = _external("fmu_allocate", 0, 1)
"""(bytes) -> address of so many zeros, or 0."""
release = _external("fmu_release", 0, 1)
model = _external("fmu_model", 0, 0)
"""() -> address of `Model`."""
