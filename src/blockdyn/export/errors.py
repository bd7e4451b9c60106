"""Errors of exports name every block that cannot leave Python, and the reason."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import BlockdynError

EXPECTED = "blocks whose functions are compiled, and a method of explicit steps, such as dopri5"


class ExportError(BlockdynError, ValueError):
    """A diagram that cannot leave Python as it is.

    obstacles   (path, reason) for each block, or for a setting of the run
    """

    def __init__(self, name: str, obstacles: Sequence[tuple[str, str]], expected: str = EXPECTED) -> None:
        self.obstacles = tuple(obstacles)
        lines = "\n".join(f"  {path}: {reason}" for path, reason in obstacles)
        super().__init__(f"{name or 'the diagram'} cannot be exported:\n{lines}\nexpected: {expected}")
