"""A limit of steps ends a run where so many fixed steps lead, and nothing else changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.run_errors import RunArgumentError, TooManySteps


def decay() -> bd.Diagram:
    d = bd.Diagram("decay")
    x = d.add("x", bd.Integrator(initial=1.0))
    d.connect(-1.0 * x, x)
    return d


@pytest.mark.parametrize("compiled", [True, False])
def test_seven_steps_of_a_tenth_reach_seven_tenths(compiled: bool) -> None:
    with pytest.raises(TooManySteps, match=r"^7 steps had been taken at t = 0\.7") as failed:
        decay().simulate(stop=2.0, method="rk4", step=0.1, max_steps=7, compiled=compiled)
    partial: Any = failed.value.partial
    x = partial.trace("x.y")
    assert not partial.complete
    assert x.time[-1] == pytest.approx(0.7, abs=1e-15)
    assert x.values[-1] == pytest.approx(np.exp(-0.7), abs=1e-6)


@pytest.mark.parametrize("method", ["dopri5", "dop853", "Radau"])
def test_enough_steps_are_no_limit(method: str) -> None:
    free = decay().simulate(stop=2.0, method=method)
    steps = int(free.provenance.statistics["steps"])
    bound = decay().simulate(stop=2.0, method=method, max_steps=steps)
    assert np.array_equal(free.trace("x.y").values, bound.trace("x.y").values)
    with pytest.raises(TooManySteps):
        decay().simulate(stop=2.0, method=method, max_steps=steps - 1)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, True, "many"])
def test_no_number_of_steps(wrong: Any) -> None:
    with pytest.raises(RunArgumentError, match="a whole number of steps, 1 or greater"):
        decay().simulate(stop=2.0, max_steps=wrong)


def test_one_stiff_scenario_does_not_hold_up_a_sweep() -> None:
    """x' = -k x needs steps of some 3 / k by an explicit method: 1e6 of them for k = 1e6 and 3 s."""
    d = bd.Diagram("stiff")
    x = d.add("x", bd.Integrator(initial=1.0))
    d.connect(x, d.add("k", bd.Gain(k=-1.0)), x)
    sweep = bd.Sweep(
        d, {"k.k": [-1.0, -1e6, -10.0]}, {"final": {"final": "x"}}, stop=3.0, max_steps=5000, atol=1e-12
    )
    ensemble = sweep.run()
    assert list(ensemble["failed"]) == [False, True, False]
    assert np.isnan(ensemble["final"][1])
    assert ensemble["final"][[0, 2]] == pytest.approx(np.exp([-3.0, -30.0]), rel=1e-4)
    assert ensemble["steps"][1] == 5000
    with pytest.raises(TooManySteps):
        sweep.simulate(1)
