"""Split wires such as `a -> b.port -> [c, d[1]]` into ends."""

from __future__ import annotations

from typing import Any

from ...base.location import Location
from ...base.yaml.positions import Node
from ..model.chain import FORMS
from ..model.gathered import Errors
from .check import check
from .document import WIRE
from .errors import YamlError, YamlSyntaxError

Chain = list["str | list[str]"]


def wire_chain(text: str, at: Location) -> Chain:
    """The ends of a wire in order; a list where the last of them branches.

    Raises YamlSyntaxError for text without an arrow, and for an arrow that leads from or to nothing.
    """
    pieces = [piece.strip() for piece in text.split("->")]
    if len(pieces) < 2:
        raise YamlSyntaxError(f"the wire `{text[:80]}`", FORMS["->"], key="wires", location=at)
    empty = [i for i, piece in enumerate(pieces) if not piece]
    if empty:
        side = "before" if empty[0] == 0 else "after"
        problem = f"the wire `{text[:80]}` has no end {side} an arrow"
        raise YamlSyntaxError(problem, FORMS["->"], key="wires", location=at)
    return [_branches(piece) or piece for piece in pieces]


def _branches(piece: str) -> list[str]:
    """The ends that a list in brackets names; none for anything else."""
    return [end.strip() for end in piece[1:-1].split(",")] if piece[0] + piece[-1] == "[]" else []


def mapping_chain(node: Node) -> Chain:
    """The ends of a wire written `{from: a, to: [b, c]}`, whose keys and kinds are known to be right."""
    source, target = node.entries["from"].node, node.entries["to"].node
    if isinstance(target.value, list):
        return [str(source.value), [str(item.value) for item in target.value]]
    return [str(source.value), str(target.value)]


def chain_of(node: Node) -> list[Any]:
    """The ends of a wire, which is text or a mapping. Raises YamlError."""
    if isinstance(node.value, str):
        return list(wire_chain(node.value, node.at))
    if not isinstance(node.value, dict):
        raise YamlError(
            f"{node.describe()} as a wire", "text such as `a -> b`", key="wires", location=node.at
        )
    check(node, WIRE, "a wire", gathered := Errors())
    gathered.finish()
    return list(mapping_chain(node))
