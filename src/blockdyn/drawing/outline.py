"""A diagram is shown as tables of its parameters, blocks and wires, for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.extras import remedy
from ..base.shown import lines, page, table
from ..blocks.contract.block import Block
from ..diagrams.model.diagram_error import DiagramError
from .drawing import DrawingError, draw

if TYPE_CHECKING:
    from ..diagrams.model.diagram import Diagram

_MOST_ROWS = 100
_LONGEST = 120
_MOST_DRAWN = 200


def html(diagram: Diagram) -> str:
    """The diagram in a line, and its content; of many blocks and wires the first."""
    parameters = [(name, _short(value)) for name, value in diagram.parameters.items()]
    blocks = [(name, *_describe_block(block)) for name, block in diagram.blocks.items()]
    wires = [(str(wire.source), str(wire.destination)) for wire in diagram.wires]
    tables = (
        (("parameter", "value"), parameters),
        (("block", "type", "parameters"), blocks),
        (("from", "to"), wires),
    )
    parts = []
    for header, rows in tables:
        hidden = len(rows) - _MOST_ROWS
        more = [f"and {hidden} more"] if hidden > 0 else []
        parts.append(table(header, rows[:_MOST_ROWS]) + lines(more))
    return page(repr(diagram).strip("<>"), _picture(diagram), *parts)


def _picture(diagram: Diagram) -> str:
    """The diagram drawn; nothing where it cannot be, or is too large to be read."""
    if remedy("py_mini_racer") or not 0 < len(diagram.blocks) <= _MOST_DRAWN:
        return ""
    try:
        return f'<div style="overflow-x:auto">{draw(diagram).svg}</div>'
    except (DiagramError, DrawingError):
        return ""


def _describe_block(block: object) -> tuple[str, str]:
    if isinstance(block, Block):
        inside = repr(block).partition("(")[2].removesuffix(")")
        return block.kind(), _short(inside)
    return "Subsystem", _short(block)


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
