"""What can be wrong with a live run."""

from __future__ import annotations

from ...base.errors import BlockdynError


class LiveError(BlockdynError):
    """A live run, its page or its server that cannot be as asked for."""


class NotLive(LiveError):
    """What a run that can go back cannot have or do."""

    def __init__(self, actual: str, expected: str) -> None:
        self.actual, self.expected = actual, expected
        super().__init__(f"a live run: {actual}\nexpected: {expected}")
