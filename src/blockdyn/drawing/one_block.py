"""One block is drawn by itself, with the names of its inputs and outputs."""

from __future__ import annotations

from ..blocks.contract.block import Block
from ..diagrams.model.diagram import Diagram
from .drawing import Drawing
from .facts import Facts
from .layout import lay_out
from .paint import paint
from .sketch import EAST, NORTH, SOUTH, WEST, Line, Part, Pin, Sketch, sketch, tag_of


def draw_block(block: Block) -> Drawing:
    """A block with its inputs and outputs, each at a tag with its name.

    Raises DrawingError.
    """
    diagram = Diagram(block.kind())
    diagram.add(block.kind(), block)
    drawn = sketch(diagram)
    drawn.faults = []
    part = drawn.parts[0]
    part.name = ""
    keys = {pin.key for pin in part.pins}
    ends = [(f"{part.path}<{port.name}", WEST) for port in block.input_ports()]
    ends += [(f"{part.path}>{port.name}", EAST) for port in block.output_ports()]
    part.pins += [Pin(key, side) for key, side in ends if key not in keys]
    for pin in list(part.pins):
        _tag(drawn, part, pin)
    return Drawing(paint(drawn, lay_out(drawn), Facts()))


def _tag(drawn: Sketch, part: Part, pin: Pin) -> None:
    """A tag with the name of a port, wired with it; the name need not stand at the pin as well."""
    name = pin.key[len(part.path) + 1 :]
    if pin.label == name:
        pin.label = ""
    inward = pin.side in (WEST, NORTH, SOUTH)
    key = f"{pin.key}#"
    end = f"{key}>" if inward else f"{key}<"
    drawn.parts.append(tag_of(key, name, Pin(end, EAST if inward else WEST)))
    source, target = (end, pin.key) if inward else (pin.key, end)
    drawn.lines.append(Line(source, target, (part.path, name)))
