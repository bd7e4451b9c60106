"""The root of everything blockdyn raises on purpose."""

from __future__ import annotations

from typing import Any


class BlockdynError(Exception):
    """Base of every blockdyn exception: its message says the place, what is wrong and what to do.

    `partial` holds the result up to the failure, where a run had begun.
    """

    partial: Any = None
