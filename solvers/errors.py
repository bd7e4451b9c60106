"""The root of everything blockdyn raises on purpose."""

from __future__ import annotations


class BlockdynError(Exception):
    """Base of every blockdyn exception: its message says the place, what is wrong and what to do."""
