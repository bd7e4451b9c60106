"""Blocks that an error leaves out of a diagram are drawn with the wires that it has for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.errors import BlockdynError
from ..diagrams.model.routes import pick
from ..diagrams.model.scope import Scope
from ..diagrams.model.wire import End


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
