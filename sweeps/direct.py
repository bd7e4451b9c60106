"""Direct targets: an axis whose values are numbers of one block as they stand, placed without Python per
scenario."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..blocks.block import Block, is_open
from ..blocks.parameter import Rule
from ..diagrams.diagram import Diagram
from ..diagrams.plan.unit import Unit
from ..diagrams.reopen import Reopening
from ..solvers.layout import Floats
from .targets import Target

PLAIN = (
    "constants", "check", "numbers", "functions", "zero_crossings", "timers", "longest_step", "sizes",
    "scratch", "input_ports", "output_ports", "__post_init__",
)  # fmt: skip
"""What a block type computes in ways of its own is not followed here."""


class Direct(NamedTuple):
    """Where a target's number goes, in p, x, z or w, and the rule that it must keep."""

    path: str
    at: tuple[tuple[str, tuple[int, ...]], ...]
    rule: Rule

    def refused(self, values: Floats) -> Any:
        """Which values the block would not take."""
        bad = np.isnan(values) if self.rule.infinite else ~np.isfinite(values)
        if self.rule.above is not None:
            bad = bad | ~(values > self.rule.above)
        if self.rule.minimum is not None:
            bad = bad | ~(values >= self.rule.minimum)
        return bad


def direct(diagram: Diagram, units: dict[str, Unit], target: Target, path: str) -> Direct | None:
    """The target as a direct one, or None where more depends on its value than a number or two."""
    if target.kind == "state":
        return _state(units, target, path)
    named = _named(diagram, target)
    if named is None or named[0] not in units:
        return None
    unit, parameter, index = units[named[0]], named[1], named[2]
    kind = type(unit.block)
    if any(getattr(kind, name) is not getattr(Block, name) for name in PLAIN) or unit.block.random:
        return None
    rule = unit.block.rules().get(parameter)
    if rule is None or not rule.number or (unit.block.sampled and parameter in ("sample_time", "offset")):
        return None
    at = _places(unit, parameter, index)
    return None if at is None else Direct(path, at, rule)


def _state(units: dict[str, Unit], target: Target, path: str) -> Direct | None:
    """An initial state, or one element of it."""
    unit = units[target.block]
    base, start = unit.states_at[target.name]
    shape = unit.state_shapes[target.name]
    index = _numbers(target)
    if index is None and prod(shape) != 1:
        return None
    offset = int(np.ravel_multi_index(index, shape)) if index else 0
    return Direct(path, ((base, (start + offset,)),), Rule(True))


def _numbers(target: Target) -> tuple[int, ...] | None:
    """The index of an element, where the target is one."""
    return tuple(key for key in target.index or () if isinstance(key, int)) or None


def _named(diagram: Diagram, target: Target) -> tuple[str, str, tuple[int, ...] | None] | None:
    """Block, parameter and element that the target's value goes to as it is."""
    if target.kind == "block" and len(_numbers(target) or ()) == len(target.index or ()):
        return target.block, target.name, _numbers(target)
    if target.kind != "parameter" or target.index:
        return None
    reached = Reopening(diagram, [target.name], []).blocks
    if len(reached) != 1 or "/" in reached[0]:
        return None
    block: Any = diagram.blocks[reached[0]]
    users = [(name, v) for name, v in vars(block).items() if is_open(v) and target.name in v.formula.names]
    if len(users) != 1 or users[0][1].formula.text.strip() != target.name:
        return None
    declared: list[Any] = list(diagram.parameters.values())
    if any(is_open(value) and target.name in value.formula.names for value in declared):
        return None
    return reached[0], users[0][0], None


def _places(
    unit: Unit, parameter: str, index: tuple[int, ...] | None
) -> tuple[tuple[str, tuple[int, ...]], ...] | None:
    shape = np.shape(unit.numbers[parameter])
    if index is None and shape:
        return None
    if index is not None and len(index) != len(shape):
        return None
    offset = int(np.ravel_multi_index(index, shape)) if index else 0
    found: list[tuple[str, tuple[int, ...]]] = [("p", (unit.numbers_at[parameter] + offset,))]
    for state in unit.block.states:
        if state.initial == parameter:
            base, start = unit.states_at[state.name]
            inside = unit.state_shapes[state.name]
            if inside == shape:
                found.append((base, (start + offset,)))
            elif not shape:
                found.append((base, tuple(range(start, start + prod(inside)))))
            else:
                return None
    if unit.block.held_initial == parameter:
        return None
    return tuple(found)
