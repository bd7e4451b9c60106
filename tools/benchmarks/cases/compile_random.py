"""Compiling 1000 blocks drawn at random from the library, against as many of three kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from statistics import median
from time import process_time
from typing import Any

from ..contract import Row, Settings
from . import startup

CASE = "1000 random blocks"
BLOCKS = 1000


def palette() -> Sequence[Callable[[Random], Any]]:
    """Blocks of scalars, with numbers that differ."""
    import blockdyn as bd

    return (
        lambda r: bd.Gain(r.uniform(-1, 1)),
        lambda r: bd.Sum("+-"),
        lambda r: bd.Product(),
        lambda r: bd.Integrator(r.uniform(-1, 1)),
        lambda r: bd.TransferFunction([1.0], [1.0, 1.0 + r.random()]),
        lambda r: bd.SecondOrder(frequency=1.0 + r.random()),
        lambda r: bd.LeadLag(lead=1.0 + r.random(), lag=2.0),
        lambda r: bd.LowPass(cutoff=1.0 + r.random()),
        lambda r: bd.PID(kp=r.random(), ki=r.random(), kd=r.random()),
        lambda r: bd.TransportDelay(0.5 + r.random()),
        lambda r: bd.Saturation(lower=-1.0, upper=r.random()),
        lambda r: bd.DeadZone(-r.random(), r.random()),
        lambda r: bd.Relay(),
        lambda r: bd.Quantizer(0.1 + r.random()),
        lambda r: bd.Backlash(0.1 + r.random()),
        lambda r: bd.RateLimiter(rising=1.0 + r.random(), falling=-1.0),
        lambda r: bd.Trigonometry("sin"),
        lambda r: bd.Abs(),
        lambda r: bd.MinMax(),
        lambda r: bd.Polynomial([r.random(), r.random(), 0.0]),
        lambda r: bd.Lookup1D([0.0, 1.0, 2.0 + r.random()], [0.0, 1.0, r.random()]),
        lambda r: bd.Lookup2D([0.0, 1.0], [0.0, 1.0], [[0.0, 1.0], [r.random(), 2.0]]),
        lambda r: bd.UnitDelay(sample_time=0.1),
        lambda r: bd.ZeroOrderHold(sample_time=0.1),
        lambda r: bd.DiscreteFilter(sample_time=0.1, b=[0.5], a=[1.0, -0.5]),
        lambda r: bd.Compare(">", r.random()),
        lambda r: bd.Switch(threshold=r.random()),
        lambda r: bd.EdgeDetector(),
    )


def declare(blocks: int, seed: int) -> Any:
    """Blocks that each read earlier ones, and so form no algebraic loop."""
    import blockdyn as bd

    random = Random(seed)
    d = bd.Diagram("random")
    signals = [d.add("sine", bd.Sine()), d.add("step", bd.Step(time=0.5))]
    kinds = palette()
    for k in range(blocks - len(signals)):
        block = random.choice(kinds)(random)
        handle = d.add(f"block{k}", block)
        for i in range(len(block.input_ports())):
            d.connect(random.choice(signals), handle[i])
        signals.append(handle[block.output_ports()[0].name])
    return d


def compiled(diagram: Any) -> float:
    """The processor's time to machine code, ms."""
    start = process_time()
    _ = diagram.compile().addresses
    return 1e3 * (process_time() - start)


def rows(settings: Settings) -> list[Row]:
    compiled(declare(300, 0))  # kernels go to the store
    compiled(startup.declare(300))
    ours, lags = [], []
    for _ in range(settings.runs):
        seed = SystemRandom().randrange(2**32)  # a structure that no store has
        ours.append(compiled(declare(BLOCKS, seed)) / BLOCKS)
        lags.append(compiled(startup.declare(BLOCKS, new=True)) / BLOCKS)
    return [
        Row(CASE, "ours: a block", cpu=median(ours), runs=settings.runs,
            note="of 28 kinds, in structures not met before; kernels in the store"),
        Row(CASE, "ours: a block of lags", cpu=median(lags), runs=settings.runs,
            note="Sum, Gain, Integrator"),
    ]  # fmt: skip
