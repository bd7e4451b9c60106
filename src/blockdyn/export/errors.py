"""Errors of exports name every block that cannot leave Python, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..base.errors import BlockdynError

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program

EXPECTED = "blocks whose functions are compiled, and any method but bdf or one of your own in Python"


class ExportError(BlockdynError, ValueError):
    """A diagram that cannot be exported in its present form.

    obstacles   (path, reason) for each block, or for a setting of the run
    """

    def __init__(self, name: str, obstacles: Sequence[tuple[str, str]], expected: str = EXPECTED) -> None:
        self.obstacles = tuple(obstacles)
        lines = "\n".join(f"  {path}: {reason}" for path, reason in obstacles)
        super().__init__(f"{name or 'the diagram'} cannot be exported:\n{lines}\nexpected: {expected}")


def obstacles_of(program: Program) -> list[tuple[str, str]]:
    """The blocks of a program whose functions need Python, by path with the reason."""
    obstacles = [*program.callbacks.reasons.items()]
    obstacles += [(unit.path, "memory of its own (Instance)") for unit in program.plan.owned]
    kernels, users = program.text.kernels, program.text.users
    allocating = {path for symbol, kernel in kernels.items() if kernel.runtime for path in users[symbol]}
    reason = "a function that allocates memory; let it return numbers instead of arrays"
    return [*obstacles, *((path, reason) for path in sorted(allocating))]
