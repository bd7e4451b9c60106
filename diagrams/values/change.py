"""Change the values at some places of a diagram in a program that is already compiled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ...blocks.contract.block import Block
from ..compiler.alike import Likeness
from ..compiler.plan.unit import Unit
from ..compiler.program import Program
from .reach import Reach, Shapes
from .target import Overrides, Target


class NewNumbers(NamedTuple):
    """A unit's block and numbers for new values; `alike` is False if they require other code."""

    unit: Unit
    block: Block
    numbers: Mapping[str, Any]
    alike: bool


class Change:
    """Change of a program by new values at some places.

    There are three answers for each block that the values reach. If nothing that the block computes reads
    them, they are written to its words of memory as they are (`as_given`). Otherwise the block is rebuilt,
    and its numbers are written to the same words (`Unit.number_places`). If its code, ports, states or the
    shapes of its numbers differ, the diagram is compiled again.
    """

    def __init__(self, program: Program, reach: Reach) -> None:
        self.program, self.reach = program, reach
        by_path = program.plan.by_path
        self.units = tuple(by_path[path] for path in reach.blocks if path in by_path)

    @staticmethod
    def of(program: Program, targets: Iterable[Target]) -> Change:
        """The change of a program by new values of targets."""
        return Change(program, Reach.of(program.source, targets))

    @cached_property
    def likeness(self) -> Mapping[str, Likeness]:
        """Comparisons of the units with the same blocks under other values."""
        return {unit.path: Likeness(unit, self.reach.fields[unit.path]) for unit in self.units}

    @cached_property
    def as_given(self) -> Mapping[str, Shapes]:
        """The shapes of the numbers that are written as they are, by block and parameter."""
        standing = {path: likeness.standing for path, likeness in self.likeness.items()}
        return {path: shapes for path, shapes in standing.items() if shapes is not None}

    def numbers(self, new: Overrides) -> Iterator[NewNumbers]:
        """The numbers of every unit for new values. Raises as `Reach.changed` does."""
        blocks, direct = self.reach.changed(new.parameters, new.set, self.as_given)
        for unit in self.units:
            if unit.path in direct:
                yield NewNumbers(unit, unit.block, unit.numbers | direct[unit.path], alike=True)
                continue
            block = blocks[unit.path]
            numbers = block.numbers()
            yield NewNumbers(unit, block, numbers, self.likeness[unit.path].holds(block, numbers))


def as_it_is(unit: Unit, *numbers: str) -> bool:
    """True if nothing that a block computes depends on some of its numbers: only machine code reads them."""
    return Likeness(unit, numbers).standing is not None
