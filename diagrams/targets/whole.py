"""Whole parameters: paths that the compiler takes as they are, with nothing opened or imported for them."""

from __future__ import annotations

from ..model.diagram import Diagram
from ..model.subsystem import Subsystem


def names_parameter(diagram: Diagram, path: str) -> bool:
    """Whether a path is that of a diagram's parameter or, whole, of one of a block or subsystem."""
    owner, dot, name = path.rpartition(".")
    if not dot:
        return path in diagram.parameters
    *outer, last = owner.split("/")
    for part in outer:
        inner = diagram.blocks.get(part)
        if not isinstance(inner, Subsystem):
            return False
        diagram = inner.diagram
    block = diagram.blocks.get(last)
    if isinstance(block, Subsystem):
        return name in block.diagram.parameters
    return block is not None and name in block.rules()
