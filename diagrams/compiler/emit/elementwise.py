"""Apply functions of scalars to every element, written out or in a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ....blocks.contract.formula import Formula
from ....blocks.contract.owned import Foreign
from ....blocks.contract.port import Shape
from ....native.compiling import kernel
from ....native.kernel import Kernel
from ..plan import binding
from ..plan.binding import Argument
from ..plan.layout import SMALL
from ..plan.unit import Unit, elements
from .body import LLVM, Body, spread
from .lowering import lower, lower_bits
from .writer import InMemory, Scalars, Value


class Elementwise:
    """One function of one unit within a body; a kernel is compiled here, before anything is written.

    Raises CannotCompile if numba cannot compile the function.
    """

    def __init__(self, body: Body, unit: Unit, role: str, arguments: list[Argument]) -> None:
        self._body, self._unit, self._role, self._arguments = body, unit, role, arguments
        function = unit.functions[role]
        formulas = function if isinstance(function, tuple) else (function,)
        self._names = unit.names[role]
        self._formulas: tuple[Any, ...] = formulas if isinstance(formulas[0], Formula) else ()
        self._letters = tuple(map(_letter, arguments))
        self._kernel: Kernel | None = None
        self._foreign = isinstance(function, Foreign)
        if not self._formulas and not self._foreign:
            self._kernel = kernel(cast("Callable[..., Any]", function), self._letters)

    def write(self, requested: list[tuple[str, Any]], places: dict[str, tuple[str, int]]) -> dict[str, Value]:
        """The results by name; long loops leave theirs at `places`, if given."""
        unit = self._unit
        if unit.count == 1:
            return self._once(requested)
        if unit.count <= SMALL or any(not _indexes_like_loop(a, unit.shape) for a in self._arguments):
            return self._unrolled(requested)
        return self._loop(requested, places)

    def _once(self, requested: list[tuple[str, Any]]) -> dict[str, Value]:
        unit, body = self._unit, self._body
        names = [
            body.integer(unit, a, 0)
            if a.kind in binding.INTEGERS
            else self._table(a)
            if a.kind == binding.TABLE
            else body.value(unit, a).element(body.writer, 0)
            for a in self._arguments
        ]
        pairs = zip(requested, self._scalar(names), strict=True)
        return {name: Scalars(() if unit.shape == () else shape, [item]) for (name, shape), item in pairs}

    def _unrolled(self, requested: list[tuple[str, Any]]) -> dict[str, Value]:
        unit, body = self._unit, self._body
        columns: list[list[str]] = [[] for _ in requested]
        sources = {
            a: (body.value(unit, a), elements(a.shape, unit.shape))
            for a in self._arguments
            if a.kind not in (*binding.INTEGERS, binding.TABLE)
        }
        tables = {a: self._table(a) for a in self._arguments if a.kind == binding.TABLE}
        for e in range(unit.count):
            names = [
                sources[a][0].element(body.writer, int(sources[a][1][e]))
                if a in sources
                else tables[a]
                if a in tables
                else body.integer(unit, a, e)
                for a in self._arguments
            ]
            for column, result in zip(columns, self._scalar(names), strict=True):
                column.append(result)
        return {
            name: Scalars(shape, column) for (name, shape), column in zip(requested, columns, strict=True)
        }

    def _loop(self, requested: list[tuple[str, Any]], places: dict[str, tuple[str, int]]) -> dict[str, Value]:
        unit, body, writer = self._unit, self._body, self._body.writer
        fixed: dict[Argument, str] = {}
        running: dict[Argument, str] = {}
        for a in self._arguments:
            if a.kind in binding.INTEGERS:
                continue
            if a.kind == binding.TABLE:
                fixed[a] = self._table(a)
            elif a.shape == ():
                fixed[a] = body.value(unit, a).element(writer, 0)
            else:
                running[a] = body.value(unit, a).pointer(writer)
        kind = "i64" if self._role == "mode" else "double"
        bases = [
            writer.at(*places[name], kind) if name in places else writer.slot(f"[{unit.count} x {kind}]")
            for name, _ in requested
        ]
        before, inside, after = writer.label(), writer.label(), writer.label()
        writer.put(f"br label %{before}")
        writer.begin(before)
        writer.put(f"br label %{inside}")
        writer.begin(inside)
        i, following = writer.name(), writer.name()
        back = writer.label()
        writer.put(f"{i} = phi i64 [0, %{before}], [{following}, %{back}]")
        names = [
            fixed[a]
            if a in fixed
            else writer.load(running[a], i)
            if a in running
            else body.integer(unit, a, i)
            for a in self._arguments
        ]
        for base, result in zip(bases, self._scalar(names), strict=True):
            writer.store(result, base, i, kind)
        writer.put(f"br label %{back}")
        writer.begin(back)
        writer.put(f"{following} = add i64 {i}, 1")
        more = writer.do(f"icmp ult i64 {following}, {unit.count}")
        writer.put(f"br i1 {more}, label %{inside}, label %{after}")
        writer.begin(after)
        return {
            name: InMemory(shape, base, placed=name in places)
            for (name, shape), base in zip(requested, bases, strict=True)
        }

    def _table(self, argument: Argument) -> str:
        """A table, passed whole to every element, as to a function of arrays."""
        return ", ".join(
            spread(self._body.value(self._unit, argument).pointer(self._body.writer), argument.shape)
        )

    def _scalar(self, names: list[str]) -> list[str]:
        """One element: doubles, or the integer of a mode."""
        body = self._body
        typed = [
            name if letter not in LLVM else f"{LLVM[letter]} {name}"
            for letter, name in zip(self._letters, names, strict=True)
        ]
        if self._foreign:
            return [body.call_foreign(self._unit, self._role, typed)]
        if self._kernel is None:
            values = dict(zip(self._names, names, strict=True))
            if self._role == "mode":
                return [lower_bits(body.writer, self._formulas[0].root, values.__getitem__)]
            return [lower(body.writer, formula.root, values.__getitem__) for formula in self._formulas]
        return body.call(self._kernel, typed, integer=self._role == "mode")


def _letter(argument: Argument) -> str:
    """Type letter of an argument of a kernel."""
    if argument.kind == binding.TABLE and argument.shape:
        return f"d{len(argument.shape)}"
    return "i" if argument.kind in binding.INTEGERS else "d"


def _indexes_like_loop(argument: Argument, shape: Shape) -> bool:
    """True if each element of a loop reads its own element of an argument, or all read the same."""
    return argument.kind == binding.TABLE or argument.shape in ((), shape)
