"""Options of blocks that switch, as an axis: each scenario is what the same options give alone."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

WORKS = """
blockdyn: 1
blocks:
  on: {type: Square, period: 2}
  sub:
    type: Subsystem
    diagram:
      blocks:
        enable: {type: Enable}
        one: {type: Constant}
        time: {type: Integrator}
        y: {type: Outport}
      wires: [one -> time -> y]
wires: [on -> sub.enable]
"""
ITERATES = """
blockdyn: 1
blocks:
  sub:
    type: Subsystem
    diagram:
      blocks:
        loop: {type: While, sample_time: 1}
        one: {type: Constant}
        n: {type: Sum, signs: "++"}
        last: {type: UnitDelay, sample_time: .inf}
        y: {type: Outport}
      wires:
        - one -> [loop, n[0]]
        - last -> n[1]
        - n -> [last, y]
"""


@pytest.mark.parametrize(
    ("text", "path", "values"),
    [
        (WORKS, "sub/enable.reset_states", [False, True]),
        (WORKS, "sub/enable.reset_outputs", [False, True]),
        (ITERATES, "sub/loop.limit", [2, 5, 3]),
        (ITERATES, "sub/loop.reset_states", [False, True]),
        (ITERATES, "sub/loop.test", ["after", "before"]),
    ],
)
def test_a_scenario_is_the_run_alone(text: str, path: str, values: list[object]) -> None:
    d = loads(text)
    sweep = bd.Sweep(d, {path: values}, {"y": {"final": "sub.y"}, "most": {"max": "sub.y"}}, stop=3.5)
    ensemble = sweep.run()
    alone = [d.simulate(stop=3.5, set={path: value}).trace("sub.y").values for value in values]
    assert ensemble["y"].tolist() == [float(each[-1]) for each in alone]
    assert ensemble["most"].tolist() == [float(each.max()) for each in alone]
    assert len({(float(each[-1]), float(each.max())) for each in alone}) == len(values) or "test" in path
