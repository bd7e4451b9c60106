"""Pieces are functions of one large program, each compiled by numba alone and called by name.

Numba puts a function's callees into its own module and optimises the whole again, at every level of a tree of
functions; for a deep tree that is most of the time. Pieces refer to each other by symbol only, and LLVM sees
them together once, when they are linked.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any, TypeVar

from .fingerprint import PIECE, Piece, fingerprint, piece_of
from .front_end import extract, result_type, structure, through_numba
from .groups import describe_type
from .kernel import Kernel, fetch_kernel, keep, stored_kernel

NOWHERE = 1  # address of a piece for numba's own linker, whose copy never runs
LIBRARY = __name__.partition(".")[0]

F = TypeVar("F", bound=Callable[..., object])
_types: dict[str, Any] = {}  # numba's types that pieces return, by their keys
ATTRIBUTES = "piece attributes"  # of a function: LLVM's attributes of the piece that it becomes


def mark_inline(function: F) -> F:
    """Mark a function that the linker copies into its callers."""
    function.__dict__[ATTRIBUTES] = ("alwaysinline",)
    return function


def mark_cold(function: F) -> F:
    """Mark a function that is seldom called: it takes no registers and no room from its callers."""
    function.__dict__[ATTRIBUTES] = ("noinline", "cold")
    return function


def _is_callee(value: Any) -> bool:
    return isinstance(value, FunctionType) or piece_of(value) is not None


class Pieces:
    """The pieces of one program, as they are found while its entry is being compiled."""

    def __init__(self, *, plain: bool = False, names: dict[Any, Any] | None = None) -> None:
        """plain: not optimised by themselves, see `native.front_end`

        names: functions, and their replacements in calls of their names
        """
        self._plain = plain
        self.names = {} if names is None else names
        self._kernels: dict[str, Kernel] = {}
        self._pieces: dict[tuple[FunctionType, tuple[str, ...]], Any] = {}

    def kernels(self) -> list[Kernel]:
        """All pieces compiled so far."""
        return list(self._kernels.values())

    def keys(self) -> tuple[str, ...]:
        """Their keys in the store."""
        return tuple(self._kernels)

    def inlined(self, function: Callable[..., Any]) -> Any:
        """As `piece`; the linker copies it into its callers."""
        return self.piece(function, attributes=("alwaysinline",))

    def apart(self, function: Callable[..., Any]) -> Any:
        """As `piece`; for a function that is seldom called: it takes no registers and no room from its
        callers.
        """
        return self.piece(function, attributes=("noinline", "cold"))

    def linked(self, function: Any) -> Any:
        """The function with the plain Python functions that it names made callable from compiled code.

        Functions of blockdyn become pieces, others are compiled into it.
        """
        if not isinstance(function, FunctionType):
            return function
        code = function.__code__
        space = function.__globals__
        called = {name: space[name] for name in code.co_names if _is_callee(space.get(name))}
        called = {name: value for name, value in called.items() if value is not function}
        cells = function.__closure__ or ()
        enclosed = [_is_callee(cell.cell_contents) for cell in cells]
        if not called and not any(enclosed):
            return function
        space = {**space, **{name: self._callee(value) for name, value in called.items()}}
        closure = tuple(
            CellType(self._callee(cell.cell_contents)) if plain else cell
            for cell, plain in zip(cells, enclosed, strict=True)
        )
        copy = FunctionType(code, space, function.__name__, function.__defaults__, closure or None)
        copy.__kwdefaults__ = function.__kwdefaults__
        return copy

    def _callee(self, function: Any) -> Any:
        function = self.names.get(function, function)
        piece = piece_of(function)
        if piece is not None and piece.names is self.names:  # made again, so that these pieces are complete
            return self.piece(piece.function, attributes=piece.attributes)
        if not isinstance(function, FunctionType):
            return function
        simple = not (function.__defaults__ or function.__kwdefaults__ or function.__code__.co_flags & 0x0C)
        if (function.__module__ or "").partition(".")[0] == LIBRARY and simple:
            return self.piece(function)
        if (function, ()) not in self._pieces:
            from numba import njit

            self._pieces[function, ()] = njit(error_model="numpy")(self.linked(function))
        return self._pieces[function, ()]

    def piece(self, function: Any, *, attributes: tuple[str, ...] = ()) -> Any:
        """The function for use in other pieces: compiled for the types that it is called with."""
        attributes = attributes or vars(function).get(ATTRIBUTES, ())
        if (function, attributes) not in self._pieces:
            self._pieces[function, attributes] = self._intrinsic(function, attributes)
        return self._pieces[function, attributes]

    def _intrinsic(self, function: Any, attributes: tuple[str, ...]) -> Any:
        from numba import types
        from numba.core import cgutils
        from numba.extending import intrinsic

        def typed(typing_context: Any, *arguments: Any) -> Any:
            arguments = tuple(types.unliteral(kind) for kind in arguments)
            kernel, result = self._compile(function, arguments, attributes)

            def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                convention = context.call_conv
                kind = convention.get_function_type(signature.return_type, signature.args)
                callee = cgutils.get_or_insert_function(builder.module, kind, kernel.symbol)
                status, value = convention.call_function(
                    builder, callee, signature.return_type, signature.args, values
                )
                if kernel.fails:
                    with cgutils.if_unlikely(builder, status.is_error):
                        convention.return_status_propagate(builder, status)
                return value

            return result(*arguments), emit

        names = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
        space: dict[str, Any] = {"typed": typed}
        head = f"def {function.__name__}(typing_context, {names}):"
        exec(f"{head}\n    return typed(typing_context, {names})\n", space)
        stub = space[function.__name__]
        stub.__dict__[PIECE] = Piece(function, attributes, self.names)
        return intrinsic(stub)

    def _compile(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], attributes: tuple[str, ...]
    ) -> tuple[Kernel, Any]:
        import llvmlite.binding as llvm

        kind = "plain piece" if self._plain else "piece"
        key = fingerprint(function, kind, *attributes, *map(describe_type, arguments), names=self.names)
        kernel = stored_kernel(key)
        if kernel is not None and _types.get(key) is None:
            _types[key] = result_type(kernel.results)
        if kernel is None or _types[key] is None:
            kernel = self._afresh(function, arguments, key, attributes)
        llvm.add_symbol(kernel.symbol, NOWHERE)
        self._kernels[key] = kernel
        for part in kernel.parts:
            self._kernels.setdefault(part, fetch_kernel(part))
        return kernel, _types[key]

    def _afresh(
        self, function: Any, arguments: tuple[Any, ...], key: str, attributes: tuple[str, ...]
    ) -> Kernel:
        inner = Pieces(plain=self._plain, names=self.names)
        result = through_numba(inner.linked(function), arguments, lean=True, plain=self._plain)
        symbol, code, fails, runtime = extract(result, key, attributes=attributes, plain=self._plain)
        _types[key] = kind = result.signature.return_type
        runtime = runtime or any(part.runtime for part in inner.kernels())
        name = getattr(function, "__qualname__", "")
        kernel = Kernel(symbol, (), structure(kind), code, fails, runtime, inner.keys(), name)
        keep(key, kernel)
        return kernel
