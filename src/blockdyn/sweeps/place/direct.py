"""Direct targets: an axis whose values are numbers of one block as they stand, placed without Python per
scenario."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...blocks.contract.block import is_open
from ...blocks.contract.mappings import MappingExpression
from ...blocks.contract.parameter import Rule
from ...blocks.mathematics.expression import Expression
from ...diagrams.compiler.alike import Likeness
from ...diagrams.compiler.plan.unit import Unit
from ...diagrams.compiler.reopen import Reopening
from ...diagrams.model.diagram import Diagram
from ...diagrams.targets.target import Target
from ...solvers.layout import Floats


class Direct(NamedTuple):
    """Where a target's number goes, in p, x, z or w, and the rule that it must keep."""

    path: str
    at: tuple[tuple[str, tuple[int, ...]], ...]
    rule: Rule

    @property
    def places(self) -> list[tuple[str, int]]:
        """Array and element of every number."""
        return [(name, place) for name, places in self.at for place in places]

    def refused(self, values: Floats) -> Any:
        """Which values the block would not take."""
        bad = np.isnan(values) if self.rule.infinite else ~np.isfinite(values)
        if self.rule.above is not None:
            bad = bad | ~(values > self.rule.above)
        if self.rule.minimum is not None:
            bad = bad | ~(values >= self.rule.minimum)
        if self.rule.maximum is not None:
            bad = bad | ~(values <= self.rule.maximum)
        return bad


def direct(diagram: Diagram, units: dict[str, Unit], target: Target, path: str) -> Direct | None:
    """The target as a direct one, or None where more depends on its value than a number or two."""
    if target.kind == "state":
        return _state(units, target, path)
    coefficients = _coefficients(diagram, units, target)
    if coefficients:
        return Direct(path, (("p", coefficients),), Rule(True))
    named = _named(diagram, target)
    if named is None or named[0] not in units:
        return None
    unit, parameter, index = units[named[0]], named[1], named[2]
    if unit.block.random or Likeness(unit, [parameter]).standing is None:
        return None
    at = _places(unit, parameter, index)
    return None if at is None else Direct(path, at, unit.block.rules()[parameter])


def _state(units: dict[str, Unit], target: Target, path: str) -> Direct | None:
    """An initial state, or one element of it."""
    place, index = units[target.block].state_place(target.name), _numbers(target)
    if index is None and prod(place.shape) != 1:
        return None
    return Direct(path, ((place.array, (place.element(index),)),), Rule(True))


def _numbers(target: Target) -> tuple[int, ...] | None:
    """The index of an element, where the target is one."""
    return tuple(key for key in target.index or () if isinstance(key, int)) or None


def _named(diagram: Diagram, target: Target) -> tuple[str, str, tuple[int, ...] | None] | None:
    """Block, parameter and element that the target's value goes to as it is."""
    if target.kind == "block" and len(_numbers(target) or ()) == len(target.index or ()):
        return target.block, target.name, _numbers(target)
    user = _user(diagram, target)
    if user is None or user[2].formula.text.strip() != target.name:
        return None
    return user[0], user[1], None


def _coefficients(diagram: Diagram, units: dict[str, Unit], target: Target) -> tuple[int, ...]:
    """The places of an Expression's coefficients that are the diagram's parameter as it stands."""
    user = _user(diagram, target)
    if user is None or type(units[user[0]].block) is not Expression:
        return ()
    if not isinstance(user[2], MappingExpression):
        return ()
    coefficients = [(key, value) for key, value in user[2].data.pairs if target.name in _names(value)]
    if not all(value.formula.text.strip() == target.name for _, value in coefficients):
        return ()
    return tuple(units[user[0]].numbers_at[key] for key, _ in coefficients)


def _user(diagram: Diagram, target: Target) -> tuple[str, str, Any] | None:
    """The only block, and its only value, that a parameter of the diagram goes to, through no other one."""
    if target.kind != "parameter" or target.index or target.name in diagram.rules or diagram.requirements:
        return None  # what the diagram says of its parameters is asked of every value
    reached = Reopening(diagram, [target.name], []).blocks
    if len(reached) != 1 or "/" in reached[0]:
        return None
    users = [(n, v) for n, v in vars(diagram.blocks[reached[0]]).items() if target.name in _names(v)]
    if len(users) != 1 or any(target.name in _names(value) for value in diagram.parameters.values()):
        return None
    return reached[0], *users[0]


def _names(value: Any) -> tuple[str, ...]:
    """The parameters that an expression is over; none for a number."""
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
