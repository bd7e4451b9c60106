"""The error for a name that blockdyn does not have."""

from __future__ import annotations

from collections.abc import Collection

from . import robots
from .base.hints import words
from .blocks.contract.synonyms import block_hint
from .diagrams.model.diagram import Diagram
from .robots.toolbox import hint


def unknown_name(name: str, names: Collection[str]) -> AttributeError:
    """The error with the equivalent of a foreign name, the method of a diagram, or the nearest block."""
    text = f"module 'blockdyn' has no attribute {name!r}{hint(name)}"
    place = words("blockdyn").get(name, "")
    if not place and name in dir(robots):
        place = f"`blockdyn.robots.{name}`"
    if not place and name in dir(Diagram):
        place = f"`diagram.{name}(...)`, of a Diagram"
    return AttributeError(text + (f"\nuse {place}" if place else block_hint(name, names)), name=name)
