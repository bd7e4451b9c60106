"""Blocks that announce their next time event: arrivals, pulses, samples at instants of their own, alarms."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

import blockdyn as bd
from blockdyn.blocks.contract.random_numbers import uniforms
from blockdyn.diagrams.compiler.filling import stream


class Arrivals(bd.Block):
    """A Poisson process: how many have arrived."""

    states: ClassVar = (bd.State("due", "never", "s", held=True), bd.State("count", "none", held=True))
    random: ClassVar = True

    rate: bd.Real = bd.parameter(default=1.0, unit="1/s", above=0, dimensions=(0,))

    def constants(self) -> dict[str, float]:
        return {"never": math.inf, "none": 0.0}

    def timers(self) -> bd.Timer:
        return bd.Timer(next="due")

    @staticmethod
    def jump(t: float, due: float, count: float, stream: np.ndarray, rate: float) -> tuple[float, float]:
        if t < due < math.inf:
            return due, count
        count += 1.0 if due < math.inf else 0.0
        u, _ = uniforms(stream[0], stream[1], count, 0)
        return t - math.log(u) / rate, count

    @staticmethod
    def output(count: float) -> float:
        return count


class Monoflop(bd.Block):
    """1 for a while after u has risen through 0."""

    inputs: ClassVar = (bd.Port("u"),)
    states: ClassVar = (bd.State("end", "never", "s", held=True),)
    crossings: ClassVar = (bd.Crossing("start", 1),)

    width: bd.Real = bd.parameter(default=1.0, unit="s", minimum=0, dimensions=(0,))

    def constants(self) -> dict[str, float]:
        return {"never": math.inf}

    def timers(self) -> bd.Timer:
        return bd.Timer(next="end")

    @staticmethod
    def crossing(u: float) -> float:
        return u

    @staticmethod
    def jump(t: float, end: float, crossed_start: int, width: float) -> float:
        if crossed_start == 1:
            return t + width
        return math.inf if t >= end else end

    @staticmethod
    def output(end: float) -> float:
        return 1.0 if end < math.inf else 0.0


class Sampler(bd.Block):
    """u at the instants first, first + step, first + 3 step, first + 6 step, ..."""

    inputs: ClassVar = (bd.Port("u"),)
    states: ClassVar = (bd.State("due", "first", "s", held=True), bd.State("sample", "none", held=True))

    first: bd.Real = bd.parameter(default=0.0, unit="s", dimensions=(0,))
    step: bd.Real = bd.parameter(default=0.1, unit="s", above=0, dimensions=(0,))

    def constants(self) -> dict[str, float]:
        return {"none": 0.0}

    def timers(self) -> bd.Timer:
        return bd.Timer(next="due")

    @staticmethod
    def jump(t: float, u: float, due: float, sample: float, mode: int, step: float) -> tuple[float, float]:
        if t < due:
            return due, sample
        return due + mode * step, u

    @staticmethod
    def output(sample: float) -> float:
        return sample


class Alarms(bd.Block):
    """How often one of several alarms, each at its own time after the start, has gone off."""

    outputs: ClassVar = (bd.Port("y", 1),)
    states: ClassVar = (bd.State("due", "after", "s", held=True), bd.State("rung", "none", held=True))

    after: bd.Real = bd.parameter(default=[0.3, 0.1, 0.3, 0.7], unit="s", dimensions=(1,))

    def constants(self) -> dict[str, Any]:
        return {"none": np.zeros(np.shape(self.after))}

    def timers(self) -> bd.Timer:
        return bd.Timer(next="due")

    @staticmethod
    def jump(t, due, rung, next_due, next_rung):
        for i in range(due.shape[0]):
            gone = t >= due[i]
            next_due[i] = math.inf if gone else due[i]
            next_rung[i] = rung[i] + 1.0 if gone else rung[i]

    @staticmethod
    def output(rung) -> float:
        total = 0.0
        for i in range(rung.shape[0]):
            total += rung[i]
        return total


def drawn(seed: int, scenario: int, path: str, rate: float, stop: float) -> list[float]:
    """The instants of arrivals, from the same numbers."""
    key, times, t = stream(seed, scenario, path), [], 0.0
    while True:
        t -= math.log(uniforms(key[0], key[1], len(times), 0)[0]) / rate
        if t > stop:
            return times
        times.append(t)
