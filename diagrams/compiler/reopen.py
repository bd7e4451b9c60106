"""Reopening a diagram: the few blocks that change when some numbers do, without opening all of it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...blocks.contract.block import Block, is_open
from ...blocks.contract.formula import Parameter
from ..model.diagram import Diagram
from ..model.scope import Changes, Node, Scope, by_path, concrete, inner_numbers, outermost_numbers
from ..model.subsystem import Subsystem
from ..model.values import Value

Names = dict[str, set[str]]
"""Names of parameters by block path; those of the diagram itself under ""."""


@dataclass
class Branch:
    """A scope that has something to reopen: its own blocks, the subsystems in it that have some."""

    path: str
    diagram: Diagram
    owner: Node | None
    blocks: dict[str, Block] = field(default_factory=dict)  # by path, as declared
    branches: list[Branch] = field(default_factory=list)


class Reopening:
    """What must be computed again when certain parameters change.

    `parameters` names the diagram's own, `set` those of blocks and subsystems by path ("plant/arm.mass").
    `blocks` lists the paths of all blocks that can change.
    """

    def __init__(self, diagram: Diagram, parameters: Iterable[str], set: Iterable[str]) -> None:
        changes = by_path(dict.fromkeys(set))
        changes.setdefault("", {}).update(dict.fromkeys(parameters))
        self._names = {path: {*names} for path, names in changes.items()}
        self._root = self._branch("", diagram, None, self._names.get("", {*()}))
        self.blocks = tuple(sorted(_paths(self._root)))

    def changed(self, parameters: Mapping[str, Any], set: Mapping[str, Any]) -> dict[str, Block]:
        """The blocks with their new numbers, by path.

        Raises what `open_diagram` does: UnknownName, BadParameter, BadExpression.
        """
        changes = by_path(set)
        changes.setdefault("", {}).update(parameters)
        blocks: dict[str, Block] = {}
        self._open(self._root, None, changes, blocks)
        return blocks

    def _branch(self, path: str, diagram: Diagram, owner: Node | None, changed: set[str]) -> Branch:
        changed = _users(diagram.parameters, changed)
        branch = Branch(path, diagram, owner)
        for name, block in diagram.blocks.items():
            inside = f"{path}/{name}" if path else name
            if isinstance(block, Subsystem):
                inner = {key for key, value in block.overrides.items() if _uses(value, changed)}
                inner |= self._names.get(inside, {*()})
                node = Node(name, inside, block, diagram.locations.get(name), outermost=owner is None)
                inner_branch = self._branch(inside, block.diagram, node, inner)
                if inner_branch.blocks or inner_branch.branches:
                    branch.branches.append(inner_branch)
            elif inside in self._names or any(_uses(value, changed) for value in vars(block).values()):
                branch.blocks[inside] = block
        return branch

    def _open(self, branch: Branch, parent: Scope | None, changes: Changes, blocks: dict[str, Block]) -> None:
        scope = Scope(branch.diagram, branch.path, parent, branch.owner)
        overrides = changes.get(branch.path, {})
        if branch.owner is None:
            scope.numbers = outermost_numbers(branch.diagram, overrides)
        else:
            scope.numbers = inner_numbers(scope, branch.owner, overrides)
        for path, block in branch.blocks.items():
            where = branch.diagram.locations.get(path.rpartition("/")[2])
            blocks[path] = concrete(block, scope, path, where, changes.get(path))
        for inner in branch.branches:
            self._open(inner, scope, changes, blocks)


def _paths(branch: Branch) -> Iterator[str]:
    yield from branch.blocks
    for inner in branch.branches:
        yield from _paths(inner)


def _uses(value: Any, changed: set[str]) -> bool:
    return is_open(value) and not changed.isdisjoint(value.formula.names)


def _users(declared: Mapping[str, Value], changed: set[str]) -> set[str]:
    """The names, and those of all parameters whose expressions lead back to them."""
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
