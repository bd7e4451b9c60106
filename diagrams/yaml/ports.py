"""Ports: whether the ends of a new wire are there, as far as the text of the diagram tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...blocks.contract.block import Block
from ..model.errors import DiagramError, UnknownBlock, UnknownPort
from ..model.gathered import Errors
from ..model.scope import open_scopes
from ..model.section import Steps
from ..model.subsystem import Subsystem
from ..model.wire import End
from .build import declared_block, part_of_diagram
from .source import TEXT, Source

if TYPE_CHECKING:
    from .editing import DiagramText


def check_end(text: DiagramText, inside: str, end: End, *, output: bool) -> None:
    """Raise UnknownBlock or UnknownPort for the end of a wire in a diagram that cannot be there.

    A block that is not sound may have any port.
    """
    blocks = (*text.level(inside), "blocks")
    node = text.part((*blocks, end.block))
    if node is None:
        signals = _signals(text, blocks[:-1]) if output else []
        if end.block in signals:
            return
        section = text.part(blocks)
        candidates = [*(section.entries if section is not None else ()), *signals]
        raise UnknownBlock(end.block, candidates, inside=inside, location=(section or text.root).at)
    path = f"{inside}/{end.block}" if inside else end.block
    block = _sound_block(text, (*blocks, end.block), path)
    if block is None:
        return
    names = [port.name for port in (block.output_ports() if output else block.input_ports())]
    if end.port in names or (names and end.port is None) or "*" in str(end.port):
        return
    if not isinstance(end.port, int) or end.port >= len(names):
        side = "output" if output else "input"
        raise UnknownPort(path, block.kind(), end.port, side, names, location=node.at)


def _signals(text: DiagramText, level: Steps) -> list[str]:
    """The named signals of a diagram and of those around it."""
    places = [level[:i] for i in range(0, len(level) + 1, 3)]  # each level is `blocks`, a name, `diagram`
    sections = [text.part((*place, "signals")) for place in reversed(places)]
    return [name for section in sections if section is not None for name in section.entries]


def _sound_block(text: DiagramText, steps: Steps, path: str) -> Block | Subsystem | None:
    """The block that stands at some steps, with numbers for its expressions, if it is sound."""
    source = _source(text)
    try:
        block = declared_block(text.node(*steps), path, source)
    except DiagramError:
        return None
    if source.errors.gathered:
        return None
    return _evaluated(text, path) if isinstance(block, Block) and block.open_parameters() else block


def _evaluated(text: DiagramText, path: str) -> Block | Subsystem | None:
    """A block with the numbers that the parameters of its diagram give it; None where they do not."""
    source = _source(text)
    try:
        diagram = part_of_diagram(text.text, source)
        scopes = [] if diagram is None else open_scopes(diagram, None, None, Errors())
    except DiagramError:
        return None
    nodes = (node for scope in scopes for node in scope.nodes.values() if node.path == path)
    return next((node.block for node in nodes), None)


def _source(text: DiagramText) -> Source:
    return Source(TEXT) if text.path is None else Source.of_file(text.path, False)
