"""Calls from compiled loops to a program's functions, which are known by address only when they run."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

# A program's function: (t, x, dx, z, modes, p, w, g, hit, fired, fresh) -> i64


@intrinsic  # type: ignore[untyped-decorator]
def _call(  # type: ignore[no-untyped-def]
    typing_context, address, t, x, dx, z, modes, p, w, g, hit, fired, fresh
):
    arrays = (x, dx, z, modes, p, w, g, hit, fired, fresh)
    signature = types.int64(types.int64, types.float64, *arrays)

    def emit(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        pointers = [
            builder.bitcast(context.make_array(kind)(context, builder, value).data, ir.IntType(8).as_pointer())
            for kind, value in zip(sig.args[2:], values[2:], strict=True)
        ]
        kind = ir.FunctionType(ir.IntType(64), [ir.DoubleType(), *(p.type for p in pointers)])
        return builder.call(builder.inttoptr(values[0], kind.as_pointer()), [values[1], *pointers])

    return signature, emit


def caller(number: int) -> Any:
    """The compiled call of a program's function number 0 to 3: derivative, evaluate, update, react."""

    @njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)  # type: ignore[untyped-decorator]
    def call(code, t, x, dx, m):  # type: ignore[no-untyped-def]
        return _call(code[number], t, x, dx, m.z, m.modes, m.p, m.w, m.g, m.hit, m.fired, m.fresh)

    return call
