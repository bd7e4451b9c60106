"""Find the clocks whose ticks only read continuous signals, so that a step need not end at them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ....blocks.contract.callback import Callback
from ....solvers.layout import EVERYTHING, HELD_SIGNALS, NOTHING
from .unit import HELD, Source, Unit

if TYPE_CHECKING:
    from .layout import Plan


def reading_clocks(plan: Plan) -> frozenset[int]:
    """Clocks whose sampled blocks do not reach the solver: no derivative, zero crossing, mode evaluated at
    events or jump; nor a sampled block of another clock that does.

    Blocks that run in Python, or own memory, may reach others in ways that no wire shows, and count as
    reaching it; so do blocks in subsystems that switch, and all blocks if nothing is continuous or loops
    are solved.
    """
    units = plan.units
    sampled = [unit for unit in units if unit.block.sampled]
    if not plan.states or plan.loops:
        return frozenset()
    cutting = {unit.clock for unit in sampled if _reaches_unseen(unit)}
    sources = [source for unit in units for role in _looked_at(unit) for source in unit.reads(role)]
    sources += filter(None, (unit.port_source(s.before) for unit in units for s in unit.block.states))
    sources += [source for unit in units if _works_at_times(unit) for source in _all_reads(unit)]
    while True:
        sources += [s for unit in sampled if unit.clock in cutting for s in _all_reads(unit)]
        reached = _upstream(units, sources)
        more = {unit.clock for unit in sampled if unit.index in {source.unit for source in reached}}
        if more <= cutting:
            return frozenset(unit.clock for unit in sampled) - cutting
        cutting |= more


def hearing(units: Sequence[Unit], clocks: Iterable[int]) -> set[Source]:
    """All outputs that change at the ticks of some clocks, including the outputs of the sampled
    blocks.
    """
    heard = {Source(u.index, port) for u in units if u.clock in {*clocks} for port in u.output_ports}
    again = True
    while again:
        again = False
        for unit in units:
            for role, ports in unit.output_roles.items() if not unit.block.sampled else ():
                outputs = {Source(unit.index, port) for port in ports}
                if not outputs <= heard and not heard.isdisjoint(feeding(unit, role)):
                    heard |= outputs
                    again = True
    return heard


def heard_in(plan: Plan, columns: Sequence[int]) -> int:
    """Effect of ticks that only read on rows of these elements of w: see solvers.layout."""
    heard, shown = NOTHING, {*columns}
    for number, port in hearing(plan.units, plan.reading) if plan.reading else ():
        unit = plan.units[number]
        at = unit.signals_at.get(port, -1)
        if at >= 0 and not shown.isdisjoint(range(at, at + unit.out_sizes[port].count)):
            heard = max(heard, HELD_SIGNALS if unit.rate[port] == HELD else EVERYTHING)
    return heard


def feeding(unit: Unit, role: str) -> list[Source]:
    """Signals that an output function reads, and its mode if that is computed just before it."""
    return unit.reads(role) + (unit.reads("mode") if unit.inline_mode else [])


def _looked_at(unit: Unit) -> list[str]:
    """The functions of a unit that the solver calls, besides outputs and updates."""
    roles = ["derivative", "jump", "remember", *(() if unit.inline_mode else ("crossing", "mode"))]
    return [role for role in roles if role in unit.functions]


def _reaches_unseen(unit: Unit) -> bool:
    """True if a block's state announces instants, or its functions may change signals that are not on its
    wires.
    """
    if _works_at_times(unit):
        return True
    in_python = any(isinstance(function, Callback) for function in unit.functions.values())
    return in_python or bool(unit.owned) or unit.block.timers() is not None


def _works_at_times(unit: Unit) -> bool:
    """True if a unit works only at times, or at its own instants."""
    return unit.conditional or unit.iteration >= 0 or unit.settled_at >= 0


def _all_reads(unit: Unit) -> list[Source]:
    return [source for source, _ in unit.all_wires()]


def _upstream(units: Sequence[Unit], sources: Iterable[Source]) -> set[Source]:
    """These signals and the signals they depend on; the inputs of a sampled block stay with its clock."""
    reached: set[Source] = set()
    stack = list(sources)
    while stack:
        source = stack.pop()
        if source not in reached:
            reached.add(source)
            unit = units[source.unit]
            if not unit.block.sampled:
                stack += feeding(unit, unit.role_of(source.port))
    return reached
