"""The tangent of a module: of the functions asked for, and of all that these call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .function import Walk
from .reading import Function, functions_of, global_types


class Tangents:
    """The tangent functions of a module, made as they are called for."""

    def __init__(self, text: str, lanes: int) -> None:
        self.lanes = lanes
        self.needed: dict[str, str] = {}
        self._text = text
        self._functions: Mapping[str, Function] = functions_of(text)
        self._globals = global_types(text)
        self._symbols: dict[tuple[str, tuple[bool, ...]], str] = {}
        self._waiting: list[tuple[str, tuple[bool, ...]]] = []
        self._zeros: dict[str, str] = {}

    def defined(self, symbol: str) -> bool:
        """Whether the module has the code of a function."""
        return symbol in self._functions

    def all_of(self, symbol: str) -> tuple[bool, ...]:
        """All arguments that can move."""
        return tuple(kind in ("double", "ptr") for kind, _ in self._functions[symbol].parameters)

    def tangent(self, symbol: str, active: tuple[bool, ...]) -> str:
        """The symbol of a function's tangent, for a choice of arguments that move."""
        if (symbol, active) not in self._symbols:
            self._symbols[symbol, active] = _suffixed(symbol, f".d{len(self._symbols)}")
            self._waiting.append((symbol, active))
        return self._symbols[symbol, active]

    def zeros(self, symbol: str) -> str:
        """The shadow of a constant; what is no data has none."""
        if symbol not in self._globals:
            return "null"
        if symbol not in self._zeros:
            self._zeros[symbol] = _suffixed(symbol, ".zeros")
        return self._zeros[symbol]

    def written(self) -> str:
        """The text of all that was asked for."""
        bodies = []
        while self._waiting:
            symbol, active = self._waiting.pop()
            bodies.append(Walk(self, self._functions[symbol], active).text(self._symbols[symbol, active]))
        zeros = [
            f"{zero} = internal constant [{self.lanes} x {self._globals[symbol]}] zeroinitializer, align 32"
            for symbol, zero in self._zeros.items()
        ]
        declared = [line for symbol, line in self.needed.items() if f" {symbol}(" not in self._text]
        return "\n".join([*zeros, *declared, *bodies])


def tangent_of(text: str, entries: Iterable[str], lanes: int) -> tuple[str, dict[str, str]]:
    """The tangents of functions of a module, to be joined with its text, and their symbols by name.

    A tangent has the arguments of its function, then for each but integers its tangents: a vector of `lanes`
    for a double, a shadow for a pointer.

    Raises NotDifferentiable.
    """
    module = Tangents(text, lanes)
    symbols = {name: module.tangent(f"@{name}", module.all_of(f"@{name}")) for name in entries}
    return module.written(), symbols


def _suffixed(symbol: str, suffix: str) -> str:
    return f'{symbol[:-1]}{suffix}"' if symbol.endswith('"') else f"{symbol}{suffix}"
