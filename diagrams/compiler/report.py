"""Report the contents of a compiled diagram, as facts to print or to test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...blocks.contract.mappings import plain
from ...blocks.contract.port import Shape
from ...robots.model.robot import Robot
from ...solvers.events.timer import Timer
from .notices import find_notices
from .plan.layout import Plan, find_rhythms
from .plan.order import Task
from .plan.unit import Unit
from .program import Program

HISTORY = "as a history"  # of a delay: not a state of the diagram
_DIRECTIONS = {1: "rising", -1: "falling", 0: "either way"}


@dataclass(frozen=True)
class BlockFact:
    """A block: its parameters as compiled, if they differ from their defaults."""

    path: str
    type: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class SignalFact:
    """An output: its size, unit, kind of change, and name in the result."""

    path: str
    shape: Shape
    fields: tuple[str, ...]  # of a bus
    unit: str
    changes: str  # "continuously", "every 0.01 s", "at events", "never"
    logged: str


@dataclass(frozen=True)
class StateFact:
    """A state and its value at the start."""

    path: str
    shape: Shape
    unit: str
    initial: float | list[Any]
    changes: str


@dataclass(frozen=True)
class ClockFact:
    """A sample time, s, and the blocks that share it."""

    period: float
    offset: float
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class EventFact:
    """A reason for a block to interrupt the solver: a zero crossing, or instants fixed beforehand."""

    path: str
    kind: str  # "zero crossing" or "timer"
    what: str
    count: int = 1
    ends_run: bool = False


@dataclass(frozen=True)
class OrderFact:
    """Outputs that are evaluated together, after the inputs that feed through to them."""

    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    changes: str


@dataclass(frozen=True)
class Report:
    """All facts about a diagram.

    `python` gives by path the reason why a function is not compiled, `notices` facts that may be
    unintended.
    """

    name: str
    parameters: Mapping[str, Any]
    simulation: Mapping[str, Any]
    blocks: tuple[BlockFact, ...]
    signals: tuple[SignalFact, ...]
    states: tuple[StateFact, ...]
    clocks: tuple[ClockFact, ...]
    events: tuple[EventFact, ...]
    order: tuple[OrderFact, ...]
    python: Mapping[str, str]
    notices: tuple[str, ...]


def make_report(program: Program) -> Report:
    """The report of a compiled diagram. Compiles its kernels, to find the functions that stay in Python."""
    plan, flat = program.plan, program.flat
    units = plan.units
    rhythms = find_rhythms(plan)
    names = {(tap.path, tap.port): tap.name for tap in reversed(flat.taps)}
    return Report(
        name=flat.name,
        parameters={name: _plain(value) for name, value in flat.parameters.items()},
        simulation=dict(flat.simulation),
        blocks=tuple(BlockFact(u.path, u.block.kind(), _parameters(u)) for u in units),
        signals=tuple(_signal(plan, u, port, rhythms, names) for u in units for port in u.out_sizes),
        states=tuple(state for u in units for state in _states(plan, u)),
        clocks=tuple(
            ClockFact(period, offset, tuple(u.path for u in units if u.clock == number))
            for number, (period, offset) in enumerate(plan.clocks)
        ),
        events=tuple(event for u in units for event in _events(u)),
        order=tuple(_order(units, task, rhythms) for task in plan.order),
        python=dict(program.callbacks.reasons),
        notices=tuple(find_notices(program)),
    )


def _signal(
    plan: Plan,
    unit: Unit,
    port: str,
    rhythms: Mapping[tuple[int, str], str],
    names: Mapping[tuple[str, str], str],
) -> SignalFact:
    size = unit.out_sizes[port]
    fields = tuple(name for name, _ in size.fields)
    units, logged = plan.signal_units.of(unit, port), names.get((unit.path, port), "")
    return SignalFact(f"{unit.path}.{port}", size.shape, fields, units, rhythms[unit.index, port], logged)


def _parameters(unit: Unit) -> dict[str, Any]:
    return {name: _plain(value) for name, value in unit.block.parameters().items()}


def _plain(value: object) -> Any:
    from ...robots.vehicles.multirotor import Multirotor

    if isinstance(value, np.ndarray):
        return value.tolist()
    if callable(value):
        return getattr(value, "__qualname__", type(value).__name__)
    return repr(value) if isinstance(value, (Robot, Multirotor)) else plain(value)


def _states(plan: Plan, unit: Unit) -> Iterator[StateFact]:
    for state in unit.block.states:
        shape = unit.state_shapes[state.name]
        initial = np.broadcast_to(unit.numbers[state.initial], shape).tolist()
        flows = unit.states_at[state.name][0] == "x"
        changes = (
            HISTORY
            if state.remembered
            else "continuously"
            if flows
            else period(unit)
            if unit.clock >= 0
            else "at events"
        )
        yield StateFact(
            f"{unit.path}.{state.name}", shape, plan.signal_units.of_state(unit, state), initial, changes
        )


def period(unit: Unit) -> str:
    """The sample time of a sampled block in words."""
    return f"every {float(unit.numbers['sample_time']):g} s"


def _events(unit: Unit) -> Iterator[EventFact]:
    timer = unit.block.timers()
    if timer is not None:
        yield EventFact(unit.path, "timer", _instants(timer))
    if unit.crossing_at >= 0:
        for crossing in unit.crossings:
            what = f"{crossing.name}, {_DIRECTIONS[crossing.direction]}"
            count = crossing.count or unit.count
            yield EventFact(unit.path, "zero crossing", what, count, unit.block.ends_run)


def _instants(timer: Timer) -> str:
    """The instants of a timer in words, the first few of a long list."""
    if timer.next:
        return f"at the time in its state `{timer.next}`"
    if timer.times is not None:
        more = f" and {len(timer.times) - 5} more" if len(timer.times) > 5 else ""
        return "at " + ", ".join(f"{time:g}" for time in timer.times[:5]) + f" s{more}"
    starts = ", ".join(f"{float(timer.offset + phase):g}" for phase in timer.phases)
    return f"every {float(timer.period):g} s, from {starts} s"


def _order(units: list[Unit], task: Task, rhythms: Mapping[tuple[int, str], str]) -> OrderFact:
    unit = units[task.unit]
    ports = unit.output_roles[task.role]
    inputs = [f"{units[source.unit].path}.{source.port}" for source, _ in unit.wires(task.role)]
    changes = rhythms[unit.index, ports[0]] if ports else ""
    return OrderFact(tuple(f"{unit.path}.{port}" for port in ports), tuple(dict.fromkeys(inputs)), changes)
