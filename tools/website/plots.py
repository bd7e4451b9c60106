"""Plots: a block's response as a small SVG, written as text: hundreds of them by matplotlib take a minute."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import blockdyn as bd
from blockdyn.drawing.marks import width_of

from .responses import Response, response as run

MOST, PANELS, DRIVEN = 6, 3, 3  # lines in a panel; panels of outputs; lines of inputs
WIDTH, HEIGHT = 640.0, 128.0  # px, of the picture, of the axes of a panel
LEFT, TOP, BOTTOM = 58.0, 10.0, 34.0  # px, around the axes
LETTERS, ROW, KEY = 11.0, 15.0, 34.0  # px, of the names beside them: size, distance, from the axes
ALIKE = 8.0  # inputs whose range is as many times that of the outputs have axes of their own
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
)  # Okabe and Ito, colour-blind safe
STYLE = f"font: {LETTERS:g}px system-ui, sans-serif; fill: #333"


class Panel(NamedTuple):
    """Axes with inputs, dashed, and outputs."""

    driven: list[Line]
    lines: list[Line]
    left_out: str

    @property
    def limits(self) -> tuple[float, float]:
        low, high = _range([*self.driven, *self.lines])
        margin = 0.06 * (high - low) or 0.5
        return low - margin, high + margin


class Line(NamedTuple):
    """One element of a signal over time; a held one is a staircase."""

    label: str
    times: Any
    values: Any
    held: bool


def response(kind: type[bd.Block], family: str, file: Path) -> str:
    """Draw what the example of a block answers; what the picture shows, or nothing where there is none."""
    answer = run(kind, family)
    return f"Response of the example: {said}" if answer is not None and (said := drawn(answer, file)) else ""


def drawn(answer: Response, file: Path) -> str:
    """Draw what comes out over time; what the picture shows, or nothing where there is none."""
    shown = [name for name, trace in answer.outputs.items() if _lines({name: trace})][:PANELS]
    if not shown:
        return ""
    file.write_text(_picture(answer), encoding="utf-8")
    said = ", ".join(shown)
    return f"{said} to {', '.join(answer.inputs)} (dashed)." if answer.inputs else f"{said}."


def _lines(traces: dict[str, Any]) -> list[Line]:
    lines = []
    for name, trace in traces.items():
        values = np.asarray(trace.values, float)
        values = values.reshape(len(values), int(np.prod(values.shape[1:])))
        for k in range(values.shape[1]):
            label = name if values.shape[1] == 1 else f"{name}[{k}]"
            lines.append(Line(label, np.asarray(trace.time), values[:, k], trace.kind == "discrete"))
    return [line for line in lines if len(line.times) and np.isfinite(line.values).all()]


def _panels(answer: Response) -> list[Panel]:
    """One for each output, whose units differ; inputs stand in the first if they are of its size."""
    panels = []
    for name, trace in answer.outputs.items():
        lines = _lines({name: trace})
        if lines and len(panels) < PANELS:
            left_out = f"{MOST} of {len(lines)}" if len(lines) > MOST else ""
            panels.append(Panel([], lines[:MOST], left_out))
    driven = _lines(answer.inputs)[:DRIVEN]
    if not driven:
        return panels
    size, other = (np.ptp(_range(lines)) for lines in (driven, panels[0].lines))
    if size <= ALIKE * other and other <= ALIKE * size:
        return [panels[0]._replace(driven=driven), *panels[1:]]
    return [Panel(driven, [], ""), *panels]


def _range(lines: list[Line]) -> tuple[float, float]:
    values = np.concatenate([line.values for line in lines])
    return float(values.min()), float(values.max())


def _picture(answer: Response) -> str:
    panels = _panels(answer)
    everything = [line for panel in panels for line in (*panel.driven, *panel.lines)]
    start, end = (float(f(line.times[k] for line in everything)) for f, k in ((min, 0), (max, -1)))
    end = max(end, start + 1e-9)
    right = WIDTH - KEY - 1.1 * max(width_of(line.label, LETTERS) for line in everything) - 4

    def across(t: Any) -> Any:
        return LEFT + (t - start) / (end - start) * (right - LEFT)

    parts: list[str] = []
    top = TOP
    for panel in panels:
        rows = len(panel.driven) + len(panel.lines) + bool(panel.left_out)
        bottom = top + max(HEIGHT if len(panels) == 1 else 0.7 * HEIGHT, ROW * rows)
        parts += _axes(panel, across, right, top, bottom)
        top = bottom + 1.6 * TOP
    for tick, text in _ticks(start, end, 6):
        x = across(tick)
        parts.append(f'<path d="M{x:.1f} {bottom:g}v4" stroke="#333"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{bottom + 16:g}" style="{STYLE}; text-anchor: middle">{text}</text>'
        )
    middle, height = (LEFT + right) / 2, bottom + BOTTOM
    parts.append(
        f'<text x="{middle:g}" y="{height - 4:g}" style="{STYLE}; text-anchor: middle">time (s)</text>'
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" width="{WIDTH:g}">'
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def _axes(panel: Panel, across: Callable[[Any], Any], right: float, top: float, bottom: float) -> list[str]:
    """The frame of a panel, its lines, and their names beside it."""
    low, high = panel.limits

    def up(y: Any) -> Any:
        return bottom - (y - low) / (high - low) * (bottom - top)

    parts = []
    for tick, text in _ticks(low, high, 4):
        y = up(tick)
        parts.append(f'<path d="M{LEFT:g} {y:.1f}H{right:g}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{LEFT - 6:g}" y="{y + 4:.1f}" style="{STYLE}; text-anchor: end">{text}</text>'
        )
    parts.append(f'<path d="M{LEFT:g} {top:g}V{bottom:g}H{right:g}" fill="none" stroke="#333"/>')
    pens = [(line, 'stroke="#888" stroke-dasharray="5 3"') for line in panel.driven]
    pens += [(line, f'stroke="{colour}" stroke-width="1.8"') for line, colour in zip(panel.lines, COLOURS)]
    for number, (line, pen) in enumerate(pens):
        path = _path(across(line.times), up(line.values), line.held, right)
        parts.append(f'<path d="{path}" fill="none" {pen}/>')
        y = top + 8 + ROW * number
        parts.append(f'<path d="M{right + 10:g} {y:g}h18" {pen}/>')
        parts.append(f'<text x="{right + KEY:g}" y="{y + 4:g}" style="{STYLE}">{escape(line.label)}</text>')
    if panel.left_out:
        y = top + 12 + ROW * len(pens)
        parts.append(f'<text x="{right + 10:g}" y="{y:g}" style="{STYLE}">{panel.left_out}</text>')
    return parts


def _path(x: Any, y: Any, held: bool, right: float) -> str:
    """The points as a path, without those that no screen could tell apart."""
    words: list[str] = []
    for a, b in zip(np.round(x, 1), np.round(y, 1)):
        if not words:
            words.append(f"M{a:g} {b:g}")
            last = (a, b)
        elif (a, b) != last:
            words += [f"H{a:g}", f"V{b:g}"] if held else [f"L{a:g} {b:g}"]
            last = (a, b)
    return "".join([*words, f"H{right:g}"] if held else words)


def _ticks(low: float, high: float, number: int) -> list[tuple[float, str]]:
    """Round numbers between two limits, and how they are written."""
    raw = (high - low) / number
    scale = 10.0 ** np.floor(np.log10(raw))
    step = scale * next(round_ for round_ in (1.0, 2.0, 5.0, 10.0) if round_ * scale >= raw)
    first = int(np.ceil(low / step - 1e-9))
    ticks = [k * step for k in range(first, first + 12) if k * step <= high + 1e-9 * step]
    return [(tick, f"{tick if abs(tick) > 1e-9 * step else 0.0:.6g}") for tick in ticks]
