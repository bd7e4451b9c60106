"""Write the body of one LLVM function: computed signals, values by name, calls of kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod

from ....native.kernel import Kernel
from ..plan import binding
from ..plan.binding import Argument
from ..plan.layout import Plan
from ..plan.unit import Source, Unit
from .callbacks import Callbacks
from .writer import InMemory, Scalars, Value, Writer, double

LLVM = {"d": "double", "i": "i64", "b": "i8"}
BASES = {"x": "%x", "z": "%z", "w": "%w", "p": "%p"}


def function_path(path: str, role: str) -> str:
    """The path of one function of a block."""
    return f"{path}.{role}()"


class Body:
    """One function. `values` holds the outputs computed so far; `status` is the slot for failures."""

    def __init__(
        self,
        plan: Plan,
        kernels: dict[str, Kernel],
        users: dict[str, set[str]],
        callbacks: Callbacks,
        in_python: Mapping[str, str],
    ) -> None:
        self.plan, self.kernels, self.users, self.callbacks = plan, kernels, users, callbacks
        self.in_python = in_python  # paths of blocks, or of their functions, to call back, and why
        self.path = ""  # of the block whose function is being called
        self.writer = Writer()
        self.values: dict[Source, Value] = {}
        self.status = self.writer.slot("i32")
        self.changed = ""  # slot for changes of a mode or a state, once one can change
        self.totals = ["0.0"] * 4  # sums over checked values: four, to avoid one long dependency chain
        self.checks = 0
        self.solving = False  # whether a loop has been solved
        self._exception = ""
        self._rooms: dict[tuple[int, int], str] = {}
        self.free_modes = False  # whether a loop may have changed modes in the search for its solution
        self.modes = {slot: self.writer.load("%m", slot, "i64") for slot in plan.joint_modes}
        if plan.joint is not None:
            joint = self.writer.load("%m", plan.joint.mode_at, "i64")
            self.jointly = self.writer.do(f"icmp ne i64 {joint}, 0")
        self.writer.put(f"store i32 0, ptr {self.status}")

    # ---- values by name ----

    def input(self, unit: Unit, port: str) -> Value:
        """The signal at an input."""
        source = unit.inputs[port]
        if source is None:
            shape = unit.in_sizes[port].shape
            return Scalars(shape, [double(float(unit.input_ports[port].default or 0.0))] * prod(shape))
        return self.values[source]

    def value(self, unit: Unit, argument: Argument) -> Value:
        """The value of an argument that is a real number or an array of them."""
        kind, name, shape = argument
        if kind == binding.TIME:
            return Scalars((), ["%t"])
        if kind == binding.INPUT:
            return self.input(unit, name)
        if kind in (binding.NUMBER, binding.TABLE, binding.MEMORY):
            return InMemory(shape, "%p", unit.numbers_at[name])
        if kind in (binding.STATE, binding.PLACE):
            base, offset = unit.states_at[name]
            return InMemory(shape, BASES[base], offset)
        if kind == binding.OUTPUT:
            return self.values[Source(unit.index, name)]
        raise AssertionError(kind)

    def integer(self, unit: Unit, argument: Argument, index: int | str) -> str:
        """A mode or the flag of a crossing, for one element; a handle."""
        if argument.kind == binding.HANDLE:
            return self.writer.load("%p", unit.owned_at[argument.name], "i64")
        if argument.kind == binding.MODE:
            if isinstance(index, str) and unit.mode_count > 1:
                return self.writer.load(self.writer.at("%m", unit.mode_at, "i64"), index, "i64")
            place = index if unit.mode_count > 1 and isinstance(index, int) else 0
            return self.writer.load("%m", unit.mode_at + place, "i64")
        slots = unit.crossing_slots[argument.name]
        if isinstance(index, str):
            scaled = self.writer.do(f"mul i64 {index}, {slots.step}")
            return self.writer.load(self.writer.at("%fired", slots.start, "i64"), scaled, "i64")
        return self.writer.load("%fired", slots[index], "i64")

    def room(self, place: int, count: int) -> str:
        """Workspace of one call, as its argument number `place`; later calls use it again."""
        key = (place, count)
        if key not in self._rooms:
            self._rooms[key] = self.writer.slot(f"[{max(count, 1)} x double]")
        return self._rooms[key]

    # ---- calls ----

    def call(self, compiled: Kernel, typed: list[str], *, integer: bool = False) -> list[str]:
        """Call a kernel: results as doubles (or integers)."""
        writer = self.writer
        self.kernels[compiled.symbol] = compiled
        self.users.setdefault(compiled.symbol, set()).add(self.path)
        kinds = [LLVM[letter] for letter in compiled.results]
        kind = kinds[0] if len(kinds) == 1 else "{" + ", ".join(kinds) + "}"
        result = writer.slot(kind if kinds else "i64")
        self._exception = self._exception or writer.slot("ptr")
        passed = ", ".join([f"ptr {result}", f"ptr {self._exception}", *typed])
        status = writer.do(f"call i32 @{compiled.symbol}({passed})")
        if compiled.fails:
            self.note(status)
        results = []
        for i, (letter, llvm) in enumerate(zip(compiled.results, kinds, strict=True)):
            place = result
            if len(kinds) > 1:
                place = writer.do(f"getelementptr inbounds {kind}, ptr {result}, i32 0, i32 {i}")
            value = writer.do(f"load {llvm}, ptr {place}")
            results.append(self._convert(letter, value, integer))
        return results

    def call_foreign(self, unit: Unit, role: str, typed: list[str], kind: str = "double") -> str:
        """Call a foreign function at the address that the run has for it; its result, if it has one."""
        writer = self.writer
        address = writer.load("%p", unit.owned_at[f"{role}()"], "ptr")
        if kind == "void":
            writer.put(f"call void {address}({', '.join(typed)})")
            return ""
        result = writer.do(f"call double {address}({', '.join(typed)})")
        return writer.do(f"fptosi double {result} to i64") if role == "mode" else result

    def restore_modes(self) -> None:
        """Use the modes at the start of the function, unless they are solved for with their loops."""
        for slot, mode in self.modes.items() if self.free_modes else ():
            now = self.writer.load("%m", slot, "i64")
            mode = self.writer.do(f"select i1 {self.jointly}, i64 {now}, i64 {mode}")
            self.writer.store(mode, "%m", slot, "i64")

    @contextmanager
    def former_modes(self, unit: Unit) -> Iterator[None]:
        """Set the modes of a unit to the result of `restore_modes` for a block, and reset them afterwards."""
        slots = range(unit.mode_at, unit.mode_at + unit.mode_count)
        changed = [slot for slot in slots if self.free_modes and slot in self.modes]
        now = {slot: self.writer.load("%m", slot, "i64") for slot in changed}
        for slot, mode in now.items():
            former = self.writer.do(f"select i1 {self.jointly}, i64 {mode}, i64 {self.modes[slot]}")
            self.writer.store(former, "%m", slot, "i64")
        yield
        for slot, mode in now.items():
            self.writer.store(mode, "%m", slot, "i64")

    def note(self, status: str) -> None:
        """Keep a status that is not 0."""
        old = self.writer.load(self.status, 0, "i32")
        self.writer.put(f"store i32 {self.writer.do(f'or i32 {old}, {status}')}, ptr {self.status}")

    def watch_changes(self) -> None:
        """Prepare to record that a value has changed."""
        if not self.changed:
            self.changed = self.writer.slot("i64")
            self.writer.put(f"store i64 0, ptr {self.changed}")

    def change(self, truth: str) -> str:
        """Record whether a value has changed, and return that as an integer."""
        writer = self.writer
        self.watch_changes()
        bit = writer.do(f"zext i1 {truth} to i64")
        old = writer.load(self.changed, 0, "i64")
        writer.put(f"store i64 {writer.do(f'or i64 {old}, {bit}')}, ptr {self.changed}")
        return bit

    def _convert(self, letter: str, value: str, integer: bool) -> str:
        do = self.writer.do
        if integer:
            return {"i": lambda: value, "b": lambda: do(f"zext i8 {value} to i64"),
                    "d": lambda: do(f"fptosi double {value} to i64")}[letter]()  # fmt: skip
        return {"d": lambda: value, "b": lambda: do(f"uitofp i8 {value} to double"),
                "i": lambda: do(f"sitofp i64 {value} to double")}[letter]()  # fmt: skip


def spread(base: str, shape: tuple[int, ...]) -> list[str]:
    """An array in the form that numba passes: no owner, items, item size, data, shape, strides."""
    strides = [8 * prod(shape[i + 1 :]) for i in range(len(shape))]
    return ["ptr null", "ptr null", f"i64 {prod(shape)}", "i64 8", f"ptr {base}",
            *(f"i64 {n}" for n in shape), *(f"i64 {n}" for n in strides)]  # fmt: skip
