"""Calls from compiled loops to a program's functions, which are known by address only when they run."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, models, register_model

from .layout import Memory, Work


class _Arrays(types.Type):
    """A named group of arrays: what Memory and Work are to compiled code, by address.

    Handing forty arrays from function to function by value is what numba and LLVM spend most of their
    time on; an address costs nothing. Loops that count read what they need into local names first.
    """

    def __init__(self, members: list[tuple[str, Any]]) -> None:
        self.members = dict(members)
        super().__init__(name=type(self).__name__)


class MemoryType(_Arrays):
    """The numba type of a Memory."""


class WorkType(_Arrays):
    """The numba type of a Work."""


class _Model(models.OpaqueModel):
    """An address."""


def _layout(context: Any, kind: _Arrays) -> Any:
    return ir.LiteralStructType([context.get_value_type(member) for member in kind.members.values()])


def _place(context: Any, builder: Any, kind: _Arrays, group: Any, name: str) -> Any:
    """The address of one array's description within a group."""
    whole = builder.bitcast(group, _layout(context, kind).as_pointer())
    return cgutils.gep_inbounds(builder, whole, 0, list(kind.members).index(name))


def _register(kind: type[_Arrays]) -> None:
    register_model(kind)(_Model)

    class Attributes(AttributeTemplate):
        key = kind

        def generic_resolve(self, group: Any, name: str) -> Any:  # type: ignore[override]
            return group.members.get(name)

    infer_getattr(Attributes)

    @lower_getattr_generic(kind)  # type: ignore[untyped-decorator]
    def get(context: Any, builder: Any, group_type: Any, group: Any, name: str) -> Any:
        return builder.load(_place(context, builder, group_type, group, name))


_register(MemoryType)
_register(WorkType)


def _grouping(kind: Any, fields: tuple[str, ...]) -> Any:
    """An intrinsic that makes a group of arrays, on the stack, from a tuple of them."""

    @intrinsic
    def group(typing_context, arrays):  # type: ignore[no-untyped-def]
        made = kind(list(zip(fields, arrays.types, strict=True)))

        def emit(context: Any, builder: Any, sig: Any, values: Any) -> Any:
            space = cgutils.alloca_once(builder, _layout(context, made))
            for i, field in enumerate(fields):
                place = _place(context, builder, made, space, field)
                builder.store(builder.extract_value(values[0], i), place)
            return builder.bitcast(space, cgutils.voidptr_t)

        return made(arrays), emit

    return group


memory = _grouping(MemoryType, Memory._fields)
work = _grouping(WorkType, Work._fields)


# A program's function: (t, x, dx, table of addresses) -> i64


def _typed(typing_context, address, t, x, dx, table):  # type: ignore[no-untyped-def]
    signature = types.int64(types.int64, types.float64, x, dx, table)

    def emit(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        arrays = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(sig.args[2:], values[2:], strict=True)
        ]
        pointers = [builder.bitcast(array.data, cgutils.voidptr_t) for array in arrays]
        kind = ir.FunctionType(ir.IntType(64), [ir.DoubleType(), *(p.type for p in pointers)])
        return builder.call(builder.inttoptr(values[0], kind.as_pointer()), [values[1], *pointers])

    return signature, emit


# a program's own step: (t, t_new, h, x, K, out, G, table of addresses) -> i64


def _typed_step(typing_context, address, t, t_new, h, x, K, out, G, table):  # type: ignore[no-untyped-def]
    real = types.float64
    signature = types.int64(types.int64, real, real, real, x, K, out, G, table)

    def emit(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        arrays = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(sig.args[4:], values[4:], strict=True)
        ]
        pointers = [builder.bitcast(array.data, cgutils.voidptr_t) for array in arrays]
        kind = ir.FunctionType(ir.IntType(64), [ir.DoubleType()] * 3 + [p.type for p in pointers])
        return builder.call(builder.inttoptr(values[0], kind.as_pointer()), [*values[1:4], *pointers])

    return signature, emit


_call: Any = intrinsic(_typed)
_call_step: Any = intrinsic(_typed_step)
_njit: Any = numba.njit  # it takes options that its types do not list


def caller(number: int) -> Any:
    """The compiled call of a program's function number 0 to 3: derivative, evaluate, update, react."""

    @_njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True)  # type: ignore[untyped-decorator]
    def call(code: Any, t: float, x: Any, dx: Any, m: Any) -> Any:
        return _call(code[number], t, x, dx, m.table)

    return call


def step_caller(number: int) -> Any:
    """The compiled call of a program's own step: number 4 is `stages`, 5 is `quarters`."""

    @_njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True)  # type: ignore[untyped-decorator]
    def call(code: Any, t: float, t_new: float, h: float, x: Any, K: Any, out: Any, G: Any, m: Any) -> Any:
        return _call_step(code[number], t, t_new, h, x, K, out, G, m.table)

    return call
