"""Decide if a block with other parameters has the same code, so that only its numbers differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...blocks.contract.block import Block
from ...blocks.contract.owned import Instance
from ...blocks.contract.parts import OF_SIZES, parts_of
from ...blocks.contract.reads import reads
from ...blocks.contract.wiring import Wiring
from ...blocks.switching.condition import Condition
from ...blocks.switching.while_loop import While
from .plan.unit import Unit

PARTS = dict(parts_of(Block))
"""How each method and attribute of a block that may read parameters takes part in a program."""
CLOCK = ("sample_time", "offset")
DESCRIBED = tuple(name for name, kind in PARTS.items() if kind == "program" and name != "functions")


class Likeness:
    """Comparison of a compiled unit with the same block under other values of some parameters.

    All that the compiler reads of a block is compared: its functions, ports, states, crossings, workspace,
    the shapes of its numbers, its sizes, and the options of blocks that switch. Parts that depend on none of
    the changed parameters are not computed again.
    """

    def __init__(self, unit: Unit, changed: Collection[str]) -> None:
        self._unit, self._changed = unit, {*changed}
        block = unit.block
        rules = block.rules()
        self._options = [name for name in self._changed if name in rules and not rules[name].number]
        self._shapes = _shapes(unit.numbers)
        self._described = {name: _describe_part(unit, block, name) for name in DESCRIBED if self._looks(name)}
        self._functions = self._looks("functions") or self._looks("states")
        self._instances = _instances(block) if self._looks("memory") else {}
        self._sizes = bool(self._options) and block.elementwise

    @cached_property
    def standing(self) -> dict[str, tuple[int, ...]] | None:
        """The shapes of the changed numbers if no computation of the block reads them."""
        block, rules = self._unit.block, self._unit.block.rules()
        if isinstance(block, Wiring):
            return None
        clock = CLOCK if block.sampled else ()
        if any(name in clock or name not in rules or not rules[name].number for name in self._changed):
            return None
        if self.parts:
            return None
        return {name: self._shapes[name] for name in self._changed}

    @cached_property
    def parts(self) -> set[str]:
        """The methods and attributes of the block that read the changed numbers."""
        return {name for name in PARTS if self._looks(name)}

    def _looks(self, name: str) -> bool:
        """True if the block's method or attribute of this name may depend on a changed parameter."""
        block = self._unit.block
        if not _overridden(block, name):
            return False
        arguments = (dict(self._unit.in_sizes),) if name in OF_SIZES else ()
        return not self._changed.isdisjoint(reads(block, name, *arguments))

    def holds(self, new: Block, numbers: dict[str, Any]) -> bool:
        """True if `new`, with these run-time numbers, fits in the place of the unit."""
        unit, old = self._unit, self._unit.block
        if type(new) is not type(old) or _shapes(numbers) != self._shapes:
            return False
        equal = all(
            getattr(old, name) is getattr(new, name) or _equal(getattr(old, name), getattr(new, name))
            for name in self._options
        )
        if isinstance(new, Wiring):
            return equal
        if not equal and isinstance(new, (Condition, While)):
            return False
        if self._functions and not _same_functions(unit, new):
            return False
        if any(_describe_part(unit, new, name) != value for name, value in self._described.items()):
            return False
        if self._instances and _instances(new) != self._instances:
            return False
        return equal or not self._sizes or dict(new.sizes(dict(unit.in_sizes))) == dict(unit.out_sizes)


def other_numbers(unit: Unit, block: Block, likeness: Likeness | None = None) -> Unit | None:
    """The unit with another block in its place; None if more than numbers differ.

    `likeness` is for the parameters that may differ; without it, all may.
    """
    old = unit.block
    if block is old:
        return unit
    numbers = block.numbers()
    likeness = likeness or Likeness(unit, old.rules())
    ticks = block.sampled and any(getattr(old, name) != getattr(block, name) for name in CLOCK)
    if ticks or block.timers() != old.timers() or not likeness.holds(block, numbers):
        return None
    other = copy(unit)
    other.flat, other.block, other.numbers = replace(unit.flat, block=block), block, numbers
    return other


def _describe_part(unit: Unit, block: Block, name: str) -> Any:
    """A part of a program that comes from a block, in a form that can be compared."""
    if name == "timers":  # the state that announces time events, empty if they are fixed in advance
        timer = block.timers()
        return None if timer is None else timer.next
    value = getattr(block, name)
    value = value(dict(unit.in_sizes)) if name in OF_SIZES else value() if callable(value) else value
    return dict(value) if isinstance(value, Mapping) else value


def _instances(block: Block) -> dict[str, Instance]:
    """Instances that each run of the block owns, by name."""
    return {name: value for name, value in block.memory().items() if isinstance(value, Instance)}


def _same_functions(unit: Unit, new: Block) -> bool:
    functions = new.functions()
    return {*functions} == {*unit.functions} and all(
        functions[role] is function or functions[role] == function
        for role, function in unit.functions.items()
    )


def _overridden(block: Block, name: str) -> bool:
    """True if a type of block overrides this part of Block."""
    return getattr(type(block), name) is not getattr(Block, name)


def _shapes(numbers: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: () if type(value) is float else np.shape(value) for name, value in numbers.items()}


def _equal(a: ArrayLike, b: ArrayLike) -> bool:
    try:
        return type(a) is type(b) and bool(a == b)
    except ValueError:  # arrays
        return False
