"""Instants: random arrivals at ticks, by exact fractions, and resets by logical signals, by counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

from blockdyn.blocks.continuous.integrator import Integrator
from blockdyn.blocks.continuous.transport_delay import TransportDelay
from blockdyn.blocks.continuous.variable_transport_delay import VariableTransportDelay
from blockdyn.blocks.contract.block import Block
from blockdyn.blocks.discrete.zero_order_hold import ZeroOrderHold
from blockdyn.blocks.logic.delay_timer import DelayTimer
from blockdyn.blocks.lookup.lookup_1d import Lookup1D
from blockdyn.blocks.mathematics.expression import Expression
from blockdyn.blocks.sources.constant import Constant
from blockdyn.blocks.sources.piecewise_constant import PiecewiseConstant
from blockdyn.blocks.switching.state_machine import StateMachine
from blockdyn.diagrams.model.diagram import Diagram

from .judge import Judge

SAMPLES = 40  # of the clock that reads
EDGES = 30


class WrongInstant(Exception):
    """Something that arrives too late or too early, or a reset too many or too few."""


def fuzz_instants(count: int, seed: int) -> int:
    """Try `count` diagrams; the exit status."""
    judge = Judge()
    for number in range(count):
        random = Random(f"{seed}/{number}")
        check = random.choice((check_arrivals, check_resets))
        judge.run(f"instants {seed}/{number}", lambda r=random, c=check: c(r), lambda n=number: str(n))
    return judge.report()


def check_arrivals(random: Random) -> None:
    """A step that a clock reads behind delays, timers, machines and holds. Raises WrongInstant."""
    tick = Fraction(random.randint(1, 9), random.choice((3, 7, 10, 20, 100, 1000)))
    d, at = Diagram("arrivals"), tick * random.randint(1, 5)
    step = PiecewiseConstant(times=[0.0, float(at)], values=[0.0, 1.0])
    last, due = d.add("step", step)["y"], at
    for i in range(random.randint(1, 4)):
        wait = tick * Fraction(random.randint(1, 6), random.choice((1, 1, 2, 3)))
        kind = random.choice(("delay", "varied", "timer", "machine", "hold"))
        if kind == "hold":
            block = d.add(f"b{i}", ZeroOrderHold(float(wait)))
            due = -(-due // wait) * wait
        else:
            block = d.add(f"b{i}", _waiting(kind, float(wait)))
            due += wait
        if kind == "varied":
            d.connect(d.add(f"wait{i}", Constant(float(wait))), block["delay"])
        d.connect(last, block["u"])
        last = block["y"]
    d.connect(last, d.add("read", ZeroOrderHold(float(tick))))
    first = -(-due // tick)
    trace = d.simulate(stop=float(tick * SAMPLES)).trace("read")
    for k in range(SAMPLES):
        read = float(trace.at(float(tick * (k + Fraction(1, 2)))))
        if read != float(k >= first):
            raise WrongInstant(f"sample {k} of {tick} s reads {read}; the step arrives at sample {first}")


def _waiting(kind: str, wait: float) -> Block:
    if kind == "delay":
        return TransportDelay(wait)
    if kind == "varied":
        return VariableTransportDelay(minimum=0.6 * wait, maximum=1.5 * wait)
    if kind == "timer":
        return DelayTimer(delay=wait)
    transitions = ["idle -> high: u > 0.5", f"high -> late: after >= {wait!r}"]
    return StateMachine(
        chart={"states": {"idle": {}, "high": {}, "late": {"entry": {"y": 1}}}, "transitions": transitions},
        signals={"y": 0.0},
    )


def check_resets(random: Random) -> None:
    """An integrator that a random logical signal resets, at edges of any distance. Raises WrongInstant."""
    edges, values = [0.0], [0.0]
    for _ in range(EDGES):
        edges.append(edges[-1] + 10.0 ** random.uniform(-7.0, 0.0))
        values.append(float(random.randint(0, 2)))
    d = Diagram("resets")
    n = d.add("n", Integrator(reset="rising"))
    d.connect(d.add("zero", Constant(0.0)), n["u"])
    d.connect(n, d.add("more", Expression("w + 1")), n["value"])
    if random.random() < 0.5:
        d.connect(d.add("signal", PiecewiseConstant(times=edges, values=values)), n["trigger"])
    else:
        table = Lookup1D(breakpoints=[*edges, edges[-1] + 9.0], table=[*values, values[-1]], method="held")
        d.connect(d.add("one", Constant(1.0)), d.add("t", Integrator()), d.add("signal", table), n["trigger"])
    found = d.simulate(stop=edges[-1] + 0.5).final("n")
    expected = sum(a < 0.5 < b for a, b in pairwise(values))
    if found != expected:
        raise WrongInstant(f"{found} resets by {expected} edges")
