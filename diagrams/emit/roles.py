"""One function of one unit, turned into instructions: arguments gathered, kernel called, results placed."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, cast

from ...blocks.callback import Callback
from ...blocks.errors import BlockError
from ...blocks.formula import Formula
from ...native.compiling import kernel
from ...native.front_end import CannotCompile, ReturnsArray
from ...native.kernel import Kernel
from ..plan import binding
from ..plan.binding import Argument, bind, targets
from ..plan.layout import SMALL, Plan
from ..plan.unit import Source, Unit, elements, role_arguments
from .callbacks import Callbacks
from .lowering import lower, lower_bits
from .returned import writing
from .writer import InMemory, Scalars, Value, Writer, double

_LLVM = {"d": "double", "i": "i64", "b": "i8"}
BASES = {"x": "%x", "z": "%z"}


class Roles:
    """Writes calls into one function. `values` holds the outputs known so far."""

    def __init__(self, plan: Plan, writer: Writer, kernels: dict[str, Kernel], callbacks: Callbacks) -> None:
        self.plan, self.writer, self.kernels, self.callbacks = plan, writer, kernels, callbacks
        self.values: dict[Source, Value] = {}
        self.status = writer.slot("i32")
        self.exception = ""
        writer.put(f"store i32 0, ptr {self.status}")

    # ---- values behind names ----

    def input(self, unit: Unit, port: str) -> Value:
        """The signal at an input."""
        source = unit.inputs[port]
        if source is None:
            return Scalars((), [double(float(unit.input_ports[port].default or 0.0))])
        found = self.values.get(source)
        if found is None:
            feeder = self.plan.units[source.unit]
            found = InMemory(feeder.out_sizes[source.port].shape, "%w", feeder.signals_at[source.port])
        return found

    def value(self, unit: Unit, argument: Argument) -> Value:
        """The value behind an argument that is a real number or an array of them."""
        kind, name, shape = argument
        if kind == binding.TIME:
            return Scalars((), ["%t"])
        if kind == binding.INPUT:
            return self.input(unit, name)
        if kind == binding.NUMBER:
            return InMemory(shape, "%p", unit.numbers_at[name])
        if kind == binding.STATE:
            base, offset = unit.states_at[name]
            return InMemory(shape, BASES[base], offset)
        if kind == binding.OUTPUT:
            known = self.values.get(Source(unit.index, name))
            return known or InMemory(shape, "%w", unit.signals_at[name])
        raise AssertionError(kind)

    def integer(self, unit: Unit, argument: Argument, index: int | str) -> str:
        """A mode or the flag of a crossing, for one element."""
        if argument.kind == binding.MODE:
            if isinstance(index, str) and unit.mode_count > 1:
                return self.writer.load(self.writer.at("%m", unit.mode_at, "i64"), index, "i64")
            place = index if unit.mode_count > 1 and isinstance(index, int) else 0
            return self.writer.load("%m", unit.mode_at + place, "i64")
        which = unit.crossing_names.index(argument.name)
        stride = len(unit.crossing_names)
        if isinstance(index, str):
            scaled = self.writer.do(f"mul i64 {index}, {stride}")
            return self.writer.load(self.writer.at("%fired", unit.crossing_at + which, "i64"), scaled, "i64")
        return self.writer.load("%fired", unit.crossing_at + stride * index + which, "i64")

    # ---- calls ----

    def run(
        self, unit: Unit, role: str, places: dict[str, tuple[str, int]] | None = None
    ) -> dict[str, Value]:
        """Call a function; its results by target name. `places` are addresses that large results go to."""
        function = unit.functions[role]
        arguments = bind(unit, role, role_arguments(function))
        wanted = targets(unit, role)
        places = places or {}
        if isinstance(function, Callback):
            return self._call_back(unit, role, function, arguments, wanted)
        if not unit.elementwise:
            return self._array(unit, role, arguments, wanted, places)
        try:
            if unit.count <= SMALL or any(a.shape not in ((), unit.shape) for a in arguments):
                return self._unrolled(unit, role, arguments, wanted)
            return self._loop(unit, role, arguments, wanted, places)
        except CannotCompile as error:
            return self._call_back(
                unit, role, self.callbacks.replace(unit, role, str(error)), arguments, wanted
            )

    def _unrolled(
        self, unit: Unit, role: str, arguments: list[Argument], wanted: list[tuple[str, Any]]
    ) -> dict[str, Value]:
        if unit.count == 1:
            whole = unit.shape == ()
            names = [
                self.integer(unit, a, 0)
                if a.kind in (binding.MODE, binding.CROSSED)
                else self.value(unit, a).element(self.writer, 0)
                for a in arguments
            ]
            found = self._scalar(unit, role, arguments, names)
            pairs = zip(wanted, found, strict=True)
            return {name: Scalars(() if whole else shape, [item]) for (name, shape), item in pairs}
        columns: list[list[str]] = [[] for _ in wanted]
        sources = {
            a: (self.value(unit, a), elements(a.shape, unit.shape))
            for a in arguments
            if a.kind not in (binding.MODE, binding.CROSSED)
        }
        for e in range(unit.count):
            names = [
                sources[a][0].element(self.writer, int(sources[a][1][e]))
                if a in sources
                else self.integer(unit, a, e)
                for a in arguments
            ]
            for column, result in zip(columns, self._scalar(unit, role, arguments, names), strict=True):
                column.append(result)
        return {name: Scalars(shape, column) for (name, shape), column in zip(wanted, columns, strict=True)}

    def _loop(
        self, unit: Unit, role: str, arguments: list[Argument], wanted: list[tuple[str, Any]],
        places: dict[str, tuple[str, int]],
    ) -> dict[str, Value]:  # fmt: skip
        writer, count = self.writer, unit.count
        fixed: dict[Argument, str] = {}
        running: dict[Argument, str] = {}
        for a in arguments:
            if a.kind in (binding.MODE, binding.CROSSED):
                continue
            if a.shape == ():
                fixed[a] = self.value(unit, a).element(writer, 0)
            else:
                running[a] = self.value(unit, a).pointer(writer)
        kind = "i64" if role == "mode" else "double"
        bases = [
            writer.at(*places[name], kind) if name in places else writer.slot(f"[{count} x {kind}]")
            for name, _ in wanted
        ]
        before, body, after = writer.label(), writer.label(), writer.label()
        writer.put(f"br label %{before}")
        writer.begin(before)
        writer.put(f"br label %{body}")
        writer.begin(body)
        i, following = writer.name(), writer.name()
        back = writer.label()
        writer.put(f"{i} = phi i64 [0, %{before}], [{following}, %{back}]")
        names = [
            fixed[a]
            if a in fixed
            else writer.load(running[a], i)
            if a in running
            else self.integer(unit, a, i)
            for a in arguments
        ]
        for base, result in zip(bases, self._scalar(unit, role, arguments, names), strict=True):
            writer.store(result, base, i, kind)
        writer.put(f"br label %{back}")
        writer.begin(back)
        writer.put(f"{following} = add i64 {i}, 1")
        more = writer.do(f"icmp ult i64 {following}, {count}")
        writer.put(f"br i1 {more}, label %{body}, label %{after}")
        writer.begin(after)
        return {
            name: InMemory(shape, base, placed=name in places)
            for (name, shape), base in zip(wanted, bases, strict=True)
        }

    def _scalar(self, unit: Unit, role: str, arguments: list[Argument], names: list[str]) -> list[str]:
        """One element of an elementwise function: doubles, or the integer of a mode."""
        function = unit.functions[role]
        formulas = function if isinstance(function, tuple) else (function,)
        if isinstance(formulas[0], Formula):
            values = dict(zip(role_arguments(function), names, strict=True))
            if role == "mode":
                return [lower_bits(self.writer, formulas[0].root, values.__getitem__)]
            return [lower(self.writer, formula.root, values.__getitem__) for formula in formulas]
        letters = tuple("i" if a.kind in (binding.MODE, binding.CROSSED) else "d" for a in arguments)
        compiled = kernel(cast("Callable[..., Any]", function), letters)
        typed = [f"{_LLVM[letter]} {name}" for letter, name in zip(letters, names, strict=True)]
        return self.call(compiled, typed, integer=role == "mode")

    def call(self, compiled: Kernel, typed: list[str], *, integer: bool = False) -> list[str]:
        """The call itself: results as doubles (or integers)."""
        writer = self.writer
        self.kernels[compiled.symbol] = compiled
        kinds = [_LLVM[letter] for letter in compiled.results]
        kind = kinds[0] if len(kinds) == 1 else "{" + ", ".join(kinds) + "}"
        result = writer.slot(kind if kinds else "i64")
        self.exception = self.exception or writer.slot("ptr")
        passed = ", ".join([f"ptr {result}", f"ptr {self.exception}", *typed])
        status = writer.do(f"call i32 @{compiled.symbol}({passed})")
        if compiled.fails:
            old = writer.load(self.status, 0, "i32")
            writer.put(f"store i32 {writer.do(f'or i32 {old}, {status}')}, ptr {self.status}")
        found = []
        for i, (letter, llvm) in enumerate(zip(compiled.results, kinds, strict=True)):
            place = result
            if len(kinds) > 1:
                place = writer.do(f"getelementptr inbounds {kind}, ptr {result}, i32 0, i32 {i}")
            value = writer.do(f"load {llvm}, ptr {place}")
            found.append(self._convert(letter, value, integer))
        return found

    def _convert(self, letter: str, value: str, integer: bool) -> str:
        do = self.writer.do
        if integer:
            return {"i": lambda: value, "b": lambda: do(f"zext i8 {value} to i64"),
                    "d": lambda: do(f"fptosi double {value} to i64")}[letter]()  # fmt: skip
        return {"d": lambda: value, "b": lambda: do(f"uitofp i8 {value} to double"),
                "i": lambda: do(f"sitofp i64 {value} to double")}[letter]()  # fmt: skip

    def _array(
        self, unit: Unit, role: str, arguments: list[Argument], wanted: list[tuple[str, Any]],
        places: dict[str, tuple[str, int]],
    ) -> dict[str, Value]:  # fmt: skip
        """An array function: arrays go in by address, named targets are written in place."""
        letters: list[str] = []
        typed: list[str] = []
        found: dict[str, Value] = {}
        for a in arguments:
            if a.kind in (binding.MODE, binding.CROSSED):
                letters.append("i")
                typed.append(f"i64 {self.integer(unit, a, 0)}")
            elif a.kind == binding.TARGET:
                if a.shape == ():
                    raise BlockError(f"{unit.block.kind()}.{role}: `{a.name}` is a scalar; return it instead")
                base = (
                    self.writer.at(*places[a.name])
                    if a.name in places
                    else self.writer.slot(f"[{prod(a.shape)} x double]")
                )
                found[a.name] = InMemory(a.shape, base, placed=a.name in places)
                letters.append(f"d{len(a.shape)}")
                typed += self.spread(base, a.shape)
            elif a.shape == ():
                letters.append("d")
                typed.append(f"double {self.value(unit, a).element(self.writer, 0)}")
            else:
                letters.append(f"d{len(a.shape)}")
                typed += self.spread(self.value(unit, a).pointer(self.writer), a.shape)
        function = unit.functions[role]
        if isinstance(function, Formula):
            raise BlockError(f"{unit.block.kind()}.{role}: formulas need an elementwise block")
        try:
            compiled = kernel(function, tuple(letters))
        except ReturnsArray:
            return self._returned(unit, role, arguments, wanted, letters, typed)
        except CannotCompile as error:
            return self._call_back(
                unit, role, self.callbacks.replace(unit, role, str(error)), arguments, wanted
            )
        if not compiled.results and len(found) < len(wanted):
            replaced = self.callbacks.replace(unit, role, "it returns nothing")
            return self._call_back(unit, role, replaced, arguments, wanted)
        results = self.call(compiled, typed, integer=role == "mode")
        return found | self._distribute(unit, role, results, [w for w in wanted if w[0] not in found])

    def _returned(
        self, unit: Unit, role: str, arguments: list[Argument], wanted: list[tuple[str, Any]],
        letters: list[str], typed: list[str],
    ) -> dict[str, Value]:  # fmt: skip
        """A function that returns an array, which is copied to memory of the output's size."""
        (name, shape), *others = wanted
        if others or shape == ():
            raise BlockError(
                f"{unit.path}: function `{role}` of {unit.block.kind()} returns an array\n"
                f"expected: numbers for {', '.join(n for n, _ in wanted)} (a vector needs the block's `size`)"
            )
        base = self.writer.slot(f"[{prod(shape)} x double]")
        wrapped = writing(unit.functions[role], len(arguments), shape)
        try:
            compiled = kernel(wrapped, (*letters, f"d{len(shape)}"))
        except CannotCompile as error:
            return self._call_back(
                unit, role, self.callbacks.replace(unit, role, str(error)), arguments, wanted
            )
        self.call(compiled, [*typed, *self.spread(base, shape)])
        return {name: InMemory(shape, base)}

    def _distribute(
        self, unit: Unit, role: str, results: list[str], wanted: list[tuple[str, Any]]
    ) -> dict[str, Value]:
        needed = sum(prod(shape) for _, shape in wanted)
        if len(results) != needed:
            listed = ", ".join(f"{name} {shape or ''}".strip() for name, shape in wanted)
            raise BlockError(
                f"{unit.path}: function `{role}` of {unit.block.kind()} gives {len(results)} numbers\n"
                f"expected: {needed}, for {listed}"
            )
        found: dict[str, Value] = {}
        start = 0
        for name, shape in wanted:
            found[name] = Scalars(shape, results[start : start + prod(shape)])
            start += prod(shape)
        return found

    @staticmethod
    def spread(base: str, shape: tuple[int, ...]) -> list[str]:
        """An array as numba passes it: no owner, items, item size, data, shape, strides."""
        strides = [8 * prod(shape[i + 1 :]) for i in range(len(shape))]
        return ["ptr null", "ptr null", f"i64 {prod(shape)}", "i64 8", f"ptr {base}",
                *(f"i64 {n}" for n in shape), *(f"i64 {n}" for n in strides)]  # fmt: skip

    def _call_back(
        self, unit: Unit, role: str, function: Any, arguments: list[Argument], wanted: list[tuple[str, Any]]
    ) -> dict[str, Value]:
        """A call into Python: all arguments in one buffer, all results in another."""
        writer = self.writer
        arguments = [a for a in arguments if a.kind != binding.TARGET]
        size = sum(prod(a.shape) for a in arguments)
        buffer = writer.slot(f"[{max(size, 1)} x double]")
        place = 0
        for a in arguments:
            for i in range(prod(a.shape)):
                if a.kind in (binding.MODE, binding.CROSSED):
                    item = writer.do(f"sitofp i64 {self.integer(unit, a, i)} to double")
                else:
                    item = self.value(unit, a).element(writer, i)
                writer.store(item, buffer, place)
                place += 1
        total = sum(prod(shape) for _, shape in wanted)
        result = writer.slot(f"[{max(total, 1)} x double]")
        address = self.callbacks.address(unit, role, function, arguments, wanted)
        status = writer.do(f"call i64 inttoptr (i64 {address} to ptr)(ptr {buffer}, ptr {result})")
        short = writer.do(f"trunc i64 {status} to i32")
        old = writer.load(self.status, 0, "i32")
        writer.put(f"store i32 {writer.do(f'or i32 {old}, {short}')}, ptr {self.status}")
        found: dict[str, Value] = {}
        start = 0
        for name, shape in wanted:
            if role == "mode":
                numbers = [writer.load(result, start + i) for i in range(prod(shape))]
                found[name] = Scalars(shape, [writer.do(f"fptosi double {n} to i64") for n in numbers])
            else:
                found[name] = InMemory(shape, result, start)
            start += prod(shape)
        return found
