"""Pieces: functions of one large program, each compiled by numba alone and called by name.

Numba puts a function's callees into its own module and optimises the whole again, at every level of a tree
of functions; for a deep tree that is most of the time. Pieces know each other by symbol only, and LLVM sees
them together once, when they are linked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .fingerprint import fingerprint
from .kernel import Kernel, extract, through_numba

NOWHERE = 1  # what numba's own linker is told of a piece's address; that copy never runs


class Pieces:
    """The pieces of one program, as they are found while its entry is being compiled."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Kernel, Any]] = {}

    def kernels(self) -> list[Kernel]:
        """All pieces compiled so far."""
        return [kernel for kernel, _ in self._found.values()]

    def inlined(self, function: Callable[..., Any]) -> Any:
        """As `piece`; the linker copies it into its callers."""
        return self.piece(function, inline=True)

    def piece(self, function: Callable[..., Any], *, inline: bool = False) -> Any:
        """The function for use in other pieces: compiled for the types that it is called with."""
        from numba import types
        from numba.core import cgutils
        from numba.extending import intrinsic

        def typed(typing_context: Any, *arguments: Any) -> Any:
            arguments = tuple(types.unliteral(kind) for kind in arguments)
            kernel, result = self._compile(function, arguments, inline)

            def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                convention = context.call_conv
                kind = convention.get_function_type(signature.return_type, signature.args)
                callee = cgutils.get_or_insert_function(builder.module, kind, kernel.symbol)
                _, value = convention.call_function(
                    builder, callee, signature.return_type, signature.args, values
                )
                return value

            return result(*arguments), emit

        names = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
        space: dict[str, Any] = {"typed": typed}
        head = f"def {function.__name__}(typing_context, {names}):"
        exec(f"{head}\n    return typed(typing_context, {names})\n", space)
        return intrinsic(space[function.__name__])

    def _compile(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], inline: bool
    ) -> tuple[Kernel, Any]:
        import llvmlite.binding as llvm

        key = fingerprint(function, str(arguments))
        if key not in self._found:
            result = through_numba(function, arguments, lean=True)
            symbol, code, fails, runtime = extract(result, key, inline=inline)
            llvm.add_symbol(symbol, NOWHERE)
            self._found[key] = (Kernel(symbol, (), (), code, fails, runtime), result.signature.return_type)
        return self._found[key]
