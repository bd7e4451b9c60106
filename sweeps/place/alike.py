"""Alike: whether a block with other parameters is still the same code, so that only its numbers differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.wiring import Wiring
from ...diagrams.compiler.plan.unit import Unit


def alike(unit: Unit, new: Block, numbers: dict[str, Any]) -> bool:
    """Whether `new`, with these run-time numbers, fits in the place of a unit that is already compiled.

    What the compiler reads of a block is compared: its functions, ports, states, crossings, room to work in,
    the shapes of its numbers, and its sizes where an option differs.
    """
    old = unit.block
    if type(new) is not type(old) or _shapes(numbers) != _shapes(unit.numbers):
        return False
    equal = all(
        getattr(old, name) is getattr(new, name) or _equal(getattr(old, name), getattr(new, name))
        for name, rule in old.rules().items()
        if not rule.number
    )
    if isinstance(new, Wiring):
        return equal
    functions = new.functions()
    if {*functions} != {*unit.functions}:
        return False
    if any(
        functions[role] is not function and functions[role] != function
        for role, function in unit.functions.items()
    ):
        return False
    described = (
        new.input_ports() == old.input_ports()
        and new.output_ports() == old.output_ports()
        and new.states == old.states
        and new.zero_crossings() == old.zero_crossings()
        and dict(new.scratch()) == dict(old.scratch())
        and _announcing(new) == _announcing(old)
        and (type(new).guess is Block.guess or new.guess() == old.guess())  # else that of a number's shape
    )
    if not described:
        return False
    return equal or dict(new.sizes(dict(unit.in_sizes))) == dict(unit.out_sizes)


def _announcing(block: Block) -> str | None:
    """The state that announces a block's time events, empty where they are known beforehand; or None."""
    timer = block.timers()
    return None if timer is None else timer.next


def _shapes(numbers: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: np.shape(value) for name, value in numbers.items()}


def _equal(a: Any, b: Any) -> bool:
    try:
        return type(a) is type(b) and bool(a == b)
    except ValueError:  # arrays
        return False
