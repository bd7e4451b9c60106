"""Find the output that drives each input, through subsystem ports and named signals."""

from __future__ import annotations

from ...base.location import Location
from ...base.words import article
from ...blocks.contract.port import Port
from ...blocks.routing.inport import Inport
from ...blocks.switching.condition import Condition
from .diagram import Diagram
from .errors import (
    AlgebraicLoop,
    BadWire,
    DiagramError,
    UnknownBlock,
    UnknownPort,
    doubly_driven,
    listed,
)
from .gathered import EVERYTHING, WIRES, Errors
from .inputs import coefficient_hint
from .scope import Node, Scope
from .wire import End, Wire

Origin = tuple[str, str]
"""Path and output port of a block."""
NOWHERE: Origin = ("", "")


def connect(scope: Scope, errors: Errors) -> None:
    """Enter every wire of a scope at the node that it drives.

    Gathers UnknownBlock, UnknownPort, BadWire, and errors for ports that must be named. If a
    block at one end of a wire has an error, the other end is still checked.
    """
    for wire in [each for declared in scope.diagram.wires for each in _single(scope, declared, errors)]:
        if not errors.gathered and not is_starred(wire):
            try:
                source = _source(scope, wire.source, wire.location, errors)
                _drive(*_destination(scope, wire, errors), source, wire.location)
                continue
            except DiagramError as error:
                errors.take(error)
        _examine(scope, wire, errors)


def _single(scope: Scope, wire: Wire, errors: Errors) -> list[Wire]:
    """The wires that a starred wire stands for; none after an error."""
    start, end = (scope.nodes.get(each.block) for each in (wire.source, wire.destination))
    wires = single(wire, start, end)
    if wires is None or start is None or end is None:
        return [wire]
    spoilt = _is_spoilt(scope, wire.source, errors, output=True)
    if spoilt or _is_spoilt(scope, wire.destination, errors, output=False):
        errors.unsure.add(end.path)
    elif not wires:
        errors.take(without_pair(wire, start, end, wire.location))
        errors.unsure.add(end.path)
    return wires


def _examine(scope: Scope, wire: Wire, errors: Errors) -> None:
    """Enter a wire after an error: each end is checked separately, unless it is spoilt.

    If one end is unknown, the star of the wire stands for unknown ports of the other.
    """
    source = end = None
    sound = scope.nodes if is_starred(wire) else ()
    with errors:
        if wire.source.block not in sound and not _is_spoilt(scope, wire.source, errors, output=True):
            source = _source(scope, wire.source, wire.location, errors)
    with errors:
        if wire.destination.block not in sound and not _is_spoilt(
            scope, wire.destination, errors, output=False
        ):
            end = _destination(scope, wire, errors)
    with errors:
        if source is not None and end is not None:
            _drive(*end, source, wire.location)
            return
    node = scope.nodes.get(wire.destination.block)
    if node is not None:
        errors.unsure.add(node.path)


def _destination(scope: Scope, wire: Wire, errors: Errors) -> tuple[Node, str]:
    """The node and input port that a wire enters."""
    name, at = wire.destination.block, wire.location
    node = scope.nodes.get(name)
    if node is None:
        if name in scope.diagram.signals:
            problem = f"a wire into `{name}`, a named signal"
            raise BadWire(problem, "a block's input", path=name, location=at)
        signals = _block_names(scope, errors)
        errors.spoil(scope.diagram, name, WIRES)
        raise UnknownBlock(name, signals, inside=scope.path, location=at)
    if isinstance(node.block, (Inport, Condition)):
        expected = f"input `{node.name}` of the subsystem is wired in the diagram around it"
        if scope.owner is None and isinstance(node.block, Condition):
            expected = "no wire: in the outermost diagram it is always true"
        elif scope.owner is None:
            expected = f"no wire: the run gives the inputs of the diagram, inputs={{'{node.name}': 1.0}}"
        kind = article(node.block.kind())
        raise BadWire(f"a wire into {node.path}, {kind}", expected, path=node.path, location=at)
    return node, pick(node, wire.destination.port, at, output=False, diagram=scope.diagram)


def _drive(node: Node, entry: str, source: tuple[Node, str], at: Location | None) -> None:
    if entry in node.drivers:
        first, first_port, where = node.drivers[entry]
        sources = (f"{first.path}.{first_port}", f"{source[0].path}.{source[1]}")
        raise doubly_driven(node.path, entry, sources, first=where, location=at)
    node.drivers[entry] = (*source, at)


def _is_spoilt(scope: Scope, end: End, errors: Errors, *, output: bool) -> bool:
    """True if the block, signal or subsystem port at an end has an error."""
    passed: set[str] = set()
    while end.block not in scope.nodes and end.block not in passed:
        holder: Scope | None = scope
        while holder is not None and end.block not in holder.diagram.signals:
            if not errors.spoilt(holder.diagram).isdisjoint((end.block, EVERYTHING)):
                return True
            holder = holder.parent
        if holder is None:
            return False
        if end.block in errors.spoilt(holder.diagram):
            return True
        passed.add(end.block)
        scope, end = holder, holder.diagram.signals[end.block]
    node = scope.nodes.get(end.block)
    if node is None or node.child is None or not errors.spoilt(node.child.diagram):
        return False
    return end.port not in {port.name for port in (node.outputs if output else node.inputs)}


def _block_names(scope: Scope, errors: Errors) -> list[str]:
    """The names of a scope's blocks, including blocks with errors."""
    return [*scope.nodes, *sorted(name for name in errors.spoilt(scope.diagram) if name.isidentifier())]


def _source(scope: Scope, end: End, at: Location | None, errors: Errors) -> tuple[Node, str]:
    """The node and output port at the start of a wire."""
    if end.block in scope.nodes:
        node = scope.nodes[end.block]
        return node, pick(node, end.port, at, output=True)
    try:
        return _signal(scope, end, at, errors)
    except DiagramError:
        errors.spoil(scope.diagram, end.block)
        raise


def _signal(scope: Scope, end: End, at: Location | None, errors: Errors) -> tuple[Node, str]:
    """The node and output port of a named signal, of this diagram or an enclosing one."""
    visited: list[tuple[Scope, str]] = []
    while end.block not in scope.nodes:
        holder: Scope | None = scope
        while holder is not None and end.block not in holder.diagram.signals:
            holder = holder.parent
        if holder is None:
            names = [*_block_names(scope, errors), *_visible(scope)]
            raise UnknownBlock(end.block, names, inside=scope.path, location=at)
        if end.port is not None:
            problem = f"`{end}`: a named signal has no ports"
            raise BadWire(problem, f"`{end.block}`", path=end.block, location=at)
        if (holder, end.block) in visited:
            circle = " -> ".join([*(name for _, name in visited), end.block])
            expected = "each named signal to come from a block's output"
            raise BadWire(f"signals that name one another in a cycle: {circle}", expected, location=at)
        visited.append((holder, end.block))
        at = holder.diagram.locations.get(end.block)
        scope, end = holder, holder.diagram.signals[end.block]
    node = scope.nodes[end.block]
    return node, pick(node, end.port, at, output=True)


def _visible(scope: Scope | None) -> list[str]:
    names: list[str] = []
    while scope is not None:
        names.extend(scope.diagram.signals)
        scope = scope.parent
    return names


def pick(
    node: Node, port: str | int | None, at: Location | None, *, output: bool, diagram: Diagram | None = None
) -> str:
    """The name of a port given by name or by position, or of the only port.

    Inputs that may stay unconnected do not count when no port is named. Raises UnknownPort, and DiagramError
    for one of several, which names inputs of a formula with the name of a parameter of the `diagram`.
    """
    ports = node.outputs if output else node.inputs
    if port is None:
        if len(ports) == 1:
            return ports[0].name
        needed = [p.name for p in ports if p.default is None]
        if len(needed) == 1:
            return needed[0]
        if ports:
            hint = coefficient_hint(node.block, _names(ports), diagram) if diagram is not None else ""
            kind, names = node.block.kind(), _names(ports)
            inside = node.path.rpartition("/")[2]
            raise DiagramError(
                f"{node.path}, {article(kind)}, has {len(names)} {_side(output)}s: {listed(names)}",
                hint,
                f"name one of them: `{inside}.{names[0]}` or `{inside}[0]`",
                path=node.path,
                location=at,
            )
    elif isinstance(port, int):
        if port < len(ports):
            return ports[port].name
    else:
        positions = node.positions.get(output)
        if positions is None:
            positions = node.positions[output] = {p.name: i for i, p in enumerate(ports)}
        if port in positions:
            return port
    raise UnknownPort(node.path, node.block.kind(), port, _side(output), _names(ports), location=at)


def _side(output: bool) -> str:
    return "output" if output else "input"


def _names(ports: tuple[Port, ...]) -> list[str]:
    return [port.name for port in ports]


class Tracer:
    """Traces signals back to the blocks that produce them."""

    def __init__(self, scopes: list[Scope]) -> None:
        gates = ((node, scope) for scope in scopes for node in scope.nodes.values() if node.gate)
        self.owners = {id(node): scope.owner for node, scope in gates if scope.owner is not None}
        self.origins: dict[tuple[int, str], Origin] = {}

    def origin(self, node: Node, port: str) -> Origin:
        """The origin of the signal on an output.

        Raises AlgebraicLoop if subsystem ports form a cycle without a block, and KeyError at an input
        that nothing drives.
        """
        passed: dict[tuple[int, str], str] = {}
        place: Location | None = None
        while node.gate or node.child is not None:
            key = (id(node), port)
            if key in self.origins:
                break
            if key in passed:
                circle = list(passed.values())[list(passed).index(key) :]
                raise AlgebraicLoop(circle, location=place)
            passed[key] = f"{node.path}.{port}"
            node, port, place = self.before(node, port)
        source = self.origins.get((id(node), port)) or (node.path, port)
        for key in passed:
            self.origins[key] = source
        return source

    def before(self, node: Node, port: str) -> tuple[Node, str, Location | None]:
        """One step back through a port of a subsystem."""
        if node.child is not None:
            inside = node.child.nodes[port]
            return inside.drivers["u"] if inside.gate else (inside, "y", None)
        if isinstance(node.block, Inport):
            return self.owners[id(node)].drivers[node.name]
        return node.drivers["u"]


def signal_origins(scopes: list[Scope], tracer: Tracer, errors: Errors) -> dict[str, Origin]:
    """The origins of signals that have another path than their block's: subsystem ports and named signals.

    After an error, signals that cannot be traced have an empty origin.
    """
    origins: dict[str, Origin] = {}
    for scope in scopes:
        for node in scope.nodes.values():
            if node.gate or node.child is not None:
                for port in node.outputs:
                    origins[f"{node.path}.{port.name}"] = origin(tracer, node, port.name, errors)
        for name, end in scope.diagram.signals.items():
            if not errors.gathered or not _is_spoilt(scope, end, errors, output=True):
                with errors:
                    at = scope.diagram.locations.get(name)
                    first, output = _signal(scope, End(name), at, errors)
                    origins[scope.prefixed(name)] = origin(tracer, first, output, errors)
                    continue
                errors.spoil(scope.diagram, name)
            origins[scope.prefixed(name)] = NOWHERE
    return origins


def origin(tracer: Tracer, node: Node, port: str, errors: Errors) -> Origin:
    """The origin of the signal on an output, or NOWHERE after an error."""
    try:
        return tracer.origin(node, port)
    except AlgebraicLoop as error:
        if all(not isinstance(e, AlgebraicLoop) or {*e.cycle} != {*error.cycle} for e in errors.gathered):
            errors.take(error)
    except KeyError:
        if not errors.gathered:
            raise
    return NOWHERE


def starred(end: End) -> tuple[str, str] | None:
    """The text before and after the star in the name of a port; None without a star."""
    if not isinstance(end.port, str) or end.port.count("*") != 1:
        return None
    before, _, behind = end.port.partition("*")
    return before, behind


def is_starred(wire: Wire) -> bool:
    """True for a wire that stands for several."""
    return starred(wire.source) is not None and starred(wire.destination) is not None


def single(wire: Wire, start: Node | None, end: Node | None) -> list[Wire] | None:
    """The wires between two nodes that a starred wire stands for; None for an ordinary wire."""
    outward, inward = starred(wire.source), starred(wire.destination)
    if outward is None or inward is None or start is None or end is None:
        return None
    inputs, wires = {port.name for port in end.inputs}, []
    for port in start.outputs:
        stem = port.name.removeprefix(outward[0]).removesuffix(outward[1])
        name = stem.join(inward)
        if stem.join(outward) == port.name and name in inputs:
            ends = End(wire.source.block, port.name), End(wire.destination.block, name)
            wires.append(Wire(*ends, wire.location))
    return wires


def without_pair(wire: Wire, start: Node, end: Node, at: Location | None) -> BadWire:
    """The error for a wire whose ends have no name in common."""
    outputs, inputs = (", ".join(port.name for port in ports) for ports in (start.outputs, end.inputs))
    return BadWire(
        f"`{wire}`: no output of {start.path} has the name of an input of {end.path}",
        f"one of {outputs or 'no outputs'}, and one of {inputs or 'no inputs'}",
        path=end.path,
        location=at,
    )
