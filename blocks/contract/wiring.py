"""Wiring blocks: outputs whose elements are elements of the inputs, resolved before the run."""

from __future__ import annotations

from collections.abc import Mapping

from .block import Block
from .port import Size

Element = tuple[str, int]
"""Element number i, in C order, of an input."""

Part = tuple[str | tuple[int, int], ...]
"""Steps into a signal: a bus field's name, or (i, n), part i of n equal parts; () is the whole signal."""


class Wiring(Block):
    """Base of blocks that only rearrange elements; they cost nothing when the diagram runs."""

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        """The source of every element of every output."""
        raise NotImplementedError

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        """The input, and the part of it, that equals a part of an output; None if no single part does."""
        return None
