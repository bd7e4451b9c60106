"""LLVM's effort changes how fast machine code is, and not one bit of what it computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.compiler.emit.functions import NAMES
from blockdyn.native.engine import load_object, object_of


def run(diagram: bd.Diagram, level: int) -> Any:
    program = diagram.compile()
    text = program.text
    kernels = list(text.kernels.values())
    data = object_of(text.text, kernels, list(NAMES), level=level)
    runtime = any(kernel.runtime for kernel in kernels)
    program.__dict__["code"] = load_object(data, NAMES, runtime=runtime)
    return program.simulate(stop=3.0)


@pytest.fixture
def limited() -> bd.Diagram:
    """Formulas, kernels with events and histories, vectors, tables, clocks."""
    d = bd.Diagram("limited")
    wave = d.add("wave", bd.Chirp(first=0.3, last=2.0, duration=3.0))
    limiter, play = bd.RateLimiter(rising=3.0, falling=-2.0), bd.Backlash(0.2)
    table = bd.Lookup1D([-1.0, 0.0, 0.5, 2.0], [0.0, 1.0, 0.2, 0.0])
    plays = bd.Hysteresis(radii=[0.1, 0.4], weights=[1.0, 2.0])
    d.connect(wave, d.add("twice", bd.Gain([1.0, -2.0])), d.add("limiter", limiter), d.add("play", play))
    quantizer, delay = d.add("quantizer", bd.Quantizer(0.3)), d.add("delay", bd.TransportDelay(0.4))
    d.connect(wave, quantizer, delay, d.add("filter", bd.LowPass(cutoff=2.0)))
    d.connect(wave, d.add("table", table), d.add("sampled", bd.UnitDelay(sample_time=0.1)))
    d.connect(wave, d.add("plays", plays), d.add("pid", bd.PID(kp=1.0, ki=2.0, kd=0.1)))
    return d


def test_every_level_gives_the_same_bits(limited: bd.Diagram):
    plain, full = run(limited, 0), run(limited, 2)
    assert len(plain.events) == len(full.events) > 20
    for path in full:
        assert np.array_equal(plain[path].values, full[path].values), path
