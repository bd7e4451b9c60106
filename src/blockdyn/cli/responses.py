"""Responses of blocks to waves and steps are computed from the examples of their documentation, and drawn.

The pictures are SVG written as text: matplotlib takes a minute for hundreds of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from ..blocks.contract.block import Block
from ..blocks.sources.constant import Constant
from ..blocks.sources.pulse import Pulse
from ..blocks.sources.repeating_stair import RepeatingStair
from ..blocks.sources.sine import Sine
from ..blocks.sources.step import Step
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.errors import DiagramError
from ..diagrams.model.run_errors import RunError
from ..drawing.marks import width_of
from .specimen import specimen

STEPPED = {"continuous", "discrete", "control", "drives", "estimation"}  # families that answer in time
PASSING = {"discontinuous", "discrete"}  # families whose output may be the input where nothing happens
SHAPES = [(), (3,), (2,), (4,), (6,), (4, 4), (6, 6), (3, 3)]
TURN = [[0.8, -0.6, 0.0, 0.3], [0.48, 0.64, -0.6, -0.1], [0.36, 0.48, 0.8, 0.5], [0.0, 0.0, 0.0, 1.0]]
# sizes and means of waves: the next if nothing is visible
STRENGTHS = ((1.0, 0.0), (3.0, 0.0), (1.0, 2.0), (0.1, 0.0), (0.01, 0.0), (4.0, 19.0), (20.0, 0.0))
SPANS = (2.0, 10.0, 100.0)  # s: the next if nothing moved


MOST, PANELS, DRIVEN = 6, 3, 3  # lines in a panel; panels of outputs; lines of inputs
WIDTH, HEIGHT = 640.0, 128.0  # px, of the picture, of the axes of a panel
LEFT, TOP, BOTTOM = 58.0, 10.0, 34.0  # px, around the axes
LETTERS, ROW, KEY = 11.0, 15.0, 34.0  # px, of the names beside them: size, distance, from the axes
ALIKE = 8.0  # inputs whose range is as many times as large have axes of their own
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
)  # Okabe and Ito, colour-blind safe
STYLE = f"font: {LETTERS:g}px system-ui, sans-serif; fill: #333"


class Response(NamedTuple):
    """Inputs and outputs of one run, by port."""

    inputs: dict[str, Any]
    outputs: dict[str, Any]


def response(kind: type[Block], family: str) -> Response | None:
    """The example of a block under signals that suit its inputs; None if it does nothing by itself.

    It uses the first signals under which every output moves, or as many outputs as possible.
    """
    block = specimen(kind)
    ports = block.output_ports()
    if not ports:
        return None
    best, most = None, -1
    for size, bias in STRENGTHS:
        for diagram in islice(_diagrams(block, family, size, bias), 400):
            try:
                diagram.compile()
            except DiagramError:
                continue
            answer, telling = _run(diagram, block, family)
            if telling > most:
                best, most = answer, telling
            break
        if most == len(ports) or not block.input_ports():
            break
    if best is None or not (block.input_ports() or any(np.any(y.values) for y in best.outputs.values())):
        return None  # always 0 without the surrounding diagram
    return best


def _run(diagram: Diagram, block: Block, family: str) -> tuple[Response, int]:
    """The response over the shortest span in which an output moves, and the number of outputs that move."""
    best, most = Response({}, {}), -1
    outputs = {port.name: f"block.{port.name}" for port in block.output_ports()}
    inputs = {port.name: f"in{number}.y" for number, port in enumerate(block.input_ports())}
    for span in _spans(block):
        try:
            result, complete = diagram.simulate(stop=span, max_step=span / 400, max_time=20.0), True
        except RunError as error:
            if error.partial is None:  # it failed before it began
                continue
            result, complete = error.partial, False
        answer = Response(
            {name: result.trace(path) for name, path in inputs.items()},
            {name: result.trace(path) for name, path in outputs.items() if path in result},
        )
        telling = _telling(answer, family) if complete else 0
        if telling > most:
            best, most = answer, telling
        if most:
            break
    return best, most


def _telling(answer: Response, family: str) -> int:
    """Number of outputs that move after the start and well before the end; 0 if an input passes through."""
    moving = 0
    for trace in answer.outputs.values():
        values = np.asarray(trace.values, float)
        if not len(values) or not np.isfinite(values).all():
            return 0
        times = np.asarray(trace.time)
        begun = max(np.searchsorted(times, times[0], side="right") - 1, 0)
        early = values[begun:][times[begun:] <= 0.6 * times[-1]]
        moving += bool(len(early) and np.ptp(early, axis=0).max() > 0)
    if family in PASSING and len(answer.inputs) == len(answer.outputs) == 1:
        (u,), (y,) = (tuple(traces.values()) for traces in answer)
        if np.shape(u.values)[1:] != np.shape(y.values)[1:]:
            return moving
        last = np.append(np.diff(u.time) > 0, True)  # after what jumps at an instant
        held = np.searchsorted(y.time, np.asarray(u.time)[last], side="right") - 1
        off = np.abs(np.asarray(u.values)[last] - np.asarray(y.values)[held])
        acts = off.max() > 0.15 * np.ptp(u.values) and np.ptp(y.values) > 0.05 * np.ptp(u.values)
        return moving if acts else 0
    return moving


def _spans(block: Block) -> tuple[float, ...]:
    period = getattr(block, "sample_time", None)
    if isinstance(period, (int, float)) and period > 0:
        return (min(max(25 * period, 1.0), 20.0), *SPANS[1:])
    duration = getattr(block, "duration", None)
    start = getattr(block, "start", 0.0)
    begin = start if isinstance(start, (int, float)) else 0.0
    return (
        (begin + 1.4 * duration,) if isinstance(duration, (int, float)) and 0 < duration < np.inf else SPANS
    )


def _diagrams(block: Block, family: str, size: float, bias: float) -> Iterator[Diagram]:
    """The block behind its sources, with each plausible choice of its undetermined sizes."""
    ports = block.input_ports()
    choices = [[fixed.shape] if (fixed := port.fixed()) else SHAPES for port in ports]
    for shapes in sorted(product(*choices), key=lambda shapes: len(set(shapes))):
        d = Diagram(block.kind())
        d.add("block", block)
        for number, (port, shape) in enumerate(zip(ports, shapes, strict=True)):
            source = _usual(port.name) or _source(shape, family, number, size, bias)
            d.connect(d.add(f"in{number}", source), f"block[{number}]")
        yield d


def _usual(name: str) -> Block | None:
    """The value of an input of this name on a vehicle that hovers and turns slowly."""
    match name:
        case "quaternion" | "measured_quaternion":  # about z, by an angle that grows
            return Sine(amplitude=[1, 0, 0, 1], frequency=1.0, phase=[0.5 * np.pi, 0, 0, 0])
        case "accelerometer" | "specific_force":
            return Constant([0.0, 0.0, -9.81])
        case "gyroscope":
            return Sine(amplitude=[0.1, 0.2, 0.3], frequency=5.0)
        case "magnetic_field":
            return Constant([2e-5, 0.0, 4e-5])
        case "control":  # of a switch: one signal after the other
            return RepeatingStair(values=[0.0, 1.0, 2.0], interval=0.4)
        case "beside" | "ahead":  # of a wall half a metre away
            return Sine(amplitude=0.1, frequency=3.0, bias=0.5 if name == "beside" else 0.7)
        case "delay":
            return Sine(amplitude=0.1, frequency=2.0, bias=0.3)
        case "thrust":
            return Sine(amplitude=0.05, frequency=5.0, bias=0.3)
        case "torque":
            return Sine(amplitude=[1e-3, 1e-3, 3e-4], frequency=[4.0, 6.0, 8.0])
        case _:
            return None


def _source(shape: tuple[int, ...], family: str, number: int, size: float, bias: float) -> Block:
    """A step, pulses or a wave, different for each input; a pose or a matrix if the shape requires it."""
    if shape == (4, 4):
        return _within_reach() if family == "arms" else _turning(number)
    if len(shape) == 2:
        mean = np.eye(*shape) + 0.1 * np.random.default_rng(3).standard_normal(shape)
        return Sine(amplitude=0.1 * np.ones(shape), frequency=5.0, phase=np.ones(shape), bias=mean)
    if family == "arms" and shape:
        size, bias = 0.5 * size, bias + 1.0  # bent joints: far from singular poses
    count = np.arange(1.0, 1.0 + (shape[0] if shape else 1))
    each = size * (0.2 + 0.3 * count) if shape else size
    if family == "discontinuous" and not shape:
        return Sine(amplitude=1.6 * size, frequency=2 * np.pi * 0.8, bias=bias)
    plain = (size, bias) == STRENGTHS[0]
    if (family == "logic" and plain) or (family == "switching" and number):
        return Pulse(period=0.5 * (number + 1), width=0.25 * (number + 1), amplitude=each)
    if family in STEPPED and plain and not shape:
        return Step(time=0.2 if number == 0 else 0.7, final=each / (number + 1))
    if family == "discrete" and bias:
        return RepeatingStair(values=np.multiply.outer([0.0, 1.0, 0.5, 2.0], each), interval=0.3)
    if family == "mathematics" and number:
        bias += 2.0 * size  # a second operand, which may be a divisor, stays away from 0
    phase = 0.3 * number + (0.7 * count if shape else 0.0)
    return Sine(amplitude=each, frequency=2 * np.pi * (0.8 + 0.3 * number), phase=phase, bias=bias)


def _turning(number: int) -> Block:
    """A pose that turns about z, each input faster than the last, and moves on a small circle: sines."""
    amplitude, phase, bias = np.zeros((4, 4)), np.zeros((4, 4)), np.diag([0.0, 0.0, 1.0, 1.0])
    amplitude[:2, :2] = [[1.0, -1.0], [1.0, 1.0]]
    amplitude[:3, 3] = [0.1, 0.1, 0.05]
    phase[:2, :2] = 0.4 * number
    phase[[0, 1, 0], [0, 1, 3]] += 0.5 * np.pi
    bias[:3, 3] = [0.3, -0.1, 0.5]
    return Sine(amplitude=amplitude, frequency=1.5 + 0.5 * number, phase=phase, bias=bias)


def _within_reach() -> Block:
    """A pose that moves back and forth within reach of arms."""
    amplitude = np.zeros((4, 4))
    amplitude[:3, 3] = [0.05, 0.1, 0.05]
    return Sine(amplitude=amplitude, frequency=3.0, bias=TURN)


# ---- pictures ----


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


def draw_response(kind: type[Block], family: str) -> tuple[str, str]:
    """The response of a block's example as SVG, and a caption; both empty if there is nothing to see."""
    answer = response(kind, family)
    picture, caption = ("", "") if answer is None else draw(answer)
    return picture, f"Response of the example: {caption}" if picture else ""


def draw(answer: Response) -> tuple[str, str]:
    """The outputs over time as SVG, and a caption; both empty if there is nothing to see."""
    shown = [name for name, trace in answer.outputs.items() if _lines({name: trace})][:PANELS]
    if not shown:
        return "", ""
    said = ", ".join(shown)
    caption = f"{said} to {', '.join(answer.inputs)} (dashed)." if answer.inputs else f"{said}."
    return _picture(answer), caption


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
    """One axes for each output, since units differ; inputs are drawn in the first if they have its size."""
    panels: list[Panel] = []
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
    """The frame of a panel, its lines, and their names next to it."""
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
    """The points as a path, without those that a screen cannot resolve."""
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
    """Round numbers between two limits, and their texts."""
    raw = (high - low) / number
    scale = 10.0 ** np.floor(np.log10(raw))
    step = scale * next(round_ for round_ in (1.0, 2.0, 5.0, 10.0) if round_ * scale >= raw)
    first = int(np.ceil(low / step - 1e-9))
    ticks = [k * step for k in range(first, first + 12) if k * step <= high + 1e-9 * step]
    return [(tick, f"{tick if abs(tick) > 1e-9 * step else 0.0:.6g}") for tick in ticks]
