"""Resets by logical signals: one for each edge, whatever ends the steps, and rebounds that accumulate."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import Zeno

METHODS = ("auto", "rodas5p", "radau5", "bdf", "dop853", "ab4", "rk4", "euler")
FIXED = {"step": 0.01}


def stepped(method):
    return {"method": method} | (FIXED if method in ("ab4", "rk4", "euler") else {})


def counting(trigger, **options):
    """A diagram whose integrator n grows by 1 at each reset."""
    d = bd.Diagram()
    n = d.add("n", bd.Integrator(**({"reset": "rising"} | options)))
    d.connect(d.add("zero", bd.Constant(0.0)), n["u"])
    d.connect(n, d.add("more", bd.Expression("w + 1")), n["value"])
    d.connect(d.add("trigger", trigger), n["trigger"])
    return d


def pulses(located):
    """Five pulses of 1 ms, 1 ms apart, at instants of a table, or where an integrator passes breakpoints."""
    edges = [1.0 + 0.001 * i for i in range(10)]
    if not located:
        return counting(bd.PiecewiseConstant(times=[0.0, *edges], values=[0.0, *[1.0, 0.0] * 5]))
    table = bd.Lookup1D(breakpoints=[0.0, *edges, 2.0], table=[0.0, *[1.0, 0.0] * 5, 0.0], method="held")
    d = counting(table)
    d.connect(d.add("one", bd.Constant(1.0)), d.add("u", bd.Integrator()), d["trigger"])
    return d


@pytest.mark.parametrize("located", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_every_edge_resets(method, located):
    assert pulses(located).simulate(stop=10.0, **stepped(method)).final("n") == 5.0


@pytest.mark.parametrize(("edge", "resets"), [("rising", 5), ("falling", 5), ("either", 10)])
@pytest.mark.parametrize("compiled", [True, False])
def test_edges_of_one_direction_or_both(edge, resets, compiled):
    r = pulses(True).simulate(stop=10.0, compiled=compiled, set={"n.reset": edge})
    assert r.final("n") == resets


def test_edges_within_a_day():
    """Pulses of 10 s every 30 s, with the default bound on steps."""
    d = counting(bd.Pulse(period=30.0, width=10.0, delay=15.0))
    assert d.simulate(stop=86_400.0).final("n") == 2880.0


@pytest.mark.parametrize("seed", range(10))
def test_random_edges(seed):
    """Resets by a random logical signal: as many as 0 is followed by 1."""
    rng = np.random.default_rng(seed)
    gaps = 10.0 ** rng.uniform(-7.0, 0.0, 60)
    edges = np.cumsum(gaps)
    values = rng.integers(0, 2, 61).astype(float)
    values[0] = 0.0
    table = bd.Lookup1D(
        breakpoints=[0.0, *edges, edges[-1] + 1.0], table=[*values, values[-1]], method="held"
    )
    d = counting(table)
    d.connect(d.add("one", bd.Constant(1.0)), d.add("u", bd.Integrator()), d["trigger"])
    r = d.simulate(stop=float(edges[-1]) + 0.5)
    assert r.final("n") == np.sum((values[:-1] == 0.0) & (values[1:] == 1.0))


def test_a_trigger_that_stays_above_its_level_resets_once():
    """0, 1, 2, 3: only the first step passes 0.5, though each later one rises beyond the level before."""
    assert (
        counting(bd.PiecewiseConstant(times=[0, 1, 2, 3], values=[0, 1, 2, 3])).simulate(stop=5.0).final("n")
        == 1.0
    )


def test_a_trigger_beside_another_event_resets_once():
    """A ramp passes its level a picosecond after a Compare has switched."""
    d = counting(bd.Ramp(), level=1.0)
    d.connect("trigger", d.add("earlier", bd.Compare(value=1.0 - 1e-12)))
    assert d.simulate(stop=5.0).final("n") == 1.0


def library_ball(restitution, form="compare"):
    """A ball from 1 m: height, a logical signal of contact, a velocity that is reset."""
    chart = {
        "states": {"air": {}, "floor": {}},
        "transitions": ["air -> floor: u <= 0", "floor -> air: u > 0"],
    }
    contact = {"compare": bd.Compare("<=", value=0.0), "machine": bd.StateMachine(chart=chart)}[form]
    d = bd.Diagram()
    h, v = d.add("h", bd.Integrator(1.0)), d.add("v", bd.Integrator(reset="rising"))
    contact = d.add("contact", contact)
    d.connect(d.add("g", bd.Constant(-9.81)), v["u"])
    d.connect(v, h, contact["u"])
    d.connect(contact["state"] if form == "machine" else contact, v["trigger"])
    d.connect(v, d.add("back", bd.Gain(-restitution)), v["value"])
    return d


@pytest.mark.parametrize("form", ["compare", "machine"])
@pytest.mark.parametrize("restitution", [0.9, 0.5, 0.1, 0.001])
@pytest.mark.parametrize("method", METHODS[:-1])
def test_a_ball_of_library_blocks_is_zeno(method, restitution, form):
    """It comes to rest after t (1 + e) / (1 - e), where t is the time of its fall."""
    fall = np.sqrt(2.0 / 9.81)
    with pytest.raises(Zeno) as caught:
        library_ball(restitution, form).simulate(stop=20.0, **stepped(method))
    assert caught.value.path == "v"
    assert caught.value.time == pytest.approx(fall * (1 + restitution) / (1 - restitution), rel=1e-4)
    assert caught.value.partial["h"].values.min() > -1e-12


def test_a_ball_of_library_blocks_can_end_the_run():
    r = library_ball(0.8).simulate(stop=20.0, on_zeno="stop")
    assert r.provenance.stopped_by == "events"
    assert r.final("h") == pytest.approx(0.0, abs=1e-12)


def test_two_balls_in_one_vector():
    """Impacts of the second ball lie between those of the first; it comes to rest later."""
    d = bd.Diagram()
    h, v = d.add("h", bd.Integrator([1.0, 3.0])), d.add("v", bd.Integrator([0.0, 0.0], reset="rising"))
    d.connect(d.add("g", bd.Constant([-9.81, -9.81])), v["u"])
    d.connect(v, h, d.add("contact", bd.Compare("<=", value=0.0)), v["trigger"])
    d.connect(v, d.add("back", bd.Gain(-0.5)), v["value"])
    with pytest.raises(Zeno) as caught:
        d.simulate(stop=20.0)
    assert caught.value.time == pytest.approx(3.0 * np.sqrt(2.0 / 9.81), rel=1e-6)
