"""Input sizes: those of open Inports that do not say their own, from what reads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...blocks.contract.port import Size
from ...blocks.routing.inport import Inport
from .flat import FlatBlock


def sized(blocks: Iterable[FlatBlock]) -> list[FlatBlock]:
    """The same blocks; an Inport without `size` and `default` has the size that what it drives requires."""
    flats = list(blocks)
    required: dict[str, Size] = {}
    if not any(_is_unknown(flat) for flat in flats):
        return flats
    for flat in flats:
        for port in flat.block.input_ports():
            source, size = flat.sources[port.name], port.fixed()
            if source is not None and size is not None:
                required.setdefault(source[0], size)
    return [
        replace(flat, block=flat.block.with_parameters(size=required[flat.path].shape))
        if _is_unknown(flat) and flat.path in required
        else flat
        for flat in flats
    ]


def _is_unknown(flat: FlatBlock) -> bool:
    block = flat.block
    return isinstance(block, Inport) and block.size is None and block.default is None
