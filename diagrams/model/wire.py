"""A wire goes from one output to one input; its ends are written as paths."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...base.location import Location
from .errors import BadWire

_END = re.compile(r"\s*([^\W\d]\w*)\s*(?:\.\s*([^\W\d]\w*|\w*\*\w*)|\[\s*(\d{1,9})\s*\])?\s*")


@dataclass(frozen=True, slots=True)
class End:
    """One end of a wire: a block (or, at the source, a named signal), and its port by name or position.

    A name with a star, as in `plant.*` and `control.*_ref`, stands for every port with a matching name.
    """

    block: str
    port: str | int | None = None

    def __str__(self) -> str:
        if self.port is None:
            return self.block
        return f"{self.block}[{self.port}]" if isinstance(self.port, int) else f"{self.block}.{self.port}"


@dataclass(frozen=True, slots=True)
class Wire:
    """One output to one input."""

    source: End
    destination: End
    location: Location | None = None

    def __str__(self) -> str:
        return f"{self.source} -> {self.destination}"


def read_end(text: str, location: Location | None = None) -> End:
    """The end that `block`, `block.port`, `block.*` or `block[0]` names.

    Raises BadWire for anything else.
    """
    parts = _END.fullmatch(text)
    if parts is None:
        shown = text if len(text) <= 60 else text[:57] + "..."
        expected = "`block`, `block.port`, `block.*` or `block[0]`"
        if "/" in text:
            expected += "; wires stay inside one diagram, signals leave a subsystem through an Outport"
        raise BadWire(f"`{shown}` is not an end of a wire", expected, location=location)
    block, port, index = parts.groups()
    return End(block, port if index is None else int(index))
