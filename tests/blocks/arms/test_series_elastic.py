"""SeriesElastic: the model sl_sea, impacts at exact instants, contact that holds and lets go."""

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.series_elastic import SeriesElastic
from blockdyn.blocks.contract.errors import ParameterError

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def test_sl_sea_reaches_its_obstacle_as_published():
    """State feedback to x = 1 with |u| <= 2: impact at 2.361 s; spring force to 1.901 N, -1.355 N there."""
    gains = [169.9563, 62.9010, -19.9563, 71.1092]
    d = bd.Diagram()
    arm = d.add("arm", SeriesElastic(m1=0.5, m2=1.0, stiffness=5.0, obstacle=0.8))
    state, wanted = d.add("state", bd.Mux(4)), d.add("wanted", bd.Gain([1.0, 0.0, 1.0, 0.0]))
    for i, port in enumerate(("x1", "v1", "x2", "v2")):
        d.connect(arm[port], state[i])
    d.connect(d.add("step", bd.Step(time=1.0)), wanted)
    law = d.add("law", bd.MatrixGain(gains))
    d.connect(wanted - state, law, d.add("limit", bd.Saturation(-2.0, 2.0)), arm["u"])
    r = d.simulate(stop=20.0, **TIGHT)
    impact = next(event.time for event in r.events if event.path == "arm")
    assert impact == pytest.approx(2.361, abs=6e-4)
    force = r["arm.Fs"]
    before = force.time <= impact
    top = np.argmax(force.values[before])
    assert force.values[top] == pytest.approx(1.901, abs=6e-4)
    assert force.values[before][-1] == pytest.approx(-1.355, abs=6e-4)
    assert np.max(r["arm.x2"].values) < 0.8 + 1e-14
    final = (169.9563 - 0.2 * 19.9563 + 4.0) / 174.9563
    assert r.final("arm.x1") == pytest.approx(final, rel=1e-5)
    assert r.final("arm.Fs") == pytest.approx(5.0 * (final - 0.8), rel=1e-4)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_free_load_meets_the_obstacle(restitution):
    """Without a spring: x2 = t until 0.8, then back at the restitution."""
    d = bd.Diagram()
    block = SeriesElastic(stiffness=0.0, obstacle=0.8, v20=1.0, restitution=restitution)
    d.connect(d.add("u", bd.Constant(0.0)), d.add("arm", block)["u"])
    r = d.simulate(stop=2.0, **TIGHT)
    assert [e.time for e in r.events] == pytest.approx([0.8], rel=1e-14)
    np.testing.assert_allclose(r.final("arm.x2"), 0.8 - restitution * 1.2, rtol=1e-12)
    np.testing.assert_allclose(r.final("arm.v2"), -restitution, atol=1e-15)


def test_the_obstacle_lets_go_when_the_load_is_pulled():
    """sin(2 s t) pushes until pi/2 s and pulls from there on: after t more, x2 = -(2 t - sin 2 t)/4."""
    d = bd.Diagram()
    arm = d.add("arm", SeriesElastic(stiffness=0.0, obstacle=0.0))
    d.connect(d.add("u", bd.Constant(0.0)), arm["u"])
    d.connect(d.add("pull", bd.Sine(frequency=2.0)), arm["load"])
    r = d.simulate(stop=2.0, **TIGHT)
    leaves = [e.time for e in r.events if e.path == "arm"]
    assert leaves[-1] == pytest.approx(np.pi / 2.0, rel=1e-10)
    t = 2.0 - np.pi / 2.0
    np.testing.assert_allclose(r.final("arm.x2"), -(2 * t - np.sin(2 * t)) / 4.0, rtol=1e-8)


def test_two_free_masses_swing_about_their_centre():
    """w^2 = k (1/m1 + 1/m2), the centre of mass stays."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(0.0)), d.add("arm", SeriesElastic(x10=0.3))["u"])
    r = d.simulate(stop=1.0, **TIGHT)
    swing = 0.3 * np.cos(np.sqrt(5.0 * 3.0))
    np.testing.assert_allclose(r.final("arm.x1") - r.final("arm.x2"), swing, rtol=1e-8)
    np.testing.assert_allclose(0.5 * r.final("arm.x1") + r.final("arm.x2"), 0.15, rtol=1e-12)


def test_refuses_a_load_inside_the_obstacle():
    with pytest.raises(ParameterError, match="obstacle"):
        SeriesElastic(x20=1.0, obstacle=0.8)
