"""Tangents of a module: of some functions and of all that these call, by a walk over instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from . import arithmetic, calls, memory
from .frame import Frame, Module, add_suffix, count_of
from .reading import NAME, Block, Function, Line, first_type, functions_of, global_types, split_list

_INTEGERS = {
    "add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or", "xor",
    "trunc", "zext", "sext", "fptosi", "fptoui", "ptrtoint", "icmp", "fcmp", "br", "switch", "unreachable",
    "atomicrmw", "fence",
}  # fmt: skip


class Walk:
    """Writes the tangent of a function in which some of the arguments move."""

    def __init__(self, module: Module, function: Function, active: tuple[bool, ...]) -> None:
        self.function, self.frame = function, Frame(module)
        self._carried = _find_carriers(function)
        self.parameters: list[str] = []
        self._incoming: list[tuple[str, str, str]] = []
        self._head(active)

    def text(self, symbol: str) -> str:
        """The tangent function."""
        for block in self.function.blocks:
            self._block(block)
        first = self.frame.writer.lines.index(f"{self.function.blocks[0].label}:") + 1
        self.frame.writer.lines[first:first] = self.frame.rooms
        lines = "\n".join(self.frame.writer.lines)
        for name, kind, operands in self._incoming:
            lines = lines.replace(f"{{{name}}}", self._merged(kind, operands), 1)
        listed = ", ".join(self.parameters)
        return f"define internal {self.function.result} {symbol}({listed}) {{\n{lines}\n}}\n"

    def _head(self, active: tuple[bool, ...]) -> None:
        kinds = self.function.parameters
        self.parameters = [f"{kind} {name}" for kind, name in kinds]
        for (kind, name), moves in zip(kinds, active, strict=True):
            tangent = add_suffix(name, ".d")
            if kind == "ptr":
                self.frame.shadows[name] = tangent if moves else None
            elif count_of(kind) and kind != "i64":
                self.frame.tangents[name] = tangent if moves else None
            if moves:
                self.parameters.append(
                    f"{'ptr' if kind == 'ptr' else self.frame.writer.tangents(count_of(kind))} {tangent}"
                )
        if self.function.result == "double":
            self.parameters.append("ptr %.result.d")

    def _block(self, block: Block) -> None:
        if block.label:
            self.frame.writer.lines.append(f"{block.label}:")
        phis = [line for line in block.lines if line.word == "phi"]
        for line in phis:
            self.frame.writer.put(line.text)
        for line in phis:
            self._phi(line)
        for line in block.lines[len(phis) :]:
            self._line(line)

    def _line(self, line: Line) -> None:
        if line.word == "call":
            calls.call(self.frame, line)
            return
        if line.word == "ret":
            self._ret(line)
            return
        self.frame.writer.put(line.text)
        if line.word in _INTEGERS:
            memory.number_of(self.frame, line)
            if any(name in self.frame.bits for name in re.findall(NAME, line.operands)):
                self.frame.bits.add(line.target)
            return
        handler = _HANDLERS.get(line.word)
        if handler is None:
            raise self.frame.refuse(f"the instruction `{line.word}`")
        handler(self.frame, line)

    def _ret(self, line: Line) -> None:
        kind, value = first_type(line.operands)
        if kind == "double":
            tangent = self.frame.tangent(value) or "zeroinitializer"
            self.frame.writer.put(f"store {self.frame.writer.tangents(1)} {tangent}, ptr %.result.d, align 8")
        elif kind.startswith(("{", "<", "[", "ptr")):
            raise self.frame.refuse(f"a function that returns {kind}")
        self.frame.writer.put(line.text)

    def _phi(self, line: Line) -> None:
        kind, pairs = first_type(line.operands)
        name = add_suffix(line.target, ".d")
        if kind == "ptr":
            origins = [value for value, _ in _pairs(pairs)]
            seen = [self.frame.shadow(value) for value in origins if value in self.frame.shadows]
            if seen and all(shadow is None for shadow in seen):  # constants alone have shadows of zeros
                self.frame.shadows[line.target] = None
                return
            self.frame.shadows[line.target] = name
        elif "double" in kind or line.target in self._carried:
            self.frame.tangents[line.target] = name
        else:
            for value, _ in _pairs(pairs):
                if value in self.frame.bits:
                    self.frame.bits.add(line.target)
                if value in self.frame.origins:
                    self.frame.origins[line.target] = ""
            return
        self.frame.writer.put(f"{name} = phi {{{line.target}}}")
        self._incoming.append((line.target, kind, pairs))

    def _merged(self, kind: str, pairs: str) -> str:
        if kind == "ptr":
            listed = [(self.frame.settled(value), label) for value, label in _pairs(pairs)]
            type_text = "ptr"
        else:
            listed = [
                (self.frame.tangent(value) or "zeroinitializer", label) for value, label in _pairs(pairs)
            ]
            type_text = self.frame.writer.tangents(count_of(kind))
        return f"{type_text} " + ", ".join(f"[ {value}, {label} ]" for value, label in listed)


def _pairs(text: str) -> list[tuple[str, str]]:
    """The values of a phi, with the blocks that they come from."""
    pairs = []
    for part in split_list(text):
        value, label = split_list(part[1:-1])
        pairs.append((value, label))
    return pairs


def _find_carriers(function: Function) -> set[str]:
    """Integers merged from ones that may be doubles on their way: results of phis and selections of loads."""
    origins, merges = set(), []
    for block in function.blocks:
        for line in block.lines:
            if line.word in ("phi", "select", "freeze") and "i64" in line.operands:
                merges.append((line.target, re.findall(NAME, line.operands)))
            elif line.word in ("load", "bitcast") and "i64" in line.operands:
                origins.add(line.target)
    grown = True
    carried = set(origins)
    while grown:
        fresh = {target for target, names in merges if not carried.isdisjoint(names)} - carried
        carried |= fresh
        grown = bool(fresh)
    return carried


_HANDLERS: dict[str, Callable[[Frame, Line], None]] = {
    "fadd": arithmetic.add, "fsub": arithmetic.add, "fmul": arithmetic.multiply, "fdiv": arithmetic.divide,
    "frem": arithmetic.remainder, "fneg": arithmetic.negate, "select": arithmetic.select,
    "freeze": arithmetic.same, "bitcast": arithmetic.cast, "sitofp": arithmetic.constant,
    "uitofp": arithmetic.constant, "extractelement": arithmetic.extract, "insertelement": arithmetic.insert,
    "shufflevector": arithmetic.shuffle, "load": memory.load, "store": memory.store,
    "extractvalue": memory.part, "getelementptr": memory.element, "alloca": memory.allocate,
    "inttoptr": memory.address,
}  # fmt: skip


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
        """True if the module has the code of a function."""
        return symbol in self._functions

    def all_of(self, symbol: str) -> tuple[bool, ...]:
        """All arguments that can move."""
        return tuple(kind in ("double", "ptr") for kind, _ in self._functions[symbol].parameters)

    def tangent(self, symbol: str, active: tuple[bool, ...]) -> str:
        """The symbol of a function's tangent, for a choice of arguments that move."""
        if (symbol, active) not in self._symbols:
            self._symbols[symbol, active] = _suffix_symbol(symbol, f".d{len(self._symbols)}")
            self._waiting.append((symbol, active))
        return self._symbols[symbol, active]

    def zeros(self, symbol: str) -> str:
        """The shadow of a constant; "null" for anything but data."""
        if symbol not in self._globals:
            return "null"
        if symbol not in self._zeros:
            self._zeros[symbol] = _suffix_symbol(symbol, ".zeros")
        return self._zeros[symbol]

    def written(self) -> str:
        """The text of all tangents that were requested."""
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


def _suffix_symbol(symbol: str, suffix: str) -> str:
    return f'{symbol[:-1]}{suffix}"' if symbol.endswith('"') else f"{symbol}{suffix}"
