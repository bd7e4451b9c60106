"""Blocks that change at instants without a clock are constant in a linear model, or refused.

A subsystem whose Trigger a clock calls ticks with that clock, in models and points as in runs. Others, and
blocks that read their inputs at ticks of their own, are refused if a signal flows through them. A value
that a state machine or a user's block keeps at an event is constant like a mode, and is listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..blocks.switching.function_call import FunctionCall
from ..blocks.switching.machine.formulas import names
from ..blocks.switching.state_machine import StateMachine
from ..blocks.switching.trigger import CALL, Trigger
from ..diagrams.compiler.plan.layout import Plan
from ..diagrams.compiler.plan.unit import HELD, Source, Unit
from ..diagrams.compiler.program import Program
from ..solvers.events.timer import HELD as HELD_INSTANT, LISTED
from ..solvers.layout import RATIONAL


def ticking_by_themselves(program: Program) -> list[str]:
    """The paths of blocks that read their inputs at events other than clock ticks."""
    plan, table = program.plan, program.timers.table
    owners = {
        plan.units[owner].path: plan.units[owner]
        for owner, kind in zip(plan.timer_owner, table[:, RATIONAL].tolist(), strict=True)
        if owner >= 0 and kind not in (HELD_INSTANT, LISTED)
    }
    return [path for path, unit in owners.items() if "jump" in unit.functions and unit.needs("jump")]


def find_triggers(program: Program, begin: Iterable[str], end: Iterable[str]) -> list[Unit]:
    """Triggers, not called by a clock, of subsystems through which changes pass from the blocks `begin`,
    states and clocked blocks to the blocks `end`, derivatives and clocked blocks.
    """
    units = program.plan.units
    if not program.plan.triggers:
        return []
    called = {number for numbers in called_by_clocks(program.plan).values() for number in numbers}
    reached = _upstream(units, ends(program.plan, end))
    waiting = dict.fromkeys(units[i].trigger for i in reached if units[i].trigger >= 0)
    begins = {*begin}
    return [
        units[i]
        for i in waiting
        if isinstance(units[i].block, Trigger)
        and i not in called
        and any(_changes(units[j], begins) for j in _upstream(units, _outside_sources(units, i)))
    ]


def event_holders(program: Program, begin: Iterable[str], end: Iterable[str]) -> list[str]:
    """Paths of blocks that store at events a value that depends on changes, see `find_triggers`."""
    units, begins = program.plan.units, {*begin}
    keeping = {unit.index: ports for unit in units if (ports := _held_inputs(unit))}
    reached = _upstream(units, ends(program.plan, end)) if keeping else ()
    paths = [
        units[i].path
        for i, ports in keeping.items()
        if i in reached
        and any(_changes(units[j], begins) for j in _upstream(units, _sources(units[i], ports)))
    ]
    return [*(unit.path for unit in find_triggers(program, begins, end)), *paths]


def called_by_clocks(plan: Plan) -> dict[int, list[int]]:
    """Triggers that a FunctionCall calls at the ticks of each clock, by unit number."""
    called: dict[int, list[int]] = {}
    for number in plan.triggers:
        source = plan.units[number].inputs["u"]
        if source is None or getattr(plan.units[number].block, "edge", "") != CALL:
            continue
        caller = plan.units[source.unit]
        if isinstance(caller.block, FunctionCall) and not caller.conditional:
            called.setdefault(caller.clock, []).append(number)
    return called


def hits(plan: Plan, clocks: Iterable[int]) -> list[int]:
    """The places in `hit` of units that tick with these clocks."""
    called, clocks = called_by_clocks(plan), list(clocks)
    triggers = [number for clock in clocks for number in called.get(clock, ())]
    return [*clocks, *(len(plan.clocks) + plan.triggers.index(number) for number in triggers)]


def ticking(plan: Plan) -> set[str]:
    """Paths of blocks whose states and outputs change as clocks tick; a count of calls is not a state."""
    places = {*hits(plan, range(len(plan.clocks)))}
    units = [unit for unit in plan.units if unit.ticks in places]
    return {unit.path for unit in units if not isinstance(unit.block, FunctionCall)}


def by_time(program: Program) -> list[str]:
    """The paths of Triggers that changes pass and that time events fire even if the diagram is at rest."""
    units = program.plan.units
    passed = find_triggers(program, program.flat.inputs, program.flat.outputs)
    return [unit.path for unit in passed if _moves_by_time(units, unit)]


def _moves_by_time(units: Sequence[Unit], trigger: Unit) -> bool:
    stack, seen = [trigger], {trigger.index}
    while stack:
        unit = stack.pop()
        timed = unit.block.timers() is not None or any("t" in names for names in unit.names.values())
        if timed or unit.clock >= 0:
            return True
        for source in unit.inputs.values():
            if source is not None and source.unit not in seen:
                seen.add(source.unit)
                stack.append(units[source.unit])
    return False


def ends(plan: Plan, end: Iterable[str]) -> list[Source]:
    """Sources read by derivatives, ticks and these blocks."""
    ends, sources = {*end}, list[Source]()
    for unit in plan.units:
        if unit.path in ends or (unit.clock >= 0 and unit.clock not in plan.reading):
            sources += _sources(unit, unit.inputs)
        if "derivative" in unit.functions:
            sources += unit.reads("derivative")
    return sources


def _held_inputs(unit: Unit) -> Collection[str]:
    """The inputs whose values an event may store; other values that the library's blocks store are modes."""
    block = unit.block
    if "jump" not in unit.functions:
        return ()
    if isinstance(block, StateMachine):
        return {name for node in block.machine.actions() for name in names(node)} & unit.inputs.keys()
    library_block = type(block).__module__.startswith("blockdyn.") or not any(
        state.held for state in block.states
    )
    return () if library_block else unit.needs("jump")


def _sources(unit: Unit, inputs: Iterable[str]) -> list[Source]:
    return [source for name in inputs if (source := unit.inputs[name]) is not None]


def _outside_sources(units: Sequence[Unit], trigger: int) -> list[Source]:
    """Sources of other blocks that are read by blocks at a trigger."""
    return [
        source
        for unit in units
        if unit.trigger == trigger
        for source in _sources(unit, unit.inputs)
        if units[source.unit].trigger != trigger
    ]


def _upstream(units: Sequence[Unit], sources: Iterable[Source]) -> set[int]:
    """The units of these signals and of all signals that affect them, except through a mode alone."""
    return {source.unit for source in upstream(units, sources)}


def upstream(units: Sequence[Unit], sources: Iterable[Source]) -> set[Source]:
    """These signals and the signals that affect them."""
    reached, stack = set[Source](), list(sources)
    while stack:
        source = stack.pop()
        if source not in reached:
            reached.add(source)
            unit = units[source.unit]
            stack += (
                _sources(unit, unit.inputs) if unit.trigger >= 0 else unit.reads(unit.role_of(source.port))
            )
    return reached


def _changes(unit: Unit, begins: set[str]) -> bool:
    """True if a block's output changes in a linear model: by its states, or as one of the inputs."""
    states = unit.block.states
    has_states = bool(states) and (any(not state.held for state in states) or unit.clock >= 0)
    return unit.path in begins or (has_states and bool(unit.inputs))


def ticking_on(program: Program) -> bool:
    """True if there are clocks, and a signal comes from units that tick with them."""
    return any(i not in program.plan.reading for i in range(len(program.plan.clocks)))


def shows_held(program: Program) -> bool:
    """True if there are clocks, and an output that changes only at ticks."""
    outputs = {unit.path: unit for unit in program.plan.units if unit.path in program.flat.outputs}
    return bool(program.plan.clocks) and any(unit.rate["y"] == HELD for unit in outputs.values())
