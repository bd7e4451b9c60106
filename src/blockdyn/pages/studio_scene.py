"""A diagram's text is read as far as it makes sense, and shown as blocks with places, ports and wires."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from ..base.errors import BlockdynError
from ..base.extras import remedy
from ..blocks.contract.block import Block
from ..blocks.contract.icon import Icon
from ..blocks.contract.pictures import icon_of
from ..blocks.contract.port import Port
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.diagram_error import DiagramError
from ..diagrams.model.routes import pick, single as single_wires
from ..diagrams.model.scope import Node, Scope
from ..diagrams.model.wire import End, Wire
from ..diagrams.yaml.build import build
from ..diagrams.yaml.editing import DiagramText
from ..diagrams.yaml.errors import YamlSyntaxError
from ..diagrams.yaml.source import Source
from ..diagrams.yaml.wiring import sound_block
from ..drawing.drawing import blame, paths_of
from ..drawing.facts import Fact, Facts, facts_of_program
from ..drawing.graph import PITCH, pitch_of, size_of
from ..drawing.layout import PartPlacement, lay_out
from ..drawing.marks import Point
from ..drawing.paint import block_group
from ..drawing.sketch import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Line,
    Part,
    Pin,
    Sketch,
    owner,
    port_labels,
    sketch,
    turned,
)  # fmt: skip
from ..drawing.svg import fragment

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..base.yaml.positions import Node as YamlNode
    from ..diagrams.compiler.program import Program

Message: TypeAlias = dict[str, Any]
_COLUMN, _ROW = 110.0, 80.0  # px from block to block without ELK
_GAP, _ASIDE = 16.0, 40.0  # px between blocks that are not laid out together: down, and across
_ROUND = 36.0  # px, of a circle with two inputs
_REMEMBERED = 200  # automatic places, and four for each block: undo brings a block back to its place
_FEW = 4  # blocks that are placed without ELK, which takes 0.1 s
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass
class Reading:
    """A text as a diagram: the part of it that makes sense, and the errors; `program` if it checks."""

    text: str
    diagram: Diagram | None
    errors: tuple[BlockdynError, ...] = ()
    error: BlockdynError | None = None
    program: Program | None = None
    root: YamlNode | None = None
    before: Reading | None = None  # of which only places of blocks were others

    @property
    def is_yaml(self) -> bool:
        """False for a text whose syntax is wrong."""
        return self.diagram is not None and not any(isinstance(e, YamlSyntaxError) for e in self.errors)


def read(
    text: str, source: Callable[[], Source], root: YamlNode | None = None, last: Reading | None = None
) -> Reading:
    """Read a text, and check the diagram; `root` is its document if that has been read before.

    Of the `last` reading everything stays if only places of blocks differ. Never raises for a mistake in the
    text.
    """
    if root is not None and last is not None and (moved := _moved(last, text, root)) is not None:
        return moved
    try:
        diagram = build(text, source(), root)
    except BlockdynError as error:
        return Reading(text, getattr(error, "diagram", None), tuple(error.errors), error)
    try:
        return Reading(text, diagram, program=diagram.compile(), root=root)
    except BlockdynError as error:
        return Reading(text, diagram, tuple(error.errors), error)


def _moved(last: Reading, text: str, root: YamlNode) -> Reading | None:
    """A diagram without errors of which only the places of blocks are others; None for another change."""
    before, diagram = last.root, last.diagram
    if before is None or diagram is None or last.program is None or "view" not in root.entries:
        return None
    others, view = root.entries.keys() - {"view"}, root.entries["view"].node
    if others != before.entries.keys() - {"view"} or any(
        root.entries[key].node is not before.entries[key].node for key in others
    ):
        return None
    places = {key: entry.node.plain() for key, entry in view.entries.items()}
    if not places.keys() <= diagram.blocks.keys() or not all(map(_is_corner, places.values())):
        return None
    if _looks(places) != _looks(diagram.positions):
        return None
    other = copy(diagram)
    other.positions, other.source = places, text
    last.before = None
    return Reading(text, other, program=last.program, root=root, before=last)


def _is_corner(place: Any) -> bool:
    if isinstance(place, dict):
        if not {"at"} <= place.keys() <= {"at", "flip", "rotate", "size"}:
            return False
        place = place["at"]
    numbers = isinstance(place, list) and all(type(value) in (int, float) for value in place)
    return numbers and len(place) == 2


def _looks(positions: Mapping[str, Any]) -> dict[str, Any]:
    """What entries of `view` give beyond corners."""
    return {
        name: {key: value for key, value in place.items() if key != "at"}
        for name, place in positions.items()
        if isinstance(place, Mapping)
    }


def describe_error(error: BlockdynError) -> Message:
    """The facts of an error for a page."""
    places = {name: getattr(error, name, None) for name in ("line", "column", "path", "port")}
    at = getattr(error, "location", None)
    message = str(error).removeprefix(f"{at}: ") if at is not None else str(error)
    blocks = list(paths_of(error)) if isinstance(error, DiagramError) else []
    return {"kind": type(error).__name__, "message": message, **places, "blocks": blocks}


@dataclass
class Canvas:
    """Places of blocks: the file's, and for the others automatic ones, which stay from scene to scene."""

    automatic: dict[str, Point] = field(default_factory=dict)
    _names: tuple[str, ...] = ()
    _heights: dict[str, float] = field(default_factory=dict)

    def places(self, drawn: Sketch, parts: Sequence[Part]) -> dict[str, Point]:
        """The corner of every block."""
        view = {name: read_point(place) for name, place in drawn.diagram.positions.items()}
        self._follow_names(tuple(part.name for part in parts))
        self._follow_heights({part.name: size_of(_shown(part))[1] for part in parts})
        names = [part.name for part in parts]
        missing = [name for name in names if name not in view and name not in self.automatic]
        if missing:
            present = self.automatic | view
            fixed = {name: present[name] for name in names if name in present}
            self.automatic |= self._place_missing(missing, fixed, drawn, parts)
            for name in [*self.automatic][: -_REMEMBERED - 4 * len(names)]:  # of blocks that are gone
                if name not in names:
                    del self.automatic[name]
        return {name: view.get(name) or self.automatic[name] for name in names}

    def _follow_names(self, names: tuple[str, ...]) -> None:
        """A block that has got another name stays in its place."""
        if len(names) == len(self._names):
            for old, new in zip(self._names, names, strict=True):
                if old != new and old not in names and old in self.automatic:
                    self.automatic[new] = self.automatic.pop(old)
        self._names = names

    def _follow_heights(self, heights: dict[str, float]) -> None:
        """The middle of a block whose height changes stays, and so does a straight wire to it."""
        for name, height in heights.items():
            if name in self.automatic and name in self._heights:
                x, y = self.automatic[name]
                self.automatic[name] = (x, y + (self._heights[name] - height) / 2)
        self._heights = heights

    @staticmethod
    def _place_missing(
        missing: Sequence[str], fixed: Mapping[str, Point], drawn: Sketch, parts: Sequence[Part]
    ) -> dict[str, Point]:
        """Places next to the blocks that have one, below what they would cover.

        A few blocks are put next to those they are wired with, many by ELK.
        """
        sizes = {part.name: size_of(_shown(part)) for part in parts}
        near = [name for name in fixed if name in sizes]
        taken = {name: (*fixed[name], *sizes[name]) for name in near}
        few = near and len(missing) <= max(_FEW, len(near) // 4)
        free = {} if few else free_layout(drawn, parts)
        shift = (
            [sum(fixed[n][k] - free[n][k] for n in near) / max(len(near), 1) for k in (0, 1)] if free else []
        )
        chosen: dict[str, Point] = {}
        for name in missing:
            x, y = (
                _next_to(name, taken, drawn) if few else (free[name][0] + shift[0], free[name][1] + shift[1])
            )
            x, y = round(x, 1), round(y, 1)  # ELK puts ports onto one line with halves
            while near and (low := _lower_edge(taken.values(), x, y, *sizes[name])) is not None:
                y = round(low + _GAP, 1)
            taken[name] = (x, y, *sizes[name])
            chosen[name] = (x, y)
        return chosen


def _next_to(name: str, taken: Mapping[str, Box], drawn: Sketch) -> Point:
    """The place to the right of the block that drives it, or to the left of one that it drives, or below."""
    for line in drawn.lines:
        source, target = (owner(key).rpartition("/")[2] for key in (line.source, line.target))
        if target == name and source in taken:
            x, y, width, _ = taken[source]
            return x + width + _ASIDE, y
        if source == name and target in taken:
            x, y, _, _ = taken[target]
            return x - _ASIDE - _ROW, y
    left = min(x for x, _, _, _ in taken.values())
    return left, max(y + height for _, y, _, height in taken.values()) + 2 * _GAP


def _lower_edge(taken: Iterable[Box], x: float, y: float, width: float, height: float) -> float | None:
    """The lower edge of a box that a new one would cover."""
    for left, top, wide, tall in taken:
        if left < x + width and x < left + wide and top < y + height and y < top + tall:
            return top + tall
    return None


def read_point(place: Any) -> Point:
    """The corner that an entry of `view` gives."""
    x, y = place["at"] if isinstance(place, Mapping) else place
    return float(x), float(y)


def free_layout(drawn: Sketch, parts: Sequence[Part]) -> dict[str, Point]:
    """Places by ELK as if the file had none; in rows where ELK is not installed.

    The inputs of circles stay at the left, as those of other shapes that have their labels outside.
    """
    if remedy("py_mini_racer"):
        across = max(1, round(len(parts) ** 0.5 * 1.5))
        return {part.name: (i % across * _COLUMN, i // across * _ROW) for i, part in enumerate(parts)}
    diagram = Diagram(drawn.diagram.name)
    copies = [
        Part(
            part.path, part.name, part.kind,
            replace(part.icon, shape="triangle") if part.icon.shape == "circle" else part.icon,
            [Pin(p.key, p.side, p.label) for p in part.pins], size=part.size,
        )
        for part in parts
    ]  # fmt: skip
    laid = lay_out(Sketch(diagram, copies, drawn.lines, drawn.scopes, []))
    return {placed.part.name: (placed.x, placed.y) for placed in laid.parts}


def size_of_block(text: DiagramText, name: str, entry: Mapping[str, Any]) -> Point:
    """The size that the block of a new entry has on the canvas; without a sound block the size of an icon."""
    probe = DiagramText(f"blockdyn: 1\nblocks: {{{name}: {{type: Gain}}}}\n", text.path)
    probe.set("blocks", name, to=entry)
    block = sound_block(probe, ("blocks", name), name)
    if not isinstance(block, Block):
        return 64.0, 44.0
    with suppress(BlockdynError):
        icon = icon_of(block)
        pins = [
            *_pins("", "<", block.input_ports(), icon.inputs, WEST),
            *_pins("", ">", block.output_ports(), icon.outputs, EAST),
        ]
        return size_of(Part("", name, block.kind(), _roomy(icon, pins), pins))
    return Icon().size


def _roomy(icon: Icon, pins: Sequence[Pin]) -> Icon:
    """An icon for a canvas, where both inputs of a circle are at one side."""
    if icon.shape == "circle" and sum(pin.side == WEST for pin in pins) == 2:
        return replace(icon, size=(_ROUND, _ROUND))
    return icon


class Scene:
    """A diagram of a reading, the outermost or a subsystem's at the path `level`: its sketch with all ports.

    Raises DrawingError if there is no such subsystem.
    """

    def __init__(self, reading: Reading, level: str = "", last: Scene | None = None) -> None:
        assert reading.diagram is not None
        self._icons: dict[str, tuple[Any, str]] = last._icons if last is not None else {}
        self.reading, self.level = reading, level
        errors = [error for error in reading.errors if isinstance(error, DiagramError)]
        met = errors if reading.diagram.unread else ()
        self.drawn = sketch(reading.diagram, met=met, inside=level)
        if isinstance(reading.error, DiagramError):
            blame(self.drawn, paths_of(reading.error))
        self.facts = (
            Facts(error=reading.error)
            if reading.program is None
            else facts_of_program(reading.program, units=True)
        )
        self.scope: Scope = self.drawn.scopes[0]
        self.parts = [self._with_all_ports(part) for part in self.drawn.parts if part.kind]

    def _with_all_ports(self, part: Part) -> Part:
        """A part with a pin at every port: wires can be led to all of them."""
        node = self.scope.nodes.get(part.name)
        pins = part.pins
        if node is not None:
            pins = [
                *_pins(node.path, "<", node.inputs, part.icon.inputs, WEST),
                *_pins(node.path, ">", node.outputs, part.icon.outputs, EAST),
            ]
        icon = _roomy(part.icon, pins)
        return replace(part, icon=icon, pins=pins, inside=[], open=False, pale=False)

    @cached_property
    def wires(self) -> list[Message]:
        """Every wire whose ends exist, with its ends as the file names them."""
        ports = {
            part.name: {
                side: [pin.key[len(part.path) + 1 :] for pin in part.pins if pin.side == side]
                for side in (WEST, EAST)
            }
            for part in self.parts
        }
        messages = []
        for declared in self.drawn.diagram.wires:
            for source, target in self._ends(declared.source, declared.destination):
                if source is None or target is None:
                    continue
                out, into = ports[source[0]][EAST], ports[target[0]][WEST]
                if source[1] in out and target[1] in into:
                    messages.append(
                        {
                            "source": str(declared.source), "destination": str(declared.destination),
                            "from": [source[0], out.index(source[1])],
                            "to": [target[0], into.index(target[1])],
                        }
                    )  # fmt: skip
        return messages

    def _ends(self, source: End, target: End) -> Iterator[tuple[tuple[str, str] | None, ...]]:
        """Blocks and ports of the wires that one stands for."""
        start, end = self.scope.nodes.get(source.block), self.scope.nodes.get(target.block)
        several = single_wires(Wire(source, target), start, end)
        pairs = [(source, target)] if several is None else [(w.source, w.destination) for w in several]
        for first, second in pairs:
            yield self._end(first, output=True), self._end(second, output=False)

    def _end(self, end: End, *, output: bool) -> tuple[str, str] | None:
        """The block and port of an end, which may be a named signal; None if there is no such port."""
        signals = self.drawn.diagram.signals
        if output and end.block not in self.drawn.diagram.blocks and end.block in signals:
            end = signals[end.block]
        node = self.scope.nodes.get(end.block)
        if node is None:
            lost = any(part.name == end.block for part in self.parts)
            return (end.block, "" if end.port is None else str(end.port)) if lost else None
        try:
            return node.name, pick(node, end.port, None, output=output)
        except BlockdynError:
            return None

    def moved(self, reading: Reading) -> Scene:
        """The scene of a reading that differs in places alone."""
        other = copy(self)
        other.reading = reading
        if not self.level and reading.diagram is not None:
            other.drawn = replace(self.drawn, diagram=reading.diagram)
        return other

    def message(self, places: Mapping[str, Point], last: Message | None = None) -> Message:
        """The scene as the page takes it; of the last one, if given, with other places."""
        if last is not None:
            at = [(block, places[block["name"]]) for block in last["blocks"]]
            return {**last, "blocks": [{**block, "x": x, "y": y} for block, (x, y) in at]}
        names = {part.name for part in self.parts}
        for name in self._icons.keys() - names:
            del self._icons[name]
        wired_in = {(wire["to"][0], wire["to"][1]) for wire in self.wires}
        wired_out = {(wire["from"][0], wire["from"][1]) for wire in self.wires}
        return {
            "blocks": [self._block(part, places[part.name], wired_in, wired_out) for part in self.parts],
            "wires": self.wires,
        }

    def _block(
        self, part: Part, at: Point, wired_in: set[tuple[str, int]], wired_out: set[tuple[str, int]]
    ) -> Message:
        shown = _shown(part)
        width, height = size_of(shown)
        node = self.scope.nodes.get(part.name)
        sides = {side: [pin for pin in part.pins if pin.side == side] for side in (WEST, EAST)}
        pins = _pin_places(shown, width, height)
        ends = [
            [
                self._port(node, part, pin, pins[pin.key], (part.name, i) in wired)
                for i, pin in enumerate(sides[side])
            ]
            for side, wired in ((WEST, wired_in), (EAST, wired_out))
        ]
        bare = replace(shown, name="")
        targets = {pin.key: Line("", pin.key, ("", "")) for pin in part.pins}  # the page marks open inputs
        placed = PartPlacement(bare, 0.0, 0.0, width, height, pins)
        signals = [self.facts.signals.get((part.path, pin.key[len(part.path) + 1 :])) for pin in part.pins]
        look = (
            None if node is None else node.block, part.kind, part.fault, width, height, part.icon, part.turn,
            [(pin.key, pin.side, pin.label) for pin in part.pins], signals, self.facts.blocks.get(part.path),
            self.facts.error is None,
        )  # fmt: skip
        last = self._icons.get(part.name)
        if last is None or last[0][0] is not look[0] or last[0][1:] != look[1:]:
            last = self._icons[part.name] = look, fragment(block_group(placed, self.facts, targets))
        return {
            "name": part.name, "type": part.kind, "label": part.icon.text.replace("\n", " "),
            "x": at[0], "y": at[1], "w": width, "h": height, "icon": last[1],
            "inputs": ends[0], "outputs": ends[1], "wrong": part.fault, "turn": part.turn,
            "holds": node is not None and node.child is not None,
        }  # fmt: skip

    def _port(self, node: Node | None, part: Part, pin: Pin, at: Point, wired: bool) -> Message:
        name = pin.key[len(part.path) + 1 :]
        unit, size = "", ""
        if node is not None:
            ports = node.inputs if pin.side == WEST else node.outputs
            port = next((port for port in ports if port.name == name), None)
            fact = self._fact(node, name, pin.side)
            fixed = None if port is None else port.fixed()
            unit = fact.unit or ("" if port is None else port.unit)
            size = fact.size or ("" if fixed is None or fixed.fields else "×".join(map(str, fixed.shape)))
            needed = port is not None and port.default is None
            wired = wired or (pin.side == WEST and name in node.drivers)  # by a signal from further out
        else:
            needed = False
        return {
            "name": name, "dx": at[0], "dy": at[1], "unit": unit, "size": size, "wired": wired,
            "needed": needed and pin.side == WEST,
        }  # fmt: skip

    def _fact(self, node: Node, name: str, side: str) -> Fact:
        """The facts of the signal at a port, at an input of its driver's."""
        key = (node.path, name)
        if side == WEST:
            driver = node.drivers.get(name)
            if driver is None:
                return Fact()
            key = (driver[0].path, driver[1])
        return self.facts.signals.get(key, Fact())


def _pins(path: str, sign: str, ports: Sequence[Port], labels: Any, side: str) -> Iterator[Pin]:
    shown = port_labels(labels, [port.name for port in ports])
    for port in ports:
        yield Pin(f"{path}{sign}{port.name}", side, shown.get(port.name, ""))


def _shown(part: Part) -> Part:
    """A part whose pins, inputs at the left, are on the sides where they are drawn."""
    return replace(part, pins=turned(part.pins, part.turn))


def _pin_places(part: Part, width: float, height: float) -> dict[str, Point]:
    """Places of pins in a box, in the middle of their sides."""
    places: dict[str, Point] = {}
    for side in (WEST, NORTH, EAST, SOUTH):
        keys = [pin.key for pin in part.pins if pin.side == side]
        pitch = pitch_of(part) if side in (NORTH, SOUTH) else PITCH
        for number, key in enumerate(keys):
            along = pitch * (number - (len(keys) - 1) / 2)
            places[key] = {
                WEST: (0.0, height / 2 + along), EAST: (width, height / 2 + along),
                NORTH: (width / 2 + along, 0.0), SOUTH: (width / 2 + along, height),
            }[side]  # fmt: skip
    return places
