"""Scenario k alone is scenario k in the sweep, bit for bit, however many threads share the sweep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.methods.method import runge_kutta
from blockdyn.sweeps.execute.pool import Pool
from blockdyn.sweeps.store.part import OUTCOMES, Part, join_parts

BY_PYTHON = bd.Method(  # dopri5, with steps that Python takes, as steps of a user's own method are
    "by_python", "Dormand-Prince", "none", METHODS["dopri5"].data, steps=lambda *given: runge_kutta(*given)
)

SMOOTH = """\
blockdyn: 1
parameters: {mu: 1.0}
blocks:
  x: {type: Integrator, initial: 2.0}
  v: {type: Integrator}
  f: {type: Expression, formula: "mu*(1 - u1**2)*u2 - u1", coefficients: {mu: =mu}}
wires: [v -> x, "x -> f.u1", "v -> f.u2", f -> v]
simulate: {stop: 5.0}
sweep:
  number: 4
  seed: 3
  axes: {mu: [0.1, 1.0, 3.0], v.x: {normal: {mean: 0, sd: 1}}, simulate.rtol: [1.0e-3, 1.0e-7]}
  measures: {x: {final: x}, top: {max: x}, rms: {rms: v}, speed: {max: "abs(x) + mu"}, steps: steps}
"""
EVENTS = """\
blockdyn: 1
parameters: {level: 0.3, period: 0.13}
blocks:
  wave:  {type: Sine, frequency: 5.0}
  noise: {type: BandLimitedWhiteNoise, power: 0.01, sample_time: 0.04}
  sum:   {type: Sum, signs: "+++"}
  relay: {type: Relay, on: =level, off: -0.3}
  hold:  {type: ZeroOrderHold, sample_time: =period}
  x:     {type: Integrator}
  kick:  {type: Step, time: 1.0}
wires: ["wave -> sum[0]", "noise -> sum[1]", sum -> relay -> x, x -> hold, "kick -> sum[2]"]
simulate: {stop: 2.5, seed: 9}
sweep:
  number: 3
  axes:
    level: [0.3, 0.4]
    period: [0.13, 0.04, 0.5]
    wave.phase: {uniform: {low: 0, high: 3}}
    kick.time: [0.7, 2.0]
  measures: {x: {final: x}, hold: {final: hold}, top: {max: x}, flips: {count: relay}, low: {min: hold}}
"""
STRUCTURE = """\
blockdyn: 1
blocks:
  wave: {type: Sine, frequency: 3.0}
  sum:  {type: Sum, signs: "+-"}
  x:    {type: Integrator, initial: 1.0}
wires: ["wave -> sum[0]", "x -> sum[1]", sum -> x]
simulate: {stop: 2.0}
sweep:
  axes:
    sum.signs: ["+-", "--", "+-"]
    simulate.method: [dopri5, bs32, dopri5]
    wave.phase: {linspace: [0, 1, 5]}
  measures: {x: {final: x}, top: {max: x}, rms: {rms: x}}
"""


def part_of(sweep: bd.Sweep, workers: int, chunk: int) -> Part:
    """The sweep, in chunks of a size, on so many threads."""
    parts: list[Part] = []
    count = sweep.count
    ranges = [(at, min(at + chunk, count)) for at in range(0, count, chunk)]
    pool = Pool(sweep.task, ranges, parts.append, workers=workers)
    assert pool.run()
    return join_parts(parts)


def same(one: Part, other: Part) -> None:
    for name in ("measures", "outcome", "end", "steps"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    assert one.reason == other.reason
    for name, values in one.signals.items():
        assert values.tobytes() == other.signals[name].tobytes(), name


def agrees(sweep: bd.Sweep, part: Part, k: int, **settings: Any) -> None:
    """What full results say of scenario k is what the sweep measured of it."""
    names = sweep.measures.names
    row = dict(zip(names, part.measures[k].tolist(), strict=True))
    result = sweep.simulate(k, refine=4, **settings)
    assert OUTCOMES[part.outcome[k]] == "complete"
    assert result.statistics["end"] == part.end[k]
    assert result.statistics["steps"] == part.steps[k]
    assert result.final("x") == row["x"]
    if "hold" in row:
        assert result.final("hold") == row["hold"]
    if "flips" in row:
        assert sum(event.path.startswith("relay") for event in result.events) == row["flips"]
    top = result.trace("x").values.max()
    assert row["top"] >= top
    assert row["top"] == pytest.approx(top, abs=0.05)


@pytest.mark.parametrize("text", [SMOOTH, EVENTS, STRUCTURE])
def test_every_scenario_alone_and_on_any_number_of_threads(text: str) -> None:
    sweep = bd.Sweep(loads(text))
    first = part_of(sweep, 1, sweep.count)
    for workers, chunk in ((1, 1), (2, 3), (3, 256), (7, 5)):
        same(part_of(bd.Sweep(loads(text)), workers, chunk), first)
    for k in range(sweep.count):
        agrees(sweep, first, k)


def test_robots_made_anew_on_several_threads() -> None:
    """Every combination of values is a robot of its own; threads make them at the same time."""
    axes = {
        "control.robot.perturb.fraction": [0.1, 0.3], "control.robot.perturb.seed": {"count": 6},
        "arm.robot.payload.mass": {"uniform": {"low": 0, "high": 2}},
    }  # fmt: skip
    measures = {"x": {"final": "error[0]"}, "top": {"max": "error[1]"}}
    first, many = (
        part_of(bd.Sweep(bd.load("computed-torque"), axes, measures, number=3, seed=1, stop=0.03), n, chunk)
        for n, chunk in ((1, 36), (7, 1))
    )
    same(many, first)
    assert len({*first.measures[:, 0].tolist()}) == 36


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "rodas5p"},
        {"method": "radau5"},
        {"method": BY_PYTHON},
        {"compiled": False},
    ],
)
def test_scenarios_that_python_runs(settings: dict[str, Any]) -> None:
    sweep = bd.Sweep(loads(SMOOTH), number=1, stop=0.5, **settings)
    first = part_of(sweep, 1, 3)
    same(part_of(sweep, 3, 1), first)
    for k in (0, 3, 5):
        agrees(sweep, first, k)


def test_interpreted_scenarios_are_the_compiled_ones() -> None:
    one, other = (
        part_of(bd.Sweep(loads(EVENTS), number=1, stop=0.2, compiled=compiled), 1, 12)
        for compiled in (True, False)
    )
    same(one, other)


def low_pass(u: float) -> float:
    return 0.5 * u if u > 0 else 0.25 * u


def test_python_blocks_and_methods_among_native_scenarios() -> None:
    d = bd.Diagram("among")
    wave, x = d.add("wave", bd.Sine(frequency=5.0)), d.add("x", bd.Integrator(1.0))
    f = d.add("f", bd.SampledFunction(low_pass, sample_time=0.1))
    d.connect(wave, f, x)
    axes = {
        "f.compiled": [True, False, True], "simulate.method": ["dopri5", BY_PYTHON, "bs32"],
        "wave.phase": [0.0, 1.0],
    }  # fmt: skip
    sweep = bd.Sweep(d, axes, {"x": {"final": "x"}, "top": {"max": "x"}}, stop=1.0)
    first = part_of(sweep, 1, sweep.count)
    same(part_of(sweep, 3, 1), first)
    for k in range(sweep.count):
        agrees(sweep, first, k)


KEPT = {"signals": ["x"], "every": 0.25}


def test_scenarios_that_turn_out_stiff_among_others_that_do_not() -> None:
    """x' = k (1 - x): where k is large, the method gives way in the middle of the scenario."""
    d = bd.Diagram("speeds")
    law = d.add("law", bd.Expression("k * (1 - x)"))
    d.connect(d.add("k", bd.Constant(1.0)), law["k"])
    d.connect(d.add("x", bd.Integrator(0.0)), law["x"])
    d.connect(law, "x")
    axes = {"k.value": [1.0, 1e5, 10.0, 1e6, 3e4, 2.0]}
    sweep = bd.Sweep(d, axes, {"x": {"final": "x"}, "top": {"max": "x"}}, method="auto", stop=1.0, keep=KEPT)
    first = part_of(sweep, 1, sweep.count)
    same(part_of(sweep, 3, 1), first)
    switches = []
    for k in range(sweep.count):
        agrees(sweep, first, k)
        alone = sweep.simulate(k, times=sweep.task.times)
        assert alone.trace("x").values.tobytes() == first.signals["x.y"][k].tobytes()
        switches.append(alone.statistics["switches"])
    assert switches == [0, 1, 0, 1, 1, 0]


@pytest.mark.parametrize("text", [SMOOTH, STRUCTURE])
def test_kept_signals_are_those_of_the_run_on_that_grid(text: str) -> None:
    sweep = bd.Sweep(loads(text), keep=KEPT)
    first = part_of(sweep, 1, sweep.count)
    same(part_of(sweep, 3, 2), first)
    times = sweep.task.times
    for k in range(0, sweep.count, 5):
        alone = sweep.simulate(k, times=times).trace("x").values
        assert alone.tobytes() == first.signals["x.y"][k].tobytes()


def test_where_a_scenario_has_no_values_the_kept_ones_are_missing() -> None:
    """Ahead of its start, behind its stop, and behind a failure; also where it has a program of its own."""
    text = STRUCTURE.partition("sweep:")[0]
    axes = {"sum.signs": ["+-", "--"], "simulate.stop": [0.5, 1.0], "simulate.start": [0.0, 0.25]}
    sweep = bd.Sweep(loads(text), axes, {"x": {"final": "x"}}, keep=KEPT)
    part = part_of(sweep, 2, 3)
    for k in range(sweep.count):
        run = sweep.scenario(k)
        times = np.array(sweep.task.times)
        inside = (times >= run["simulate.start"]) & (times <= run["simulate.stop"])
        assert (np.isfinite(part.signals["x.y"][k]) == inside).all()
        alone = sweep.simulate(k, times=times[inside]).trace("x").values
        assert alone.tobytes() == part.signals["x.y"][k][inside].tobytes()


@pytest.mark.parametrize("settings", [{}, {"method": "rodas5p"}, {"method": BY_PYTHON}])
def test_kept_signals_of_failing_scenarios(settings: dict[str, Any]) -> None:
    d = bd.Diagram("pole", {"c": 1.0})
    x = d.add("x", bd.Integrator(bd.expression("c")))
    d.connect(x, d.add("square", bd.Expression("u**2")), x)
    sweep = bd.Sweep(d, {"c": [0.1, 1.0, 0.2]}, {"x": {"final": "x"}}, keep=KEPT, stop=2.0, **settings)
    part = part_of(sweep, 1, 3)
    assert [OUTCOMES[i] for i in part.outcome][::2] == ["complete", "complete"]
    assert np.isnan(part.measures[1]).all()
    kept = part.signals["x.y"]
    t = np.array(sweep.task.times)
    np.testing.assert_allclose(kept[0], 1 / (1 / 0.1 - t), rtol=1e-3)
    np.testing.assert_allclose(kept[1, t < 0.9], 1 / (1 - t[t < 0.9]), rtol=1e-2)
    assert np.isnan(kept[1, t > 1.1]).all()


def test_settings_that_only_an_axis_gives() -> None:
    text = SMOOTH.partition("simulate:")[0]
    axes = {"simulate.step": [0.1, 0.05], "simulate.stop": [1.0, 2.0]}
    sweep = bd.Sweep(loads(text), axes, {"x": {"final": "x"}, "top": {"max": "x"}}, method="rk4")
    part = part_of(sweep, 1, 4)
    assert part.end.tolist() == [1.0, 2.0, 1.0, 2.0]
    assert part.steps.tolist() == [10, 20, 20, 40]
    for k in range(4):
        agrees(sweep, part, k)
