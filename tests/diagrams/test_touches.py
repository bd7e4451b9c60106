"""Touches: values that change at exact instants of a run are events of it, whatever method takes steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import RunArgumentError

HOW = [
    {},
    {"method": "rk4", "step": 0.01},
    {"method": "ab4", "step": 0.01},
    {"method": "radau5", "rtol": 1e-9},
    {"refine": 4},
    {"compiled": False},
]


def decay() -> bd.Diagram:
    d = bd.Diagram("decay", parameters={"rate": 1.0})
    x, slope = d.add("x", bd.Integrator(1.0)), d.add("slope", bd.Gain(bd.expression("-rate")))
    d.connect(x, slope, x)
    return d


@pytest.fixture(scope="module")
def decaying() -> Any:
    return decay().compile()


@pytest.mark.parametrize("how", HOW, ids=str)
def test_each_piece_between_touches_is_the_exponential_of_its_rate(
    decaying: Any, how: dict[str, Any]
) -> None:
    touches = [(1.3, {"x.x": 2.0}), (0.7, {"rate": 3.0}), (1.3, {"rate": 0.5}), (0.0, {"rate": 1.5})]
    r = decaying.simulate(stop=2.0, touches=touches, **{"rtol": 1e-9, **how})
    slope = r.trace("slope")
    for at, before, after in ((0.7, -1.5 * np.exp(-1.05), -3.0 * np.exp(-1.05)), (1.3, None, -1.0)):
        left, right = slope.values[slope.time == at]
        assert right == pytest.approx(after, rel=1e-6)
        assert before is None or left == pytest.approx(before, rel=1e-6)
    assert r.final("x") == pytest.approx(2.0 * np.exp(-0.35), rel=1e-6)
    assert [(e.time, e.kind, e.detail) for e in r.events] == [
        (0.0, "touch", "rate"), (0.7, "touch", "rate"), (1.3, "touch", "x.x, rate")
    ]  # fmt: skip
    assert decaying.simulate(stop=2.0, touches=r.touched, **how).touched == r.touched


def test_rows_on_a_grid_have_the_limit_from_the_right(decaying: Any) -> None:
    r = decaying.simulate(times=[0.5, 1.0, 1.5], touches=[(1.0, {"rate": 2.0})])
    np.testing.assert_allclose(r["slope"], [-np.exp(-0.5), -2 * np.exp(-1.0), -2 * np.exp(-2.0)], rtol=1e-5)


def test_modes_crossings_and_edges_hear_a_touch_as_they_hear_a_step() -> None:
    d = bd.Diagram()
    u = d.add("u", bd.Inport(default=0.0))
    d.connect(u, d.add("relay", bd.Relay(switch_on=0.5, switch_off=0.2)), d.add("count", bd.Integrator()))
    d.connect(u, d.add("hit", bd.HitCrossing(level=0.3)))
    r = d.simulate(stop=4.0, touches=[(1.0, {"u": 1.0}), (3.0, {"u": 0.0})])
    assert r.final("count") == pytest.approx(2.0, abs=1e-14)
    assert {(e.time, e.direction) for e in r.events if e.path == "hit"} == {(1.0, "rising"), (3.0, "falling")}


def test_a_tick_at_the_same_instant_comes_before_the_touch() -> None:
    d = bd.Diagram(parameters={"level": 1.0})
    d.connect(d.add("u", bd.Constant(bd.expression("level"))), d.add("held", bd.ZeroOrderHold(0.5)))
    r = d.simulate(stop=1.2, touches=[(0.5, {"level": 2.0})])
    assert r["held"].values.tolist() == [1.0, 1.0, 2.0, 2.0]


def test_overrides_of_the_run_stay_beside_touches() -> None:
    d = bd.Diagram(parameters={"a": 1.0, "b": 1.0, "gains": [1.0, 2.0]})
    u, k = d.add("u", bd.Constant(bd.expression("gains"))), d.add("k", bd.Gain(bd.expression("a * b")))
    d.connect(u, k, d.add("x", bd.Integrator([0.0, 0.0])))
    r = d.simulate(stop=2.0, parameters={"a": 5.0}, set={"gains[1]": 3.0}, touches=[(1.0, {"b": 2.0})])
    assert r.final("x").tolist() == pytest.approx([15.0, 45.0])
    r = d.simulate(stop=2.0, set={"gains[1]": 3.0}, touches=[(1.0, {"gains": [0.0, 0.0]})])
    assert r.final("x").tolist() == pytest.approx([1.0, 3.0])


@pytest.mark.parametrize(
    ("touch", "named"),
    [
        ({"wave.period": 3.0}, "instants of wave"),
        ({"x.initial": 3.0}, "only an initial value"),
        ({"late.delay": 0.2}, "for the delay"),
        ({"held.sample_time": 0.3}, "instants of held"),
        ({"simulate.rtol": 1e-3}, "keeps its settings"),
        ({"x.x": "much"}, "not a valid value of the state"),
    ],
    ids=str,
)
def test_what_is_known_before_a_run_begins_cannot_be_touched(touch: dict[str, Any], named: str) -> None:
    d = bd.Diagram()
    d.connect(d.add("wave", bd.Square(period=1.0)), d.add("x", bd.Integrator()))
    d.connect(d["wave"], d.add("late", bd.TransportDelay(0.1)))
    d.connect(d["wave"], d.add("held", bd.ZeroOrderHold(0.5)))
    with pytest.raises(RunArgumentError, match=named) as caught:
        d.simulate(stop=1.0, touches=[(0.5, touch)])
    assert "expected: " in str(caught.value)


@pytest.mark.parametrize(
    "touches", [7, np.array(2.0), [(1.0,)], [{"at": 1.0}], [(9.0, {"rate": 1})], [("x", {})], "no"]
)
def test_what_is_no_touch_is_told(decaying: Any, touches: Any) -> None:
    with pytest.raises(RunArgumentError, match="touches"):
        decaying.simulate(stop=2.0, touches=touches)


def test_files_have_touches(tmp_path: Any) -> None:
    file = tmp_path / "decay.yaml"
    file.write_text(
        "blockdyn: 1\nname: decay\nparameters: {rate: 1}\nblocks:\n  x: {type: Integrator, initial: 1}\n"
        "  slope: {type: Gain, k: =-rate}\nwires: [x -> slope -> x]\n"
        "simulate: {stop: 1, touches: [{at: 0.5, set: {rate: 3}}]}\n"
    )
    assert bd.load(file).simulate().final("x") == pytest.approx(np.exp(-2.0), rel=1e-6)


def test_a_sweep_differs_from_the_start_on() -> None:
    d = decay()
    d.settings(stop=1.0, touches=[{"at": 0.5, "set": {"rate": 3.0}}])
    with pytest.raises(RunArgumentError, match="scenarios of a sweep"):
        bd.Sweep(d, {"rate": [1.0, 2.0]}, {"x": {"final": "x"}}).run()
