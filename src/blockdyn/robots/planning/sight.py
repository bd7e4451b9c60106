"""Sight: whether a line between two points of a map meets free cells only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..calls.kernel import machine_code
from .arguments import Array
from .framed import framed
from .sight_kernel import sight

if TYPE_CHECKING:
    from .occupancy_map import OccupancyMap


def native_sight() -> Any:
    """The walk along a line as machine code."""
    return machine_code(sight, ("b1", "i", "d", "d", "d", "d"))


def in_sight(of: OccupancyMap, start: Array, end: Array) -> bool:
    """See `OccupancyMap.in_sight`."""
    cells = framed(of.occupied)
    (x0, y0), (x1, y1) = ((point - of.origin) / of.resolution for point in (start, end))
    return bool(native_sight()(cells.blocked, cells.width, x0, y0, x1, y1))
