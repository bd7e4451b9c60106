"""Enabled subsystems that are switched at the instant of a tick, a jump of their input, an event inside."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

TIMES = [0.5, 1.0, 1.2, 1.6, 2.0, 2.5, 3.0, 3.2, 3.6, 4.0, 4.2]
# works from 1 s to 2 s and from 3 s on; its input has slope 1 and 2 there; ticks of 0.5 s
AREA = [0.0, 0.0, 0.2, 0.6, 1.0, 1.0, 1.0, 1.4, 2.2, 3.0, 3.4]
ANEW = [0.0, 0.0, 0.2, 0.6, 1.0, 1.0, 0.0, 0.4, 1.2, 2.0, 2.4]
COUNT = [0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 4.0, 5.0, 5.0]  # at 1, 1.5; not at 2; at 3, 3.5, 4
COUNT_ANEW = [0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0, 2.0, 3.0, 3.0]
SAMPLE = [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0, 2.0, 3.0, 3.0]
SAMPLE_ANEW = [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.0, 0.0, 1.0, 2.0, 2.0]
INITIAL = -1.0


def switched(**options: bool) -> bd.Diagram:
    """The integral of its input, a sample of that, and the number of its ticks; all switches are ticks."""
    inner = bd.Diagram("inner")
    inner.add("enable", bd.Enable(**options))
    x, s = inner.add("x", bd.Integrator()), inner.add("s", bd.Sum("++"))
    inner.connect(inner.add("rate", bd.Inport()), x, inner.add("area", bd.Outport(initial=INITIAL)))
    inner.connect(
        x, inner.add("held", bd.ZeroOrderHold(0.5)), inner.add("sample", bd.Outport(initial=INITIAL))
    )
    inner.connect(inner.add("one", bd.Constant(1.0)), s[0])
    inner.connect(s, inner.add("before", bd.UnitDelay(sample_time=0.5)), s[1])
    inner.connect(s, inner.add("count", bd.Outport(initial=INITIAL)))
    d = bd.Diagram("instants")
    d.add("part", inner)
    edges = [0.0, 1.0, 2.0, 3.0]
    d.connect(d.add("rate", bd.PiecewiseConstant(edges, [7.0, 1.0, 100.0, 2.0])), d["part"]["rate"])
    d.connect(d.add("on", bd.PiecewiseConstant(edges, [0.0, 1.0, 0.0, 1.0])), d["part"]["enable"])
    return d


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("states", [True, False])
@pytest.mark.parametrize("outputs", [True, False])
def test_a_tick_and_a_jump_at_the_instants_of_switching(compiled: bool, states: bool, outputs: bool) -> None:
    r = switched(reset_states=states, reset_outputs=outputs).simulate(stop=4.2, compiled=compiled)
    times = np.array(TIMES)
    off = (times < 1.0) | (((times >= 2.0) & (times < 3.0)) if outputs else False)
    for name, on in {
        "area": ANEW if states else AREA,
        "count": COUNT_ANEW if states else COUNT,
        "sample": SAMPLE_ANEW if states else SAMPLE,
    }.items():
        shown = r.trace(f"part.{name}").at(times).ravel()
        np.testing.assert_allclose(shown, np.where(off, INITIAL, on), atol=1e-12, err_msg=name)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_limit_is_reached_inside_at_the_instant_of_switching(compiled: bool) -> None:
    """x comes to its limit of 1 as it is switched off, stays there, and leaves with slope -2 from 3 s on."""
    inner = bd.Diagram("inner")
    inner.add("enable", bd.Enable())
    inner.connect(inner.add("rate", bd.Inport()), inner.add("x", bd.Integrator(upper=1.0)))
    inner.connect("x", inner.add("area", bd.Outport()))
    d = bd.Diagram("limit")
    d.add("part", inner)
    edges = [0.0, 1.0, 2.0, 3.0]
    d.connect(d.add("rate", bd.PiecewiseConstant(edges, [7.0, 1.0, 100.0, -2.0])), d["part"]["rate"])
    d.connect(d.add("on", bd.PiecewiseConstant(edges, [0.0, 1.0, 0.0, 1.0])), d["part"]["enable"])
    r = d.simulate(stop=3.5, compiled=compiled)
    shown = r.trace("part.area").at([1.5, 2.0, 2.9, 3.0, 3.25, 3.5]).ravel()
    np.testing.assert_allclose(shown, [0.5, 1.0, 1.0, 1.0, 0.5, 0.0], atol=1e-12)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_signal_that_flows_switches_after_the_ticks_of_its_instant(compiled: bool) -> None:
    """t comes to 0.5 at a tick, and is above it from the next double on: the first tick inside is at 1 s."""
    inner = bd.Diagram("inner")
    inner.add("enable", bd.Enable())
    inner.connect(inner.add("u", bd.Inport()), inner.add("held", bd.ZeroOrderHold(0.5, initial=-3.0)))
    inner.connect("held", inner.add("y", bd.Outport(initial=INITIAL)))
    d = bd.Diagram("flows")
    d.add("part", inner)
    d.connect(d.add("time", bd.Clock()), [d["part"]["u"], d["part"]["enable"]])
    r = d.simulate(stop=1.6, compiled=compiled)
    assert r.trace("part.y").at([0.4, 0.7, 1.2, 1.55]).ravel().tolist() == [INITIAL, -3.0, 1.0, 1.5]
