"""bdsim's sources, and the blocks here that they are."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from ...blocks.lookup.lookup_1d import Lookup1D
from ...blocks.sources.clock import Clock
from ...blocks.sources.constant import Constant
from ...blocks.sources.piecewise_constant import PiecewiseConstant
from ...blocks.sources.piecewise_linear import PiecewiseLinear
from ...blocks.sources.ramp import Ramp
from ...blocks.sources.repeating_sequence import RepeatingSequence
from ...blocks.sources.sine import Sine
from ...blocks.sources.square import Square
from ...blocks.sources.step import Step
from .values import Maker, Place, form_of


def constant(make: Maker) -> Place | None:
    form = form_of(make.block.value)
    return None if form.kind == "object" else make.alone(Constant(form.written(make.block.value)))


def time(make: Maker) -> Place:
    return make.alone(Clock())


def waveform(make: Maker) -> Place:
    """A square or triangle wave begins a part `phase` of its period late, and was there before."""
    b: Any = make.block
    period = 1.0 / b.freq
    if b.wave == "sine":
        turn = 2 * pi * b.phase
        return make.alone(Sine(b.amplitude, frequency=2 * pi * b.freq, phase=-turn, bias=b.offset))
    late = (b.phase - 1.0) * period if b.phase else 0.0
    if b.wave == "square":
        return make.alone(Square(b.amplitude, period=period, duty=b.duty, offset=late, bias=b.offset))
    corners = np.array([0.0, 0.25, 0.75, 1.0]) * period
    heights = b.offset + b.amplitude * np.array([0.0, 1.0, -1.0, 0.0])
    return make.alone(RepeatingSequence(times=corners, values=heights, offset=late))


def piecewise(make: Maker) -> Place:
    """Before the first time bdsim shows the last value, `y[-1]`."""
    times, values = np.asarray(make.block.t, float), np.asarray(make.block.y, float)
    last = {float(t): k for k, t in enumerate(times)}  # of equal times the last counts
    chosen = [last[t] for t in sorted(last)]
    return make.alone(PiecewiseConstant(times=times[chosen], values=values[chosen], initial=values[-1]))


def step(make: Maker) -> Place:
    b = make.block
    return make.alone(Step(time=b.T, initial=b.off, final=b.on))


def ramp(make: Maker) -> Place:
    b = make.block
    return make.alone(Ramp(slope=b.slope, start=b.T, initial=b.off))


def interpolate(make: Maker) -> Place | None:
    """Lines between points; an infinite last time is the end of the run, as bdsim has it."""
    b = make.block
    x, y = np.array(b.f.x, float), np.array(b.f.y, float)
    scalar = not b.time and y.ndim == 1 and (make.forms[0] is None or not make.form(0).shape)
    if scalar and getattr(b.f, "_kind", "") == "linear":
        return make.alone(Lookup1D(breakpoints=x, table=y, outside="error", events=True))
    if not b.time or getattr(b.f, "_kind", "") != "linear" or y.ndim > 2:
        return None
    x[-1] = max(make.stop, np.nextafter(x[-2], np.inf)) if np.isinf(x[-1]) else x[-1]
    return make.alone(PiecewiseLinear(times=x, values=y))


SOURCES = {
    "bdsim.Constant": constant, "bdsim.Time": time, "bdsim.WaveForm": waveform, "bdsim.Piecewise": piecewise,
    "bdsim.Step": step, "bdsim.Ramp": ramp, "bdsim.Interpolate": interpolate,
}  # fmt: skip
