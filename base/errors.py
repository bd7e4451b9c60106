"""The root of everything blockdyn raises on purpose."""

from __future__ import annotations

from typing import Any


class BlockdynError(Exception):
    """Base of every blockdyn exception: its message says the place, what is wrong and what to do.

    `partial` holds the result up to the failure, where a run had begun.
    """

    partial: Any = None

    def _render_traceback_(self) -> list[str]:
        """What IPython and notebooks show instead of every frame on the way."""
        from .short_traceback import short_traceback

        return short_traceback(self)
