"""Routes: which output drives each input, through subsystem ports and named signals."""

from __future__ import annotations

from ..base.location import Location
from ..blocks.port import Port
from ..blocks.routing.inport import Inport
from .errors import (
    AlgebraicLoop,
    AmbiguousPort,
    BadWire,
    DoublyDriven,
    MissingInput,
    UnknownBlock,
    UnknownPort,
)
from .scope import Node, Scope
from .wire import End

Origin = tuple[str, str]
"""Path and output port of a block."""


def connect(scope: Scope) -> None:
    """Enter every wire of a scope at the node that it drives.

    Raises UnknownBlock, UnknownPort, AmbiguousPort, DoublyDriven, BadWire.
    """
    for wire in scope.diagram.wires:
        at = wire.location
        node = scope.nodes.get(wire.destination.block)
        if node is None:
            name = wire.destination.block
            if name in scope.diagram.signals:
                found = f"a wire into `{name}`, a named signal"
                raise BadWire(found, "a block's input", path=name, location=at)
            raise UnknownBlock(name, list(scope.nodes), inside=scope.path, location=at)
        source, port = _source(scope, wire.source, at)
        if isinstance(node.block, Inport):
            expected = f"input `{node.name}` of the subsystem is wired in the diagram around it"
            raise BadWire(f"a wire into {node.path}, an Inport", expected, path=node.path, location=at)
        entry = pick(node, wire.destination.port, at, output=False)
        if entry in node.drivers:
            first, first_port, where = node.drivers[entry]
            sources = (f"{first.path}.{first_port}", f"{source.path}.{port}")
            raise DoublyDriven(node.path, entry, sources, first=where, location=at)
        node.drivers[entry] = (source, port, at)


def _source(scope: Scope, end: End, at: Location | None) -> tuple[Node, str]:
    """The node and output port that the beginning of a wire stands for."""
    if end.block in scope.nodes:
        node = scope.nodes[end.block]
        return node, pick(node, end.port, at, output=True)
    return _signal(scope, end, at)


def _signal(scope: Scope, end: End, at: Location | None) -> tuple[Node, str]:
    """The same for a named signal, of this diagram or of those around it."""
    seen: list[tuple[Scope, str]] = []
    while end.block not in scope.nodes:
        holder: Scope | None = scope
        while holder is not None and end.block not in holder.diagram.signals:
            holder = holder.parent
        if holder is None:
            known = [*scope.nodes, *_visible(scope)]
            raise UnknownBlock(end.block, known, inside=scope.path, location=at)
        if end.port is not None:
            found = f"`{end}`: a named signal has no ports"
            raise BadWire(found, f"`{end.block}`", path=end.block, location=at)
        if (holder, end.block) in seen:
            circle = " -> ".join([*(name for _, name in seen), end.block])
            expected = "each named signal to come from a block's output"
            raise BadWire(f"signals that name one another in a circle: {circle}", expected, location=at)
        seen.append((holder, end.block))
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


def pick(node: Node, port: str | int | None, at: Location | None, *, output: bool) -> str:
    """The name of the port that is asked for by name, by position, or by being the only one.

    Inputs that may stay open do not count when no port is named. Raises UnknownPort, AmbiguousPort.
    """
    ports = node.outputs if output else node.inputs
    if port is None:
        if len(ports) == 1:
            return ports[0].name
        needed = [p.name for p in ports if p.default is None]
        if len(needed) == 1:
            return needed[0]
        if ports:
            raise AmbiguousPort(node.path, node.block.kind(), _side(output), _names(ports), location=at)
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


def require_inputs(scopes: list[Scope]) -> None:
    """Raise MissingInput when an input without a default is open."""
    missing: list[tuple[Node, str]] = []
    for scope in scopes:
        for node in scope.nodes.values():
            if isinstance(node.block, Inport):
                if scope.owner is None:
                    missing.append((node, "u"))
            elif len(node.drivers) < len(node.inputs):
                open_ports = (p for p in node.inputs if p.name not in node.drivers and p.default is None)
                missing.extend((node, port.name) for port in open_ports)
    if not missing:
        return
    missing.sort(key=lambda item: item[0].path)
    node, port = missing[0]
    others = [f"{other.path}.{name}" for other, name in missing[1:]]
    hint = ""
    if isinstance(node.block, Inport):
        hint = "an Inport has a signal in a subsystem only: use this diagram as one, or put a source here"
    raise MissingInput(node.path, port, others, hint=hint, location=node.location)


class Tracer:
    """Follows signals back to the blocks that make them."""

    def __init__(self, scopes: list[Scope]) -> None:
        gates = ((node, scope) for scope in scopes for node in scope.nodes.values() if node.gate)
        self.owners = {id(node): scope.owner for node, scope in gates}
        self.known: dict[tuple[int, str], Origin] = {}

    def origin(self, node: Node, port: str) -> Origin:
        """Where the signal on an output comes from.

        Raises AlgebraicLoop when subsystem ports are wired in a circle that holds no block.
        """
        passed: dict[tuple[int, str], str] = {}
        place: Location | None = None
        while node.gate or node.child is not None:
            key = (id(node), port)
            if key in self.known:
                break
            if key in passed:
                circle = list(passed.values())[list(passed).index(key) :]
                raise AlgebraicLoop(circle, location=place)
            passed[key] = f"{node.path}.{port}"
            node, port, place = self.before(node, port)
        found = self.known.get((id(node), port)) or (node.path, port)
        for key in passed:
            self.known[key] = found
        return found

    def before(self, node: Node, port: str) -> tuple[Node, str, Location | None]:
        """One step back through a port of a subsystem."""
        if node.child is not None:
            return node.child.nodes[port].drivers["u"]
        if isinstance(node.block, Inport):
            owner = self.owners[id(node)]
            assert owner is not None
            return owner.drivers[node.name]
        return node.drivers["u"]


def signal_origins(scopes: list[Scope], tracer: Tracer) -> dict[str, Origin]:
    """The origins of signals that have another path than their block's: subsystem ports and named signals."""
    found: dict[str, Origin] = {}
    for scope in scopes:
        for node in scope.nodes.values():
            if node.gate or node.child is not None:
                for port in node.outputs:
                    found[f"{node.path}.{port.name}"] = tracer.origin(node, port.name)
        for name in scope.diagram.signals:
            at = scope.diagram.locations.get(name)
            found[scope.prefixed(name)] = tracer.origin(*_signal(scope, End(name), at))
    return found
