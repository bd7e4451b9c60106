"""Wires: `a -> b.port -> [c, d[1]]` taken apart into ends."""

from __future__ import annotations

from ...base.location import Location
from ...base.yaml.positions import Node
from ..chain import port_in_chain
from ..wire import read_end
from .errors import YamlSyntaxError

Chain = list["str | list[str]"]
_FORM = "`a -> b`, `a.port -> b -> c[0]` or `a -> [b, c.port]`"


def wire_chain(text: str, at: Location) -> Chain:
    """The ends of a wire in order; a list where the last of them branches.

    Raises YamlSyntaxError for text without an arrow, and for an arrow that leads from or to nothing; BadWire
    for ends that cannot be read, and for a port in the middle.
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
    branches = [piece.strip() for piece in last[1:-1].split(",")] if last[0] + last[-1] == "[]" else []
    ends = [read_end(piece, at) for piece in pieces[: -1 if branches else None]]
    after = [read_end(piece, at) for piece in branches]
    for i, end in enumerate(ends[1 : None if after else -1], 1):
        if end.port is not None:
            raise port_in_chain(ends[i - 1], end, ends[i + 1 : i + 2] or after, "->", at)
    return [*pieces[:-1], branches] if branches else [*pieces]


def mapping_chain(node: Node) -> Chain:
    """The ends of a wire written `{from: a, to: [b, c]}`, whose keys and kinds are known to be right."""
    source, target = node.entries["from"].node, node.entries["to"].node
    if isinstance(target.value, list):
        return [str(source.value), [str(item.value) for item in target.value]]
    return [str(source.value), str(target.value)]
