"""Grounds: what sensors and estimators of a diagram know, as lines on the ground of a film."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .motion import at
from .style import COLORS, GREY

if TYPE_CHECKING:
    from ...robots.animation.ground import Ground
    from ..model.flat import FlatBlock, FlatDiagram
    from .result import Result
    from .trace import FloatArray, Trace


def grounds(flat: FlatDiagram, result: Result, times: FloatArray, size: float, used: int) -> list[Ground]:
    """What blocks know whose signals the result holds, at these instants, s, each block in a colour.

    `size` is that of the vehicles, m, and the first `used` colours are theirs.
    """
    from ...robots.animation.ground import Ground

    parts: list[Ground] = []
    colors: dict[str, str] = {}
    for block in flat.blocks:
        for marks in block.block.marks():
            traces = [_held(flat, block, name, result) for name in marks.signals]
            values = [
                at(result, trace, times).reshape(-1, *trace.shape)
                for trace in traces
                if trace and trace.samples
            ]
            if len(values) < len(traces):
                continue
            lines = np.nan_to_num(marks.lines(size, *values))
            lines = np.broadcast_to(lines, (len(times), *lines.shape[1:]))
            if marks.actual:
                if not any(np.array_equal(part.lines, lines) for part in parts):
                    parts.append(Ground(lines, GREY, "landmarks"))
                continue
            color = colors.setdefault(block.path, COLORS[(used + len(colors)) % len(COLORS)])
            parts.append(Ground(lines, color, block.path))
    return parts


def _held(flat: FlatDiagram, block: FlatBlock, name: str, result: Result) -> Trace | None:
    """The trace of an input or an output of a block, under any of its names; None where there is none."""
    end = block.sources.get(name) or (block.path, name)
    names = [".".join(end), *(alias for alias, origin in flat.aliases.items() if origin == end)]
    return next((result.signals[one] for one in names if one in result.signals), None)
