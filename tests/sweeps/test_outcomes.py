"""However a scenario fails, it is one result among the others, with the reason that it has alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.sweeps.store.part import OUTCOMES, SUCCESSES

from .ball import Ball

HEAD = "blockdyn: 1\nparameters: {c: 1.0}\nsimulate: {stop: 2}\nblocks:\n  "
ROOT = """\
f: {type: Expression, formula: sqrt(c - t), coefficients: {c: =c}}
  x: {type: Integrator}
wires: [f -> x]"""
POLE = "f: {type: Expression, formula: u**2}\n  x: {type: Integrator, initial: =c}\nwires: [x -> f -> x]"
SLIDING = """\
r: {type: Relay, on: -1, off: 1, switch_on: =c, switch_off: -0.1}
  x: {type: Integrator, initial: 1}
wires: [x -> r -> x]"""
CIRCLE = """\
one: {type: Constant, value: 1}
  turn: {type: Expression, formula: 1 - a}
  x: {type: Integrator, reset: either, level: =c}
wires: [one -> x.u, x -> x.trigger, x -> turn -> x.value]"""
ASSERTED = """\
s: {type: Step, time: 0.5, initial: 1, final: =c}
  x: {type: Integrator}
  a: {type: Assert, message: the arm has hit the table}
wires: ["s -> [a, x]"]"""
STOPPED = """\
s: {type: Step, time: =c}
  x: {type: Integrator}
  a: {type: Stop}
wires: ["s -> [a, x]"]"""
HELD = "s: {type: Sine, frequency: 1}\n  x: {type: ZeroOrderHold, sample_time: =c}\nwires: [s -> x]"
TICKS = """\
s: {type: Constant}
  h: {type: ZeroOrderHold, sample_time: =c}
  x: {type: Integrator}
wires: [s -> h -> x]"""
PORTS = "s: {type: Sine, frequency: 1}\n  x: {type: Sum, signs: +}\nwires: [s -> x]"
MEASURES = {"x": {"final": "x"}, "top": {"max": "x"}, "duration": "end_time", "twice": {"value": "2 * top"}}


def ball() -> bd.Diagram:
    d = bd.Diagram("ball", {"c": 1.0})
    share: Any = bd.expression("c")
    d.connect(d.add("ball", Ball(share=share))["height"], d.add("x", bd.Gain()))
    return d.settings(stop=2.0) or d


def careful(u: float) -> float:
    if u > 1.0:
        raise RuntimeError("the valve has come off")
    return 2.0 * u


def python_block() -> bd.Diagram:
    d = bd.Diagram("valve", {"c": 1.0})
    c = d.add("c", bd.Constant(bd.expression("c")))
    x = d.add("x", bd.SampledFunction(careful, sample_time=0.5, compiled=False))
    d.connect(c, x)
    return d.settings(stop=2.0) or d


def ticks() -> bd.Diagram:
    """A step from tick to tick."""
    d = loads(HEAD + TICKS)
    return d.settings(method="rk4", step=0.5, max_steps=1000) or d


FAILURES: list[Any] = [
    (ROOT, [9.0, 0.5, 7.0], "not finite", 0.5, "f.y became nan at t = 0.5"),
    (POLE, [-1.0, 1.0, 0.1], "step collapse", 1.0, "x.x could not be integrated"),
    (SLIDING, [0.1, -0.1, 0.2], "chattering", 1.1, "r switched 101 times back and forth at t = 1.1"),
    (CIRCLE, [9.0, 0.75, 8.0], "unsettled", 0.75, "the modes of x still change"),
    (ASSERTED, [1.0, 0.2, 0.8], "assert", 0.5, "the arm has hit the table"),
    (ball, [1.0, 0.4, 0.9], "zeno", math.sqrt(0.2) * (1 + 0.8 / 0.6), "ball has had"),
    (python_block, [0.5, 1.5, 1.0], "failed", 0.0, "the valve has come off"),
    (HELD, [0.5, -0.5, 0.1], "refused", None, "greater than zero"),
    (ticks, [0.5, 0.001, 0.25], "too many steps", 1.0, "1000 steps had been taken at t = 1.0 s"),
]


def diagram(made: Any) -> bd.Diagram:
    return loads(HEAD + made) if isinstance(made, str) else made()


@pytest.mark.parametrize(("made", "values", "outcome", "end", "said"), FAILURES)
def test_the_second_of_three_fails(
    made: Any, values: Sequence[float], outcome: str, end: float | None, said: str
) -> None:
    if outcome == "refused":  # what a list cannot have, a file of scenarios or a distribution brings
        normal = {"c": {"normal": {"mean": 0.0, "sd": 1.0}}}
        sweep = bd.Sweep(diagram(made), normal, MEASURES, number=3, seed=10)
        assert [sweep.scenario(k)["c"] > 0 for k in range(3)] == [True, False, True]
    else:
        sweep = bd.Sweep(diagram(made), {"c": values}, MEASURES)
    ensemble = sweep.run()
    data = ensemble.dataset
    assert [OUTCOMES[i] for i in ensemble.gathered.outcome] == ["complete", outcome, "complete"]
    assert ensemble.complete
    reason = ensemble.gathered.reason[1]
    assert said in reason
    with pytest.raises(bd.BlockdynError) as alone:
        sweep.simulate(1)
    assert str(alone.value).endswith(reason)
    for name in MEASURES:
        column = data[name].values.ravel()
        assert np.isnan(column[1])
        assert np.isfinite(column[[0, 2]]).all()
    ends = ensemble["end"]
    assert ends[0] == ends[2] == 2.0
    if end is None:
        assert math.isnan(data["end"].values.ravel()[1])
    else:
        assert data["end"].values.ravel()[1] == pytest.approx(end, abs=1e-6)
    for k in (0, 2):
        assert data["x"].values.ravel()[k] == sweep.simulate(k).final("x")
    said_so = str(ensemble.summary())
    assert outcome in said_so
    assert "2 succeeded, 1 failed" in said_so


def test_the_list_covers_every_outcome() -> None:
    elsewhere = {"time limit", "process died"}  # tests/right/test_endless.py, test_deaths.py
    assert {case[2] for case in FAILURES} | elsewhere == {*OUTCOMES[SUCCESSES:]}


def test_a_stop_block_ends_a_scenario_well() -> None:
    sweep = bd.Sweep(loads(HEAD + STOPPED), {"c": [9.0, 0.25]}, MEASURES)
    ensemble = sweep.run()
    assert [OUTCOMES[i] for i in ensemble.gathered.outcome] == ["complete", "stopped"]
    assert ensemble["end"].tolist() == [2.0, 0.25]
    assert not ensemble["failed"].any()


class Pump(bd.Block):
    """Its own check refuses numbers as Python code does."""

    outputs = (bd.Port("y", 1, ""),)

    size: float = bd.parameter(default=1.0)

    def check(self):
        if self.size > 2:
            raise ValueError("too large a pump")

    @staticmethod
    def output(size):
        return size


@pytest.mark.parametrize("axis", [[1.0, 3.0, 2.0], {"uniform": {"low": 1.5, "high": 2.5}}])
def test_a_blocks_own_check_refuses_its_scenario_and_no_other(axis: Any) -> None:
    d = bd.Diagram("pump", {"c": 1.0})
    size: Any = bd.expression("c")
    d.connect(d.add("pump", Pump(size=size)), d.add("x", bd.Integrator()))
    number = 20 if isinstance(axis, dict) else None
    sweep = bd.Sweep(d, {"c": axis}, {"x": {"final": "x"}}, number=number, seed=1, stop=1.0)
    ensemble = sweep.run(workers=3)
    sizes = np.array([sweep.scenario(k)["c"] for k in range(sweep.count)])
    assert ensemble["failed"].tolist() == (sizes > 2).tolist()
    reasons = {reason.partition("\n")[0] for reason in ensemble.gathered.reason}
    assert reasons == {"", "pump: Pump.check raised ValueError: too large a pump"}
    np.testing.assert_allclose(ensemble["x"][sizes <= 2], sizes[sizes <= 2], rtol=1e-12)
