"""What can be wrong with YAML before it means anything; who reads it says so by an error of his own."""

from __future__ import annotations

from typing import Literal

from ..errors import BlockdynError
from ..location import Location

Kind = Literal["file", "encoding", "syntax", "limit", "duplicate", "type"]
"""A file that cannot be read or is too large; bytes or characters that are no text; no YAML; nested too deep
or with too many values; one key twice; another kind of value than can stand there."""


class DocumentError(BlockdynError):
    """A file or text that is not YAML 1.2: where, what was found, what was expected, what to do."""

    def __init__(
        self,
        kind: Kind,
        actual: str,
        expected: str,
        remedy: str = "",
        *,
        key: str = "",
        first: Location | None = None,
        location: Location,
    ) -> None:
        self.kind: Kind = kind
        self.actual, self.expected, self.remedy = actual, expected, remedy
        self.key, self.first, self.location = key, first, location
        lines = (f"{location}: {actual}", f"expected: {expected}", remedy)
        super().__init__("\n".join(line for line in lines if line))
