"""Source: common part of sources, the unit of their output."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.port import Port


class Source(Block):
    """A block without inputs; its option `unit` is the unit of y, or of each element: `m, m, rad`."""

    abstract: ClassVar = True

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit),)  # type: ignore[attr-defined]
