"""Modes that do not hold: switching without end is an error that names the block."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.diagrams.errors import AlgebraicLoop
from blockdyn.diagrams.run_errors import Chattering, Unsettled

BOTH = pytest.mark.parametrize("compiled", [True, False])


@BOTH
@pytest.mark.parametrize("start", [1.0, -0.3])
def test_chattering_without_hysteresis(start, compiled):
    """dx/dt = -sign(x) slides at 0 from t = |x(0)| on."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(start))
    d.connect(x, d.add("switch", bd.Relay(on=-1.0, off=1.0)), x)
    with pytest.raises(Chattering) as caught:
        d.simulate(stop=5, compiled=compiled)
    assert caught.value.path == "switch"
    assert caught.value.time == pytest.approx(abs(start), abs=1e-9)
    assert "Relay" in str(caught.value)


@BOTH
def test_hysteresis_ends_the_chattering(compiled):
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    d.connect(
        x, d.add("switch", bd.Relay(switch_on=0.01, switch_off=-0.01, on=-1.0, off=1.0, starts_on=True)), x
    )
    r = d.simulate(stop=2, compiled=compiled)
    assert abs(r.final("x")) <= 0.01 + 1e-12


@BOTH
def test_sign_chatters_too(compiled):
    """dx/dt = -sign(x): no mode holds at zero, since rounding never leaves x there exactly."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("way", bd.Sign()), d.add("back", bd.Gain(-1.0)), x)
    with pytest.raises(Chattering) as caught:
        d.simulate(stop=3, compiled=compiled)
    assert caught.value.path == "way"
    assert caught.value.time == pytest.approx(1.0, abs=1e-9)


@BOTH
def test_a_switch_that_denies_itself(compiled):
    """u = -y, y = 1 where u > 0, else -1: no value of y agrees with itself."""
    d = bd.Diagram()
    switch = d.add("switch", bd.Relay(on=1.0, off=-1.0))
    d.connect(switch, d.add("turn", bd.Gain(-1.0)), switch)
    with pytest.raises((Unsettled, AlgebraicLoop)) as caught:
        d.simulate(stop=2, compiled=compiled)
    assert "switch" in str(caught.value)


@BOTH
def test_a_jump_that_sets_itself_off_again(compiled):
    """Reset on either edge to the other side of the level, without end at one instant."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(reset="either", level=0.5))
    d.connect(d.add("one", bd.Constant(1.0)), x["u"])
    d.connect(x, x["trigger"])
    d.connect(x, d.add("turn", bd.Expression("1 - a")), x["value"])
    with pytest.raises((Unsettled, Chattering)) as caught:
        d.simulate(stop=2, compiled=compiled, set={"x.level": 0.75})
    assert caught.value.time == pytest.approx(0.75, abs=1e-9)
