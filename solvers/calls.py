"""Calls from compiled loops to a program's functions, which are known by address only when they run."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, make_attribute_wrapper, models, register_model

from .layout import Memory, Work


class _Arrays(types.Type):  # type: ignore[misc]
    """A named group of arrays: what Memory and Work are to compiled code. Its name alone tells it apart,
    which numba's type inference handles several times faster than a tuple of forty types."""

    def __init__(self, members: list[tuple[str, Any]]) -> None:
        self.members = members
        super().__init__(name=type(self).__name__)


class MemoryType(_Arrays):
    """The numba type of a Memory."""


class WorkType(_Arrays):
    """The numba type of a Work."""


class _Model(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.members)


for _kind, _fields in ((MemoryType, Memory._fields), (WorkType, Work._fields)):
    register_model(_kind)(_Model)
    for _field in _fields:
        make_attribute_wrapper(_kind, _field, _field)


def _grouping(kind: Any, fields: tuple[str, ...]) -> Any:
    """An intrinsic that makes a group of arrays from a tuple of them."""

    @intrinsic  # type: ignore[untyped-decorator]
    def group(typing_context, arrays):  # type: ignore[no-untyped-def]
        made = kind(list(zip(fields, arrays.types, strict=True)))

        def emit(context: Any, builder: Any, sig: Any, values: Any) -> Any:
            proxy = cgutils.create_struct_proxy(made)(context, builder)
            for i, field in enumerate(fields):
                setattr(proxy, field, builder.extract_value(values[0], i))
            return proxy._getvalue()

        return made(arrays), emit

    return group


memory = _grouping(MemoryType, Memory._fields)
work = _grouping(WorkType, Work._fields)

# A program's function: (t, x, dx, table of addresses) -> i64


@intrinsic  # type: ignore[untyped-decorator]
def _call(typing_context, address, t, x, dx, table):  # type: ignore[no-untyped-def]
    signature = types.int64(types.int64, types.float64, x, dx, table)

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

    @njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True)  # type: ignore[untyped-decorator]
    def call(code, t, x, dx, m):  # type: ignore[no-untyped-def]
        return _call(code[number], t, x, dx, m.table)

    return call
