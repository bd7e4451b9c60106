"""Compiled code calls a function whose address is passed at run time."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _typed(typing_context, address, block):  # type: ignore[no-untyped-def]
    signature = types.int64(types.int64, types.int64)

    def emit(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(64), [pointer])
        function = builder.inttoptr(values[0], kind.as_pointer())
        return builder.call(function, [builder.inttoptr(values[1], pointer)])

    return signature, emit


enter: Any = intrinsic(_typed)
"""`enter(address, block) -> i64`: the call of `native.callable.Native.address` with a packed block."""
