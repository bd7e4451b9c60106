"""Bound the depth of nested subsystems and the number of their blocks."""

from __future__ import annotations

from ...base.location import Location
from .diagram import Diagram
from .each import each_of
from .errors import DiagramError, contains_itself, nested_too_deep
from .subsystem import Subsystem

DEEPEST = 100
LARGEST = 100_000


def measure(diagram: Diagram) -> None:
    """Raise when a diagram contains itself, or is too deep or too large once opened."""
    done: dict[int, tuple[int, int]] = {}  # blocks inside, levels inside
    trail: list[tuple[Diagram, str]] = []

    def visit(inner: Diagram, name: str, at: Location | None) -> tuple[int, int]:
        extent = done.get(id(inner), (0, 0))
        if len(trail) + extent[1] > DEEPEST:
            raise nested_too_deep("/".join([*(n for _, n in trail[1:]), name]), DEEPEST, location=at)
        if extent[0]:
            return extent
        around = [outer for outer, _ in trail]
        if any(outer is inner for outer in around):
            raise contains_itself([diagram.name, *(n for _, n in trail[1:]), name], location=at)
        trail.append((inner, name))
        count, depth = 1, 0
        for key, block in inner.blocks.items():
            count += 1
            if isinstance(block, Subsystem):
                blocks, levels = visit(block.diagram, key, inner.locations.get(key))
                each = each_of(block.diagram)
                count += blocks if each is None else blocks * int(each[1].count)
                depth = max(depth, levels + 1 if each is None else levels + 2)
        trail.pop()
        done[id(inner)] = (count, depth)
        return count, depth

    blocks, _ = visit(diagram, "", None)
    if blocks > LARGEST:
        raise DiagramError(
            f"with all subsystems opened the diagram holds {blocks} blocks; at most {LARGEST} are accepted",
            "subsystems that hold one another several times multiply: use vector signals instead of copies",
        )
