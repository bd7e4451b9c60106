"""Reasons: why a scenario failed, in words."""

from __future__ import annotations

from ...base.errors import BlockdynError

REFUSALS = (BlockdynError, ValueError, TypeError, ArithmeticError, LookupError)
"""How a diagram refuses numbers; all but the first come from a user's own block."""


def reason_of(error: BaseException) -> str:
    """An error's message without the place in the file, which is that of one machine and of all scenarios."""
    if not isinstance(error, BlockdynError):
        return f"{type(error).__name__}: {error}"
    at = getattr(error, "location", None)
    return str(error).removeprefix(f"{at}: ") if at else str(error)
