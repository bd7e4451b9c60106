"""ForEach: one diagram for each element of a vector, each with its own states."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import SizeMismatch
from blockdyn.diagrams.yaml import loads

WELLS = """
blockdyn: 1
parameters: {slow: 1.0}
blocks:
  inflow: {type: Constant, value: [1.0, 2.0, 3.0]}
  places: {type: Constant, value: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]}
  gain: {type: Constant, value: 2.0}
  on: {type: Step, time: 1.0, initial: 1.0, final: 0.0}
  wells:
    type: Subsystem
    parameters: {rate: "=[slow, 2, 4]"}
    diagram:
      parameters: {rate: 0.0, limit: 1.5}
      blocks:
        each: {type: ForEach, count: 3, shared: [k], split: [rate]}
        enable: {type: Enable}
        u: {type: Inport}
        at: {type: Inport}
        k: {type: Inport}
        net: {type: Expression, formula: "k * u - rate * x", coefficients: {rate: =rate}}
        x: {type: Integrator}
        full: {type: Compare, operator: ">", value: =limit}
        twice: {type: Gain, k: 2.0}
        level: {type: Outport}
        above: {type: Outport}
        number: {type: Outport}
        doubled: {type: Outport}
      wires:
        - u -> net.u
        - k -> net.k
        - net -> x -> [net.x, full, level]
        - full -> above
        - each -> number
        - at -> twice -> doubled
wires:
  - inflow -> wells.u
  - places -> wells.at
  - gain -> wells.k
  - on -> wells.enable
simulate: {stop: 2.0, rtol: 1.0e-10, atol: 1.0e-12}
"""


def test_each_has_its_states_parameters_and_events() -> None:
    """x_i = 2 u_i/r_i (1 - exp(-r_i t)), until all are disabled at t = 1."""
    d = loads(WELLS)
    rates = np.array([1.0, 2.0, 4.0])
    ends = 2 * np.array([1.0, 2.0, 3.0]) / rates
    for compiled in (True, False):
        r = d.simulate(compiled=compiled)
        x = ends * (1 - np.exp(-rates))
        np.testing.assert_allclose(r.final("wells.level"), x, rtol=1e-9)
        assert r.final("wells.above").tolist() == (x > 1.5).astype(float).tolist()
        assert r.final("wells.number").tolist() == [0.0, 1.0, 2.0]
        assert r.final("wells.doubled").tolist() == [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]
        passed = {e.path: e.time for e in r.events if e.path.endswith("full")}
        assert list(passed) == ["wells/each_1/full"]
        np.testing.assert_allclose(passed["wells/each_1/full"], -np.log(0.25) / 2.0, rtol=1e-8)
    other = d.simulate(set={"wells/each_0/x.initial": 1.0, "slow": 0.5})
    np.testing.assert_allclose(other.final("wells.level")[0], 4.0 - 3.0 * np.exp(-0.5), rtol=1e-9)
    swept = bd.Sweep(d, {"slow": [0.5, 1.0]}, {"x": {"final": "wells.level[0]"}}).run()["x"]
    np.testing.assert_allclose(swept, [4.0 * (1 - np.exp(-0.5)), 2.0 * (1 - np.exp(-1.0))], rtol=1e-9)
    assert (
        loads(bd.dumps(d)).simulate().final("wells.level").tolist()
        == d.simulate().final("wells.level").tolist()
    )


@pytest.mark.parametrize(
    ("before", "after", "match"),
    [
        ("count: 3", "count: 2", r"(?s)3 errors.*input wells\.u gets vector 3.*a vector of 2 elements"),
        ("shared: [k]", "shared: [kk]", "(?s)ForEach.shared is 'kk'.*did you mean `k`"),
        ("split: [rate]", "split: [rates]", "(?s)ForEach.split is 'rates'.*did you mean `rate`"),
        ("[slow, 2, 4]", "[slow, 2]", "(?s)wells.*rate.*a vector of 3 elements"),
        ("count: 3", "count: 0", "a whole number from 1 to 1000"),
    ],
)
def test_what_does_not_fit(before: str, after: str, match: str) -> None:
    with pytest.raises(bd.BlockdynError, match=match):
        loads(WELLS.replace(before, after)).check()


def test_a_mistake_in_what_is_there_many_times_is_told_once() -> None:
    part = "blocks: {each: {type: ForEach, count: 2}, u: {type: Inport}, %s, y: {type: Outport}}, wires: [%s]"
    inner = part % ("i: {type: Integrator}", "u -> i -> y")
    outer = part % ("inner: {type: Subsystem, diagram: {" + inner + "}}", "u -> inner -> y")
    text = (
        "blockdyn: 1\nblocks:\n  c: {type: Constant, value: [1, 2]}\n  s: {type: Subsystem, diagram: {%s}}\n"
    )
    with pytest.raises(SizeMismatch, match=r"each_0/inner\.u gets scalar") as caught:
        loads(text % outer + "wires: [c -> s]\n").compile()
    assert str(caught.value).count("gets scalar") == 1
