"""Enabled subsystems: what works while they do, what is held, reset, and begun anew."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

import blockdyn as bd

PI = np.pi


def clocked(**options: Any) -> bd.Diagram:
    """Its time of work, as a number, as samples of it, as a vector of 20, and through a Mux."""
    inner = bd.Diagram("clocked")
    inner.add("enable", bd.Enable(**options))
    x = inner.add("x", bd.Integrator())
    inner.connect(inner.add("rate", bd.Inport()), x, inner.add("worked", bd.Outport(initial=-1.0)))
    inner.connect(x, inner.add("samples", bd.UnitDelay(sample_time=0.5, initial=-2.0)))
    inner.connect("samples", inner.add("sampled", bd.Outport()))
    inner.connect(x, inner.add("many", bd.Gain(np.arange(20.0))), inner.add("vector", bd.Outport()))
    mux = inner.add("mux", bd.Mux(2))
    inner.connect(x, [mux[0], mux[1]])
    inner.connect(mux, inner.add("pair", bd.Outport()))
    return inner


class Ring(bd.Block):
    """The number of its ticks so far, in memory of the run's own."""

    inputs: ClassVar = (bd.Port("u", 1),)
    outputs: ClassVar = (bd.Port("y", 1),)
    sampled: ClassVar = True
    sample_time: bd.Real = bd.parameter(default=0.25, unit="s", above=0, dimensions=(0,))
    offset: bd.Real = bd.parameter(default=0.0, unit="s", dimensions=(0,))

    def memory(self) -> dict[str, Any]:
        return {"ticks": np.zeros(1)}

    @staticmethod
    def output(ticks: Any) -> float:
        return float(ticks[0])

    @staticmethod
    def update(u: float, ticks: Any) -> None:
        ticks[0] += 1.0


def everything() -> bd.Diagram:
    d = bd.Diagram("everything")
    one, sine = d.add("one", bd.Constant(1.0)), d.add("sine", bd.Sine())
    for name, options in {
        "goes_on": {},
        "anew": {"reset_states": True},
        "off": {"reset_outputs": True},
    }.items():
        d.add(name, clocked(**options))
        d.connect(one, d[name]["rate"])
        d.connect(sine, d[name]["enable"])

    ball = bd.Diagram("ball")  # inner events, nested Enable, a source inside
    ball.add("enable", bd.Enable())
    ball.connect(
        ball.add("time", bd.Clock()), ball.add("hits", bd.HitCrossing(level=4.0)), ball.add("n", bd.Outport())
    )
    inside = ball.add("inside", clocked())
    ball.connect(ball.add("unit", bd.Constant(1.0)), inside["rate"])
    ball.connect(ball.add("late", bd.Inport()), inside["enable"])
    ball.connect(inside["worked"], ball.add("both", bd.Outport()))
    ball.connect("time", ball.add("now", bd.Outport()))
    d.add("ball", ball)
    d.connect(sine, "ball.enable")
    d.connect(d.add("from1", bd.Step(time=1.0)), "ball.late")

    filled = bd.Diagram("filled")  # disabled by what it does
    filled.add("enable", bd.Enable())
    filled.connect(
        filled.add("flow", bd.Constant(0.3)),
        filled.add("level", bd.Integrator()),
        filled.add("h", bd.Outport()),
    )
    d.add("filled", filled)
    d.connect("filled.h", d.add("open", bd.Compare(operator="<", value=1.0)), "filled.enable")

    held = bd.Diagram("held")  # everything jumps at once
    held.add("enable", bd.Enable())
    held.connect(held.add("u", bd.Inport()), held.add("y", bd.Outport()))
    d.add("held", held)
    d.connect(d.add("jump", bd.Step(time=2.0, initial=3.0, final=5.0)), "held.u")
    d.connect(d.add("stop", bd.Step(time=2.0, initial=1.0, final=0.0)), "held.enable")

    ring = bd.Diagram("ring")
    ring.add("enable", bd.Enable(reset_states=True))
    ring.connect(ring.add("u", bd.Inport()), ring.add("ring", Ring()), ring.add("y", bd.Outport()))
    d.add("ring", ring)
    d.connect(one, "ring.u")
    d.connect(d.add("square", bd.Square(period=4.0)), "ring.enable")
    d.settings(stop=14.0, rtol=1e-10, atol=1e-12)
    return d


def test_what_works_when() -> None:
    """sin t > 1/2 from pi/6 to 5 pi/6, and again after 2 pi, 4 pi; stop = 14 is in the third."""
    d = everything()
    r = d.simulate()
    span, third = 2 * PI / 3, 14.0 - 4 * PI - PI / 6
    final = {name: float(r.final(f"{name}.worked")) for name in ("goes_on", "anew", "off")}
    np.testing.assert_allclose(final["goes_on"], 2 * span + third, rtol=1e-12)
    np.testing.assert_allclose(final["anew"], third, rtol=1e-12)
    np.testing.assert_allclose(r.final("goes_on.vector"), final["goes_on"] * np.arange(20.0))
    np.testing.assert_allclose(r.final("goes_on.pair"), final["goes_on"] * np.ones(2))
    times = [0.1, 1.0, 4.0, 2 * PI + 1.0]
    shown = d.simulate(times=[*times, 14.0])
    worked = [0.0, 1.0 - PI / 6, span, span + 1.0 - PI / 6]
    np.testing.assert_allclose(shown["goes_on.worked"].values[:4], [-1.0, *worked[1:]], rtol=1e-12)
    np.testing.assert_allclose(
        shown["anew.worked"].values[:4], [-1.0, *worked[1:3], 1.0 - PI / 6], rtol=1e-12
    )
    np.testing.assert_allclose(shown["off.worked"].values[:4], [-1.0, worked[1], -1.0, worked[3]], rtol=1e-12)
    # ticks of 0.5 s at 1, 1.5, 2, 2.5; the next at 7; a delay shows at each what was there at the one before
    samples = r.trace("goes_on.sampled").at([0.4, 0.9, 1.2, 1.6, 3.0, 6.9, 7.1]).ravel()
    expected = [0.0, -2.0, -2.0, 1 - PI / 6, 2 - PI / 6, 2 - PI / 6, 2.5 - PI / 6]
    np.testing.assert_allclose(samples, expected, rtol=1e-12)
    assert r.final("ring.y") == 7.0  # eight ticks at 12, 12.25 ... 13.75, counted from there
    # inside: time stands still for the result; a crossing of it is none where it is passed while at rest
    assert d.simulate(stop=6.0).final("ball.now") == pytest.approx(5 * PI / 6, rel=1e-14)
    assert r.final("ball.n") == 0.0
    np.testing.assert_allclose(r.final("ball.both"), 5 * PI / 6 - 1.0 + span + third, rtol=1e-12)
    assert abs(r.final("filled.h") - 1.0) < 1e-15  # it has shut itself off
    assert r.final("held.y") == 3.0  # the limit from the left: its input jumps as it is shut off
    rises = [e.time for e in r.events if (e.path, e.direction) == ("goes_on/enable", "rising")]
    np.testing.assert_allclose(rises, [PI / 6, PI / 6 + 2 * PI, PI / 6 + 4 * PI], rtol=1e-14)
    assert not any(r.statistics[key] for key in r.statistics if key.startswith("python"))


def test_a_run_goes_on_where_it_is_held() -> None:
    """A run that ends and begins within a rest shows what was held, and goes on with the states."""
    d = everything()
    whole = d.simulate(stop=8.0)
    later = d.simulate(start=4.0, stop=8.0, initial=d.simulate(stop=4.0).final_states())
    for name in ("goes_on.worked", "goes_on.sampled", "anew.worked", "off.worked", "ball.both"):
        np.testing.assert_allclose(later.final(name), whole.final(name), rtol=1e-9, err_msg=name)
    assert later.trace("goes_on.worked").at([5.0]) == pytest.approx(2 * PI / 3)


def test_a_sweep_is_the_same_run_many_times() -> None:
    d = everything()
    factors = [0.5, 1.0, 2.0]
    ensemble = bd.Sweep(d, {"one.value": factors}, {"end": {"final": "anew.worked"}}).run()
    alone = [float(d.simulate(set={"one.value": k}).final("anew.worked")) for k in factors]
    np.testing.assert_array_equal(np.ravel(ensemble["end"]), alone)


def test_a_loop_is_solved_while_it_works() -> None:
    """e = u - 2 e has e = u/3, and stays where it is while the subsystem rests."""
    inner = bd.Diagram()
    inner.add("enable", bd.Enable())
    e, k = inner.add("e", bd.Sum("+-")), inner.add("k", bd.Gain(2.0))
    inner.connect(inner.add("u", bd.Inport()), e[0])
    inner.connect(e, k, e[1])
    inner.connect(e, inner.add("y", bd.Outport()))
    d = bd.Diagram()
    d.connect(d.add("time", bd.Clock()), d.add("sub", inner)["u"])
    d.connect(d.add("until", bd.Step(time=1.5, initial=1.0, final=0.0)), "sub.enable")
    for compiled in (True, False):
        shown = d.simulate(times=[0.3, 0.9, 3.0], loops="solve", compiled=compiled)
        np.testing.assert_allclose(shown["sub.y"].values, [0.1, 0.3, 0.5], rtol=1e-12)


def test_one_of_each_and_wired_from_outside() -> None:
    twice = bd.Diagram()
    twice.add("first", bd.Enable())
    twice.add("second", bd.Enable())
    with pytest.raises(bd.BlockdynError, match="second Enable in a diagram that has `first`"):
        twice.check()
    inner = bd.Diagram()
    inner.connect(inner.add("one", bd.Constant(1.0)), inner.add("enable", bd.Enable()))
    d = bd.Diagram()
    d.add("sub", inner)
    with pytest.raises(bd.BlockdynError, match="a wire into sub/enable, an Enable"):
        d.check()
    alone = bd.Diagram()
    alone.add("sub", clocked())
    with pytest.raises(bd.BlockdynError, match=r"sub\.(enable|rate)"):
        alone.check()


def test_compiled_is_interpreted() -> None:
    d = everything()
    a, b = d.simulate(stop=7.5), d.simulate(stop=7.5, compiled=False)
    assert [(e.path, e.direction) for e in a.events] == [(e.path, e.direction) for e in b.events]
    for name in a:
        np.testing.assert_allclose(a.final(name), b.final(name), rtol=1e-12, err_msg=name)
