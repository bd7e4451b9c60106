"""300 first-order lags in a row, each of three blocks: Sum, Gain, Integrator."""

from __future__ import annotations

from math import exp
from typing import Any

from ..contract import Candidate
from ..peers import (
    ATOL,
    RTOL,
    bdsim_candidate,
    bdsim_session,
    pathsim_simulation,
)

TITLE = "300 x (Sum, Gain, Integrator) after a step at 1 s, T=3"
STOP = 3.0
LAGS = 300
STEP_TIME = 1.0
GAIN = 10.0  # 1/s
REQUIRED = {"bdsim": 1000.0}
SLOW = frozenset({"bdsim", "pathsim"})


def step_responses(count: int, reduced_time: float) -> list[float]:
    """y_n = P(n, s): the regularised lower incomplete gamma function, n = 1 ... count, by its Poisson sum."""
    responses, term, total = [], exp(-reduced_time), 0.0
    for n in range(1, count + 1):
        total += term
        responses.append(1.0 - total)
        term *= reduced_time / n
    return responses


REFERENCE = step_responses(LAGS, GAIN * (STOP - STEP_TIME))


def ours() -> Candidate:
    import blockdyn as bd

    d = bd.Diagram("lags")
    d.add("step", bd.Step(time=STEP_TIME, initial=0.0, final=1.0))
    names = [f"lag{k}" for k in range(LAGS)]
    before = "step"
    for k, name in enumerate(names):
        d.add(f"sum{k}", bd.Sum(signs="+-"))
        d.add(f"gain{k}", bd.Gain(k=GAIN))
        d.add(name, bd.Integrator(initial=0.0))
        d.connect(before, f"sum{k}[0]")
        d.connect(name, f"sum{k}[1]")
        d.connect(f"sum{k}", f"gain{k}", name)
        before = name
    program = d.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=names)

    return Candidate(run, lambda: [float(last[0].final(name)) for name in names], note="all 300 lags logged")


def bdsim() -> Candidate:
    sim = bdsim_session()
    bd = sim.blockdiagram()
    before = bd.STEP(T=STEP_TIME, off=0, on=1, name="step")
    for k in range(LAGS):
        total, gain = bd.SUM("+-", name=f"sum{k}"), bd.GAIN(GAIN, name=f"gain{k}")
        lag = bd.INTEGRATOR(x0=0.0, name=f"lag{k}")
        bd.connect(before, total[0])
        bd.connect(lag, total[1])
        bd.connect(total, gain)
        bd.connect(gain, lag)
        before = lag
    return bdsim_candidate(sim, bd, STOP)


def pathsim() -> Candidate:
    from pathsim import Connection
    from pathsim.blocks import Adder, Amplifier, Integrator, StepSource

    step = StepSource(amplitude=1.0, tau=STEP_TIME)
    totals = [Adder("+-") for _ in range(LAGS)]
    gains = [Amplifier(GAIN) for _ in range(LAGS)]
    lags = [Integrator(0.0) for _ in range(LAGS)]
    wires = []
    for k in range(LAGS):
        wires.append(Connection(lags[k - 1] if k else step, totals[k][0]))
        wires.append(Connection(totals[k], gains[k]))
        wires.append(Connection(gains[k], lags[k]))
        wires.append(Connection(lags[k], totals[k][1]))
    simulation = pathsim_simulation([step, *totals, *gains, *lags], wires)
    return Candidate(
        lambda: simulation.run(STOP, reset=True), lambda: [float(lag.outputs[0]) for lag in lags]
    )


def scipy() -> Candidate:
    """Split at the edge by hand, the right-hand side a NumPy slice."""
    import numpy as np
    from scipy.integrate import solve_ivp

    last: list[Any] = [None]

    def derivative(t: float, s: Any, u: float) -> Any:
        rate = -GAIN * s
        rate[0] += GAIN * u
        rate[1:] += GAIN * s[:-1]
        return rate

    def leg(begin: float, end: float, initial: Any, u: float) -> Any:
        return solve_ivp(derivative, (begin, end), initial, args=(u,), rtol=RTOL, atol=ATOL).y[:, -1]

    def run() -> None:
        last[0] = leg(STEP_TIME, STOP, leg(0.0, STEP_TIME, np.zeros(LAGS), 0.0), 1.0)

    return Candidate(run, lambda: [float(v) for v in last[0]], note="solve_ivp RK45, split at the edge")


ENGINES = {
    "ours": ours,
    "bdsim": bdsim,
    "pathsim": pathsim,
    "scipy": scipy,
}
