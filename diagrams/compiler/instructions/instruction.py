"""Instructions: the few things that a program does, one after another, between its plan and its code.

A back end prints them in their order and decides nothing: `emit` as LLVM text, `interpret` by doing them in
Python. Arrays are those of solvers.layout. A signal that an instruction makes known can be read by all that
follow it; no instruction reads a signal that is not known. A function of a program returns -1 when a function
of a block failed, else 2 when a `Solve` found no solution, else 1 when a `Check` met a number that is not
finite or a mode or state has changed (`ChangeModes`, `Jump`), else 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from ..plan.loops import Loop
from ..plan.unit import Source, Unit


class Hold(NamedTuple):
    """An output is what lies in w since it was kept there."""

    unit: Unit
    port: str

    def __str__(self) -> str:
        return f"hold {self.unit.path}.{self.port}"


class Output(NamedTuple):
    """Evaluate an output function: its outputs are known.

    kept     outputs that are written to w as well
    solved   outputs of a loop that has been solved: they stay what the solution says
    """

    unit: Unit
    role: str
    kept: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"output {_results(self, self.unit.output_roles[self.role])}"


class Gather(NamedTuple):
    """Put elements of inputs together to outputs; `kept` and `solved` as in `Output`."""

    unit: Unit
    kept: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"gather {_results(self, self.unit.output_ports)}"


class Check(NamedTuple):
    """The outputs of a function have to be finite."""

    unit: Unit
    ports: tuple[str, ...]

    def __str__(self) -> str:
        return f"check {_ports(self.unit, self.ports)}"


class SetModes(NamedTuple):
    """Ask a block for its modes and set them."""

    unit: Unit

    def __str__(self) -> str:
        return f"set modes {self.unit.path}"


class ChangeModes(NamedTuple):
    """The same, noting whether one has changed; the crossings of one that has start anew."""

    unit: Unit

    def __str__(self) -> str:
        return f"change modes {self.unit.path}"


class Slopes(NamedTuple):
    """The slopes of a block's continuous states, into dx."""

    unit: Unit

    def __str__(self) -> str:
        return f"slopes {self.unit.path}"


class Crossings(NamedTuple):
    """The values of a block's zero crossings, into g."""

    unit: Unit

    def __str__(self) -> str:
        return f"crossings {self.unit.path}"


class Update(NamedTuple):
    """The next states of a sampled block, into z."""

    unit: Unit

    def __str__(self) -> str:
        return f"update {self.unit.path}"


class Jump(NamedTuple):
    """The states of a block as an event leaves them, into x and z, noting whether one has changed."""

    unit: Unit

    def __str__(self) -> str:
        return f"jump {self.unit.path}"


class AtTick(NamedTuple):
    """What is done when the clock of a sampled block ticks; nothing in it makes a signal known."""

    unit: Unit
    body: tuple[Instruction, ...]

    def __str__(self) -> str:
        period, offset = (float(self.unit.numbers[name]) for name in ("sample_time", "offset"))
        return f"at ticks of clock {self.unit.clock}, every {period:g} s from {offset:g} s"


class Solve(NamedTuple):
    """Do the body over and over until the cut signals that it computes are those that it began with.

    number     the loop's number, from 1, for the errors of a run
    unknowns   the cut signals, each with its first place among all unknowns of the loop, and its size; they
               are known in the body and behind it
    kept       the solution is where the next search begins
    """

    loop: Loop
    number: int
    unknowns: tuple[tuple[Source, int, int], ...]
    body: tuple[Instruction, ...]
    kept: bool

    def __str__(self) -> str:
        count = sum(size for _, _, size in self.unknowns)
        return f"solve loop {self.number} for {count} number{'s' if count > 1 else ''}"


Instruction: TypeAlias = (
    Hold
    | Output
    | Gather
    | Check
    | SetModes
    | ChangeModes
    | Slopes
    | Crossings
    | Update
    | Jump
    | AtTick
    | Solve
)


def lines(instructions: Iterable[Instruction], indent: str = "") -> Iterator[str]:
    """Instructions as text, one a line; what stands inside another is indented."""
    for instruction in instructions:
        yield f"{indent}{instruction}"
        if isinstance(instruction, AtTick | Solve):
            yield from lines(instruction.body, indent + "  ")


def _ports(unit: Unit, ports: Iterable[str]) -> str:
    return ", ".join(f"{unit.path}.{port}" for port in ports)


def _results(instruction: Output | Gather, ports: Iterable[str]) -> str:
    """The outputs of an instruction; which of them are kept, or were solved for."""
    unit, kept, solved = instruction.unit, instruction.kept, instruction.solved
    notes = {port: " into w" * (port in kept) + " as solved" * (port in solved) for port in ports}
    return ", ".join(f"{unit.path}.{port}{note}" for port, note in notes.items())
