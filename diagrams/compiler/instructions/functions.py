"""Turn a plan into the instructions of its six functions, in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..plan.conditions import beginnings, endings, members
from ..plan.layout import Plan
from ..plan.order import Task, flows
from ..plan.reading import feeding, hearing
from ..plan.unit import HELD, Source, Unit
from . import instruction as do
from .listing import Listing


class Instructions(NamedTuple):
    """The six functions of a program; `print` shows them.

    derivative   the derivatives dx/dt and the continuous crossings, between events
    evaluate     all signals, with the modes that are computed in line, all derivatives and crossings
    update       the next discrete states at ticks
    react        modes and states after an event
    observe      outputs and next states at ticks that only read, and the held signals that follow from them
    remember     the histories of blocks that have one, after steps and at instants
    """

    derivative: tuple[do.Instruction, ...]
    evaluate: tuple[do.Instruction, ...]
    update: tuple[do.Instruction, ...]
    react: tuple[do.Instruction, ...]
    observe: tuple[do.Instruction, ...]
    remember: tuple[do.Instruction, ...]

    def __str__(self) -> str:
        parts = self._asdict().items()
        return "\n".join(line for name, part in parts for line in (name, *do.lines(part, "  ")))


def list_instructions(plan: Plan) -> Instructions:
    """The instructions of a plan's six functions."""
    made = (_derivative, _evaluate, _update, _react, _observe, _remember)
    return Instructions(*(make(plan) for make in made))


def between_events(plan: Plan, signals: Iterable[Source]) -> tuple[do.Instruction, ...]:
    """Make these signals available without changing modes or held signals."""
    listing = _between_events(plan, signals := list(signals))
    listing.hold(signals)
    return tuple(listing.items)


def _between_events(plan: Plan, signals: list[Source]) -> Listing:
    units = plan.units
    stack = list(signals)
    needed: set[Task] = set()
    while stack:
        source = stack.pop()
        unit = units[source.unit]
        task = Task(source.unit, unit.role_of(source.port))
        if unit.rate[source.port] != HELD and task not in needed:
            needed.add(task)
            stack.extend(unit.reads(task.role))
    listing = Listing(plan)
    listing.outputs(needed, keep=False)
    return listing


_SOLVED_FOR = ("derivative", "crossing")  # the functions that a solver evaluates in every step


def _looked_at(plan: Plan) -> list[tuple[Unit, str]]:
    """The functions of units that compute derivatives and crossings."""
    return [
        (unit, role)
        for unit in plan.units
        for role in _SOLVED_FOR
        if role in unit.functions and (role == "derivative" or unit.crossing_at >= 0)
    ]


def _derivative(plan: Plan) -> tuple[do.Instruction, ...]:
    flowing = [
        (unit, role)
        for unit, role in _looked_at(plan)
        if role == "derivative" or flows(plan.units, unit, role)
    ]
    listing = _between_events(plan, [source for unit, role in flowing for source in unit.reads(role)])
    for unit, role in flowing:
        _look_at(listing, unit, role)
    return tuple(listing.items)


def _look_at(listing: Listing, unit: Unit, role: str, *, now: bool = False) -> None:
    """Derivatives, zero if a unit is inactive; crossings, with `now` of units active before this instant."""
    if role == "derivative":
        listing.put(unit, role, do.Slopes(unit), otherwise=(do.HoldStates(unit),))
    else:
        listing.put(unit, role, do.Crossings(unit), settled=now)


def _evaluate(plan: Plan) -> tuple[do.Instruction, ...]:
    listing = Listing(plan)
    listing.outputs(_asked_for(plan), keep=True)
    for unit in plan.units:
        if unit.inline_mode and not unit.output_ports:
            listing.put(unit, "mode", do.SetModes(unit))
    for unit, role in _looked_at(plan):
        _look_at(listing, unit, role, now=True)
    return tuple(listing.items)


def _asked_for(plan: Plan) -> set[Task]:
    """All output functions, except functions whose block leaves their outputs out of logs and that nothing
    reads.
    """
    read = {source for unit in plan.units for source in unit.inputs.values()}
    asked_for = set()
    for task in plan.order:
        unit = plan.units[task.unit]
        chosen = unit.block.logged()
        ports = unit.output_roles[task.role]
        if chosen is None or any(
            port in chosen or port in unit.signals_at or Source(unit.index, port) in read for port in ports
        ):
            asked_for.add(task)
    return asked_for


def _update(plan: Plan) -> tuple[do.Instruction, ...]:
    listing = Listing(plan)
    for unit in plan.units:
        if unit.block.sampled and "update" in unit.functions and unit.iteration < 0:
            listing.put(unit, "update", do.AtTick(unit, (do.Update(unit),)))
    for iteration in plan.iterations:
        listing.guarded(iteration.unit, (do.AtTick(iteration.unit, (do.Advance(iteration),)),))
    return tuple(listing.items)


def _react(plan: Plan) -> tuple[do.Instruction, ...]:
    listing = Listing(plan)
    enables = [unit for unit in plan.units if unit.settled_at >= 0]
    for unit in (*(unit for unit in plan.units if unit.settled_at < 0), *enables):
        if unit.inline_mode:
            continue
        if unit.changes_mode:
            change: do.Instruction = do.ChangeModes(unit)
            if plan.joint and unit.index in plan.joint_units:
                change = do.IfEnabled((plan.joint,), False, (), (change,))
            listing.put(unit, "mode", do.AtTick(unit, (change,)) if unit.trigger >= 0 else change)
        if "jump" in unit.functions and unit.index in plan.triggers:
            tick = len(plan.clocks) + plan.triggers.index(unit.index)
            listing.put(unit, "jump", do.Jump(unit, tick), otherwise=(do.Jump(unit),))
        elif "jump" in unit.functions:
            listing.put(unit, "jump", do.Jump(unit))
    for unit in enables:
        listing.items.append(_settle(plan, unit))
    return tuple(listing.items)


def _settle(plan: Plan, unit: Unit) -> do.UpdateEnable:
    begin, end = tuple(beginnings(plan, unit)), tuple(endings(plan, unit))
    return do.UpdateEnable(unit, tuple(members(plan.units, unit)), begin, end)


def _observe(plan: Plan) -> tuple[do.Instruction, ...]:
    units, heard = plan.units, hearing(plan.units, plan.reading)
    readers = [unit for unit in units if unit.clock in plan.reading]
    held_tasks = {
        Task(source.unit, units[source.unit].role_of(source.port))
        for source in heard
        if units[source.unit].rate[source.port] == HELD
    }
    stack = [source for task in held_tasks for source in feeding(units[task.unit], task.role)]
    stack += [source for unit in readers if "update" in unit.functions for source in unit.reads("update")]
    needed = set(held_tasks)
    while stack:
        source = stack.pop()
        unit = units[source.unit]
        task = Task(source.unit, unit.role_of(source.port))
        if task not in needed and not unit.block.sampled:
            needed.add(task)
            stack += feeding(unit, task.role)
    listing = Listing(plan)
    for task in plan.order:
        if task in needed:
            listing.output(task, keep=task in held_tasks)
    for unit in readers:
        if "update" in unit.functions:
            listing.put(unit, "update", do.AtTick(unit, (do.Update(unit),)))
    return tuple(listing.items)


def _remember(plan: Plan) -> tuple[do.Instruction, ...]:
    units = [unit for unit in plan.units if "remember" in unit.functions]
    listing = _between_events(plan, [source for unit in units for source in unit.reads("remember")])
    for unit in units:
        listing.hold(unit.reads("remember"))
        listing.items.append(do.Remember(unit))
    return tuple(listing.items)
