"""Print instructions as LLVM text: load arguments, call functions, store results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any

from ....blocks.contract.callback import Callback
from ....native.front_end import CannotCompile
from ....solvers.layout import MODE_CHANGED, STATE_CHANGED
from ..instructions import instruction as do
from ..plan.binding import bind, targets
from ..plan.layout import SMALL
from ..plan.loops import find_routes
from ..plan.unit import Source, Unit
from .arrays import call_array, call_back, call_in_python
from .body import BASES, Body, function_path
from .elementwise import Elementwise
from .guards import mark, settle, when
from .loops import advance, iterate, open_up, select_status, solve
from .writer import InMemory, LazyElements, Value, copy, double


def write(body: Body, instructions: Iterable[do.Instruction]) -> None:
    """Print instructions into a function, in their order."""
    for instruction in instructions:
        _PRINTERS[type(instruction)](body, instruction)


def status(body: Body) -> str:
    """Return value of the function unless something in it failed: see `instructions.instruction`."""
    writer = body.writer
    result = writer.load(body.changed, 0, "i64") if body.changed else "0"
    if body.checks:
        first = writer.do(f"fadd double {body.totals[0]}, {body.totals[1]}")
        second = writer.do(f"fadd double {body.totals[2]}, {body.totals[3]}")
        bad = writer.do(f"fcmp uno double {first}, {second}")
        result = writer.do(f"zext i1 {bad} to i64")
    return select_status(body, result) if body.solving else result


def run(
    body: Body, unit: Unit, role: str, places: dict[str, tuple[str, int]] | None = None
) -> dict[str, Value]:
    """Call a function; its results by target name. `places` are addresses that large results go to."""
    function, body.path = unit.functions[role], unit.path
    arguments = bind(unit, role, unit.names[role])
    results = targets(unit, role)
    if isinstance(function, Callback):
        return call_back(body, unit, role, function, arguments, results)
    reason = body.in_python.get(unit.path) or body.in_python.get(function_path(unit.path, role))
    if reason is not None:
        return call_in_python(body, unit, role, arguments, results, reason)
    try:
        if unit.elementwise:
            return Elementwise(body, unit, role, arguments).write(results, places or {})
        return call_array(body, unit, role, arguments, results, places or {})
    except CannotCompile as error:
        return call_in_python(body, unit, role, arguments, results, str(error))


def _hold(body: Body, hold: do.Hold) -> None:
    unit, port = hold
    body.values[Source(unit.index, port)] = InMemory(unit.out_sizes[port].shape, "%w", unit.signals_at[port])


def _output(body: Body, output: do.Output) -> None:
    unit = output.unit
    places = {port: ("%w", unit.signals_at[port]) for port in output.stored}
    _publish(body, output, run(body, unit, output.role, places))


def _gather(body: Body, gather: do.Gather) -> None:
    unit, units = gather.unit, body.plan.units
    outputs = find_routes(unit, gather.role)
    entered = {route.inputs[0] for routes in outputs.values() for route in routes}
    inputs = {(number, port): body.input(units[number], port) for number, port in entered}
    values = {
        port: LazyElements(
            unit.out_sizes[port].shape, [(inputs[route.inputs[0]], route.element) for route in routes]
        )
        for port, routes in outputs.items()
    }
    _publish(body, gather, values)


def _publish(body: Body, instruction: do.Output | do.Gather, values: dict[str, Any]) -> None:
    places = instruction.unit.signals_at
    do.publish(
        instruction, values, body.values, lambda port, value: copy(body.writer, value, "%w", places[port])
    )


def _check(body: Body, check: do.Check) -> None:
    """Add 0 times every element: the sum is 0 if all are finite."""
    writer, place = body.writer, body.checks % len(body.totals)
    total = body.totals[place]
    for port in check.ports:
        value = body.values[Source(check.unit.index, port)]
        count = prod(value.shape)
        for i in range(count if count <= SMALL else 0):
            part = writer.do(f"fmul double {value.element(writer, i)}, 0.0")
            total = writer.do(f"fadd double {total}, {part}")
        if count > SMALL:
            part = writer.do(f"call double @not_finite(ptr {value.pointer(writer)}, i64 {count})")
            total = writer.do(f"fadd double {total}, {part}")
    body.totals[place], body.checks = total, body.checks + 1


def _set_modes(body: Body, instruction: do.SetModes) -> None:
    for e, mode in enumerate(_modes(body, instruction.unit)):
        body.writer.store(mode, "%m", instruction.unit.mode_at + e, "i64")


def _change_modes(body: Body, instruction: do.ChangeModes) -> None:
    unit, writer = instruction.unit, body.writer
    for e, new in enumerate(_modes(body, unit)):
        old = writer.load("%m", unit.mode_at + e, "i64")
        bit = body.change(writer.do(f"icmp ne i64 {old}, {new}"))
        writer.store(new, "%m", unit.mode_at + e, "i64")
        for slot in unit.rearmed(e):
            mark(writer, slot, writer.do(f"mul i64 {bit}, {MODE_CHANGED}"))


def _modes(body: Body, unit: Unit) -> list[str]:
    """Values of a unit's `mode`, element by element."""
    modes = run(body, unit, "mode")["mode"]
    places = range(unit.count) if prod(modes.shape) > 1 else [0] * unit.count
    if isinstance(modes, InMemory):
        return [body.writer.load(modes.base, place, "i64") for place in places]
    return [modes.element(body.writer, place) for place in places]


def _slopes(body: Body, slopes: do.Slopes) -> None:
    unit = slopes.unit
    places = {name: ("%dx", at) for name, (base, at) in unit.states_at.items() if base == "x"}
    for name, value in run(body, unit, "derivative", places).items():
        copy(body.writer, value, *places[name])


def _crossings(body: Body, crossings: do.Crossings) -> None:
    """Values of crossings that end the former modes, also if a loop has a solution only in other modes."""
    unit, writer = crossings.unit, body.writer
    with body.former_modes(unit):
        for name, value in run(body, unit, "crossing").items():
            for e, slot in enumerate(unit.crossing_slots[name]):
                writer.store(value.element(writer, e if prod(value.shape) > 1 else 0), "%g", slot)


def _update(body: Body, update: do.Update) -> None:
    for name, value in run(body, update.unit, "update").items():
        base, offset = update.unit.states_at[name]
        copy(body.writer, value, BASES[base], offset)


def _remember(body: Body, remember: do.Remember) -> None:
    run(body, remember.unit, "remember")


def _jump(body: Body, jump: do.Jump) -> None:
    writer = body.writer
    for name, value in run(body, jump.unit, "jump").items():
        base, offset = jump.unit.states_at[name]
        states = [value.element(writer, i) for i in range(prod(value.shape))]
        for i, state in enumerate(states):
            old = writer.load(BASES[base], offset + i)
            bit = body.change(writer.do(f"fcmp une double {old}, {state}"))
            writer.store(state, BASES[base], offset + i)
            for slot in jump.unit.watched(i, len(states)):
                mark(writer, slot, writer.do(f"mul i64 {bit}, {STATE_CHANGED}"))
            if jump.tick >= 0:
                hit = writer.load("%hit", jump.tick, "i64")
                writer.store(writer.do(f"or i64 {hit}, {bit}"), "%hit", jump.tick, "i64")


def _write_rest(body: Body, instruction: do.HoldStates) -> None:
    for name, (base, at) in instruction.unit.states_at.items():
        if base == "x":
            for i in range(prod(instruction.unit.state_shapes[name])):
                body.writer.store(double(0.0), "%dx", at + i)


def _when(body: Body, instruction: do.IfEnabled) -> None:
    when(body, instruction, write)


def _at_tick(body: Body, tick: do.AtTick) -> None:
    writer = body.writer
    hit = writer.load("%hit", tick.unit.ticks, "i64")
    inside, after = writer.label(), writer.label()
    writer.put(f"br i1 {writer.do(f'icmp ne i64 {hit}, 0')}, label %{inside}, label %{after}")
    writer.begin(inside)
    write(body, tick.body)
    writer.put(f"br label %{after}")
    writer.begin(after)


def _solve(body: Body, instruction: do.Solve) -> None:
    solve(body, instruction, write)


def _iterate(body: Body, instruction: do.Iterate) -> None:
    iterate(body, instruction, write)


def _open(body: Body, instruction: do.Open) -> None:
    open_up(body, instruction, write)


_PRINTERS: dict[type[do.Instruction], Callable[[Body, Any], None]] = {
    do.Hold: _hold,
    do.Output: _output,
    do.Gather: _gather,
    do.Check: _check,
    do.SetModes: _set_modes,
    do.ChangeModes: _change_modes,
    do.Slopes: _slopes,
    do.Crossings: _crossings,
    do.Update: _update,
    do.Jump: _jump,
    do.Remember: _remember,
    do.HoldStates: _write_rest,
    do.UpdateEnable: settle,
    do.IfEnabled: _when,
    do.AtTick: _at_tick,
    do.Solve: _solve,
    do.Open: _open,
    do.Iterate: _iterate,
    do.Advance: advance,
}
