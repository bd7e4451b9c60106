"""Grounds: what sensors and estimators of a diagram know, as lines on the ground of a film."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .motion import at
from .style import COLORS, GREY

if TYPE_CHECKING:
    from ...blocks.contract.capabilities import Marks
    from ...robots.animation.ground import Ground
    from ..model.flat import FlatBlock, FlatDiagram
    from .result import Result
    from .trace import FloatArray, Trace


@dataclass(frozen=True)
class GroundLines:
    """One kind of lines that a block tells of the ground, from its `traces`: their colour and their name."""

    marks: Marks
    traces: tuple[Trace, ...]
    color: str
    label: str

    def lines(self, size: float, values: Sequence[FloatArray]) -> FloatArray:
        """Ends (k, n, 2, 2), m, beside vehicles of that size, m, from the values of the traces, k rows each;
        without traces k is 1.
        """
        shaped = (rows.reshape(-1, *trace.shape) for trace, rows in zip(self.traces, values, strict=True))
        return np.nan_to_num(self.marks.lines(size, *shaped))


def ground_lines(flat: FlatDiagram, result: Result, used: int) -> list[GroundLines]:
    """Lines of the blocks whose signals the result holds. Each block has a colour that none of the `used`
    vehicles has; its first lines have it in full and lie above the others, which are lighter.
    """
    from ...robots.animation.paint import UNPAINTED, lighter

    taken = COLORS[:used] if used > 1 else (UNPAINTED.trail, UNPAINTED.turning)
    free = [color for color in COLORS if color not in taken] or COLORS

    found: list[GroundLines] = []
    colors: dict[str, str] = {}
    for block in flat.blocks:
        told: list[GroundLines] = []
        for marks in block.block.marks():
            traces = [_held(flat, block, name, result) for name in marks.signals]
            held = tuple(trace for trace in traces if trace and trace.samples)
            if len(held) < len(traces):
                continue
            if marks.actual:
                told.append(GroundLines(marks, held, GREY, "landmarks"))
                continue
            color = colors.setdefault(block.path, free[len(colors) % len(free)])
            shade = lighter(color) if any(not other.marks.actual for other in told) else color
            told.append(GroundLines(marks, held, shade, _name(block, marks)))
        found += reversed(told)
    return found


def grounds(flat: FlatDiagram, result: Result, times: FloatArray, size: float, used: int) -> list[Ground]:
    """What blocks know at these instants, s; `size` is that of the vehicles, m."""
    from ...robots.animation.ground import Ground

    parts: list[Ground] = []
    for one in ground_lines(flat, result, used):
        lines = one.lines(size, [at(result, trace, times) for trace in one.traces])
        lines = np.broadcast_to(lines, (len(times), *lines.shape[1:]))
        if not (one.marks.actual and any(np.array_equal(part.lines, lines) for part in parts)):
            parts.append(Ground(lines, one.color, one.label))
    return parts


def _name(block: FlatBlock, marks: Marks) -> str:
    """The name of lines: given, or the block and its first output that they come from."""
    if marks.label:
        return marks.label
    outputs = [name for name in marks.signals if name not in block.sources]
    return ".".join([block.path, *outputs[:1]])


def _held(flat: FlatDiagram, block: FlatBlock, name: str, result: Result) -> Trace | None:
    """The trace of an input or an output of a block, under any of its names; None where there is none."""
    end = block.sources.get(name) or (block.path, name)
    names = [".".join(end), *(alias for alias, origin in flat.aliases.items() if origin == end)]
    return next((result.signals[one] for one in names if one in result.signals), None)
