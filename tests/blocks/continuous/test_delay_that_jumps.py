"""VariableTransportDelay: a delay that jumps forth and back shows the signal as it was, and its breaks."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

import blockdyn as bd

STOP, BEGUN = 6.0, -0.5


def signal(t: float) -> float:
    return float(np.sin(3.0 * t) if t < 1.0 else 2.0 + np.cos(t))


@pytest.mark.parametrize("seed", range(3))
def test_a_delay_that_jumps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    at, delays = np.sort(rng.uniform(0.3, 5.5, 5)), rng.uniform(0.1, 2.0, 6)

    def expected(t: float) -> float:
        then = t - delays[np.searchsorted(at, t, side="right")]
        return BEGUN if then < 0.0 else signal(then)

    d = bd.Diagram()
    late = d.add("late", bd.VariableTransportDelay(0.1, 2.0, initial=BEGUN))
    d.connect(d.add("u", bd.Expression("where(t < 1, sin(3*t), 2 + cos(t))")), late["u"])
    steps = bd.PiecewiseConstant(times=[0.0, *at], values=delays)
    d.connect(d.add("delay", steps), late["delay"])
    d.connect(late, d.add("x", bd.Integrator()))
    times = np.append(np.linspace(0.0, STOP, 601)[1:-1] + 1e-4, STOP)
    r = d.simulate(stop=STOP, times=times, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r["late"].values.ravel(), [expected(t) for t in times], atol=1e-12)
    edges = np.unique([0.0, *at, *delays, *(1.0 + delays), STOP])  # where a break may arrive
    area = sum(quad(expected, a, b, epsabs=1e-12)[0] for a, b in pairwise(edges))
    assert abs(r.final("x") - area) < 2e-9
