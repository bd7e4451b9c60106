"""A block that switches in the instant of another event is in the list of events, once."""

from __future__ import annotations

from itertools import pairwise

import pytest

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False])
CHART = {"states": {"a": {}, "b": {}}, "transitions": ["a -> b: u >= 1", "b -> a: u <= 0"]}


def staircase(block, port="u"):
    """A signal that flows, and steps through 0, 1, 2, 1, 0 at 1, 2, 3 and 4 s."""
    d = bd.Diagram()
    stairs = bd.PiecewiseConstant(times=[0, 1, 2, 3, 4], values=[0, 1, 2, 1, 0])
    total, switch = d.add("total", bd.Sum("++")), d.add("switch", block)
    d.connect(d.add("stairs", stairs), total[0])
    d.connect(d.add("zero", bd.Constant(0.0)), d.add("x", bd.Integrator()), total[1])
    d.connect(total, switch[port])
    return d


@BOTH
@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (bd.Compare(">=", value=1.0), [(1.0, "rising"), (4.0, "falling")]),
        (bd.Compare(">", value=1.0), [(2.0, "rising"), (3.0, "falling")]),
        (bd.Compare("==", value=1.0), [(1.0, "rising"), (2.0, "rising"), (3.0, "falling"), (4.0, "falling")]),
        (bd.IntervalTest(lower=1.0, upper=1.5), [(k, "") for k in (1.0, 2.0, 3.0, 4.0)]),
        (bd.Relay(switch_on=1.0, switch_off=0.0), [(1.0, ""), (4.0, "")]),
        (bd.StateMachine(chart=CHART), [(1.0, "rising"), (4.0, "rising")]),
    ],
)
def test_switching_exactly_at_a_level(block, expected, compiled):
    r = staircase(block).simulate(stop=5.0, compiled=compiled)
    found = [(event.time, event.direction) for event in r.events if event.path == "switch"]
    assert [time for time, _ in found] == [time for time, _ in expected]
    assert all(way in ("", direction) for (_, direction), (_, way) in zip(found, expected, strict=True))


@BOTH
@pytest.mark.parametrize("slope", [1.0, -1.0])
@pytest.mark.parametrize(("comparison", "at", "above"), [("==", 1, 0), (">=", 1, 1), (">", 0, 1)])
def test_a_signal_that_rests_at_its_level_and_leaves_it(slope, comparison, at, above, compiled):
    """0, from 1 s on 1, and from 2 s on a ramp away from it."""
    d = bd.Diagram()
    total, switch = d.add("total", bd.Sum("++")), d.add("switch", bd.Compare(comparison, value=1.0))
    d.connect(d.add("step", bd.Step(time=1.0)), total[0])
    d.connect(d.add("ramp", bd.Ramp(slope, start=2.0)), total[1])
    d.connect(total, switch)
    r = d.simulate(stop=3.0, compiled=compiled)
    seen = [float(r.trace("switch").at(t)) for t in (0.5, 1.5, 2.5)]
    assert seen == [0, at, above if slope > 0 else 0]
    changes = sum(a != b for a, b in pairwise(seen))
    assert len([event for event in r.events if event.path == "switch"]) == changes


@BOTH
def test_a_level_that_is_only_touched_is_no_event(compiled):
    """0, 1, 0: `>` does not hold at 1."""
    d = staircase(bd.Compare(">", value=2.0))
    assert [e.path for e in d.simulate(stop=5.0, compiled=compiled).events if e.path == "switch"] == []


def test_a_timer_that_begins_at_its_threshold_is_stopped_by_leaving_it():
    """u is 0.5 from 1 s to 2 s, which counts as true, and falls then."""
    d = bd.Diagram()
    total, timer = d.add("total", bd.Sum("+-")), d.add("timer", bd.DelayTimer(delay=0.5))
    d.connect(d.add("step", bd.Step(time=1.0, final=0.5)), total[0])
    d.connect(d.add("ramp", bd.Ramp(start=2.0)), total[1])
    d.connect(total, timer)
    trace = d.simulate(stop=4.0).trace("timer.y")
    assert [float(trace.at(t)) for t in (0.9, 1.4, 1.6, 1.9, 2.1, 3.0)] == [0, 0, 1, 1, 0, 0]


def test_measures_of_such_a_change():
    d = bd.Diagram()
    total = d.add("total", bd.Sum("++"))
    d.connect(d.add("step", bd.Step(time=1.0)), total[0])
    d.connect(d.add("zero", bd.Constant(0.0)), d.add("x", bd.Integrator()), total[1])
    d.connect(total, d.add("switch", bd.Compare(">=", value=1.0)))
    assert d.measure({"n": {"count": "switch"}, "t": {"time_to": "switch"}}, stop=3.0) == {"n": 1.0, "t": 1.0}


@BOTH
@pytest.mark.parametrize("value", [1.0, 2.0])
def test_a_machine_that_moves_as_it_is_enabled(value, compiled):
    inner = bd.Diagram()
    inner.add("enable", bd.Enable())
    m = inner.add("m", bd.StateMachine(chart=CHART))
    inner.connect(inner.add("u", bd.Inport()), m["u"])
    inner.connect(m["state"], inner.add("y", bd.Outport()))
    d = bd.Diagram()
    s = d.add("sub", inner)
    d.connect(d.add("value", bd.Constant(value)), s["u"])
    d.connect(d.add("on", bd.Step(time=1.0)), s["enable"])
    r = d.simulate(stop=3.0, compiled=compiled)
    assert [(e.time, e.detail) for e in r.events if e.path == "sub/m"] == [(1.0, "u >= 1")]
    assert r.final("sub.y") == 1.0


@pytest.mark.parametrize("block", [bd.DFlipFlop(), bd.JKFlipFlop()])
def test_a_clock_that_rises_to_its_threshold_is_an_edge(block):
    """A signal is true if it is not below 0.5."""
    d = bd.Diagram()
    f = d.add("f", block)
    d.connect(d.add("clock", bd.Step(time=1.0, final=0.5)), f["clock"])
    one = d.add("one", bd.Constant(1.0))
    d.connect(one, f["d" if isinstance(block, bd.DFlipFlop) else "j"])
    if isinstance(block, bd.JKFlipFlop):
        d.connect(d.add("zero", bd.Constant(0.0)), f["k"])
    r = d.simulate(stop=2.0)
    assert (r.trace("f.y").at(0.9), r.final("f.y")) == (0.0, 1.0)
