"""Responses: what each block does to a wave or a step, by running the example of its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

import blockdyn as bd
from blockdyn.cli.specimen import specimen

STEPPED = {"continuous", "discrete", "control", "drives", "estimation"}  # families that answer in time
PASSING = {"discontinuous", "discrete"}  # families whose output may be the input where nothing happens
SHAPES = [(), (3,), (2,), (4,), (6,), (4, 4), (6, 6), (3, 3)]
TURN = [[0.8, -0.6, 0.0, 0.3], [0.48, 0.64, -0.6, -0.1], [0.36, 0.48, 0.8, 0.5], [0.0, 0.0, 0.0, 1.0]]
# sizes and means of waves: the next where nothing is to be seen
STRENGTHS = ((1.0, 0.0), (3.0, 0.0), (1.0, 2.0), (0.1, 0.0), (0.01, 0.0), (4.0, 19.0), (20.0, 0.0))
SPANS = (2.0, 10.0, 100.0)  # s: the next where nothing moved


class Response(NamedTuple):
    """Inputs and outputs of one run, by port."""

    inputs: dict[str, Any]
    outputs: dict[str, Any]


def response(kind: type[bd.Block], family: str) -> Response | None:
    """The example of a block under signals that suit its inputs; None where it does nothing by itself.

    Under the first ones where every output tells something, or as many of them as ever do.
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
            except bd.DiagramError:
                continue
            answer, telling = _run(diagram, block, family)
            if telling > most:
                best, most = answer, telling
            break
        if most == len(ports) or not block.input_ports():
            break
    if best is None or not (block.input_ports() or any(np.any(y.values) for y in best.outputs.values())):
        return None  # always 0: what the diagram around gives it is not here
    return best


def _run(diagram: bd.Diagram, block: bd.Block, family: str) -> tuple[Response, int]:
    """The answer over the shortest span in which an output tells something, and how many do."""
    best, most = Response({}, {}), -1
    outputs = {port.name: f"block.{port.name}" for port in block.output_ports()}
    inputs = {port.name: f"in{number}.y" for number, port in enumerate(block.input_ports())}
    for span in _spans(block):
        try:
            result, whole = diagram.simulate(stop=span, max_step=span / 400, max_time=20.0), True
        except bd.RunError as error:
            if error.partial is None:  # it failed before it began
                continue
            result, whole = error.partial, False
        answer = Response(
            {name: result.trace(path) for name, path in inputs.items()},
            {name: result.trace(path) for name, path in outputs.items() if path in result},
        )
        telling = _telling(answer, family) if whole else 0
        if telling > most:
            best, most = answer, telling
        if most:
            break
    return best, most


def _telling(answer: Response, family: str) -> int:
    """How many outputs move after the start and well before the end; 0 for an input that goes through."""
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


def _spans(block: bd.Block) -> tuple[float, ...]:
    period = getattr(block, "sample_time", None)
    if isinstance(period, (int, float)) and period > 0:
        return (min(max(25 * period, 1.0), 20.0), *SPANS[1:])
    duration = getattr(block, "duration", None)
    start = getattr(block, "start", 0.0)
    begin = start if isinstance(start, (int, float)) else 0.0
    return (
        (begin + 1.4 * duration,) if isinstance(duration, (int, float)) and 0 < duration < np.inf else SPANS
    )


def _diagrams(block: bd.Block, family: str, size: float, bias: float) -> Iterator[bd.Diagram]:
    """The block behind its sources, its open sizes filled in every way that might be meant."""
    ports = block.input_ports()
    choices = [[fixed.shape] if (fixed := port.fixed()) else SHAPES for port in ports]
    for shapes in sorted(product(*choices), key=lambda shapes: len(set(shapes))):
        d = bd.Diagram(block.kind())
        d.add("block", block)
        for number, (port, shape) in enumerate(zip(ports, shapes, strict=True)):
            source = _usual(port.name) or _source(shape, family, number, size, bias)
            d.connect(d.add(f"in{number}", source), f"block[{number}]")
        yield d


def _usual(name: str) -> bd.Block | None:
    """What an input of this name carries on a vehicle that hovers and turns a little."""
    match name:
        case "quaternion" | "measured_quaternion":  # about z, by an angle that grows
            return bd.Sine(amplitude=[1, 0, 0, 1], frequency=1.0, phase=[0.5 * np.pi, 0, 0, 0])
        case "accelerometer" | "specific_force":
            return bd.Constant([0.0, 0.0, -9.81])
        case "gyroscope":
            return bd.Sine(amplitude=[0.1, 0.2, 0.3], frequency=5.0)
        case "magnetic_field":
            return bd.Constant([2e-5, 0.0, 4e-5])
        case "control":  # of a switch: one signal after the other
            return bd.RepeatingStair(values=[0.0, 1.0, 2.0], interval=0.4)
        case "beside" | "ahead":  # of a wall half a metre away
            return bd.Sine(amplitude=0.1, frequency=3.0, bias=0.5 if name == "beside" else 0.7)
        case "delay":
            return bd.Sine(amplitude=0.1, frequency=2.0, bias=0.3)
        case "thrust":
            return bd.Sine(amplitude=0.05, frequency=5.0, bias=0.3)
        case "torque":
            return bd.Sine(amplitude=[1e-3, 1e-3, 3e-4], frequency=[4.0, 6.0, 8.0])
        case _:
            return None


def _source(shape: tuple[int, ...], family: str, number: int, size: float, bias: float) -> bd.Block:
    """A step, pulses or a wave, each input another one; a pose or a matrix where the shape asks for it."""
    if shape == (4, 4):
        return _within_reach() if family == "arms" else _turning(number)
    if len(shape) == 2:
        mean = np.eye(*shape) + 0.1 * np.random.default_rng(3).standard_normal(shape)
        return bd.Sine(amplitude=0.1 * np.ones(shape), frequency=5.0, phase=np.ones(shape), bias=mean)
    if family == "arms" and shape:
        size, bias = 0.5 * size, bias + 1.0  # bent joints: far from singular poses
    count = np.arange(1.0, 1.0 + (shape[0] if shape else 1))
    each = size * (0.2 + 0.3 * count) if shape else size
    if family == "discontinuous" and not shape:
        return bd.Sine(amplitude=1.6 * size, frequency=2 * np.pi * 0.8, bias=bias)
    plain = (size, bias) == STRENGTHS[0]
    if (family == "logic" and plain) or (family == "switching" and number):
        return bd.Pulse(period=0.5 * (number + 1), width=0.25 * (number + 1), amplitude=each)
    if family in STEPPED and plain and not shape:
        return bd.Step(time=0.2 if number == 0 else 0.7, final=each / (number + 1))
    if family == "discrete" and bias:
        return bd.RepeatingStair(values=np.multiply.outer([0.0, 1.0, 0.5, 2.0], each), interval=0.3)
    if family == "mathematics" and number:
        bias += 2.0 * size  # a second operand, which may be a divisor, stays away from 0
    phase = 0.3 * number + (0.7 * count if shape else 0.0)
    return bd.Sine(amplitude=each, frequency=2 * np.pi * (0.8 + 0.3 * number), phase=phase, bias=bias)


def _turning(number: int) -> bd.Block:
    """A pose that turns about z, each faster than the one before, and moves on a small circle: sines."""
    amplitude, phase, bias = np.zeros((4, 4)), np.zeros((4, 4)), np.diag([0.0, 0.0, 1.0, 1.0])
    amplitude[:2, :2] = [[1.0, -1.0], [1.0, 1.0]]
    amplitude[:3, 3] = [0.1, 0.1, 0.05]
    phase[:2, :2] = 0.4 * number
    phase[[0, 1, 0], [0, 1, 3]] += 0.5 * np.pi
    bias[:3, 3] = [0.3, -0.1, 0.5]
    return bd.Sine(amplitude=amplitude, frequency=1.5 + 0.5 * number, phase=phase, bias=bias)


def _within_reach() -> bd.Block:
    """A pose that moves to and fro where arms can follow."""
    amplitude = np.zeros((4, 4))
    amplitude[:3, 3] = [0.05, 0.1, 0.05]
    return bd.Sine(amplitude=amplitude, frequency=3.0, bias=TURN)
