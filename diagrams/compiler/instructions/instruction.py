"""Instructions are the few kinds of operations of a program, between its plan and its code.

A back end only translates them in order: `emit` to LLVM text, `interpret` by executing them in
Python. Arrays are defined in solvers.layout. A signal that an instruction makes available can be read by all
that follow it; no instruction reads a signal before. A function of a program returns -1 when a function of a
block failed, else 2 when a `Solve` found no solution, else 1 when a `Check` met a number that is not finite
or a mode or state has changed (`ChangeModes`, `Jump`), else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ....solvers.equations.newton import IGNORE, READ, WRITE
from ..plan.conditions import Copy
from ..plan.iterations import Iteration
from ..plan.loops import JointSearch, Loop
from ..plan.unit import Source, Unit


class Hold(NamedTuple):
    """Read the value of an output that was stored in w."""

    unit: Unit
    port: str


class Output(NamedTuple):
    """Evaluate an output function, which makes its outputs available.

    stored   outputs that are written to w as well
    solved   outputs of a loop that has been solved: they keep the values of the solution
    """

    unit: Unit
    role: str
    stored: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()


class Gather(NamedTuple):
    """Assemble outputs from elements of inputs; `stored` and `solved` as in `Output`."""

    unit: Unit
    role: str
    stored: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()


class Check(NamedTuple):
    """Require finite outputs of a function."""

    unit: Unit
    ports: tuple[str, ...]


class SetModes(NamedTuple):
    """Compute a block's modes and set them."""

    unit: Unit


class ChangeModes(NamedTuple):
    """Compute and set a block's modes, recording changes; the crossings of a changed mode restart."""

    unit: Unit


class Slopes(NamedTuple):
    """The derivatives of a block's continuous states, into dx."""

    unit: Unit


class Crossings(NamedTuple):
    """The values of a block's zero crossings, into g."""

    unit: Unit


class Update(NamedTuple):
    """The next states of a sampled block, into z."""

    unit: Unit


class Remember(NamedTuple):
    """Add the inputs of a block to its history, in place."""

    unit: Unit


class Jump(NamedTuple):
    """The states of a block after an event, into x and z, recording whether one has changed.

    tick   the place in `hit` of the clock that a Trigger ticks if a state has changed, or -1
    """

    unit: Unit
    tick: int = -1


class HoldStates(NamedTuple):
    """Hold the continuous states of a block: zero into dx."""

    unit: Unit


class UpdateEnable(NamedTuple):
    """Record the new state of an Enable block: the crossings of the members restart if it has changed.

    beginnings, endings   numbers to be copied when it becomes true, or false, except at the start of a run
    """

    unit: Unit
    members: tuple[Unit, ...]
    beginnings: tuple[Copy, ...]
    endings: tuple[Copy, ...]


class IfEnabled(NamedTuple):
    """The body if all of these Enable blocks are true, else `otherwise`.

    settled   only if they have been true since before this instant
    Signals of the body are available after it in both cases: from w if the body is skipped.
    """

    enables: tuple[Unit | JointSearch, ...]
    settled: bool
    body: tuple[Instruction, ...]
    otherwise: tuple[Instruction, ...] = ()


class AtTick(NamedTuple):
    """Instructions for the ticks of a block, by its clock or trigger; none makes a signal available."""

    unit: Unit
    body: tuple[Instruction, ...]


class Solve(NamedTuple):
    """Repeat the body until the cut signals that it computes equal their values at its start.

    number     the loop's number, from 1, for the errors of a run
    unknowns   the cut signals, each with its first place among all unknowns of the loop, and its size; they
               are available in the body and after it
    stored     the next search begins at the solution
    modes      modes of its blocks that may follow the cut signals where there is otherwise no solution
    """

    loop: Loop
    number: int
    unknowns: tuple[tuple[Source, int, int], ...]
    body: tuple[Instruction, ...]
    stored: bool
    modes: tuple[int, ...] = ()

    @property
    def matrix(self) -> int:
        """Use of the factors of an earlier solution of all unknowns: Newton's method ignores, reads or writes
        them.
        """
        if len(self.unknowns) < len(self.loop.cuts):
            return IGNORE
        return WRITE if self.stored else READ


class Iterate(NamedTuple):
    """The body and the updates of a While block's iteration, repeated as often as the block requires.

    It makes no signal available. The states of its blocks do not change; their updated values are in
    w, for `Advance`: an instant may be evaluated more than once.
    """

    iteration: Iteration
    body: tuple[Instruction, ...]
    updates: tuple[Update, ...]


class Advance(NamedTuple):
    """The states that an `Iterate` has left, into z."""

    iteration: Iteration


class Open(NamedTuple):
    """The body of a loop once, as an equation for its cut signals.

    They have the values that a `Solve` left; the values that the body computes lie at `opened_at` of the
    loop.
    """

    loop: Loop
    unknowns: tuple[tuple[Source, int, int], ...]
    body: tuple[Instruction, ...]


Instruction: TypeAlias = (
    Hold | Output | Gather | Check | SetModes | ChangeModes
    | Slopes | HoldStates | Crossings | Update | Remember | Jump | UpdateEnable | IfEnabled | AtTick | Solve
    | Open | Iterate | Advance
)  # fmt: skip


def open_loops(instructions: Iterable[Instruction]) -> tuple[Instruction, ...]:
    """A function with the equations of its loops in place of their solution."""
    result: list[Instruction] = []
    for each in instructions:
        if isinstance(each, Solve):
            result.append(Open(each.loop, each.unknowns, open_loops(each.body)))
        elif isinstance(each, IfEnabled) and isinstance(each.enables[0], JointSearch):
            result += each.otherwise
        elif isinstance(each, IfEnabled):
            result.append(each._replace(body=open_loops(each.body), otherwise=open_loops(each.otherwise)))
        elif isinstance(each, AtTick):
            result.append(each._replace(body=open_loops(each.body)))
        else:
            result.append(each)
    return tuple(result)


def lines(instructions: Iterable[Instruction], indent: str = "") -> Iterator[str]:
    """Instructions as text, one per line; instructions inside another are indented."""
    for instruction in instructions:
        yield indent + _text(instruction)
        if isinstance(instruction, AtTick | Solve | IfEnabled | Open | Iterate):
            yield from lines(instruction.body, indent + "  ")
        if isinstance(instruction, Iterate):
            yield from lines(instruction.updates, indent + "  ")
        if isinstance(instruction, IfEnabled) and instruction.otherwise:
            yield f"{indent}otherwise"
            yield from lines(instruction.otherwise, indent + "  ")


def _text(instruction: Instruction) -> str:
    match instruction:
        case Hold(unit, port):
            return f"hold {unit.path}.{port}"
        case Check(unit, ports):
            return f"check {', '.join(f'{unit.path}.{port}' for port in ports)}"
        case Output(unit, role):
            return f"output {_results(instruction, unit.output_roles[role])}"
        case Gather(unit):
            return f"gather {_results(instruction, unit.output_roles[instruction.role])}"
        case AtTick(unit) if unit.trigger >= 0:
            return f"at ticks of trigger {unit.ticks}"
        case IfEnabled(enables, settled):
            since = "since before " if settled else ""
            return f"when {since}{' and '.join(unit.path for unit in enables)}"
        case AtTick(unit):
            period, offset = (float(unit.numbers[name]) for name in ("sample_time", "offset"))
            return f"at ticks of clock {unit.clock}, every {period:g} s from {offset:g} s"
        case Solve(_, number, unknowns):
            count = sum(size for _, _, size in unknowns)
            return f"solve loop {number} for {count} number{'s' if count > 1 else ''}"
        case Open():
            return "open loop"
        case Iterate(iteration) | Advance(iteration):
            return f"{type(instruction).__name__.lower()} {iteration.unit.path}"
    words: dict[type[Any], str] = {SetModes: "set modes", ChangeModes: "change modes"}
    return f"{words.get(type(instruction), type(instruction).__name__.lower())} {instruction.unit.path}"


def _results(instruction: Output | Gather, ports: Iterable[str]) -> str:
    """The outputs of an instruction: all, those kept, and those solved for."""
    unit, stored, solved = instruction.unit, instruction.stored, instruction.solved
    notes = {port: " into w" * (port in stored) + " as solved" * (port in solved) for port in ports}
    return ", ".join(f"{unit.path}.{port}{note}" for port, note in notes.items())


def made_known(instructions: Iterable[Instruction]) -> Iterator[Source]:
    """The signals that instructions make available."""
    for instruction in instructions:
        match instruction:
            case Hold(unit, port):
                yield Source(unit.index, port)
            case Output(unit, role) | Gather(unit, role):
                yield from (Source(unit.index, port) for port in unit.output_roles[role])
            case IfEnabled(_, _, body):
                yield from made_known(body)


def publish(
    instruction: Output | Gather, results: Mapping[str, Any], values: dict[Source, Any],
    keep: Callable[[str, Any], None],
) -> None:  # fmt: skip
    """Make outputs available to later instructions, except those that a loop has solved; `keep` those to be
    kept.
    """
    for port, value in results.items():
        source = Source(instruction.unit.index, port)
        if port not in instruction.solved:
            values[source] = value
        if port in instruction.stored:
            keep(port, values[source])
