"""Values that a block takes unchanged are written to memory without Python."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...blocks.contract.block import is_open
from ...blocks.contract.mappings import MappingExpression
from ...blocks.contract.parameter import Rule
from ...blocks.mathematics.expression import Expression
from ...solvers.layout import Floats
from ..compiler.plan.unit import Unit
from .change import Change, as_it_is
from .target import Target


class Direct(NamedTuple):
    """Places of a target's number, in p, x, z or w, and the rule that it must keep."""

    path: str
    at: tuple[tuple[str, tuple[int, ...]], ...]
    rule: Rule

    @property
    def places(self) -> list[tuple[str, int]]:
        """Array and element of every number."""
        return [(name, place) for name, places in self.at for place in places]

    def refused(self, values: Floats) -> Any:
        """Mask of the values that the block would reject."""
        bad = np.isnan(values) if self.rule.infinite else ~np.isfinite(values)
        if self.rule.above is not None:
            bad = bad | ~(values > self.rule.above)
        if self.rule.minimum is not None:
            bad = bad | ~(values >= self.rule.minimum)
        if self.rule.maximum is not None:
            bad = bad | ~(values <= self.rule.maximum)
        return bad


def direct(change: Change, target: Target) -> Direct | None:
    """The target of a change as a direct one, or None if more depends on its value than a number or two."""
    units = change.program.plan.by_path
    index = tuple(key for key in target.index or () if isinstance(key, int)) or None
    if target.kind == "state":
        place = units[target.block].state_place(target.name)
        if index is None and prod(place.shape) != 1:
            return None
        return Direct(target.path, ((place.array, (place.element(index),)),), Rule(True))
    block, parameter = target.block, target.name
    if target.kind == "parameter":
        user = _user(change, target)
        if user is None:
            return None
        block, parameter, value = user
        if isinstance(value, MappingExpression):
            coefficients = _coefficients(units[block], value, target.name)
            return Direct(target.path, (("p", coefficients),), Rule(True)) if coefficients else None
        if value.formula.text.strip() != target.name:
            return None
    elif len(index or ()) != len(target.index or ()):
        return None
    unit = units.get(block)
    if unit is None or unit.block.random or not as_it_is(unit, parameter):
        return None
    at = _places(unit, parameter, index)
    return None if at is None else Direct(target.path, at, unit.block.rules()[parameter])


def _user(change: Change, target: Target) -> tuple[str, str, Any] | None:
    """The only block, and its only value, that uses a parameter of the diagram, not through another one."""
    diagram, reached = change.program.source, change.reach.blocks
    if target.index or target.name in diagram.rules or diagram.requirements:
        return None  # the diagram's rules hold for every value
    if len(reached) != 1 or "/" in reached[0]:
        return None
    users = [(n, v) for n, v in vars(diagram.blocks[reached[0]]).items() if target.name in _names(v)]
    if len(users) != 1 or any(target.name in _names(value) for value in diagram.parameters.values()):
        return None
    return reached[0], *users[0]


def _coefficients(unit: Unit, mapping: MappingExpression, name: str) -> tuple[int, ...]:
    """The places of an Expression's coefficients that are exactly the diagram's parameter."""
    if type(unit.block) is not Expression:
        return ()
    coefficients = [(key, value) for key, value in mapping.data.pairs if name in _names(value)]
    if not all(value.formula.text.strip() == name for _, value in coefficients):
        return ()
    return tuple(unit.numbers_at[key] for key, _ in coefficients)


def _names(value: Any) -> tuple[str, ...]:
    """The parameters that an expression uses; none for a number."""
    return tuple(value.formula.names) if is_open(value) else ()


def _places(
    unit: Unit, parameter: str, index: tuple[int, ...] | None
) -> tuple[tuple[str, tuple[int, ...]], ...] | None:
    shape = np.shape(unit.numbers[parameter])
    if index is None and shape:
        return None
    if index is not None and len(index) != len(shape):
        return None
    places: list[tuple[str, tuple[int, ...]]] = []
    for place in unit.number_places:
        if place.number != parameter:
            continue
        if place.role in ("unknown", "output"):
            return None
        if place.shape == shape:
            places.append((place.array, (place.element(index),)))
        elif not shape:
            places.append((place.array, tuple(range(place.words.start, place.words.stop))))
        else:
            return None
    return tuple(places)
