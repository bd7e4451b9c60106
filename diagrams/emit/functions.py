"""The four functions of a program: derivative, evaluate, update, react."""

from __future__ import annotations

from functools import partial
from math import prod

from ...native.kernel import Kernel
from ..plan.layout import Plan
from ..plan.order import Task, role_flows
from ..plan.unit import HELD, Source, Unit
from . import loops
from .callbacks import Callbacks
from .lowering import DECLARATIONS
from .roles import BASES, Roles
from .writer import Gathered, InMemory, Value, Writer, copy

NAMES = ("derivative", "evaluate", "update", "react")
_TABLE = ("z", "m", "p", "w", "g", "hit", "fired", "fresh")  # the order of solvers.layout.TABLE
_POINTERS = ("x", "dx", *_TABLE)
_HEAD = "double %t, " + ", ".join(f"ptr noalias nocapture %{name}" for name in _POINTERS)
_HELPER = """
define internal double @not_finite(ptr %a, i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i64 [0, %entry], [%j, %loop]
  %s = phi double [0.0, %entry], [%r, %loop]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p
  %q = fmul double %v, 0.0
  %r = fadd double %s, %q
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %f = phi double [0.0, %entry], [%r, %loop]
  ret double %f
}
"""


class Text:
    """The LLVM text of a program, the kernels it calls and its callbacks into Python."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.kernels: dict[str, Kernel] = {}
        self.callbacks = Callbacks()
        bodies = [_derivative(self), _evaluate(self), _update(self), _react(self)]
        declared = [_declare(kernel) for kernel in self.kernels.values()]
        self.text = "\n".join([DECLARATIONS, *declared, _HELPER, *bodies])

    def roles(self) -> Roles:
        """A fresh function body."""
        return Roles(self.plan, Writer(), self.kernels, self.callbacks)


def _declare(kernel: Kernel) -> str:
    number = {"d": ["double"], "i": ["i64"], "b": ["i8"]}
    array = ["ptr", "ptr", "i64", "i64", "ptr"]
    types = [
        t
        for letter in kernel.arguments
        for t in number.get(letter) or [*array, *["i64"] * (2 * int(letter[1:]))]
    ]
    return f"declare i32 @{kernel.symbol}({', '.join(['ptr', 'ptr', *types])})"


def _finish(roles: Roles, name: str, result: str = "0") -> str:
    writer = roles.writer
    status = writer.load(roles.status, 0, "i32")
    failed = writer.do(f"icmp ne i32 {status}, 0")
    writer.put(f"ret i64 {writer.do(f'select i1 {failed}, i64 -1, i64 {result}')}")
    return writer.text(f"define internal i64 @{name}_body({_HEAD})") + _entry(name)


def _entry(name: str) -> str:
    """The function that solvers call: (t, x, dx, table of addresses) -> i64."""
    lines = [f"define i64 @{name}(double %t, ptr %x, ptr %dx, ptr %table) {{", "entry:"]
    for i, pointer in enumerate(_TABLE):
        lines.append(f"  %{pointer}_at = getelementptr inbounds ptr, ptr %table, i64 {i}")
        lines.append(f"  %{pointer} = load ptr, ptr %{pointer}_at, align 8")
    arguments = ", ".join(f"ptr %{pointer}" for pointer in _POINTERS)
    lines += [f"  %r = call i64 @{name}_body(double %t, {arguments}) alwaysinline", "  ret i64 %r", "}", ""]
    return "\n".join(lines)


def _gather(roles: Roles, unit: Unit) -> dict[str, Value]:
    """A wiring block's outputs: elements of its inputs."""
    block = unit.block
    inputs = {port: roles.input(unit, port) for port in unit.inputs}
    found: dict[str, Value] = {}
    for port, parts in block.gather(unit.in_sizes).items():  # type: ignore[attr-defined]
        found[port] = Gathered(unit.out_sizes[port].shape, [(inputs[name], place) for name, place in parts])
    return found


def _derivatives(roles: Roles, units: list[Unit], *, flowing_only: bool) -> None:
    """Slopes of the continuous states into dx, zero crossings into g."""
    writer = roles.writer
    for unit in units:
        if "derivative" in unit.functions:
            places = {name: ("%dx", at[1]) for name, at in unit.states_at.items() if at[0] == "x"}
            for name, value in roles.run(unit, "derivative", places).items():
                copy(writer, value, *places[name])
        if unit.crossing_at >= 0 and not (
            flowing_only and not role_flows(roles.plan.units, unit, "crossing")
        ):
            values = list(roles.run(unit, "crossing").values())
            stride = len(values)
            for e in range(unit.count):
                for j, value in enumerate(values):
                    place = e if prod(value.shape) > 1 else 0
                    writer.store(value.element(writer, place), "%g", unit.crossing_at + stride * e + j)


def _needed(plan: Plan) -> set[Task]:
    """The output functions that derivatives and flowing crossings depend on between events."""
    units = plan.units
    stack: list[Source] = []

    def wants(unit: Unit, role: str) -> None:
        stack.extend(s for port in unit.needs(role) if (s := unit.inputs[port]) is not None)

    for unit in units:
        if "derivative" in unit.functions:
            wants(unit, "derivative")
        if unit.crossing_at >= 0 and role_flows(units, unit, "crossing"):
            wants(unit, "crossing")
    needed: set[Task] = set()
    while stack:
        source = stack.pop()
        unit = units[source.unit]
        task = Task(source.unit, unit.role_of(source.port))
        if unit.rate[source.port] == HELD or task in needed:
            continue
        needed.add(task)
        wants(unit, task.role)
    return needed


def _output(roles: Roles, task: Task) -> None:
    """One output function, its results kept in the function only; those of sampled blocks lie in w."""
    unit = roles.plan.units[task.unit]
    if unit.block.sampled:
        _sampled(roles, unit, task.role)
        return
    found = _gather(roles, unit) if unit.wiring else roles.run(unit, task.role)
    roles.values.update({Source(unit.index, port): value for port, value in found.items()})


def _derivative(text: Text) -> str:
    roles, plan = text.roles(), text.plan
    needed = _needed(plan)
    opened = {loop.tasks[0]: loop for loop in plan.loops}
    solved: dict[Source, Value] = {}
    loops.begin(roles)
    for task in plan.order:
        if task in opened:
            flowing = [other for other in opened[task].tasks if other in needed]
            solved |= loops.solve(roles, opened[task], flowing, partial(_output, roles), keep=False)
        if task in needed:
            _output(roles, task)
            roles.values |= solved
    _derivatives(roles, plan.units, flowing_only=True)
    return _finish(roles, "derivative", loops.outcome(roles))


def _evaluate(text: Text) -> str:
    roles, plan = text.roles(), text.plan
    writer = roles.writer
    totals = ["0.0"] * 4  # four sums, so that none is a long chain of waiting
    opened = {loop.tasks[0]: loop for loop in plan.loops}
    solved: dict[Source, Value] = {}
    loops.begin(roles)
    for place, task in enumerate(plan.order):
        if task in opened:
            solved |= loops.solve(roles, opened[task], opened[task].tasks, partial(_output, roles), keep=True)
        unit = plan.units[task.unit]
        ports = unit.output_roles()[task.role]
        if unit.block.sampled:
            _sampled(roles, unit, task.role)
        elif unit.wiring:
            found = _gather(roles, unit)
            for port, value in found.items():
                source = Source(unit.index, port)
                roles.values[source] = solved.get(source, value)
                if port in unit.signals_at:
                    copy(writer, roles.values[source], "%w", unit.signals_at[port])
            continue
        else:
            if unit.inline_mode:
                _store_modes(roles, unit)
            places = {port: ("%w", unit.signals_at[port]) for port in ports if port in unit.signals_at}
            for port, value in roles.run(unit, task.role, places).items():
                source = Source(unit.index, port)
                roles.values[source] = solved.get(source, value)
                if port in places:
                    copy(writer, roles.values[source], *places[port])
        for port in ports:
            totals[place % 4] = _judge(roles, roles.values[Source(unit.index, port)], totals[place % 4])
    for unit in plan.units:
        if unit.inline_mode and not unit.output_ports:
            _store_modes(roles, unit)
    _derivatives(roles, plan.units, flowing_only=False)
    first = writer.do(f"fadd double {totals[0]}, {totals[1]}")
    second = writer.do(f"fadd double {totals[2]}, {totals[3]}")
    bad = writer.do(f"fcmp uno double {first}, {second}")
    return _finish(roles, "evaluate", loops.outcome(roles, writer.do(f"zext i1 {bad} to i64")))


def _store_modes(roles: Roles, unit: Unit) -> None:
    modes = roles.run(unit, "mode")["mode"]
    for e in range(unit.count):
        place = e if prod(modes.shape) > 1 else 0
        if isinstance(modes, InMemory):
            item = roles.writer.load(modes.base, place, "i64")
        else:
            item = modes.element(roles.writer, place)
        roles.writer.store(item, "%m", unit.mode_at + e, "i64")


def _judge(roles: Roles, value: Value, total: str) -> str:
    """Add 0 times every element: the sum is 0 unless one is not finite."""
    writer, count = roles.writer, prod(value.shape)
    if count <= 16:
        for i in range(count):
            part = writer.do(f"fmul double {value.element(writer, i)}, 0.0")
            total = writer.do(f"fadd double {total}, {part}")
        return total
    part = writer.do(f"call double @not_finite(ptr {value.pointer(writer)}, i64 {count})")
    return writer.do(f"fadd double {total}, {part}")


def _when_hit(roles: Roles, unit: Unit) -> str:
    """Open the part that runs at a tick of the unit's clock; the label after it comes back."""
    writer = roles.writer
    hit = writer.load("%hit", unit.clock, "i64")
    inside, after = writer.label(), writer.label()
    writer.put(f"br i1 {writer.do(f'icmp ne i64 {hit}, 0')}, label %{inside}, label %{after}")
    writer.begin(inside)
    return after


def _sampled(roles: Roles, unit: Unit, role: str) -> None:
    writer = roles.writer
    after = _when_hit(roles, unit)
    if unit.inline_mode:
        _store_modes(roles, unit)
    for port, value in roles.run(unit, role).items():
        copy(writer, value, "%w", unit.signals_at[port])
    writer.put(f"br label %{after}")
    writer.begin(after)
    for port in unit.output_roles()[role]:
        kept = InMemory(unit.out_sizes[port].shape, "%w", unit.signals_at[port])
        roles.values[Source(unit.index, port)] = kept


def _update(text: Text) -> str:
    roles, plan = text.roles(), text.plan
    for unit in plan.units:
        if unit.block.sampled and "update" in unit.functions:
            after = _when_hit(roles, unit)
            for name, value in roles.run(unit, "update").items():
                base, offset = unit.states_at[name]
                copy(roles.writer, value, BASES[base], offset)
            roles.writer.put(f"br label %{after}")
            roles.writer.begin(after)
    return _finish(roles, "update")


def _react(text: Text) -> str:
    roles, plan = text.roles(), text.plan
    writer = roles.writer
    changed = writer.slot("i64")
    writer.put(f"store i64 0, ptr {changed}")
    for unit in plan.units:
        if unit.inline_mode:
            continue
        if "mode" in unit.functions and unit.block.timers() is None:
            _change_modes(roles, unit, changed)
        if "jump" in unit.functions:
            for name, value in roles.run(unit, "jump").items():
                base, offset = unit.states_at[name]
                fresh = [value.element(writer, i) for i in range(prod(value.shape))]
                for i, item in enumerate(fresh):
                    old = writer.load(BASES[base], offset + i)
                    _note(roles, changed, writer.do(f"fcmp une double {old}, {item}"))
                    writer.store(item, BASES[base], offset + i)
    return _finish(roles, "react", writer.load(changed, 0, "i64"))


def _note(roles: Roles, changed: str, truth: str) -> str:
    writer = roles.writer
    bit = writer.do(f"zext i1 {truth} to i64")
    old = writer.load(changed, 0, "i64")
    writer.put(f"store i64 {writer.do(f'or i64 {old}, {bit}')}, ptr {changed}")
    return bit


def _change_modes(roles: Roles, unit: Unit, changed: str) -> None:
    writer = roles.writer
    modes = roles.run(unit, "mode")["mode"]
    stride = len(unit.crossing_names)
    for e in range(unit.count):
        place = e if prod(modes.shape) > 1 else 0
        new = (
            writer.load(modes.base, place, "i64")
            if isinstance(modes, InMemory)
            else modes.element(writer, place)
        )
        old = writer.load("%m", unit.mode_at + e, "i64")
        bit = _note(roles, changed, writer.do(f"icmp ne i64 {old}, {new}"))
        writer.store(new, "%m", unit.mode_at + e, "i64")
        if unit.crossing_at >= 0:
            for j in range(stride):
                k = unit.crossing_at + stride * e + j
                before = writer.load("%fresh", k, "i64")
                writer.store(writer.do(f"or i64 {before}, {bit}"), "%fresh", k, "i64")
