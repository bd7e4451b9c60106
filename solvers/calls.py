"""Give compiled loops a run's structures by address, and calls of a program's functions.

A structure is handed from function to function as its address, which costs nothing; its fields are loads and
stores. Loops that count read what they need into local names first, because a store into an array may change
a field, for all that LLVM knows.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, models, register_model

from .fields import WORD, Array, Counts, Field, Real
from .layout import Memory, Work


class StructureType(types.Type):
    """The numba type of a Structure."""

    def __init__(self, structure: Any) -> None:
        self.fields = structure.fields
        layout = sha256(repr(structure._fields).encode()).hexdigest()
        super().__init__(name=f"{structure.__name__} {layout}")  # the data model of a type's name reads it


@register_model(StructureType)
class _Model(models.OpaqueModel):
    """An address."""


def _type(field: Field) -> Any:
    if isinstance(field, Array):
        element = types.int64 if isinstance(field, Counts) else types.float64
        return types.Array(element, field.dimensions, "C")
    return types.float64 if isinstance(field, Real) else types.int64


@infer_getattr
class _Attributes(AttributeTemplate):
    key = StructureType

    def generic_resolve(self, structure: Any, name: str) -> Any:  # type: ignore[override]
        return _type(structure.fields[name]) if name in structure.fields else None


def _place(context: Any, builder: Any, kind: Any, address: Any, name: str) -> Any:
    """The address of a field, an array's description taken as numba's own."""
    field = kind.fields[name]
    place = builder.gep(address, [ir.Constant(ir.IntType(64), WORD * field.word)], inbounds=True)
    return builder.bitcast(place, context.get_value_type(_type(field)).as_pointer())


@lower_getattr_generic(StructureType)  # type: ignore[untyped-decorator]
def _get(context: Any, builder: Any, kind: Any, address: Any, name: str) -> Any:
    return builder.load(_place(context, builder, kind, address, name))


@lower_setattr_generic(StructureType)  # type: ignore[untyped-decorator]
def _set(context: Any, builder: Any, signature: Any, values: Any, name: str) -> None:
    address, value = values
    builder.store(value, _place(context, builder, signature.args[0], address, name))


def structure_at(structure: Any) -> Any:
    """An intrinsic that takes an integer for the address of such a structure."""

    @intrinsic
    def at(typing_context, address):  # type: ignore[no-untyped-def]
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], cgutils.voidptr_t)

        return StructureType(structure)(types.int64), emit

    return at


memory = structure_at(Memory)
work = structure_at(Work)


@intrinsic
def enter(typing_context, address, block):  # type: ignore[no-untyped-def]
    """`enter(address, block) -> i64`: the call of `native.callable.Native.address` with a packed block."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(64), [pointer])
        function = builder.inttoptr(values[0], kind.as_pointer())
        return builder.call(function, [builder.inttoptr(values[1], pointer)])

    return types.int64(types.int64, types.int64), emit


def caller(number: int) -> Any:
    """The compiled call of a program's function.

    Numbers 0 to 5, derivative, evaluate, update, react, observe, remember: (code, t, x, dx, m) -> i64.
    6 and 7, stages and quarters, of a program with a step of its own: (code, t, t_new, h, x, K, out, G, m).
    8, tangent, of a program for methods that want its Jacobian, and other tangents behind it: (code, t,
    time_d, x, states_d, dx, slopes_d, m, shadows), see `diagrams.compiler.tangents`. `code` is the address of
    the functions' addresses.
    """
    reals, others = (1, 3) if number < 6 else (3, 5) if number < 8 else (1, 7)

    def typed(typing_context: Any, code: Any, *arguments: Any) -> Any:
        signature = types.int64(types.int64, *[types.float64] * reals, *arguments[reals:])

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            word = ir.IntType(64)
            addresses = builder.inttoptr(values[0], word.as_pointer())
            function = builder.load(builder.gep(addresses, [ir.Constant(word, number)], inbounds=True))
            passed = [*values[1 : 1 + reals]]
            for kind, value in zip(signature.args[1 + reals :], values[1 + reals :], strict=True):
                if isinstance(kind, types.Integer):
                    passed.append(builder.inttoptr(value, cgutils.voidptr_t))
                    continue
                array = isinstance(kind, types.Array)
                data = context.make_array(kind)(context, builder, value).data if array else value
                passed.append(builder.bitcast(data, cgutils.voidptr_t))
            kind = ir.FunctionType(word, [value.type for value in passed])
            return builder.call(builder.inttoptr(function, kind.as_pointer()), passed)

        return signature, emit

    names = ", ".join(f"a{i}" for i in range(reals + others))
    space: dict[str, Any] = {"typed": typed}
    exec(f"def call(context, code, {names}):\n    return typed(context, code, {names})\n", space)  # its count
    return intrinsic(space["call"])


def stored(number: int, structure: Any) -> Any:
    """An intrinsic, (code) -> the structure whose address is a word of the functions' addresses."""

    def typed(typing_context: Any, code: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            word = ir.IntType(64)
            addresses = builder.inttoptr(values[0], word.as_pointer())
            address = builder.load(builder.gep(addresses, [ir.Constant(word, number)], inbounds=True))
            return builder.inttoptr(address, cgutils.voidptr_t)

        return StructureType(structure)(code), emit

    return intrinsic(typed)
