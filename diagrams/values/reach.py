"""The blocks that depend on values at some paths are found once and rebuilt separately."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from ...blocks.contract.block import Block, is_open
from ...blocks.contract.errors import ParameterError
from ...blocks.contract.parameter import Array, as_number
from ...blocks.contract.parameter_expression import Parameter
from ..model.diagram import Diagram
from ..model.each import opened
from ..model.scope import (
    Changes,
    Node,
    Scope,
    by_path,
    inner_numbers,
    outermost_numbers,
)
from ..model.subsystem import Subsystem
from ..model.values import Value, concrete, concrete_values
from .target import Target

Shapes = Mapping[str, tuple[int, ...]]
"""The shapes of numbers by the names of their parameters."""


@dataclass
class Branch:
    """A reached scope: its own reached blocks, and the subsystems that contain some."""

    path: str
    diagram: Diagram
    owner: Node | None
    blocks: dict[str, Block] = field(default_factory=dict)  # by path, as declared
    fields: dict[str, frozenset[str]] = field(default_factory=dict)  # the parameters that change
    branches: list[Branch] = field(default_factory=list)


class Reach:
    """The blocks of a diagram with parameters that follow from some values.

    The values belong to `parameters` of the diagram, by name, and to parameters of blocks and subsystems, by
    path (`set`, "plant/arm.mass"). `blocks` lists the paths of all blocks that can change, `fields` which of
    their parameters do; `complete` is False if a path of `set` leads to none of them.
    """

    def __init__(self, diagram: Diagram, parameters: Iterable[str], set: Iterable[str]) -> None:
        changes = by_path(dict.fromkeys(set))
        changes.setdefault("", {}).update(dict.fromkeys(parameters))
        self._names = {path: {*names} for path, names in changes.items()}
        self._root = self._branch("", diagram, None, self._names.get("", {*()}))
        branches = list(_branches(self._root))
        self.fields = {path: names for branch in branches for path, names in branch.fields.items()}
        self.blocks = tuple(sorted(self.fields))
        self.complete = self._names.keys() <= {"", *(branch.path for branch in branches), *self.blocks}

    @staticmethod
    def of(diagram: Diagram, targets: Iterable[Target]) -> Reach:
        """The blocks that targets reach; states and settings reach none."""
        named = list(targets)
        return Reach(
            diagram,
            [target.name for target in named if target.kind == "parameter"],
            [f"{target.block}.{target.name}" for target in named if target.kind == "block"],
        )

    def changed(
        self,
        parameters: Mapping[str, Any],
        set: Mapping[str, Any],
        standing: Mapping[str, Shapes] = MappingProxyType({}),
    ) -> tuple[dict[str, Block], dict[str, dict[str, float | Array]]]:
        """The blocks with their new numbers, by path; and those numbers alone of the blocks in `standing`.

        `standing` has the shapes of the numbers by block and parameter. Where a number does not keep its
        rule or shape, the block is still built, or rejects it.
        Raises as `open_diagram` does: UnknownName, BadParameter, BadExpression.
        """
        changes = by_path(set)
        changes.setdefault("", {}).update(parameters)
        blocks: dict[str, Block] = {}
        numbers: dict[str, dict[str, float | Array]] = {}
        for branch, scope in self._scopes(self._root, None, changes):
            for path, block in branch.blocks.items():
                where = branch.diagram.locations.get(path.rpartition("/")[2])
                shapes, changed = standing.get(path), changes.get(path)
                if shapes is not None:
                    values = concrete_values(block, scope, path, where, changed, shapes)
                    alone = numbers_alone(block, values, shapes)
                    if alone is not None:
                        numbers[path] = alone
                        continue
                blocks[path] = concrete(block, scope, path, where, changed)
        return blocks, numbers

    def _branch(self, path: str, diagram: Diagram, owner: Node | None, changed: set[str]) -> Branch:
        changed = _users(diagram.parameters, changed)
        branch = Branch(path, diagram, owner)
        for name, block in diagram.blocks.items():
            inside = f"{path}/{name}" if path else name
            if isinstance(block, Subsystem):
                inner = {key for key, value in block.overrides.items() if _uses(value, changed)}
                inner |= self._names.get(inside, {*()})
                node = Node(name, inside, block, diagram.locations.get(name), outermost=owner is None)
                inner_branch = self._branch(inside, opened(block), node, inner)
                if inner_branch.blocks or inner_branch.branches:
                    branch.branches.append(inner_branch)
                continue
            fields = {key for key, value in vars(block).items() if _uses(value, changed)}
            fields |= self._names.get(inside, {*()})
            if fields:
                branch.blocks[inside], branch.fields[inside] = block, frozenset(fields)
        return branch

    def _scopes(
        self, branch: Branch, parent: Scope | None, changes: Changes
    ) -> Iterator[tuple[Branch, Scope]]:
        """Each branch with the numbers that its diagram's parameters have now."""
        scope = Scope(branch.diagram, branch.path, parent, branch.owner)
        overrides = changes.get(branch.path, {})
        if branch.owner is None:
            scope.numbers = outermost_numbers(branch.diagram, overrides)
        else:
            scope.numbers = inner_numbers(scope, branch.owner, overrides)
        yield branch, scope
        for inner in branch.branches:
            yield from self._scopes(inner, scope, changes)


def numbers_alone(block: Block, values: Mapping[str, Any], shapes: Shapes) -> dict[str, float | Array] | None:
    """The numbers as the block would keep them, or None if it would not, or not in this shape."""
    rules = block.rules()
    try:
        numbers = {name: as_number(block.kind(), name, value, rules[name]) for name, value in values.items()}
    except ParameterError:
        return None
    return numbers if all(np.shape(value) == shapes[name] for name, value in numbers.items()) else None


def _branches(branch: Branch) -> Iterator[Branch]:
    yield branch
    for inner in branch.branches:
        yield from _branches(inner)


def _uses(value: Any, changed: set[str]) -> bool:
    return is_open(value) and not changed.isdisjoint(value.formula.names)


def _users(declared: Mapping[str, Value], changed: set[str]) -> set[str]:
    """The names, and the names of all parameters whose expressions lead back to them."""
    users = {name for name in changed if name in declared}
    while True:
        more = {
            name
            for name, value in declared.items()
            if name not in users and isinstance(value, Parameter) and _uses(value, users)
        }
        if not more:
            return users
        users |= more
