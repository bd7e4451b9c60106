"""A sketch holds the drawn parts of a diagram: blocks with pins, wires, subsystems open or folded.

Blocks that are missing because of an error are drawn with the wires that the diagram has for them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..base.errors import BlockdynError
from ..base.words import short
from ..blocks.contract.block import Block
from ..blocks.contract.icon import Icon
from ..blocks.contract.pictures import as_icon, icon_of
from ..blocks.routing.outport import Outport
from ..blocks.switching.condition import Condition
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.errors import DiagramError
from ..diagrams.model.gathered import Errors
from ..diagrams.model.routes import connect, pick
from ..diagrams.model.scope import Node, Scope, open_scopes
from ..diagrams.model.subsystem import Subsystem
from ..diagrams.model.wire import End
from .elk import DrawingError
from .marks import width_of

WEST, EAST, NORTH, SOUTH = "WEST", "EAST", "NORTH", "SOUTH"
_PLAIN = re.compile(r"(u\d*,)+|(y\d*,)+")  # names of ports that only repeat their position
HALF_TURN = 2  # quarters: left and right exchanged
OUTSIDE = ("circle", "bar", "bus", "triangle")  # shapes with their labels outside


@dataclass(slots=True)
class Pin:
    """An end of wires at a block: its key, its side, its label."""

    key: str
    side: str
    label: str = ""


@dataclass(slots=True)
class Part:
    """A drawn block; an open one contains others.

    `turn` counts quarter turns clockwise: 1 has the inputs at the top, 2 at the right, 3 at the bottom.
    `size` is the size that the file gives it, in px.
    """

    path: str
    name: str
    kind: str
    icon: Icon
    pins: list[Pin] = field(default_factory=list)
    inside: list[Part] = field(default_factory=list)
    open: bool = False
    fault: bool = False
    pale: bool = False
    turn: int = 0
    size: tuple[float, float] | None = None

    @property
    def name_beside(self) -> bool:
        """True if the name is next to the block because a wire comes from below."""
        return any(pin.side == SOUTH for pin in self.pins)


@dataclass(slots=True)
class Line:
    """A wire from pin to pin, and the signal that it carries: path and port of a block or subsystem."""

    source: str
    target: str
    signal: tuple[str, str]
    fault: bool = False
    pale: bool = False


@dataclass(slots=True)
class Sketch:
    """Drawn parts of a diagram, whose scope is the first; `faults` are the errors met, as reported."""

    diagram: Diagram
    parts: list[Part]
    lines: list[Line]
    scopes: list[Scope]
    faults: list[DiagramError]


def signal_at(key: str) -> tuple[str, str]:
    """The block and port for the key of an output's pin; for an input's pin the result is not a signal."""
    path, _, port = key.rpartition(">")
    return path, port


def tag_of(key: str, name: str, pin: Pin) -> Part:
    """A tag with the name of a signal: a part without a kind, whose text is not a formula."""
    return Part(key, "", "", Icon(name, shape="round", size=(width_of(name, 10.0) + 16, 20.0)), [pin])


def owner(key: str) -> str:
    """The path of the block that a pin belongs to, by its key."""
    return key[: max(key.rfind(">"), key.rfind("<"))]


def sketch(
    diagram: Diagram, *, open: bool | Collection[str] = False, strict: bool = True,
    met: Collection[DiagramError] = (), inside: str = "",
) -> Sketch:  # fmt: skip
    """The valid blocks and wires of a diagram, or of the subsystem at the path `inside`.

    `open` are the paths of subsystems that are drawn with their content, or True for all; errors
    `met` before have left blocks out of the diagram. Raises DrawingError for a path that is not a subsystem,
    unless `strict` is false, and DiagramError for one that is too large.
    """
    errors = Errors()
    errors.gathered.extend(met)
    scopes: list[Scope] = []
    try:
        scopes = open_scopes(diagram, None, None, errors)
        for scope in scopes:
            errors.spoil(scope.diagram, *scope.diagram.unread)
            connect(scope, errors)
    except DiagramError:
        if not errors.gathered or not scopes:
            raise
    if not isinstance(open, (bool, str)) and not (
        isinstance(open, (list, tuple, set, frozenset)) and all(isinstance(path, str) for path in open)
    ):
        raise DrawingError(f"open is {short(open)}\nexpected: true, false, or paths of subsystems")
    top = next((scope for scope in scopes if scope.path == inside), None)
    if top is None:
        raise DrawingError(f"`{inside}` is not a subsystem that can be opened\nexpected: the path of one")
    inner = [node.path for scope in scopes for node in scope.nodes.values() if node.child is not None]
    paths = (
        inner if open is True else [] if open is False else [open] if isinstance(open, str) else list(open)
    )
    for path in paths:
        if path not in inner and strict:
            listed = ", ".join(f"`{each}`" for each in inner) or "a subsystem, but this diagram has none"
            raise DrawingError(f"`{path}` is not a subsystem that can be opened\nexpected: {listed}")
    shown = set(paths)
    for path in paths:  # and the levels around it
        while "/" in path:
            path = path.rpartition("/")[0]
            shown.add(path)
    drawn = Sketch(
        top.diagram, [], [], [top, *(each for each in scopes if each is not top)], list(errors.gathered)
    )
    drawn.parts = _parts(top, shown, drawn)
    return drawn


def _parts(scope: Scope, shown: Collection[str], drawn: Sketch) -> list[Part]:
    wired = {f"{source.path}>{port}" for node in _readers(scope) for source, port, _ in node.drivers.values()}
    lost = lost_of(scope)
    for source, target in wires_of(scope, lost) if lost else ():
        wired |= {source, target}
        drawn.lines.append(Line(source, target, signal_at(source)))
    faulty, outermost = {error.path for error in drawn.faults}, scope is drawn.scopes[0]
    parts = []
    for name, kind in lost.items():
        path = scope.prefixed(name)
        parts.append(Part(path, name, kind, Icon(kind), _pins_of_lost(path, wired), fault=True))
    for name, block in scope.diagram.blocks.items():
        node = scope.nodes.get(name)
        path = scope.prefixed(name)
        if node is None:
            continue
        if not outermost and (node.gate or isinstance(block, (Condition, Outport))):
            continue
        part = Part(path, name, block.kind(), _icon(node), fault=path in faulty)
        part.pins = [*_inputs(node, part.icon), *_outputs(node, part.icon, wired)]
        if node.child is not None and path in shown:
            part.open = True
            part.inside = _parts(node.child, shown, drawn)
        else:
            place = scope.diagram.positions.get(name)
            part.turn, part.size = turn_of(place), box_of(place)
            part.pins = turned(part.pins, part.turn)
        parts.append(part)
    for node in scope.nodes.values():
        if not node.gate or scope.owner is not None:
            parts += _wires(node, scope, drawn)
    return parts


def turn_of(place: Any) -> int:
    """The quarter turns clockwise by which an entry of `view` turns the ports of its block; a flip is two."""
    if not isinstance(place, Mapping):
        return 0
    degrees = place.get("rotate", 0)
    quarters = degrees // 90 if degrees in (90, 180, 270) else 0
    return (quarters + 2 * (place.get("flip") is True)) % 4


def box_of(place: Any) -> tuple[float, float] | None:
    """Width and height of a block in an entry of `view`."""
    size = place.get("size") if isinstance(place, Mapping) else None
    if not isinstance(size, (list, tuple)) or len(size) != 2:
        return None
    return float(size[0]), float(size[1])


def turned(pins: Collection[Pin], turn: int) -> list[Pin]:
    """Pins on the sides after some quarter turns clockwise; after two, pins at the top stay there."""
    sides = (WEST, NORTH, EAST, SOUTH)
    fixed = (NORTH, SOUTH) if turn == HALF_TURN else ()
    return [
        Pin(
            pin.key,
            pin.side if pin.side in fixed else sides[(sides.index(pin.side) + turn) % len(sides)],
            pin.label,
        )
        for pin in pins
    ]


def _readers(scope: Scope) -> Iterator[Node]:
    """Targets of wires in this scope, and deeper: named signals reach into subsystems."""
    for node in scope.nodes.values():
        yield node
        if node.child is not None:
            yield from _readers(node.child)


def _wires(node: Node, scope: Scope, drawn: Sketch) -> list[Part]:
    """Add the wires into a node, and return the tags for signals from enclosing scopes."""
    tags = []
    for port, (source, output, _) in node.drivers.items():
        inner = scope.owner is not None and scope is not drawn.scopes[0]
        if inner and scope.owner is not None and isinstance(node.block, Outport):
            target = f"{scope.owner.path}>{node.name}"  # seen from inside, the output of the subsystem
        else:
            target = f"{node.path}<{port}"
        if source.path.rpartition("/")[0] != scope.path:
            key = f"{node.path}<{port}<"
            tag = _name_of(scope, source, output)
            tags.append(tag_of(key, tag, Pin(f"{key}>", EAST)))
            drawn.lines.append(Line(f"{key}>", target, (source.path, output)))
            continue
        key = f"{source.path}>{output}"
        if source.gate and inner and scope.owner is not None:
            key = f"{scope.owner.path}<{source.name}"
        drawn.lines.append(Line(key, target, (source.path, output)))
    return tags


def _name_of(scope: Scope, source: Node, output: str) -> str:
    """The name of a signal of an enclosing diagram."""
    outer = scope.parent
    while outer is not None:
        for name, end in outer.diagram.signals.items():
            if end.block == source.name and end.port in (output, None):
                return name
        outer = outer.parent
    return f"{source.path}.{output}"


def _icon(node: Node) -> Icon:
    try:
        if isinstance(node.block, Subsystem):
            diagram = node.block.diagram
            return as_icon(diagram.icon, "") if diagram.icon else Icon(size=(64.0, 44.0))
        assert isinstance(node.block, Block)
        return icon_of(node.block)
    except BlockdynError:
        return Icon(node.block.kind())


def _inputs(node: Node, icon: Icon) -> list[Pin]:
    """The inputs that are wired or required; for a subsystem its conditions at the top."""
    conditions = set() if node.child is None else {
        name for name, each in node.child.diagram.blocks.items() if isinstance(each, Condition)
    }  # fmt: skip
    ports = [port for port in node.inputs if port.name in node.drivers or port.default is None]
    plain = [port.name for port in node.inputs if port.name not in conditions]
    labels = port_labels(icon.inputs, plain)
    return [
        Pin(f"{node.path}<{port.name}", NORTH if port.name in conditions else WEST, labels.get(port.name, ""))
        for port in ports
    ]


def _outputs(node: Node, icon: Icon, wired: Collection[str]) -> list[Pin]:
    """The wired outputs, or all outputs if none is wired."""
    names = [port.name for port in node.outputs]
    used = [name for name in names if f"{node.path}>{name}" in wired]
    if node.child is not None:
        used = names
    labels = port_labels(icon.outputs, names)
    return [Pin(f"{node.path}>{name}", EAST, labels.get(name, "")) for name in used]


def _pins_of_lost(path: str, wired: Collection[str]) -> list[Pin]:
    """The ports of an unknown block, as its wires name them."""
    pins = []
    for sign, side in (("<", WEST), (">", EAST)):
        names = sorted(key[len(path) + 1 :] for key in wired if key.startswith(f"{path}{sign}"))
        pins += [Pin(f"{path}{sign}{name}", side, name) for name in names]
    return pins


def port_labels(declared: Any, names: list[str]) -> dict[str, str]:
    """Labels of ports: from the icon, or their names if there are several."""
    if declared is not None:
        return dict(zip(names, declared, strict=False))
    if len(names) < 2 or _PLAIN.fullmatch("".join(f"{name}," for name in names)):
        return {}
    return {name: name for name in names}


def lost_of(scope: Scope) -> dict[str, str]:
    """The names of a scope's blocks that could not be read or opened, with their kinds."""
    declared = {name: block.kind() for name, block in scope.diagram.blocks.items()}
    return {name: kind for name, kind in (scope.diagram.unread | declared).items() if name not in scope.nodes}


def wires_of(scope: Scope, lost: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The wires to and from these blocks, from pin to pin; without wires whose other end is missing."""
    for wire in scope.diagram.wires:
        if {wire.source.block, wire.destination.block} & lost.keys():
            source = _pin(scope, wire.source, lost, output=True)
            target = _pin(scope, wire.destination, lost, output=False)
            if source and target:
                yield source, target


def _pin(scope: Scope, end: End, lost: Mapping[str, str], *, output: bool) -> str:
    side = ">" if output else "<"
    if end.block in lost:
        return f"{scope.prefixed(end.block)}{side}{'' if end.port is None else end.port}"
    node = scope.nodes.get(end.block)
    if node is None:
        return ""
    try:
        return f"{node.path}{side}{pick(node, end.port, None, output=output)}"
    except BlockdynError:
        return ""
