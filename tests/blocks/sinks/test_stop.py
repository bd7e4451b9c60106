"""Stop: a stone's flight ends at the instant that Galileo's law gives."""

from __future__ import annotations

from math import sqrt

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import SizeMismatch


def test_a_stone_that_reaches_the_ground() -> None:
    d = bd.Diagram()
    d.add("g", bd.Constant(value=-9.81))
    d.add("v", bd.Integrator())
    d.add("h", bd.Integrator(initial=20.0))
    d.add("ground", bd.Compare(operator="<"))
    d.add("stop", bd.Stop())
    d.connect("g", "v", "h", "ground", "stop")
    r = d.simulate(stop=100.0)
    assert r.time[-1] == pytest.approx(sqrt(2 * 20.0 / 9.81), rel=1e-14)
    assert r.final("h") == pytest.approx(0.0, abs=1e-13)
    assert r.complete


def test_true_at_the_start() -> None:
    d = bd.Diagram()
    d.add("one", bd.Constant())
    d.add("x", bd.Integrator(initial=3.0))
    d.add("stop", bd.Stop())
    d.connect("one", ["x", "stop"])
    r = d.simulate(stop=10.0)
    assert r.time[-1] == 0.0
    assert r.final("x") == 3.0


def test_a_sampled_condition_ends_the_run_at_its_tick() -> None:
    d = bd.Diagram()
    d.add("clock", bd.Clock())
    d.add("hold", bd.ZeroOrderHold(sample_time=0.3))
    d.add("late", bd.Compare(operator=">", value=1.0))
    d.add("stop", bd.Stop())
    d.connect("clock", "hold", "late", "stop")
    assert d.simulate(stop=10.0).time[-1] == 1.2


def test_an_edge_known_beforehand_ends_the_run_exactly() -> None:
    d = bd.Diagram()
    d.add("step", bd.Step(time=0.7))
    d.add("stop", bd.Stop())
    d.connect("step", "stop")
    assert d.simulate(stop=10.0).time[-1] == 0.7


def test_takes_one_truth_only() -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=[0.0, 0.0]))
    d.add("stop", bd.Stop())
    d.connect("u", "stop")
    with pytest.raises(SizeMismatch):
        d.simulate(stop=1.0)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("start", [0.0, 2.5])
def test_what_is_true_at_the_start_is_an_event_there(start: float, compiled: bool) -> None:
    d = bd.Diagram()
    one = d.add("one", bd.Constant())
    d.connect(one, [d.add("stop", bd.Stop()), d.add("also", bd.Stop())])
    d.connect(d.add("zero", bd.Constant(value=0.0)), d.add("never", bd.Stop()))
    r = d.simulate(start=start, stop=10.0, compiled=compiled)
    assert [(event.time, event.path) for event in r.events] == [(start, "also"), (start, "stop")]
    assert r.complete


@pytest.mark.parametrize("compiled", [True, False])
def test_the_end_is_one_event(compiled: bool) -> None:
    d = bd.Diagram()
    d.connect(d.add("clock", bd.Clock()), d.add("stop", bd.Stop()))
    r = d.simulate(stop=10.0, compiled=compiled)
    assert [event.path for event in r.events] == ["stop"]
    assert r.events[0].time == pytest.approx(0.5, rel=1e-14)
