"""Notices of a run about signals that may not be meant: an edge that was before the start, a pulse unseen."""

from __future__ import annotations

import pytest

import blockdyn as bd


def triggered(kind, u):
    """A block with a trigger that this source drives."""
    d = bd.Diagram()
    source = d.add("source", u)
    if kind == "trigger":
        inner = bd.Diagram()
        inner.add("trigger", bd.Trigger())
        inner.connect(inner.add("one", bd.Constant(1.0)), inner.add("y", bd.Outport()))
        d.connect(source, d.add("block", inner)["trigger"])
        return d
    block = bd.Counter() if kind == "counter" else bd.Integrator(reset="rising", level=0.5)
    d.connect(source, d.add("block", block)["up" if kind == "counter" else "trigger"])
    if kind == "integrator":
        d.connect(source, d["block"]["u"])
    return d


@pytest.mark.parametrize("kind", ["integrator", "trigger", "counter"])
def test_a_trigger_that_is_high_at_the_start(kind):
    (notice,) = triggered(kind, bd.Pulse(period=1.0)).simulate(stop=2.2).notices
    assert notice.startswith("block") and "at the start" in notice
    assert triggered(kind, bd.Pulse(period=1.0, delay=0.2)).simulate(stop=2.2).notices == ()
    assert triggered(kind, bd.Constant(0.0)).simulate(stop=2.2).notices == ()


def test_a_trigger_at_its_level_may_still_rise():
    r = triggered("integrator", bd.Ramp(initial=0.5)).simulate(stop=1.0)
    assert r.notices == ()
