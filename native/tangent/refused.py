"""What the pass does not differentiate, by name."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.errors import BlockdynError


class NotDifferentiable(BlockdynError):
    """Code without a tangent: `reason` says which, `paths` which blocks run it, where that is known."""

    def __init__(self, reason: str, paths: Sequence[str] = ()) -> None:
        self.reason, self.paths = reason, tuple(paths)
        places = f"{', '.join(paths)}: " if paths else ""
        super().__init__(
            f"{places}it has no derivative here, because of {reason}\n"
            "expected: the arithmetic and the functions of `math`; what Python runs (`compiled=False` of a"
            " block of your own) is differentiated by differences"
        )
