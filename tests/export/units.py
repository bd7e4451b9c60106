"""Diagrams that tests export as FMUs, and instances of these in FMPy."""

from __future__ import annotations

import ctypes
import platform
import sys
from math import sqrt
from pathlib import Path
from typing import Any

import fmpy
import fmpy.fmi2
import pytest

import blockdyn as bd

REBOUND = 0.8
RUNS_HERE = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="FMUs are for Linux on x86-64"
)


def ball(**settings: Any) -> bd.Diagram:
    """A ball that falls from 1 m and bounces: v+ = -0.8 v-; its parameter is the gravity."""
    d = bd.Diagram("ball", parameters={"g": 9.81})
    v = d.add("v", bd.Integrator(0.0, reset="falling", level=0.0))
    h = d.add("h", bd.Integrator(1.0))
    d.connect(d.add("weight", bd.Gain(-1.0)), v["u"])
    d.connect(d.add("gravity", bd.Constant(bd.expression("g"))), "weight")
    d.connect(v, h)
    d.connect(h, [v["trigger"], d.add("height", bd.Outport())])
    d.connect(v, [d.add("bounce", bd.Gain(-REBOUND)), d.add("speed", bd.Outport())])
    d.connect("bounce", v["value"])
    d.settings(**{"stop": 2.0, "method": "dopri5", "rtol": 1e-6, "atol": 1e-9, **settings})
    return d


def oscillator(**settings: Any) -> bd.Diagram:
    """Van der Pol's oscillator, x'' = mu (1 - x^2) x' - x, stiff between its jumps; with an algebraic loop,
    slope = x' - slope / 2, and the events where x changes its sign.
    """
    d = bd.Diagram("oscillator", parameters={"mu": 100.0})
    v, x = d.add("v", bd.Integrator(0.0)), d.add("x", bd.Integrator(2.0))
    mu = d.add("mu", bd.Constant(bd.expression("mu")))
    force = d.add("force", bd.Function(_van_der_pol))
    for block in (mu, x, v):
        d.connect(block, force[block.name])
    d.connect(force, v, x)
    slope = d.add("slope", bd.Sum("+-"))
    d.connect(v, slope[0])
    d.connect(slope, d.add("half", bd.Gain(0.5)), slope[1])
    d.connect(slope, d.add("scaled", bd.Outport()))
    d.connect(x, d.add("sign", bd.Compare(">", 0.0)), d.add("above", bd.Outport()))
    d.connect(x, d.add("position", bd.Outport()))
    d.settings(**{"stop": 300.0, "loops": "solve", "rtol": 1e-6, "atol": 1e-9, **settings})
    return d


def _van_der_pol(mu: float, x: float, v: float) -> float:
    return mu * (1.0 - x * x) * v - x


def impacts(stop: float, g: float = 9.81) -> list[float]:
    """The instants of the ball's impacts, s: sqrt(2 / g), then 2 v / g later each."""
    times, flight = [sqrt(2.0 / g)], 2.0 * sqrt(2.0 / g) * REBOUND
    while times[-1] + flight < stop:
        times.append(times[-1] + flight)
        flight *= REBOUND
    return times


def loop() -> bd.Diagram:
    """A motor with a sampled controller and an input: 0.5 dw/dt = -w + 2 sat(u)."""
    d = bd.Diagram("loop")
    u = d.add("u", bd.Inport(default=0.0, unit="V"))
    limit = d.add("limit", bd.Saturation(lower=-1.0, upper=1.0))
    gain = d.add("gain", bd.Gain(2.0))
    lag = d.add("lag", bd.TransferFunction([1.0], [0.5, 1.0]))
    d.connect(u, limit, gain, lag, d.add("speed", bd.Outport()))
    pid = d.add("pid", bd.DiscretePID(sample_time=0.1, kp=2.0, ki=1.0))
    d.connect(lag, pid, d.add("command", bd.Outport()))
    d.settings(stop=3.0, method="dopri5", rtol=1e-9, atol=1e-12)
    return d


class Unit:
    """An FMU, unpacked, with the references of its variables by name."""

    def __init__(self, file: Path, folder: Path) -> None:
        self.description: Any = fmpy.read_model_description(str(file))
        self.folder = fmpy.extract(str(file), str(folder / "unpacked"))
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.variables = {v.name: v for v in self.description.modelVariables}

    def instance(self, kind: Any = fmpy.fmi2.FMU2Slave) -> Any:
        """A new instance, for Co-Simulation or Model Exchange."""
        made = kind(
            guid=self.description.guid, unzipDirectory=self.folder, instanceName="one",
            modelIdentifier=(self.description.coSimulation or self.description.modelExchange).modelIdentifier,
        )  # fmt: skip
        made.instantiate(callbacks=SILENT)
        return made

    def begun(self, kind: Any = fmpy.fmi2.FMU2Slave, **values: float) -> Any:
        """An instance whose run has begun with these values."""
        made = self.instance(kind)
        made.setupExperiment(startTime=0.0)
        self.set(made, **values)
        made.enterInitializationMode()
        made.exitInitializationMode()
        return made

    def set(self, instance: Any, **values: float) -> None:
        instance.setReal([self.references[name] for name in values], [*values.values()])

    def get(self, instance: Any, *names: str) -> list[float]:
        return list(instance.getReal([self.references[name] for name in names]))


def _silent() -> Any:
    callbacks = fmpy.fmi2.fmi2CallbackFunctions()
    callbacks.allocateMemory = fmpy.fmi2.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
    callbacks.freeMemory = fmpy.fmi2.fmi2CallbackFreeMemoryTYPE(fmpy.free)
    return ctypes.cast(ctypes.pointer(callbacks), ctypes.POINTER(fmpy.fmi2.fmi2CallbackFunctions)).contents


SILENT = _silent()
