"""A limit of steps ends a run where so many fixed steps lead; a run that is stiff says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import RunArgumentError
from blockdyn.diagrams.model.run_errors import TooManySteps


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


@pytest.mark.parametrize("method", ["dopri5", "dop853", "radau5"])
def test_enough_steps_are_no_limit(method: str) -> None:
    free = decay().simulate(stop=2.0, method=method)
    steps = int(free.provenance.statistics["steps"])
    bound = decay().simulate(stop=2.0, method=method, max_steps=steps)
    assert np.array_equal(free.trace("x.y").values, bound.trace("x.y").values)
    with pytest.raises(TooManySteps):
        decay().simulate(stop=2.0, method=method, max_steps=steps - 1)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, True, "many"])
def test_no_number_of_steps(wrong: Any) -> None:
    with pytest.raises(RunArgumentError, match="a whole number, 1 or greater"):
        decay().simulate(stop=2.0, max_steps=wrong)


def test_one_stiff_scenario_does_not_hold_up_a_sweep() -> None:
    """x' = -k x needs steps of some 3 / k by an explicit method: 1e6 of them for k = 1e6 and 3 s."""
    d = bd.Diagram("stiff")
    x = d.add("x", bd.Integrator(initial=1.0))
    d.connect(x, d.add("k", bd.Gain(k=-1.0)), x)
    sweep = bd.Sweep(
        d, {"k.k": [-1.0, -1e6, -10.0]}, {"final": {"final": "x"}}, stop=3.0, max_steps=5000, atol=1e-12,
        method="dopri5",
    )  # fmt: skip
    ensemble = sweep.run()
    assert list(ensemble["failed"]) == [False, True, False]
    assert np.isnan(ensemble["final"][1])
    assert ensemble["final"][[0, 2]] == pytest.approx(np.exp([-3.0, -30.0]), rel=1e-4)
    assert ensemble["steps"][1] == 5000
    with pytest.raises(TooManySteps):
        sweep.simulate(1)


def robertson() -> bd.Diagram:
    """Robertson's reaction: three species, rates 0.04, 1e4 and 3e7 (Hairer, Wanner II, section IV.1)."""
    d = bd.Diagram("robertson")
    for name, initial in (("a", 1.0), ("b", 0.0), ("c", 0.0)):
        d.add(name, bd.Integrator(initial))
    rates = {"a": "1e4 * b * c - 0.04 * a", "b": "0.04 * a - 1e4 * b * c - 3e7 * b * b", "c": "3e7 * b * b"}
    for name, rate in rates.items():
        law = d.add(f"d{name}", bd.Expression(rate))
        for reactant in "abc":
            if f" {reactant}" in f" {rate}":
                d.connect(reactant, law[reactant])
        d.connect(law, name)
    return d


def test_a_run_that_would_not_end_ends_by_itself() -> None:
    """By an explicit method the step is some 3 / 2000 s from 40 s on: 1e5 s would be 1e8 steps and more."""
    with pytest.raises(TooManySteps, match=r"as short as the stability.*method='auto'") as failed:
        robertson().simulate(stop=1e5, method="dopri5", log=["a"], states=False)
    assert failed.value.steps == 10_000_000 + 10 * 50
    partial: Any = failed.value.partial
    a = partial.trace("a")
    assert a.values[np.searchsorted(a.time, 40.0)] == pytest.approx(0.7158, abs=1e-4)  # Hairer, Wanner II


def test_by_default_it_ends_soon() -> None:
    """The published values at 40 s and at 4e5 s (Hairer, Wanner II; LSODE's demonstration)."""
    r = robertson().simulate(stop=4e5, rtol=1e-8, atol=1e-12, times=[40.0, 4e5])
    np.testing.assert_allclose(r.trace("a").values, [0.7158271, 4.9386e-3], rtol=1e-4)
    assert r.statistics["steps"] < 2000
    assert r.statistics["switches"] == 1


def test_many_stiff_states_stay_explicit_and_say_so() -> None:
    """A chain of 101 lags at 1e4 per second: one dense system of them would cost more than it saves."""
    n = 101
    lags = 1e4 * (np.eye(n, k=-1) - np.eye(n))
    d = bd.Diagram()
    d.connect(
        d.add("one", bd.Constant(1.0)), d.add("chain", bd.StateSpace(lags, 1e4 * np.eye(n)[:, :1], np.eye(n)))
    )
    r = d.simulate(stop=4.0)
    assert r.statistics["switches"] == 0
    assert [text for text in r.notices if "stability" in text and "method='bdf'" in text]
    np.testing.assert_allclose(r.final("chain"), 1.0, atol=1e-6)


@pytest.mark.parametrize("method", ["bs32", "dopri5", "tsit5", "dop853"])
def test_stability_that_limits_steps_is_told(method: str) -> None:
    r = robertson().simulate(stop=40.0, method=method)
    assert [text for text in r.notices if "stability" in text and "method='auto'" in text]
    assert robertson().simulate(stop=40.0, method="radau5").notices == ()


@pytest.mark.parametrize(
    ("method", "bound", "stop", "compiled"),
    [
        ("bs32", 2.5127, 60.0, True),
        ("bs32", 2.5127, 15.0, False),
        ("dopri5", 3.3066, 60.0, True),
        ("tsit5", 3.5068, 60.0, True),
        ("dop853", 6.3927, 60.0, True),
    ],
)
def test_a_wave_beside_a_fast_decay_is_followed_at_the_bound_of_stability(
    method: str, bound: float, stop: float, compiled: bool
) -> None:
    """x' = -1000 (x - cos t): steps of bound / 1000, the ends of the real intervals of stability."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    law = d.add("law", bd.Expression("-1000 * (x - cos(t))"))
    d.connect(x, law["x"])
    d.connect(law, x)
    r = d.simulate(stop=stop, method=method, rtol=1e-3, atol=1e-6, compiled=compiled)
    assert r.statistics["steps"] * bound / 1000.0 == pytest.approx(stop, rel=0.15)
    assert [text for text in r.notices if "stability" in text]


@pytest.mark.parametrize("method", ["bs32", "dopri5", "tsit5", "dop853"])
@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-10])
def test_accuracy_that_limits_steps_is_not_called_stiffness(method: str, rtol: float) -> None:
    """An oscillator, whose steps are those that its accuracy takes."""
    d = bd.Diagram()
    x, v = d.add("x", bd.Integrator(1.0)), d.add("v", bd.Integrator(0.0))
    d.connect(v, x, d.add("spring", bd.Gain(-1.0)), v)
    stop = 4_000.0 if (method, rtol) == ("bs32", 1e-10) else 20_000.0
    r = d.simulate(stop=stop, method=method, rtol=rtol, atol=rtol)
    assert r.statistics["steps"] > 20 * 256
    assert r.notices == ()


@pytest.mark.parametrize(
    "given",
    [
        {"stop": 11_000.0, "method": "euler", "step": 0.001},
        {"stop": 11_000.0, "max_step": 0.001, "first_step": 0.001},
    ],
    ids=str,
)
def test_steps_that_are_asked_for_are_no_failure(given: dict[str, Any]) -> None:
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    r = d.simulate(**given, every=1000.0)
    assert r.statistics["steps"] >= 11_000_000
    assert r.final("x") == pytest.approx(11_000.0, rel=1e-6)


def test_ticks_that_are_asked_for_are_no_failure() -> None:
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("z", bd.UnitDelay(0.001)), d.add("x", bd.Integrator()))
    r = d.simulate(stop=11_000.0, every=1000.0)
    assert r.statistics["steps"] >= 11_000_000
    assert r.final("x") == pytest.approx(11_000.0 - 0.001, rel=1e-6)


def test_a_swept_sample_time_has_the_bound_of_its_own_run() -> None:
    """What a scenario does in a sweep it does alone, also where its ticks allow it more steps."""
    d = bd.Diagram("ticks")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("z", bd.UnitDelay(100.0)), d.add("x", bd.Integrator()))
    sweep = bd.Sweep(d, {"z.sample_time": [100.0, 0.001]}, {"end": {"final": "x"}}, stop=11_000.0)
    ensemble = sweep.run()
    assert list(ensemble["failed"]) == [False, False]
    assert ensemble["steps"][1] >= 11_000_000
