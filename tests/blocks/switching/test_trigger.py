"""Triggered subsystems: at which instants they work, and what they hold in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd

PI = np.pi


def counted(**options: Any) -> bd.Diagram:
    """How often it has worked, its input then, its input the time before, and whether it is above zero."""
    inner = bd.Diagram("counted")
    inner.add("trigger", bd.Trigger(**options))
    u = inner.add("u", bd.Inport())
    total, last = inner.add("total", bd.Sum("++")), inner.add("last", bd.UnitDelay(sample_time=np.inf))
    inner.connect(inner.add("one", bd.Constant(1.0)), total[0])
    inner.connect(last, total[1])
    inner.connect(total, [last, inner.add("count", bd.Outport())])
    inner.connect(u, inner.add("now", bd.Outport(initial=-1.0)))
    inner.connect(
        u, inner.add("before", bd.UnitDelay(sample_time=np.inf, initial=-3.0)), inner.add("old", bd.Outport())
    )
    inner.connect(u, inner.add("sign", bd.Compare(value=4.0)), inner.add("large", bd.Outport()))
    return inner


def everything() -> bd.Diagram:
    d = bd.Diagram("everything")
    time, sine = d.add("time", bd.Clock()), d.add("sine", bd.Sine())
    for edge in ("rising", "falling", "either"):
        d.connect(time, d.add(edge, counted(edge=edge))["u"])
        d.connect(sine, d[edge]["trigger"])
    d.connect(time, d.add("called", counted(edge="call"))["u"])
    d.connect(d.add("calls", bd.FunctionCall(sample_time=0.75, offset=0.5)), "called.trigger")
    sampled = d.add("sampled", bd.ZeroOrderHold(1.0))  # a trigger that changes at ticks
    d.connect(time, d.add("at_ticks", counted())["u"])
    d.connect(sine, sampled, "at_ticks.trigger")
    d.connect("rising.count", d.add("chain", counted())["trigger"])  # triggered by a triggered one
    d.connect(time, "chain.u")
    both = counted()
    both.add("enable", bd.Enable())
    d.connect(time, d.add("both", both)["u"])
    d.connect(sine, "both.trigger")
    d.connect(d.add("from3", bd.Step(time=3.0)), "both.enable")
    d.settings(stop=14.0)
    return d


RISES = [PI / 6, PI / 6 + 2 * PI, PI / 6 + 4 * PI]
FALLS = [5 * PI / 6, 5 * PI / 6 + 2 * PI]


def test_when_it_works() -> None:
    r = everything().simulate()
    at = {
        "rising": RISES,
        "falling": FALLS,
        "either": sorted(RISES + FALLS),
        "called": np.arange(0.5, 14.1, 0.75),
    }
    at["at_ticks"] = [1.0, 7.0, 14.0]  # sin 1, sin 7, sin 14 are the first above 1/2 after one below
    at["chain"], at["both"] = [RISES[0]], RISES[1:]
    for name, instants in at.items():
        trace = r.trace(f"{name}.count")
        assert trace.values.ravel()[-1] == len(instants), name
        steps = trace.time[1:][np.diff(trace.values.ravel()) > 0]
        np.testing.assert_allclose(steps, instants, rtol=1e-14, err_msg=name)
        assert r.final(f"{name}.now") == pytest.approx(instants[-1], rel=1e-14)
        assert r.final(f"{name}.old") == pytest.approx(([-3.0, *instants])[-2], rel=1e-14)
        assert r.final(f"{name}.large") == float(instants[-1] > 4.0)
    assert r.trace("falling.now").at([1.0]) == -1.0
    assert not any(r.statistics[key] for key in r.statistics if key.startswith("python"))


def test_compiled_is_interpreted_and_goes_on() -> None:
    d = everything()
    a, b = d.simulate(stop=7.5), d.simulate(stop=7.5, compiled=False)
    assert [(e.path, e.direction) for e in a.events] == [(e.path, e.direction) for e in b.events]
    later = d.simulate(start=4.0, stop=7.5, initial=d.simulate(stop=4.0).final_states())
    for name in a:
        np.testing.assert_allclose(a.final(name), b.final(name), rtol=1e-12, err_msg=name)
        np.testing.assert_allclose(a.final(name), later.final(name), rtol=1e-9, err_msg=name)


def test_what_cannot_stand_in_it() -> None:
    def refused(block: bd.Block, match: str, edge: str = "rising", driver: bd.Block | None = None) -> None:
        inner = bd.Diagram()
        inner.add("trigger", bd.Trigger(edge=edge))
        inner.connect(inner.add("time", bd.Clock()), inner.add("block", block))
        d = bd.Diagram()
        d.add("sub", inner)
        d.connect(d.add("driver", driver or bd.Sine()), "sub.trigger")
        with pytest.raises(bd.BlockdynError, match=match):
            d.check()

    refused(bd.Integrator(), "sub/block, an Integrator, has a state that flows, `x`.*sub/trigger")
    refused(bd.HitCrossing(), "sub/block, a HitCrossing, has events of its own")
    refused(bd.ZeroOrderHold(0.1), r"(?s)sample_time.*0\.1.*\.inf")
    refused(bd.Gain(1.0), "driver.y, which changes continuously", edge="call")
    d = bd.Diagram()  # each of two calls the other
    for name in ("a", "b"):
        inner = bd.Diagram()
        inner.add("call", bd.Trigger(edge="call"))
        late = inner.add("late", bd.UnitDelay(sample_time=np.inf))
        inner.connect(inner.add("u", bd.Inport()), late, inner.add("y", bd.Outport()))
        d.add(name, inner)
    d.connect("b.y", ["a.call", "a.u"])
    d.connect("a.y", ["b.call", "b.u"])
    with pytest.raises(
        bd.BlockdynError, match=r"function calls in a loop: (a|b)/call -> (a|b)/call -> (a|b)/call"
    ):
        d.check()
    d = bd.Diagram()
    d.connect(d.add("time", bd.Clock()), d.add("hold", bd.ZeroOrderHold(np.inf)))
    with pytest.raises(bd.BlockdynError, match=r"(?s)sample_time.*inf.*finite"):
        d.check()
