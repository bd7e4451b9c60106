"""The four functions of a program: derivative, evaluate, update, react."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod

from ....native.kernel import Kernel
from ..plan.layout import Plan
from ..plan.order import Task, role_flows
from ..plan.unit import HELD, Source, Unit
from . import loops
from .body import Body
from .callbacks import Callbacks
from .entry import finish
from .events import react, store_modes, update, when_hit
from .lowering import DECLARATIONS
from .roles import run
from .writer import Gathered, InMemory, Value, copy

NAMES = ("derivative", "evaluate", "update", "react")
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

    def __init__(self, plan: Plan, more: Callable[[Text], list[str]] = lambda text: []) -> None:
        """`more` writes functions behind the four."""
        self.plan = plan
        self.kernels: dict[str, Kernel] = {}
        self.callbacks = Callbacks()
        bodies = [_derivative(self.body()), _evaluate(self.body()), update(self.body()), react(self.body())]
        bodies += more(self)
        declared = [_declare(kernel) for kernel in self.kernels.values()]
        self.text = "\n".join([DECLARATIONS, *declared, _HELPER, *bodies])

    def body(self) -> Body:
        """A fresh function."""
        return Body(self.plan, self.kernels, self.callbacks)


def _declare(kernel: Kernel) -> str:
    number = {"d": ["double"], "i": ["i64"], "b": ["i8"]}
    array = ["ptr", "ptr", "i64", "i64", "ptr"]
    types = [
        t
        for letter in kernel.arguments
        for t in number.get(letter) or [*array, *["i64"] * (2 * int(letter[1:]))]
    ]
    return f"declare i32 @{kernel.symbol}({', '.join(['ptr', 'ptr', *types])})"


def _gather(body: Body, unit: Unit) -> dict[str, Value]:
    """A wiring block's outputs: elements of its inputs."""
    block = unit.block
    inputs = {port: body.input(unit, port) for port in unit.inputs}
    found: dict[str, Value] = {}
    for port, parts in block.gather(unit.in_sizes).items():  # type: ignore[attr-defined]
        found[port] = Gathered(unit.out_sizes[port].shape, [(inputs[name], place) for name, place in parts])
    return found


def _derivatives(body: Body, units: list[Unit], *, flowing_only: bool) -> None:
    """Slopes of the continuous states into dx, zero crossings into g."""
    writer = body.writer
    for unit in units:
        if "derivative" in unit.functions:
            places = {name: ("%dx", at[1]) for name, at in unit.states_at.items() if at[0] == "x"}
            for name, value in run(body, unit, "derivative", places).items():
                copy(writer, value, *places[name])
        if unit.crossing_at >= 0 and not (flowing_only and not role_flows(body.plan.units, unit, "crossing")):
            for name, value in run(body, unit, "crossing").items():
                for e, slot in enumerate(unit.crossing_slots[name]):
                    writer.store(value.element(writer, e if prod(value.shape) > 1 else 0), "%g", slot)


def flowing(plan: Plan) -> list[Source]:
    """The signals that derivatives and flowing crossings depend on between events."""
    units = plan.units
    found: list[Source] = []

    def wants(unit: Unit, role: str) -> None:
        found.extend(s for port in unit.needs(role) if (s := unit.inputs[port]) is not None)

    for unit in units:
        if "derivative" in unit.functions:
            wants(unit, "derivative")
        if unit.crossing_at >= 0 and role_flows(units, unit, "crossing"):
            wants(unit, "crossing")
    return found


def _needed(plan: Plan, signals: list[Source]) -> set[Task]:
    """The output functions that compute these signals between events."""
    units = plan.units
    stack = list(signals)
    needed: set[Task] = set()
    while stack:
        source = stack.pop()
        unit = units[source.unit]
        task = Task(source.unit, unit.role_of(source.port))
        if unit.rate[source.port] == HELD or task in needed:
            continue
        needed.add(task)
        stack.extend(s for port in unit.needs(task.role) if (s := unit.inputs[port]) is not None)
    return needed


def _output(body: Body, task: Task) -> None:
    """One output function, its results kept in the function only; those of sampled blocks lie in w."""
    unit = body.plan.units[task.unit]
    if unit.block.sampled:
        _sampled(body, unit, task.role)
        return
    found = _gather(body, unit) if unit.wiring else run(body, unit, task.role)
    body.values.update({Source(unit.index, port): value for port, value in found.items()})


def between_events(body: Body, signals: list[Source]) -> None:
    """Compute these signals, and what they depend on, while modes and held signals stay as they are."""
    plan = body.plan
    needed = _needed(plan, signals)
    opened = {loop.tasks[0]: loop for loop in plan.loops}
    solved: dict[Source, Value] = {}
    loops.begin(body)
    for task in plan.order:
        if task in opened:
            moving = [other for other in opened[task].tasks if other in needed]
            solved |= loops.solve(body, opened[task], moving, partial(_output, body), keep=False)
        if task in needed:
            _output(body, task)
            body.values |= solved


def _derivative(body: Body) -> str:
    plan = body.plan
    between_events(body, flowing(plan))
    _derivatives(body, plan.units, flowing_only=True)
    return finish(body, "derivative", loops.outcome(body))


def _evaluate(body: Body) -> str:
    plan = body.plan
    writer = body.writer
    totals = ["0.0"] * 4  # four sums, so that none is a long chain of waiting
    opened = {loop.tasks[0]: loop for loop in plan.loops}
    solved: dict[Source, Value] = {}
    loops.begin(body)
    for place, task in enumerate(plan.order):
        if task in opened:
            solved |= loops.solve(body, opened[task], opened[task].tasks, partial(_output, body), keep=True)
        unit = plan.units[task.unit]
        ports = unit.output_roles()[task.role]
        if unit.block.sampled:
            _sampled(body, unit, task.role)
        elif unit.wiring:
            found = _gather(body, unit)
            for port, value in found.items():
                source = Source(unit.index, port)
                body.values[source] = solved.get(source, value)
                if port in unit.signals_at:
                    copy(writer, body.values[source], "%w", unit.signals_at[port])
            continue
        else:
            if unit.inline_mode:
                store_modes(body, unit)
            places = {port: ("%w", unit.signals_at[port]) for port in ports if port in unit.signals_at}
            for port, value in run(body, unit, task.role, places).items():
                source = Source(unit.index, port)
                body.values[source] = solved.get(source, value)
                if port in places:
                    copy(writer, body.values[source], *places[port])
        for port in ports:
            totals[place % 4] = _judge(body, body.values[Source(unit.index, port)], totals[place % 4])
    for unit in plan.units:
        if unit.inline_mode and not unit.output_ports:
            store_modes(body, unit)
    _derivatives(body, plan.units, flowing_only=False)
    first = writer.do(f"fadd double {totals[0]}, {totals[1]}")
    second = writer.do(f"fadd double {totals[2]}, {totals[3]}")
    bad = writer.do(f"fcmp uno double {first}, {second}")
    return finish(body, "evaluate", loops.outcome(body, writer.do(f"zext i1 {bad} to i64")))


def _judge(body: Body, value: Value, total: str) -> str:
    """Add 0 times every element: the sum is 0 unless one is not finite."""
    writer, count = body.writer, prod(value.shape)
    if count <= 16:
        for i in range(count):
            part = writer.do(f"fmul double {value.element(writer, i)}, 0.0")
            total = writer.do(f"fadd double {total}, {part}")
        return total
    part = writer.do(f"call double @not_finite(ptr {value.pointer(writer)}, i64 {count})")
    return writer.do(f"fadd double {total}, {part}")


def _sampled(body: Body, unit: Unit, role: str) -> None:
    writer = body.writer
    after = when_hit(body, unit)
    if unit.inline_mode:
        store_modes(body, unit)
    for port, value in run(body, unit, role).items():
        copy(writer, value, "%w", unit.signals_at[port])
    writer.put(f"br label %{after}")
    writer.begin(after)
    for port in unit.output_roles()[role]:
        kept = InMemory(unit.out_sizes[port].shape, "%w", unit.signals_at[port])
        body.values[Source(unit.index, port)] = kept
