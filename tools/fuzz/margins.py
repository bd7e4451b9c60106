"""Margins: random loops of several rates, whose gain margins are held against the poles of the diagram."""

from __future__ import annotations

from random import Random

import numpy as np

from blockdyn.blocks.continuous.integrator import Integrator
from blockdyn.blocks.continuous.transfer_function import TransferFunction
from blockdyn.blocks.contract.parameter_expression import expression
from blockdyn.blocks.discrete.discrete_transfer_function import DiscreteTransferFunction
from blockdyn.blocks.discrete.zero_order_hold import ZeroOrderHold
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.mathematics.sum import Sum
from blockdyn.blocks.routing.inport import Inport
from blockdyn.diagrams.model.diagram import Diagram

from .judge import Judge

BESIDE = 1e-4  # relative: the poles are looked at on both sides of the gain margin
RATES = (1, 1, 2, 2, 3, 4)  # ticks of the fastest clock
WIDE = 50.0  # gain margins beyond, or below its inverse, are not held against poles


class WrongMargin(Exception):
    """A margin that the poles of the diagram contradict."""


def fuzz_margins(count: int, seed: int) -> int:
    """Try `count` loops; the exit status."""
    judge = Judge()
    for number in range(count):
        random = Random(f"{seed}/{number}")
        d, wire = random_loop(random)
        judge.run(f"margins {seed}/{number}", lambda d=d, wire=wire: check_loop(d, wire), lambda d=d: str(d))
    return judge.report()


def random_loop(random: Random) -> tuple[Diagram, str]:
    """A chain of random blocks in feedback, with an inner loop, and blocks that only look on."""
    d = Diagram("multirate", {"k": 1.0})
    base = random.choice((0.01, 0.05, 0.1))
    outer, inner = d.add("outer", Sum("+-")), d.add("inner", Sum("+-"))
    d.connect(d.add("r", Inport(default=0.0)), outer[0])
    chain = [outer, *_blocks(d, random, base, "a")]
    d.connect(*chain, inner[0])
    k = d.add("k", Gain(expression("k")))
    last = [inner, *_blocks(d, random, base, "b")]
    last.insert(random.randrange(1, len(last) + 1), k)
    d.connect(*last)
    d.connect(*[last[-1], *_blocks(d, random, base, "c", least=random.random() < 0.5)], outer[1])
    if random.random() < 0.5:
        d.connect(*[last[-1], *_blocks(d, random, base, "d")], inner[1])
    else:
        d.connect(d.add("zero", Inport(default=0.0)), inner[1])
    if random.random() < 0.3:
        d.connect(last[-1], d.add("logger", ZeroOrderHold(base * random.choice((3, 5, 7)))))
    return d, "k"


def _blocks(d: Diagram, random: Random, base: float, name: str, *, least: bool = True) -> list[object]:
    """Some blocks in a row, with a hold and a lag at least, so that no loop is algebraic."""
    kinds = ["hold", "lag"] if least else []
    kinds += random.choices(["hold", "lag", "gain", "filter", "integrator"], k=random.randrange(3))
    random.shuffle(kinds)
    return [d.add(f"{name}{i}", _block(random, base, kind)) for i, kind in enumerate(kinds)]


def _block(random: Random, base: float, kind: str) -> object:
    h = base * random.choice(RATES)
    offset = random.choice((0.0, 0.0, 0.0, base / 2.0, base)) % h
    if kind == "hold":
        return ZeroOrderHold(h, offset=offset)
    if kind == "filter":
        pole = random.uniform(-0.5, 0.9)
        return DiscreteTransferFunction(sample_time=h, num=[1.0 - pole], den=[1.0, -pole], offset=offset)
    if kind == "gain":
        return Gain(random.choice((-1.0, 1.0)) * 10.0 ** random.uniform(-0.5, 0.5))
    if kind == "integrator":
        return Integrator()
    pole = 10.0 ** random.uniform(-1.0, 1.0) / base / 3.0
    return TransferFunction([pole], [1.0, pole])


def check_loop(d: Diagram, wire: str) -> str:
    """Hold the gain margin of the loop at `k` against the poles of the diagram."""
    margins = d.loop(wire).margins()
    growth = _growth(d, 1.0)
    if abs(growth - 1.0) < BESIDE:
        return "marginal"
    if margins.stable != (growth < 1.0):
        raise WrongMargin(f"stable {margins.stable}, and poles of {growth}")
    if not margins.stable:
        return "unstable"
    if not 1.0 / WIDE < margins.gain < WIDE:
        for gain in np.geomspace(1.0 / WIDE, WIDE, 41).tolist():
            if _growth(d, gain) > 1.0 + BESIDE:
                raise WrongMargin(f"no gain margin, and poles of {_growth(d, gain)} at {gain}")
        return "wide"
    sign = 1.0 if margins.gain > 1.0 else -1.0
    near, far = (_growth(d, margins.gain * (1.0 + sign * by)) for by in (-BESIDE, BESIDE))
    other = [_growth(d, gain) for gain in np.geomspace(1.0 / margins.gain, margins.gain, 21)[1:-1].tolist()]
    if max(near, *other) > 1.0 or far < 1.0:
        raise WrongMargin(f"a gain margin of {margins.gain}: poles of {near} and {far}, at most {max(other)}")
    return "several samples" if len(d.loop(wire).inputs) > 1 else "one sample"


def _growth(d: Diagram, gain: float) -> float:
    """The size of the largest pole of the diagram."""
    return float(np.abs(d.linearize(set={"k.k": gain}).poles()).max())
