"""Wiring blocks: outputs whose elements are elements of the inputs, resolved before the run."""

from __future__ import annotations

from collections.abc import Mapping

from .block import Block
from .port import Size

Element = tuple[str, int]
"""Element number i, in C order, of an input."""


class Wiring(Block):
    """Base of blocks that only rearrange elements; they cost nothing when the diagram runs."""

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        """For every output, where each of its elements comes from."""
        raise NotImplementedError
