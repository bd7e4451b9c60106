"""Copying a diagram: the diagram as it is now, out of reach of later changes."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

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
        duplicate._simulation = _setting(diagram._simulation)
        for name, block in diagram.blocks.items():
            if isinstance(block, Subsystem):
                inner = duplicate._blocks[name] = copy(block)
                inner.diagram = copied(block.diagram, copies)
    return copies[id(diagram)]


def _setting(value: Any) -> Any:
    """A setting of a run, with copies of the lists, mappings and arrays in it."""
    if type(value) is dict:
        return {name: _setting(each) for name, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_setting, value))
    return value.copy() if isinstance(value, np.ndarray) else value
