"""A view opens a diagram, so that its paths can be looked up and its values read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...blocks.contract.block import Block
from ..compiler.program import Program
from ..model.diagram import Diagram
from ..model.scope import Node, Scope, open_diagram
from ..model.subsystem import Subsystem

_COMPUTED = ("scopes", "nodes", "program", "state_shapes")


@dataclass(frozen=True, eq=False)
class View:
    """A diagram with its blocks by path; compiled only where the sizes of states are required."""

    diagram: Diagram

    @cached_property
    def scopes(self) -> dict[str, Scope]:
        """The uses of diagrams by path, the outermost under ""."""
        return {scope.path: scope for scope in open_diagram(self.diagram, None, None)}

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """All blocks and subsystems by path."""
        return {node.path: node for scope in self.scopes.values() for node in scope.nodes.values()}

    @cached_property
    def program(self) -> Program:
        """The diagram compiled as it is declared, however a run treats its algebraic loops."""
        return self.diagram.compile(loops="solve")

    @cached_property
    def state_shapes(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """The shape of every state by block and name."""
        return {
            (unit.path, name): tuple(shape)
            for unit in self.program.plan.units
            for name, shape in unit.state_shapes.items()
        }

    def number(
        self, owner: str, name: str, parameters: Mapping[str, Any] = {}, changed: Mapping[str, Any] = {}
    ) -> Any:
        """The value of a parameter of the diagram, a subsystem or a block, with other values for some."""
        scopes, node = self.scopes, self.nodes.get(owner)
        if parameters or changed:
            opened = open_diagram(self.diagram, parameters, changed)
            scopes = {scope.path: scope for scope in opened}
            node = next((n for scope in opened for n in scope.nodes.values() if n.path == owner), None)
        if not owner:
            return scopes[""].numbers[name]
        assert node is not None
        return node.child.numbers[name] if node.child is not None else getattr(node.block, name)

    def declared(self, owner: str, name: str) -> Any:
        """The value in its declared form: possibly an expression."""
        if not owner:
            return self.diagram.parameters[name]
        inside, _, last = owner.rpartition("/")
        block = self.scopes[inside].diagram.blocks[last]
        if not isinstance(block, Subsystem):
            return getattr(block, name)
        return block.overrides.get(name, block.diagram.parameters[name])

    def names(self, owner: str, name: str, parameters: Mapping[str, Any], changed: Mapping[str, Any]) -> Any:
        """The parameters that an expression for a place uses, with other values for some of all."""
        if parameters or changed:
            return View._numbers(open_diagram(self.diagram, parameters, changed), self._scope(owner, name))
        return self.scopes[self._scope(owner, name)].numbers

    def initial(
        self, block: str, state: str, parameters: Mapping[str, Any], changed: Mapping[str, Any]
    ) -> Any:
        """The initial value of a state, as an array of its shape, with other values for some parameters."""
        begun = self.diagram.simulation.get("initial")
        if isinstance(begun, Mapping) and f"{block}.{state}" in begun:
            begun = begun[f"{block}.{state}"]
            return np.broadcast_to(np.asarray(begun, np.float64), self.state_shapes[block, state]).copy()
        node = self.nodes[block].block
        if parameters or changed:
            scopes = open_diagram(self.diagram, parameters, changed)
            node = next(s.nodes[n].block for s in scopes for n in s.nodes if s.nodes[n].path == block)
        assert isinstance(node, Block)
        initial = next(s.initial for s in node.states if s.name == state)
        return np.broadcast_to(np.asarray(node.numbers()[initial]), self.state_shapes[block, state]).copy()

    def names_at(self, owner: str) -> list[str]:
        """Names of a block or subsystem that can be varied: parameters, then states."""
        node = self.nodes[owner]
        if isinstance(node.block, Subsystem):
            return list(node.block.diagram.parameters)
        return [*node.block.rules(), *(state.name for state in node.block.states)]

    def paths(self) -> Iterator[str]:
        """Every path that names a parameter or a state."""
        yield from self.diagram.parameters
        for path in self.nodes:
            yield from (f"{path}.{name}" for name in self.names_at(path))

    def _scope(self, owner: str, name: str) -> str:
        """The scope whose parameters an expression uses: the inner diagram's, or the scope around a block."""
        if not owner:
            return ""
        inside = owner.rpartition("/")[0]
        block = self.nodes[owner].block
        declared_inside = isinstance(block, Subsystem) and name not in block.overrides
        return owner if declared_inside else inside

    @staticmethod
    def _numbers(scopes: list[Scope], path: str) -> Mapping[str, Any]:
        return next(scope.numbers for scope in scopes if scope.path == path)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in _COMPUTED}
