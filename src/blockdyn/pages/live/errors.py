"""A live run that cannot continue or be changed raises one of these errors."""

from __future__ import annotations

from ...base.errors import BlockdynError


class LiveError(BlockdynError):
    """A live run, its page or its server that cannot be as requested."""

    def __init__(self, problem: str, expected: str) -> None:
        self.problem, self.expected = problem, expected
        super().__init__(f"{problem}\nexpected: {expected}")
