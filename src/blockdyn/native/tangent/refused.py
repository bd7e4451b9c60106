"""What is not differentiated, by name: code, and runs at an instant."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.errors import BlockdynError

SMOOTH = "numbers with which the result changes smoothly"
CODE = (
    "the arithmetic and the functions of `math`; what Python runs (`compiled=False` of a block of your own)"
    " is differentiated by differences"
)


class NotDifferentiable(BlockdynError):
    """What has no derivative: `reason` says why, `paths` which blocks it concerns, where that is known."""

    def __init__(self, reason: str, paths: Sequence[str] = (), expected: str = SMOOTH) -> None:
        self.reason, self.paths = reason, tuple(paths)
        places = f"{', '.join(paths)}: " if paths else ""
        super().__init__(f"{places}it has no derivative here, because of {reason}\nexpected: {expected}")
