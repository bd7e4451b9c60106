"""Opening a diagram: its blocks with numbers for parameters, its subsystems as scopes of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ..base.location import Location
from ..blocks.block import Block
from ..blocks.errors import BlockError, ParameterError
from ..blocks.formula import Parameter
from ..blocks.port import Port
from ..blocks.routing.inport import Inport
from ..blocks.routing.outport import Outport
from .diagram import Diagram
from .errors import (
    BadParameter,
    DiagramTooLarge,
    NestingTooDeep,
    RecursiveSubsystem,
    UnknownBlock,
    UnknownParameter,
)
from .name_errors import called
from .names import parameter_name
from .subsystem import Subsystem
from .values import Number, Value, as_value, evaluate, resolve

DEEPEST = 100
LARGEST = 100_000

Settings: TypeAlias = dict[str, dict[str, Any]]
"""Values by block path, then by parameter."""


class Node:
    """A block or subsystem in its scope: its ports, and for each driven input what drives it."""

    __slots__ = (
        "block",
        "child",
        "drivers",
        "gate",
        "inputs",
        "location",
        "name",
        "outputs",
        "path",
        "positions",
    )

    def __init__(
        self, name: str, path: str, block: Block | Subsystem, location: Location | None, *, outermost: bool
    ) -> None:
        self.name = name
        self.path = path
        self.block = block
        self.location = location
        self.inputs: tuple[Port, ...] = block.input_ports()
        self.outputs: tuple[Port, ...] = block.output_ports()
        self.drivers: dict[str, tuple[Node, str, Location | None]] = {}
        self.positions: dict[bool, dict[str, int]] = {}
        self.child: Scope | None = None
        self.gate = isinstance(block, Inport) or (isinstance(block, Outport) and not outermost)


class Scope:
    """One use of a diagram: its nodes by name, its parameters as numbers, the scope and node it stands in."""

    __slots__ = ("diagram", "nodes", "numbers", "owner", "parent", "path")

    def __init__(self, diagram: Diagram, path: str, parent: Scope | None, owner: Node | None) -> None:
        self.diagram = diagram
        self.path = path
        self.parent = parent
        self.owner = owner
        self.numbers: dict[str, Number] = {}
        self.nodes: dict[str, Node] = {}

    def prefixed(self, name: str) -> str:
        """The path of a name in this scope."""
        return f"{self.path}/{name}" if self.path else name


def open_diagram(
    diagram: Diagram, parameters: Mapping[str, Any] | None, settings: Mapping[str, Any] | None
) -> list[Scope]:
    """All scopes of a diagram, the outermost first.

    Raises RecursiveSubsystem, NestingTooDeep, DiagramTooLarge, UnknownParameter, UnknownBlock, UnknownName,
    BadParameter, BadExpression.
    """
    measure(diagram)
    changes = by_path(settings or {})
    changes.setdefault("", {}).update(parameters or {})
    scopes = [Scope(diagram, "", None, None)]
    for scope in scopes:  # grows while it is walked: breadth first
        _open(scope, changes)
        scopes.extend(node.child for node in scope.nodes.values() if node.child is not None)
    for path in changes:
        raise UnknownBlock(path, [node.path for scope in scopes for node in scope.nodes.values()])
    return scopes


def measure(diagram: Diagram) -> None:
    """Raise when a diagram contains itself, or is too deep or too large once opened."""
    done: dict[int, tuple[int, int]] = {}  # blocks inside, levels inside
    trail: list[tuple[Diagram, str]] = []

    def visit(inner: Diagram, name: str, at: Location | None) -> tuple[int, int]:
        found = done.get(id(inner), (0, 0))
        if len(trail) + found[1] > DEEPEST:
            raise NestingTooDeep("/".join([*(n for _, n in trail[1:]), name]), DEEPEST, location=at)
        if found[0]:
            return found
        known = [outer for outer, _ in trail]
        if any(outer is inner for outer in known):
            raise RecursiveSubsystem([diagram.name, *(n for _, n in trail[1:]), name], location=at)
        trail.append((inner, name))
        count, depth = 1, 0
        for key, block in inner.blocks.items():
            count += 1
            if isinstance(block, Subsystem):
                blocks, levels = visit(block.diagram, key, inner.locations.get(key))
                count, depth = count + blocks, max(depth, levels + 1)
        trail.pop()
        done[id(inner)] = (count, depth)
        return count, depth

    blocks, _ = visit(diagram, "", None)
    if blocks > LARGEST:
        raise DiagramTooLarge(blocks, LARGEST)


def by_path(settings: Mapping[str, Any]) -> Settings:
    """Values named by path ("plant/arm.mass"), sorted by block; those without a block under ""."""
    found: Settings = {}
    for text, value in settings.items():
        path, _, name = str(text).rpartition(".")
        found.setdefault(path, {})[name] = value
    return found


def _open(scope: Scope, changes: Settings) -> None:
    """Evaluate the scope's parameters, then its blocks."""
    diagram = scope.diagram
    if scope.owner is None:
        scope.numbers = outermost_numbers(diagram, changes.pop("", {}))
    else:
        scope.numbers = inner_numbers(scope, scope.owner, changes.pop(scope.path, {}))
    for name, block in diagram.blocks.items():
        path = scope.prefixed(name)
        where = diagram.locations.get(name)
        if isinstance(block, Subsystem):
            node = Node(name, path, block, where, outermost=scope.owner is None)
            node.child = Scope(block.diagram, path, scope, node)
        else:
            changed = changes.pop(path, None) if changes else None
            block = concrete(block, scope, path, where, changed)
            node = Node(name, path, block, where, outermost=scope.owner is None)
        scope.nodes[name] = node


def outermost_numbers(diagram: Diagram, changed: Mapping[str, Any]) -> dict[str, Number]:
    """The parameters of a diagram that is run, some of them changed by the caller."""
    declared: dict[str, Value] = dict(diagram.parameters)
    for key, value in changed.items():
        name = parameter_name(key)
        if name not in declared:
            raise UnknownParameter("", called(diagram.name), name, list(declared))
        declared[name] = as_value(value, diagram.name, name)
    return resolve(declared, locations=diagram.parameter_locations)


def inner_numbers(scope: Scope, owner: Node, changed: Mapping[str, Any]) -> dict[str, Number]:
    """A subsystem's parameters: its diagram's, with other values from where it stands and from the caller."""
    assert isinstance(owner.block, Subsystem)
    assert scope.parent is not None
    declared: dict[str, Value] = dict(scope.diagram.parameters)
    given: dict[str, Value] = dict(owner.block.overrides)
    for name, value in changed.items():
        given[name] = as_value(value, owner.path, name)
    outer = scope.parent.numbers
    for name, value in given.items():
        if name not in declared:
            raise UnknownParameter(owner.path, "Subsystem", name, list(declared), location=owner.location)
        if isinstance(value, Parameter):
            at = _written_at(scope.parent, owner.path, name, changed) or owner.location
            number = evaluate(value, outer, f"{owner.path}.{name}", location=at)
            value = as_value(number, owner.path, name, at)
        declared[name] = value
    return resolve(declared, outer=outer, path=owner.path, locations=scope.diagram.parameter_locations)


def concrete(
    block: Block,
    scope: Scope,
    path: str,
    location: Location | None,
    changed: Mapping[str, Any] | None = None,
) -> Block:
    """The block with a number for every expression; the block itself when it has none.

    Raises UnknownParameter, UnknownName, BadExpression, BadParameter.
    """
    values = {name: value for name, value in vars(block).items() if isinstance(value, Parameter)}
    if changed:
        values.update({name: as_setting(value, path, name) for name, value in changed.items()})
    if not values:
        return block
    rules = block.rules()
    written = {name: at for name in values if (at := _written_at(scope, path, name, changed)) is not None}
    for name, value in values.items():
        if name not in rules:
            raise UnknownParameter(path, block.kind(), name, list(rules), location=location)
        if isinstance(value, Parameter):
            outer = scope.parent.numbers if scope.parent else None
            at = written.get(name, location)
            found = evaluate(value, scope.numbers, f"{path}.{name}", location=at, outer=outer)
            values[name] = value.finished(found if rules[name].number else _whole(found))
    try:
        return block.with_parameters(**values)
    except ParameterError as error:
        at = written.get(error.parameter, location)
        raise BadParameter(path, error.parameter, error, location=at) from error
    except BlockError as error:
        raise BadParameter(path, "", error, location=location) from error


def _written_at(
    scope: Scope, path: str, name: str, changed: Mapping[str, Any] | None = None
) -> Location | None:
    """Where the expression of a block's or subsystem's parameter stands, unless the caller has changed it."""
    if changed and name in changed:
        return None
    return scope.diagram.expression_locations.get((path.rpartition("/")[2], name))


def as_setting(value: Any, path: str, name: str) -> Any:
    """A value from outside: text that begins with `=` is an expression, the rest is left to the block."""
    return as_value(value, path, name) if isinstance(value, str) and value.lstrip().startswith("=") else value


def _whole(value: Any) -> Any:
    """Whole numbers as integers: counts and indices are options, and expressions give floats."""
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if hasattr(value, "tolist"):
        return _whole(value.tolist())
    return int(value) if isinstance(value, float) and value.is_integer() else value
