"""Copying a diagram: the diagram as it is now, out of reach of later changes."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from .subsystem import Subsystem

if TYPE_CHECKING:
    from .diagram import Diagram


def copied(diagram: Diagram, copies: dict[int, Diagram] | None = None) -> Diagram:
    """A copy with the same blocks, which are immutable; the diagrams of its subsystems are copied too."""
    copies = {} if copies is None else copies
    if id(diagram) not in copies:
        duplicate = copies[id(diagram)] = copy(diagram)
        for name, value in vars(diagram).items():
            if isinstance(value, (dict, list)):
                setattr(duplicate, name, value.copy())
        for name, block in diagram.blocks.items():
            if isinstance(block, Subsystem):
                inner = duplicate._blocks[name] = copy(block)
                inner.diagram = copied(block.diagram, copies)
    return copies[id(diagram)]
