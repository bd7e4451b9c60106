"""A program with a step of its own takes the steps of the solver's loop, with rows on the same polynomial."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.runs.steps import addresses
from blockdyn.sweeps.answer.ensemble import Ensemble
from blockdyn.sweeps.sweep import Sweep

SEED = {"simulate.seed": [1, 2]}
DIAGRAMS = (
    "quadrotor-corke",
    "model-error",
    "position-loop",
    "feed-forward",
    "resolved-rate",
    "flexible-joints",
)


def run(sweep: Sweep) -> Ensemble:
    return sweep.run(workers=1, progress=False)


def oscillator() -> bd.Diagram:
    """Van der Pol's, with a limit that is met twice in every turn."""
    d = bd.Diagram("oscillator")
    x, y = d.add("x", bd.Integrator(initial=2.0)), d.add("y", bd.Integrator(initial=0.0))
    limit = d.add("limit", bd.Saturation(lower=-1.5, upper=1.5))
    d.connect(y, x)
    d.connect(x, limit)
    d.connect((1 - x * x) * y - limit, y)
    d.settings(stop=20.0, method="dopri5", rtol=1e-7, atol=1e-9)
    return d


@pytest.mark.parametrize("name", DIAGRAMS)
def test_it_takes_the_steps_of_a_run_alone(name: str) -> None:
    diagram = bd.load(name)
    stop = min(2.0, float(diagram.simulation["stop"]))
    sweep = Sweep(diagram, SEED, {"steps": "steps"}, stop=stop, method="dopri5")
    assert len(addresses(sweep.task.base.program)) == 8
    found = run(sweep).dataset
    alone = [sweep.simulate(k).statistics["steps"] for k in range(2)]
    assert found["steps"].values.tolist() == alone


def test_final_values_are_those_of_a_run_alone_bit_for_bit() -> None:
    sweep = Sweep(
        oscillator(), {"x.x": {"linspace": [0.5, 3.0, 9]}}, {"x": {"final": "x"}, "y": {"final": "y"}}
    )
    found = run(sweep).dataset
    for k in range(9):
        alone = sweep.simulate(k)
        assert float(found["x"][k]) == float(alone.final("x"))
        assert float(found["y"][k]) == float(alone.final("y"))


def test_final_values_do_not_depend_on_what_else_is_measured() -> None:
    """Alone they need no rows between events, beside an extreme they need four a step."""
    axes = {"x.x": {"linspace": [0.5, 3.0, 5]}}
    few = run(Sweep(oscillator(), axes, {"x": {"final": "x"}})).dataset
    many = run(Sweep(oscillator(), axes, {"x": {"final": "x"}, "limit": {"max": "limit"}})).dataset
    assert few["x"].values.tobytes() == many["x"].values.tobytes()
    assert few["steps"].values.tobytes() == many["steps"].values.tobytes()
    assert many["limit"].values == pytest.approx(np.full(5, 1.5), abs=1e-12)


def test_rows_within_a_step_lie_on_the_dense_output() -> None:
    """Integrals over refined steps against closed forms, to the order of the interpolant."""
    d = bd.Diagram("decay")
    x = d.add("x", bd.Integrator(initial=1.0))
    d.connect(x, d.add("rate", bd.Gain(k=-1.0)), x)
    measures = {"area": {"integral": "x"}, "rms": {"rms": "x"}, "slope": {"integral": "rate"}}
    rates = [-0.5, -1.0, -3.0]
    sweep = Sweep(d, {"rate.k": rates}, measures, stop=2.0, method="dopri5", rtol=1e-10, atol=1e-12)
    found = run(sweep).dataset
    for k, rate in enumerate(rates):
        assert float(found["area"][k]) == pytest.approx((exp(2.0 * rate) - 1.0) / rate, abs=1e-9)
        square = (exp(4.0 * rate) - 1.0) / (2.0 * rate) / 2.0
        assert float(found["rms"][k]) == pytest.approx(square**0.5, abs=1e-9)
        assert float(found["slope"][k]) == pytest.approx(exp(2.0 * rate) - 1.0, abs=1e-9)


def test_time_within_a_step_is_the_rows_own() -> None:
    """The integral of a sine that no state follows: its values within a step are those at the row's time."""
    d = bd.Diagram("wave")
    d.add("wave", bd.Sine(amplitude=2.0, frequency=1.0))
    d.connect(d.add("one", bd.Constant(1.0)), d.add("x", bd.Integrator(initial=0.0)))
    d.connect("wave", d.add("seen", bd.Gain(k=1.0)))
    sweep = Sweep(
        d, {"wave.amplitude": [1.0, 2.0]}, {"area": {"integral": "seen"}}, stop=np.pi, max_step=0.05,
        method="dopri5",
    )  # fmt: skip
    assert run(sweep).dataset["area"].values == pytest.approx([2.0, 4.0], abs=1e-9)


def test_a_large_diagram_keeps_the_solvers_step() -> None:
    d = bd.Diagram("many")
    for k in range(60):
        d.connect(d.add(f"x{k}", bd.Integrator(initial=1.0)), d.add(f"g{k}", bd.Gain(k=-1.0)), f"x{k}")
    sweep = Sweep(d, {"g7.k": [-1.0, -2.0]}, {"x": {"final": "x7"}}, stop=1.0)
    assert len(addresses(sweep.task.base.program)) == 6
    assert run(sweep).dataset["x"].values == pytest.approx([exp(-1.0), exp(-2.0)], rel=1e-3)
