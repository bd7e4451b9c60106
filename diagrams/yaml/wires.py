"""Wires: `a -> b.port -> [c, d[1]]` taken apart into ends."""

from __future__ import annotations

from ..location import Location
from .errors import YamlSyntaxError
from .positions import Node

Chain = list["str | list[str]"]
_FORM = "`a -> b`, `a.port -> b[0] -> c` or `a -> [b, c.port]`"


def wire_chain(text: str, at: Location) -> Chain:
    """The ends of a wire in order; a list where the last of them branches.

    Raises YamlSyntaxError for text without an arrow, and for an arrow that leads from or to nothing.
    """
    pieces = [piece.strip() for piece in text.split("->")]
    if len(pieces) < 2:
        raise YamlSyntaxError(f"the wire `{text[:80]}`", _FORM, key="wires", location=at)
    empty = [i for i, piece in enumerate(pieces) if not piece]
    if empty:
        side = "before" if empty[0] == 0 else "after"
        found = f"the wire `{text[:80]}` has no end {side} an arrow"
        raise YamlSyntaxError(found, _FORM, key="wires", location=at)
    last = pieces[-1]
    if last.startswith("[") and last.endswith("]"):
        return [*pieces[:-1], [piece.strip() for piece in last[1:-1].split(",")]]
    return [*pieces]


def mapping_chain(node: Node) -> Chain:
    """The ends of a wire written `{from: a, to: [b, c]}`, whose keys and kinds are known to be right."""
    source, target = node.entries["from"].node, node.entries["to"].node
    if isinstance(target.value, list):
        return [str(source.value), [str(item.value) for item in target.value]]
    return [str(source.value), str(target.value)]
