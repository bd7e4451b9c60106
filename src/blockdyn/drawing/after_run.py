"""A drawing after a run has curves and final values at outputs, and events at blocks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ..diagrams.results.lines import thin_line
from ..diagrams.results.result import Result
from ..diagrams.results.trace import Trace
from .facts import Facts
from .marks import Path, Point, Text, cut, line, rounded_rectangle, width_of

_WIDTH, _HEIGHT = 46.0, 13.0  # px of a curve
_TYPE = 7.5
_GAP = 3.0  # px to the block
_WIDEST = 74.0  # px of a value
_MOST_LINES = 6  # elements of a signal whose curves are drawn
_MOST_VALUES = 3  # elements of a signal whose values are shown
_COLUMNS = 48  # of a curve


@dataclass(slots=True)
class Run:
    """A run to draw: traces by the block and port that compute them, events by block, span in s."""

    traces: dict[tuple[str, str], Trace] = field(default_factory=dict)
    events: dict[str, Counter[str]] = field(default_factory=dict)
    span: tuple[float, float] = (0.0, 0.0)
    aliases: dict[str, tuple[str, str]] = field(default_factory=dict)

    def trace(self, signal: tuple[str, str]) -> Trace | None:
        """The trace of a signal, by any of its paths."""
        return self.traces.get(self.aliases.get(".".join(signal), signal))

    def events_of(self, path: str) -> Counter[str]:
        """Events caused by a block, or by the blocks of a subsystem, by kind."""
        inside = (
            each for block, each in self.events.items() if block == path or block.startswith(f"{path}/")
        )
        return sum(inside, Counter())


def run_of(result: Result, facts: Facts) -> Run:
    """The drawn parts of a result, without touches, which do not belong to a block."""
    run = Run(aliases=facts.aliases)
    for name, trace in result.signals.items():
        path, _, port = name.rpartition(".")
        if trace.samples:
            run.traces[facts.aliases.get(name, (path, port))] = trace
    for event in result.events:
        if event.path:
            event_text = " ".join(filter(None, (event.kind, event.detail)))
            run.events.setdefault(event.path, Counter())[event_text] += 1
    if result.time.size:
        run.span = float(result.time[0]), float(result.time[-1])
    return run


def size_of_label(trace: Trace, *, named: bool = False) -> Point:
    """The space for a curve and its value at an output, above a name."""
    below = _TYPE + 2 if named else 0.0
    return _GAP + max(_WIDTH, width_of(value(trace), _TYPE)), _HEIGHT + _TYPE + 2 + below


def label(trace: Trace, at: Point, span: tuple[float, float]) -> Iterator[Path | Text]:
    """A signal's final value with its curve below, from the corner of its space."""
    x, y = at[0] + _GAP, at[1]
    yield Text(x, y + _TYPE - 1, value(trace), _TYPE, "start", "accent")
    yield from _curves(trace, x, y + _TYPE + 1, span)


def sentence(trace: Trace) -> str:
    """Text under a pointer over a label."""
    numbers = ", ".join(f"{number:.6g}" for number in trace.final.ravel())
    unit = f" {trace.unit}" if trace.unit and trace.unit != "1" else ""
    return f"{trace.path} = {numbers}{unit} at {trace.time[-1]:.6g} s"


def value(trace: Trace) -> str:
    """The final value, shortened."""
    numbers = [float(number) for number in trace.final.ravel()]
    if not trace.shape:
        return f"{numbers[0]:.4g}"
    text = " ".join(f"{number:.3g}" for number in numbers[:_MOST_VALUES])
    return cut(f"[{text}{' ...' if len(numbers) > _MOST_VALUES else ''}]", _WIDEST, _TYPE)


def badge(count: int, x: float, y: float) -> list[Path | Text]:
    """Badge with the number of events of a block, at its upper left corner."""
    text = str(count) if count < 10_000 else f"{count / 1000:.0f}k"
    wide = max(12.0, width_of(text, _TYPE) + 6)
    mark = rounded_rectangle(x - wide / 2, y - 6, wide, 12, 6, "badge")
    return [mark, Text(x, y + 2.7, text, _TYPE, "middle", "paper")]


def _curves(trace: Trace, x: float, y: float, span: tuple[float, float]) -> Iterator[Path]:
    """The elements over the time of the run, on one scale from their lowest to their highest value."""
    yield line([(x, y + _HEIGHT), (x + _WIDTH, y + _HEIGHT)], "faint")
    elements = trace.flat[:, :_MOST_LINES]
    finite = elements[np.isfinite(elements)]
    if not finite.size:
        return
    low, high = float(finite.min()), float(finite.max())
    scale = max(abs(low), abs(high))
    flat = not math.isfinite(high - low) or high - low <= 1e-12 * scale
    for values in elements.T:
        sound = np.isfinite(values)
        times, heights = thin_line(trace.time[sound], values[sound], columns=_COLUMNS)
        if not times.size:
            continue
        share = 0.5 * np.ones(times.size) if flat else (heights - low) / (high - low)
        across = x + _WIDTH * (times - span[0]) / ((span[1] - span[0]) or 1.0)
        up = y + 1 + (_HEIGHT - 2) * (1 - share)
        points = [(float(a), float(b)) for a, b in zip(across, up, strict=True)]
        if trace.kind == "discrete":
            points = [*_stairs(points), (x + _WIDTH, points[-1][1])]
        if len(points) > 1:
            yield line(points, "trace")


def _stairs(points: list[Point]) -> Iterator[Point]:
    yield points[0]
    for (_, before), (at, height) in pairwise(points):
        yield at, before
        yield at, height
