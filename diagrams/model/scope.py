"""Open a diagram: its blocks get numbers for parameters, its subsystems get their own scopes.

The depth of nested subsystems and the number of their blocks are bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...base.location import Location
from ...blocks.contract.block import Block
from ...blocks.contract.parameter_expression import Parameter
from ...blocks.contract.port import Port
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...blocks.switching.condition import Condition
from ...blocks.switching.for_each import ForEach
from .arguments import parameter_name
from .diagram import Diagram
from .each import Copy, each_of, opened
from .errors import (
    DiagramError,
    UnknownBlock,
    UnknownName,
    UnknownParameter,
    contains_itself,
    nested_too_deep,
)
from .gathered import EVERYTHING, Errors
from .mask import hold, missing
from .name_errors import called
from .subsystem import Subsystem, conditions, only_while, ordered_conditions
from .values import Number, Value, as_value, concrete, evaluate, resolve, written_at

DEEPEST = 100
LARGEST = 100_000
Changes: TypeAlias = dict[str, dict[str, Any]]
"""Values by block path, then by parameter."""


class Node:
    """A block or subsystem in its scope: its ports, and the driver of each driven input."""

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
        self.gate = isinstance(block, (Inport, Outport)) and not outermost  # dissolved


class Scope:
    """One use of a diagram: its nodes by name, its parameters as numbers, its enclosing scope and node.

    `conditions` are the blocks that enable or trigger its blocks, by path, nearest first; `iteration` is the
    path of the While block that runs them repeatedly.
    """

    __slots__ = ("conditions", "diagram", "iteration", "nodes", "numbers", "owner", "parent", "path")

    def __init__(self, diagram: Diagram, path: str, parent: Scope | None, owner: Node | None) -> None:
        self.diagram = diagram
        self.path = path
        self.parent = parent
        self.owner = owner
        self.numbers: dict[str, Number] = {}
        self.nodes: dict[str, Node] = {}
        self.conditions: dict[str, Condition] = {} if parent is None else parent.conditions
        self.iteration: str = "" if parent is None else parent.iteration

    def prefixed(self, name: str) -> str:
        """The path of a name in this scope."""
        return f"{self.path}/{name}" if self.path else name


def open_diagram(
    diagram: Diagram, parameters: Mapping[str, Any] | None, settings: Mapping[str, Any] | None
) -> list[Scope]:
    """All scopes of a diagram, the outermost first. Raises the errors that `open_scopes` gathers."""
    errors = Errors()
    scopes = open_scopes(diagram, parameters, settings, errors)
    errors.finish()
    return scopes


def open_scopes(
    diagram: Diagram,
    parameters: Mapping[str, Any] | None,
    settings: Mapping[str, Any] | None,
    errors: Errors,
) -> list[Scope]:
    """All scopes of a diagram, the outermost first, without the blocks that have an error.

    Gathers UnknownParameter, UnknownBlock, UnknownName, BadParameter, BadExpression. Raises DiagramError.
    """
    measure(diagram)
    changes = by_path(settings or {})
    changes.setdefault("", {}).update(parameters or {})
    scopes = [Scope(diagram, "", None, None)]
    for scope in scopes:  # the list grows during the loop: breadth first
        _open(scope, changes, errors)
        scopes.extend(node.child for node in scope.nodes.values() if node.child is not None)
    for path in changes if not errors.gathered else ():
        with errors:
            raise UnknownBlock(path, [node.path for scope in scopes for node in scope.nodes.values()])
    return scopes


def by_path(settings: Mapping[str, Any]) -> Changes:
    """Values named by path ("plant/arm.mass"), grouped by block; values without a block under ""."""
    by_block: Changes = {}
    for text, value in settings.items():
        path, _, name = str(text).rpartition(".")
        by_block.setdefault(path, {})[name] = value
    return by_block


def _open(scope: Scope, changes: Changes, errors: Errors) -> None:
    """Evaluate the scope's parameters, then its blocks."""
    diagram = scope.diagram
    if scope.owner is None:
        scope.numbers = outermost_numbers(diagram, changes.pop("", {}), errors)
    else:
        scope.numbers = inner_numbers(scope, scope.owner, changes.pop(scope.path, {}), errors)
    with errors:
        nearest = {scope.prefixed(name): block for name, block in ordered_conditions(diagram).items()}
        scope.conditions = nearest | scope.conditions
        name_of_while = only_while(diagram, iterated=bool(scope.iteration), outermost=scope.parent is None)
        scope.iteration = scope.prefixed(name_of_while) if name_of_while else scope.iteration
    for name, block in diagram.blocks.items():
        if errors.gathered and _spoilt(block, scope, errors):
            errors.spoil(diagram, name)
            continue
        with errors:
            scope.nodes[name] = _node(name, block, scope, changes)
        if name not in scope.nodes:
            error = errors.gathered[-1]
            also = (
                (f"={error.name}",) if isinstance(error, UnknownName) else ()
            )  # reported once for all blocks
            errors.spoil(diagram, name, *also)


def _node(name: str, block: Block | Subsystem, scope: Scope, changes: Changes) -> Node:
    """A block with its numbers, or a subsystem with the scope inside it."""
    path = scope.prefixed(name)
    where = scope.diagram.locations.get(name)
    if isinstance(block, Subsystem):
        node = Node(name, path, block, where, outermost=scope.owner is None)
        node.child = Scope(opened(block), path, scope, node)
        return node
    changed = changes.pop(path, None) if changes else None
    block = concrete(block, scope, path, where, changed)
    if isinstance(block, ForEach) and scope.owner is not None and isinstance(scope.owner.block, Copy):
        block = block.with_parameters(index=scope.owner.block.index)
    node = Node(name, path, block, where, outermost=scope.owner is None)
    if isinstance(block, Outport) and conditions(scope.diagram):
        node.gate = False  # it holds its signal while the subsystem is disabled
    return node


def _spoilt(block: Block | Subsystem, scope: Scope, errors: Errors) -> bool:
    """True if a block's expressions use a parameter that has an error."""
    spoilt = errors.spoilt(scope.diagram)
    values = block.overrides if isinstance(block, Subsystem) else vars(block)
    names = (name for v in values.values() if isinstance(v, Parameter) for name in v.formula.names)
    return any({f"={name}", EVERYTHING} & spoilt and name not in scope.numbers for name in names)


def outermost_numbers(
    diagram: Diagram, changed: Mapping[str, Any], errors: Errors | None = None
) -> dict[str, Number]:
    """The parameters of a diagram that is run, some of them changed by the caller."""
    gathered = Errors() if errors is None else errors
    declared: dict[str, Value] = dict(diagram.parameters)
    for key, value in changed.items():
        with gathered:
            name = parameter_name(key)
            if name not in declared:
                raise UnknownParameter("", called(diagram.name), name, list(declared))
            declared[name] = as_value(value, diagram.name, name)
    for name in missing(diagram, changed, gathered, "", diagram.location):
        del declared[name]
    numbers = _resolve_parameters(declared, diagram, gathered)
    if diagram.rules or diagram.requirements:
        hold(diagram, numbers, gathered, "", diagram.parameter_locations, diagram.location)
    if errors is None:
        gathered.finish()
    return numbers


def inner_numbers(
    scope: Scope, owner: Node, changed: Mapping[str, Any], errors: Errors | None = None
) -> dict[str, Number]:
    """A subsystem's parameters: its diagram's values, overridden by the enclosing diagram and the caller."""
    assert isinstance(owner.block, Subsystem)
    assert scope.parent is not None
    gathered = Errors() if errors is None else errors
    declared: dict[str, Value] = dict(scope.diagram.parameters)
    overrides: dict[str, Any] = {**owner.block.overrides, **changed}
    outer = scope.parent.numbers
    for name, text in overrides.items():
        with gathered:
            if name not in declared:
                raise UnknownParameter(owner.path, "Subsystem", name, list(declared), location=owner.location)
            value = as_value(text, owner.path, name)
            if isinstance(value, Parameter):
                at = written_at(scope.parent, owner.path, name, changed) or owner.location
                number = evaluate(value, outer, f"{owner.path}.{name}", location=at)
                value = as_value(number, owner.path, name, at)
            if isinstance(owner.block, Copy):
                value = owner.block.part(owner.path, name, value)  # type: ignore[arg-type]
            declared[name] = value
            continue
        if declared.pop(name, None) is not None:  # its users are skipped
            gathered.spoil(scope.diagram, f"={name}")
    for name in missing(scope.diagram, overrides, gathered, owner.path, owner.location):
        del declared[name]
    numbers = _resolve_parameters(declared, scope.diagram, gathered, outer, owner.path)
    if scope.diagram.rules or scope.diagram.requirements:
        places = {name: written_at(scope.parent, owner.path, name, changed) for name in overrides}
        hold(scope.diagram, numbers, gathered, owner.path, places, owner.location)
    if errors is None:
        gathered.finish()
    return numbers


def _resolve_parameters(
    declared: Mapping[str, Value],
    diagram: Diagram,
    errors: Errors,
    outer: Mapping[str, Number] | None = None,
    path: str = "",
) -> dict[str, Number]:
    """The numbers of a diagram's parameters; parameters with an error are spoilt."""
    lost = {name[1:] for name in errors.spoilt(diagram) if name.startswith("=")}
    locations = diagram.parameter_locations
    numbers = resolve(declared, errors, outer=outer, path=path, locations=locations, lost=lost)
    if len(numbers) < len(declared):
        errors.spoil(diagram, *(f"={name}" for name in declared if name not in numbers))
    return numbers


def measure(diagram: Diagram) -> None:
    """Raise when a diagram contains itself, or is too deep or too large once opened."""
    done: dict[int, tuple[int, int]] = {}  # blocks inside, levels inside
    trail: list[tuple[Diagram, str]] = []

    def visit(inner: Diagram, name: str, at: Location | None) -> tuple[int, int]:
        extent = done.get(id(inner), (0, 0))
        if len(trail) + extent[1] > DEEPEST:
            raise nested_too_deep("/".join([*(n for _, n in trail[1:]), name]), DEEPEST, location=at)
        if extent[0]:
            return extent
        around = [outer for outer, _ in trail]
        if any(outer is inner for outer in around):
            raise contains_itself([diagram.name, *(n for _, n in trail[1:]), name], location=at)
        trail.append((inner, name))
        count, depth = 1, 0
        for key, block in inner.blocks.items():
            count += 1
            if isinstance(block, Subsystem):
                blocks, levels = visit(block.diagram, key, inner.locations.get(key))
                each = each_of(block.diagram)
                count += blocks if each is None else blocks * int(each[1].count)
                depth = max(depth, levels + 1 if each is None else levels + 2)
        trail.pop()
        done[id(inner)] = (count, depth)
        return count, depth

    blocks, _ = visit(diagram, "", None)
    if blocks > LARGEST:
        raise DiagramError(
            f"with all subsystems opened the diagram holds {blocks} blocks; at most {LARGEST} are accepted",
            "subsystems that hold one another several times multiply: use vector signals instead of copies",
        )
