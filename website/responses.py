"""Responses: what each block does to a wave or a step, by running the example of its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

import blockdyn as bd
from blockdyn.cli.specimen import specimen

STEPPED = {"continuous", "discrete", "control", "drives", "estimation"}  # families that answer in time
SHAPES = [(), (3,), (2,), (4,), (6,), (4, 4), (6, 6), (3, 3)]
TURN = [[0.8, -0.6, 0.0, 0.3], [0.48, 0.64, -0.6, -0.1], [0.36, 0.48, 0.8, 0.5], [0.0, 0.0, 0.0, 1.0]]
SPANS = (2.0, 10.0, 100.0)  # s: the next where nothing moved


class Response(NamedTuple):
    """Inputs and outputs of one run, by port."""

    inputs: dict[str, Any]
    outputs: dict[str, Any]


def response(kind: type[bd.Block], family: str) -> Response | None:
    """The example of a block under signals that suit its inputs; None where it does nothing by itself."""
    block = specimen(kind)
    ports = block.output_ports()
    if not ports:
        return None
    for diagram in islice(_diagrams(block, family), 400):
        try:
            diagram.compile()
        except bd.DiagramError:
            continue
        return _run(diagram, block)
    return None


def _run(diagram: bd.Diagram, block: bd.Block) -> Response | None:
    first: Response | None = None
    for span in _spans(block):
        try:
            result = diagram.simulate(stop=span, max_time=20.0)
        except bd.RunError as error:
            result = error.partial
        outputs = {port.name: f"block.{port.name}" for port in block.output_ports()}
        traces = {name: result.trace(path) for name, path in outputs.items() if path in result}
        inputs = {port.name: f"in{number}.y" for number, port in enumerate(block.input_ports())}
        answer = Response({name: result.trace(path) for name, path in inputs.items()}, traces)
        first = first or answer
        if any(np.ptp(trace.values, axis=0).max() > 0 for trace in traces.values() if trace.values.size):
            return answer
    return first  # nothing moved, however long it was


def _spans(block: bd.Block) -> tuple[float, ...]:
    period = getattr(block, "sample_time", None)
    if isinstance(period, (int, float)) and period > 0:
        return (min(max(25 * period, 1.0), 20.0), *SPANS[1:])
    duration = getattr(block, "duration", None)
    return (1.4 * duration,) if isinstance(duration, (int, float)) and duration > 0 else SPANS


def _diagrams(block: bd.Block, family: str) -> Iterator[bd.Diagram]:
    """The block behind its sources, its open sizes filled in every way that might be meant."""
    ports = block.input_ports()
    choices = [[size.shape] if (size := port.fixed()) else SHAPES for port in ports]
    for shapes in sorted(product(*choices), key=lambda shapes: len(set(shapes))):
        d = bd.Diagram(block.kind())
        d.add("block", block)
        for number, shape in enumerate(shapes):
            d.connect(d.add(f"in{number}", _source(shape, family, number)), f"block[{number}]")
        yield d


def _source(shape: tuple[int, ...], family: str, number: int) -> bd.Block:
    """A step, pulses or a wave, each input another one; a pose or a matrix where the shape asks for it."""
    if shape == (4, 4):
        return bd.Constant(TURN)
    if len(shape) == 2:
        return bd.Constant(np.eye(*shape) + 0.1 * np.random.default_rng(3).standard_normal(shape))
    if family == "discontinuous" and not shape:
        return bd.Sine(amplitude=1.6, frequency=2 * np.pi * 0.8)  # beyond the limits of most
    count = np.arange(1.0, 1.0 + (shape[0] if shape else 1))
    size = 0.2 + 0.3 * count if shape else 1.0
    if family == "logic":
        return bd.Pulse(period=0.5 * (number + 1), width=0.25 * (number + 1), amplitude=size)
    if family in STEPPED and not shape:
        return bd.Step(time=0.2 if number == 0 else 0.7, final=size / (number + 1))
    return bd.Sine(amplitude=size, frequency=2 * np.pi * (0.8 + 0.3 * number), phase=0.3 * number)
