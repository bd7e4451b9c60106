"""Lay out the memory of a run: states, modes, parameters, crossings, histories and kept signals.

Each signal changes continuously, at the ticks of a clock, at events, or never. Some inputs
require sources that tick with the block, so that it reads each value once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ....blocks.contract.errors import ParameterError
from ....blocks.contract.owned import Foreign, Instance
from ....blocks.contract.wiring import Wiring
from ....solvers.equations.loop_equation import workspace
from ....solvers.equations.newton import room
from ....solvers.events.timer import PlacedTimer, Timer
from ...model.errors import BadParameter
from .conditions import check_clocks, place_conditions
from .iterations import Iteration, check_iterations, place_iterations
from .loops import JointSearch, Loop, has_free_mode
from .order import Order, Task
from .reading import reading_clocks
from .signal_units import SignalUnits
from .unit import CONTINUOUS, HELD, Source, Unit, elements

Scales: TypeAlias = Mapping[int, tuple[tuple[float, ...], ...]]
"""By unit, the scales of the elements of each state that has some, in the order of the states."""
ROUNDING = 1e-9  # of a period
_EVENTS = -1  # among the numbers of clocks: any instant except ticks


def scales_of_unit(unit: Unit, numbers: Mapping[str, Any]) -> tuple[tuple[float, ...], ...]:
    """The scales of a unit's states, with these numbers of its block."""
    shapes = {state.name: unit.state_shapes[state.name] for state in unit.block.states if state.scale}
    scales = {state.name: numbers[state.scale] for state in unit.block.states if state.scale}
    return tuple(
        tuple(np.broadcast_to(scales[name], shape).ravel().tolist()) for name, shape in shapes.items()
    )


def scales_of_states(plan: Plan, changed: Scales) -> Any:
    """The scale of each state of a run; `changed` has the units whose numbers differ from the plan."""
    scales = np.ones(plan.states)
    for unit in plan.units:
        states = [state for state in unit.block.states if state.scale]
        if not states:
            continue
        parts = changed.get(unit.index) or scales_of_unit(unit, unit.numbers)
        for state, part in zip(states, parts, strict=True):
            at = unit.states_at[state.name][1]
            scales[at : at + len(part)] = part
    return scales


def delays(units: list[Unit]) -> list[tuple[int, ...]]:
    """A row for each block that remembers steps, see solvers.layout."""
    return [_history(units, unit) for unit in units if "remember" in unit.functions]


def _history(units: list[Unit], unit: Unit) -> tuple[int, ...]:
    """The row of a block with a history; for another block only its place for marks, and no length."""
    mark = unit.states_at["mark"][1]
    if not unit.has_history:
        return (mark, mark, 0, mark, -1, 0, 0)
    passed, levels = (unit.states_at[name][1] for name in ("passed", "levels"))
    short = float(np.min(unit.numbers.get("minimum", 1.0))) == 0.0
    behind, size = _behind_a_delay(units, unit), prod(unit.state_shapes["levels"])
    return (passed, levels, size, mark, unit.crossing_at, int(behind), int(short))


def _behind_a_delay(units: list[Unit], unit: Unit) -> bool:
    """True if the output of a delay reaches the input of this unit on any path."""
    reached: set[Source] = set()
    stack = [source for source, _ in unit.all_wires()]
    while stack:
        source = stack.pop()
        feeder = units[source.unit]
        if feeder.has_history:
            return True
        if source not in reached:
            reached.add(source)
            wires = feeder.wires(feeder.role_of(source.port)) if feeder.wiring else feeder.all_wires()
            stack += [before for before, _ in wires]
            conditions = [*feeder.enables, *(() if feeder.trigger < 0 else (feeder.trigger,))]
            stack += [Source(condition, "y") for condition in conditions]
    return False


SMALL = 16  # elementwise work up to here is written out element by element


class OwnedResource(NamedTuple):
    """An object that the block at a path brings to a run, its name in functions, and its place in p."""

    at: int
    path: str
    name: str
    resource: Instance | Foreign


@dataclass
class Plan:
    """A diagram ready for code generation by LLVM, or for the interpreter."""

    name: str
    units: list[Unit]
    order: list[Task]
    states: int = 0
    held: int = 0
    modes: int = 0
    numbers: int = 0
    signals: int = 0
    crossings: int = 0
    clocks: list[tuple[float, float]] = field(default_factory=list)
    triggers: list[int] = field(default_factory=list)  # units; their places in `hit` are after the clocks'
    state_names: list[str] = field(default_factory=list)
    crossing_owner: list[tuple[int, str]] = field(default_factory=list)  # (unit, crossing name)
    crossing_direction: list[int] = field(default_factory=list)
    crossing_passage: list[bool] = field(default_factory=list)
    crossing_turns: list[bool] = field(default_factory=list)
    crossing_first: list[int] = field(default_factory=list)
    previous: list[tuple[int, int]] = field(
        default_factory=list
    )  # from w to z: outputs just before an instant
    timers: list[PlacedTimer] = field(default_factory=list)
    timer_owner: list[int] = field(default_factory=list)  # unit, or -1 for a clock
    delays: list[tuple[int, ...]] = field(default_factory=list)  # of blocks with a history
    reading: frozenset[int] = frozenset()  # clocks whose ticks only read, see `reading`
    stop_modes: list[int] = field(default_factory=list)
    stop_owner: list[int] = field(default_factory=list)
    owned: list[OwnedResource] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    iterations: list[Iteration] = field(default_factory=list)
    unsolved_at: int = -1  # in w: 1 if a loop was not solved now; the first such loop, from 1; the time
    iterate_at: int = -1  # in w: the last iterate for that loop
    computed_at: int = -1  # in w: the values that the loop computes from it
    newton_at: int = -1  # in w: workspace of Newton's method while it solves a loop
    joint: JointSearch | None = None  # if the modes of some blocks can be solved for
    joint_units: frozenset[int] = frozenset()  # these blocks
    signal_units: SignalUnits = field(default_factory=lambda: SignalUnits([], {}))

    @cached_property
    def by_path(self) -> Mapping[str, Unit]:
        """The units by path, once they are complete."""
        return {unit.path: unit for unit in self.units}

    @property
    def joint_modes(self) -> list[int]:
        """The modes that can be solved for."""
        return self.modes_of(self.joint_units)

    def modes_of(self, units: Iterable[int]) -> list[int]:
        """The places of the modes of units."""
        chosen = (self.units[i] for i in sorted(units))
        return [unit.mode_at + k for unit in chosen for k in range(unit.mode_count)]

    @property
    def one_each(self) -> bool:
        """True if a block has instances: every run and every scenario needs its own."""
        return any(isinstance(each.resource, Instance) for each in self.owned)


def lay_out(name: str, units: list[Unit], order: Order, logged: list[tuple[str, str]]) -> Plan:
    """Assign a place to everything. Offsets follow the order of paths."""
    check_clocks(units)
    check_pace(units)
    check_iterations(units)
    plan = Plan(name, units, order.tasks, loops=order.loops)
    clocks: dict[tuple[float, float], int] = {}
    for unit in units:
        _states(plan, unit)
        for number, value in unit.numbers.items():
            unit.numbers_at[number] = plan.numbers
            plan.numbers += int(np.size(value))
        for name, resource in unit.owned.items():
            unit.owned_at[name] = plan.numbers
            plan.owned.append(OwnedResource(plan.numbers, unit.path, name, resource))
            plan.numbers += 1
        _modes(plan, unit)
        _crossings(plan, unit)
        if unit.block.sampled and unit.trigger < 0:
            key = (float(unit.numbers["sample_time"]), float(unit.numbers["offset"]))
            unit.clock = unit.ticks = clocks.setdefault(key, len(clocks))
    plan.clocks = list(clocks)
    for number_, (period, offset) in enumerate(plan.clocks):
        plan.timers.append(PlacedTimer(Timer(period=period, offset=offset), plan.modes, number_))
        plan.timer_owner.append(-1)
        plan.modes += 1
    for unit_index, port in sorted(_find_lasting_outputs(units, logged)):
        unit = units[unit_index]
        unit.signals_at[port] = plan.signals
        plan.signals += unit.out_sizes[port].count
    place_conditions(plan)
    place_iterations(plan)
    for unit in units:
        for state in unit.block.states:
            source = unit.port_source(state.before)
            if source is not None:
                signals = units[source.unit]
                size = prod(unit.state_shapes[state.name])
                at = elements(signals.out_sizes[source.port].shape, unit.state_shapes[state.name])
                starts = signals.signals_at[source.port], unit.states_at[state.name][1]
                plan.previous += [(starts[0] + int(at[i]), starts[1] + i) for i in range(size)]
    plan.delays = delays(units)
    if plan.loops:
        _loops(plan)
    plan.reading = reading_clocks(plan)
    plan.timers = [timer._replace(reads=timer.clock in plan.reading) for timer in plan.timers]
    return plan


def _loops(plan: Plan) -> None:
    """Reserve workspace in w, after the signals, for solving loops."""
    most = 0
    for loop in plan.loops:
        count, place = loop.count(plan.units), 0
        loop.starts_at, loop.values_at = plan.signals, plan.signals + 1 + count
        for cut in loop.cuts:
            unit = plan.units[cut.unit]
            unit.searched_at[cut.port] = loop.starts_at + 1 + place
            place += unit.out_sizes[cut.port].count
        loop.former_at = plan.signals + 1 + 2 * count
        loop.opened_at = loop.former_at + room(count)
        plan.signals = loop.opened_at + count
        most = max(most, count)
    plan.joint_units = frozenset(
        task.unit for loop in plan.loops for task in loop.tasks if has_free_mode(plan.units[task.unit], task)
    )
    plan.joint = JointSearch(plan.modes)
    plan.modes += 1
    plan.unsolved_at = plan.signals
    plan.iterate_at = plan.unsolved_at + 3
    plan.computed_at = plan.iterate_at + most
    plan.newton_at = plan.computed_at + most
    plan.signals = plan.newton_at + workspace(most) + most


def _states(plan: Plan, unit: Unit) -> None:
    for state in unit.block.states:
        count = prod(unit.state_shapes[state.name])
        if unit.block.sampled or state.held:
            unit.states_at[state.name] = ("z", plan.held)
            plan.held += count
        else:
            unit.states_at[state.name] = ("x", plan.states)
            plan.states += count
            names = [f"{unit.path}.{state.name}"]
            if count > 1:
                index = np.ndindex(*unit.state_shapes[state.name])
                names = [f"{names[0]}[{','.join(map(str, i))}]" for i in index]
            plan.state_names += names


def _modes(plan: Plan, unit: Unit) -> None:
    timer = unit.block.timers()
    if timer is not None:
        unit.mode_at, unit.mode_count = plan.modes, 1
        states = (0, 0)
        if timer.next:
            from ....blocks.contract.declaration import announcing_state  # late: few blocks announce

            first = unit.states_at[announcing_state(unit.block, timer).name][1]
            states = (first, first + prod(unit.state_shapes[timer.next]))
        plan.timers.append(PlacedTimer(timer, plan.modes, states=states))
        plan.timer_owner.append(unit.index)
        plan.modes += int(unit.changes_mode)  # separate from the number of events
    if unit.changes_mode:
        unit.mode_at, unit.mode_count = plan.modes, unit.count
        if unit.block.ends_run:
            plan.stop_modes += range(plan.modes, plan.modes + unit.count)
            plan.stop_owner += [unit.index] * unit.count
    plan.modes += unit.mode_count


def _crossings(plan: Plan, unit: Unit) -> None:
    if "crossing" not in unit.functions or unit.inline_mode:
        return
    declared = unit.crossings
    start = unit.crossing_at = plan.crossings
    if unit.elementwise:
        total, stride = unit.count * len(declared), len(declared)
        for j, c in enumerate(declared):
            unit.crossing_slots[c.name] = range(start + j, start + total, stride)
        for e in range(unit.count):
            plan.crossing_first += [start + e * stride] * stride
            plan.crossing_owner += [(unit.index, c.name) for c in declared]
            plan.crossing_direction += [c.direction for c in declared]
            plan.crossing_passage += [c.passage for c in declared]
            plan.crossing_turns += [c.turns for c in declared]
        plan.crossings += total
        return
    for c in declared:
        names = [f"{c.name}[{i}]" for i in range(c.count)] or [c.name]
        unit.crossing_slots[c.name] = range(plan.crossings, plan.crossings + len(names))
        plan.crossing_owner += [(unit.index, name) for name in names]
        plan.crossing_direction += [c.direction] * len(names)
        plan.crossing_passage += [c.passage] * len(names)
        plan.crossing_turns += [c.turns] * len(names)
        plan.crossing_first += [start] * len(names)
        plan.crossings += len(names)


def _find_lasting_outputs(units: list[Unit], logged: list[tuple[str, str]]) -> set[Source]:
    """Outputs that outlive an evaluation: logged, sampled, held with continuous readers, inputs of events."""
    number = {unit.path: unit.index for unit in units}
    in_memory = {Source(number[path], port) for path, port in logged if path in number}
    for unit in units:
        if unit.block.sampled or unit.conditional:
            in_memory.update(Source(unit.index, port) for port in unit.out_sizes)
        in_memory.update(filter(None, (unit.port_source(state.before) for state in unit.block.states)))
        late = ("update", "jump") if unit.inline_mode else ("update", "mode", "jump")
        in_memory.update(source for role in late if role in unit.functions for source in unit.reads(role))
        flowing = [role for role in ("derivative", "crossing", "remember") if role in unit.functions]
        for source in [
            *(source for source, _ in unit.all_wires()),
            *(s for role in flowing for s in unit.reads(role)),
        ]:
            if units[source.unit].rate.get(source.port) == HELD and _has_flow(unit):
                in_memory.add(source)
    return in_memory


def _has_flow(unit: Unit) -> bool:
    """True if a unit takes part in the derivative: held inputs are then read from memory."""
    if isinstance(unit.block, Wiring):
        return CONTINUOUS in unit.rate.values()
    if unit.ticked:
        return False
    moving = {"derivative", "crossing", "remember"}
    return CONTINUOUS in unit.rate.values() or not moving.isdisjoint(unit.functions)


def find_rhythms(plan: Plan) -> dict[tuple[int, str], str]:
    """Describe when each output changes, by unit and output port."""
    causes: dict[tuple[int, str], frozenset[int]] = {}
    again = True
    while again:
        before = dict(causes)
        for number, role in plan.order:
            of_output = _causes(plan.units, plan.units[number], role, causes)
            for port in plan.units[number].output_roles[role]:
                causes[number, port] = of_output
        again = bool(plan.loops) and causes != before
    units = plan.units
    return {
        (n, port): _words(plan, units[n].rate[port], of_output) for (n, port), of_output in causes.items()
    }


def _causes(
    units: list[Unit], unit: Unit, role: str, causes: dict[tuple[int, str], frozenset[int]]
) -> frozenset[int]:
    """The clocks and events after which an output can change; held outputs only."""
    if unit.block.sampled:
        return frozenset({unit.clock})
    jumps = any(state.held for state in unit.block.states)
    if unit.trigger >= 0:
        return frozenset({units[unit.trigger].clock if unit.trigger == unit.iteration else _EVENTS})
    of_unit = {_EVENTS} if jumps or (unit.mode_count and not unit.inline_mode) else set()
    wires = [*unit.wires(role), *(unit.wires("mode") if unit.inline_mode else ())]
    for source, _ in wires:
        of_unit |= causes.get((source.unit, source.port), frozenset())
    for condition in unit.enables[:1]:
        of_unit |= causes.get((condition, "y"), frozenset())
    return frozenset(of_unit)


def _words(plan: Plan, rate: str, causes: frozenset[int]) -> str:
    if rate == CONTINUOUS:
        return "continuously"
    if not causes:
        return "never"
    if _EVENTS in causes:
        return "at events"
    periods = sorted(plan.clocks[clock][0] for clock in causes)
    return "every " + " and ".join(f"{period:g}" for period in periods) + " s"


def check_pace(units: list[Unit]) -> None:
    """Raise BadParameter for a sampled source of an input with a `pace` that has another sample time."""
    for unit in units:
        for port in unit.block.input_ports():
            source = unit.inputs.get(port.name)
            if port.pace is None or source is None or not units[source.unit].block.sampled:
                continue
            maker, sample_time = units[source.unit], float(unit.numbers["sample_time"])
            period = float(maker.numbers["sample_time"])
            least, most = (inf if sample_time == inf else bound * sample_time for bound in port.pace)
            if least * (1.0 - ROUNDING) <= period <= most * (1.0 + ROUNDING):
                continue
            less = "" if least == most else " or less"
            expected = f"{most:g} s{less}, after which {unit.path} takes in its next {port.name}"
            error = ParameterError(maker.block.kind(), "sample_time", period, expected)
            raise BadParameter(maker.path, "sample_time", error, location=maker.flat.location)
