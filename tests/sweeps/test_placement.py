"""Placement: where a scenario's numbers are put without compiling it is where compiling it puts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.sweeps.execute.task import Task
from blockdyn.sweeps.sweep import Sweep


def begins(task: Task, k: int) -> Any:
    """The words of scenario k at its start, as the sweep lays them out."""
    overlay = task.placement.overlay(k, task.design.columns(k, k + 1), 1)
    assert not overlay.recompiled
    assert not overlay.refused
    words = task.base.template.begin.copy()
    words.view(np.float64)[overlay.float_at] = overlay.floats[0]
    words[overlay.integer_at] = overlay.integers[0]
    return words


def agree(sweep: Sweep) -> None:
    """Every scenario begins with the bits of its own compilation."""
    task = sweep.task
    for k in range(sweep.count):
        words = begins(task, k)
        alone = task.alone(k)
        assert alone.program.text.text == task.base.program.text.text
        assert words.tobytes() == alone.template.begin.tobytes(), sweep.scenario(k)


def mixed() -> bd.Diagram:
    """Blocks of every kind that matters here: direct, computed, timed, sampled, in subsystems, random."""
    inner = bd.Diagram("inner")
    inner.parameter("p", 2.0)
    inner.parameter("q", bd.expression("p + 1"))
    inner.connect(inner.add("u", bd.Inport()), inner.add("g", bd.Gain(k=bd.expression("q * 3"))))
    inner.connect("g", inner.add("y", bd.Outport()))
    d = bd.Diagram("mixed")
    d.parameter("a", 1.5)
    d.parameter("b", bd.expression("2 * a"))
    d.add("wave", bd.Sine(amplitude=bd.expression("a"), frequency=3.0))
    d.add("kick", bd.Step(time=1.0, final=bd.expression("b")))
    d.add("noise", bd.RandomNumber(sd=0.1, sample_time=0.25))
    d.add("sum", bd.Sum(signs="+++"))
    d.add("sub", bd.Subsystem(inner, p=bd.expression("b")))
    d.add("plant", bd.TransferFunction(num=[1.0], den=bd.expression("[a, 0.7, 1.0]")))
    d.add("x", bd.Integrator(initial=[1.0, 2.0]))
    d.add("hold", bd.ZeroOrderHold(sample_time=0.1, initial=0.5))
    for i, name in enumerate(("wave", "kick", "noise")):
        d.connect(name, f"sum[{i}]")
    d.connect("sum", "sub", "plant", "hold", "x")
    d.settings(stop=2.0)
    return d


@pytest.mark.parametrize(
    "axes",
    [
        {"a": [0.5, 1.0, 2.5]},
        {"wave.phase": [0.0, 1.0], "sub.p": [4.0, 5.0]},
        {"sub/g.k": [1.0, -1.0], "wave.amplitude": [1.0, 9.0]},
        {"kick.time": [0.3, 1.7, 1.0]},
        {"wave.frequency": [0.1, 50.0], "kick.time": [0.5, 0.6]},
        {"hold.sample_time": [0.05, 0.3]},
        {"noise.sample_time": [0.5, 0.125], "simulate.seed": [3, 4]},
        {"plant.den[1]": [0.1, 5.0], "a": [1.0, 2.0]},
        {"x.x[1]": [7.0, 8.0], "x.initial[0]": [-1.0, 1.0]},
        {"x.x": [[5.0, 6.0], [7.0, 8.0]]},
        {"hold.initial": [1.0, 2.0]},
        {"simulate.rtol": [1e-3, 1e-8], "simulate.stop": [1.0, 4.0]},
        {"simulate.max_step": [0.01, 0.02], "wave.frequency": [1.0, 100.0]},
    ],
)
def test_scenarios_begin_as_their_own_compilation(axes: dict[str, Any]) -> None:
    agree(Sweep(mixed(), axes, {"end": {"final": "plant"}}))


@pytest.mark.parametrize(
    ("axes", "directly"),
    [
        ({"k": [1.0, 2.0], "d": [3.0, 4.0]}, True),
        ({"k": [1.0, 2.0], "q": [3.0, 4.0]}, False),
        ({"k": [1.0, 2.0], "f.coefficients": [{"k": 1, "d": 2, "j": 4}, {"k": 3, "d": 2, "j": 5}]}, False),
        ({"q": [1.0, 2.0], "p.kp": [3.0, 4.0]}, False),
    ],
)
def test_coefficients_of_expressions(axes: dict[str, Any], directly: bool) -> None:
    """Parameters as they stand go to their places without the block being made again."""
    text = """\
blockdyn: 1
parameters: {k: 1.0, d: 0.5, q: 2.0}
blocks:
  s: {type: Sine, frequency: 1}
  f: {type: Expression, formula: "k*x - d*v + k*j", coefficients: {k: =k, d: =d, j: =k}}
  g: {type: Expression, formula: "k*x + d", coefficients: {k: =2*q, d: 3}}
  p: {type: PID, kp: =q, ki: 1}
wires: ["s -> [f.x, f.v, g.x]", g -> p]
simulate: {stop: 1.0}
"""
    sweep = Sweep(loads(text), axes, {"end": {"final": "f"}})
    assert [path for path in axes if path in {d.path for d in sweep.task.placement._direct}] == (
        [*axes] if directly else ["k"] if "q" in axes and "k" in axes else []
    )
    agree(sweep)


@pytest.mark.parametrize("unit", ["", "m"])
def test_the_factor_of_a_gain_goes_to_its_place_for_all_scenarios_at_once(unit: str) -> None:
    d = bd.Diagram("d")
    d.connect(d.add("u", bd.Constant(1.0)), d.add("g", bd.Gain(2.0, unit=unit)), d.add("x", bd.Integrator()))
    sweep = bd.Sweep(d, {"g.k": [1.0, -3.0, 1e300]}, {"x": {"final": "x"}}, stop=1.0)
    agree(sweep)
    assert [target.path for target in sweep.task.placement._direct] == ["g.k"]


def test_sampled_numbers_too() -> None:
    axes = {
        "a": {"uniform": {"low": 0.5, "high": 2.0}},
        "noise.sd": {"lognormal": {"mean": 0.0, "sd": 1.0}},
        "x.x[0]": {"normal": {"mean": 0.0, "sd": 1.0}},
    }
    agree(Sweep(mixed(), axes, {"end": {"final": "plant"}}, number=5, seed=2))


@pytest.mark.parametrize(
    ("name", "axes"),
    [
        ("computed-torque", {"arm.robot.payload.mass": [0.0, 1.5], "control.robot.perturb.fraction": [0.1],
                             "control.robot.perturb.seed": [1, 2]}),
        ("computed-torque", {"arm.robot.links.link3.mass": [4.0, 5.0], "control.Kp": [50.0, 100.0]}),
        (
            "quadrotor-corke",
            {"b": [1.2e-5, 1.4e-5], "quadrotor.mass": [3.5, 4.5], "quadrotor.inertia[0]": [0.08, 0.1]},
        ),
        ("feed-forward", {"simulate.stop": [0.5, 1.0]}),
    ],
)  # fmt: skip
def test_robots_and_vehicles(name: str, axes: dict[str, Any]) -> None:
    agree(Sweep(bd.load(name), axes, {"steps": "steps"}))


def test_what_no_block_takes_is_refused_with_its_reason() -> None:
    axes = {
        "hold.sample_time": {"normal": {"mean": 0.0, "sd": 0.1}},
        "noise.sd": {"uniform": {"low": -1.0, "high": 1.0}},
    }
    sweep = Sweep(mixed(), axes, {"end": {"final": "plant"}}, number=20, seed=1)
    ensemble = sweep.run(workers=1)
    values = [sweep.scenario(k) for k in range(20)]
    assert list(ensemble["failed"]) == [v["hold.sample_time"] <= 0 or v["noise.sd"] < 0 for v in values]
    assert 0 < sum(ensemble["failed"]) < 20
    said = " ".join(ensemble.dataset["reason"].values.tolist())
    assert "greater than zero" in said
    assert "zero or greater" in said


def test_clocks_that_meet_are_another_program() -> None:
    """Two holds of one period share a clock; of two periods they do not: neither may run as the other."""
    d = bd.Diagram("holds")
    d.add("wave", bd.Sine(frequency=1.0))
    d.add("a", bd.ZeroOrderHold(sample_time=0.1))
    d.add("b", bd.ZeroOrderHold(sample_time=0.2))
    d.connect("wave", "a", "b")
    sweep = Sweep(d, {"b.sample_time": [0.05, 0.1, 0.2]}, {"end": {"final": "b"}}, stop=1.03)
    task = sweep.task
    overlay = task.placement.overlay(0, task.design.columns(0, 3), 3)
    assert overlay.recompiled == [1]
    ends = sweep.run(workers=1)["end"]
    for k in range(3):
        assert ends[k] == sweep.simulate(k).final("b")
