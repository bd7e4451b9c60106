"""Copying a diagram: the diagram as it is now, out of reach of later changes."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from .subsystem import Subsystem

if TYPE_CHECKING:
    from .diagram import Diagram


def copied(diagram: Diagram, made: dict[int, Diagram] | None = None) -> Diagram:
    """A copy with the same blocks, which are immutable; the diagrams of its subsystems are copied too."""
    made = {} if made is None else made
    if id(diagram) not in made:
        duplicate = made[id(diagram)] = copy(diagram)
        for name, value in vars(diagram).items():
            if isinstance(value, (dict, list)):
                setattr(duplicate, name, value.copy())
        for name, block in diagram.blocks.items():
            if isinstance(block, Subsystem):
                inner = duplicate._blocks[name] = copy(block)
                inner.diagram = copied(block.diagram, made)
    return made[id(diagram)]
