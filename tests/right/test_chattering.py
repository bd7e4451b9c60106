"""Modes that do not hold: switching without end is an error that names the block."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import AlgebraicLoop
from blockdyn.diagrams.model.run_errors import Chattering, TooManySteps, Unsettled

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


def narrow(width: float) -> bd.Diagram:
    """dx/dt = -1 above `width`, +1 below -`width`: x passes the band in 2 `width` seconds, for ever."""
    d = bd.Diagram()
    relay = bd.Relay(switch_on=width, switch_off=-width, on=-1.0, off=1.0, starts_on=True)
    x = d.add("x", bd.Integrator())
    d.connect(x, d.add("switch", relay), x)
    return d


@pytest.mark.parametrize("run", [{}, {"method": "rk4", "step": 0.05}])
def test_switching_that_creeps_is_chattering(run):
    """A band of 2e-9: 2.5e9 switchings lie before the end. The block is named, not the counter beside it."""
    d = narrow(1e-9)
    d.connect("x", d.add("hits", bd.HitCrossing()))
    with pytest.raises(Chattering) as caught:
        d.simulate(stop=5, max_steps=4000, **run)
    assert caught.value.path == "switch"
    assert caught.value.time == pytest.approx(0.0, abs=1e-5)
    assert caught.value.partial.provenance.statistics["state events"] < 3000


def test_creeping_can_end_the_run_without_an_error():
    assert narrow(1e-9).simulate(stop=5, max_steps=4000, on_zeno="stop").provenance.stopped_by == "events"


def test_a_fast_oscillator_with_hysteresis_goes_on():
    """A band of 2e-4 is passed 25 000 times in 5 s."""
    r = narrow(1e-4).simulate(stop=5.0)
    assert len(r.events) == pytest.approx(25_000, abs=1)
    assert abs(r.final("x")) <= 1e-4 + 1e-12


def test_a_hysteresis_that_switches_at_20_kHz_goes_on():
    """A band of 2.5e-5 is passed in 2.5e-5 s: 1.08 million times, within the ten million steps of a run."""
    r = narrow(1.25e-5).simulate(stop=27.0, every=1.0)
    assert r.provenance.statistics["state events"] == pytest.approx(1_080_000, abs=2)


def test_a_longest_step_of_its_pace_lets_a_fast_hysteresis_pass():
    """An hour of this is more than the steps of a run, unless they are to be short."""
    with pytest.raises(Chattering, match="max_step"):
        narrow(1.25e-5).simulate(stop=3600.0)
    with pytest.raises(TooManySteps):
        narrow(1.25e-5).simulate(stop=3600.0, max_step=1e-4, max_steps=20_000)


class Encoder(bd.Block):
    """The number of whole steps of 1/31 000 that u has climbed, kept in a held state."""

    inputs = (bd.Port("u"),)
    states = (bd.State("count", "initial", held=True),)
    crossings = (bd.Crossing("next", 1),)

    initial: float = bd.parameter(default=0.0)

    @staticmethod
    def crossing(u: float, count: float) -> float:
        return 31_000.0 * u - count - 1.0

    @staticmethod
    def jump(count: float, crossed_next: int) -> float:
        return count + 1.0 if crossed_next == 1 else count

    @staticmethod
    def output(count: float) -> float:
        return count


@pytest.mark.parametrize("quantizer", [bd.Expression("floor(31000 * u)"), Encoder()])
def test_a_quantizer_that_climbs_is_no_chattering(quantizer):
    """31 000 levels a second, where the longest step is 20 s: 20 000 events, and each level in its time."""
    d = bd.Diagram()
    one, u = d.add("one", bd.Constant(1.0)), d.add("u", bd.Integrator())
    d.connect(one, u, d.add("levels", quantizer))
    with pytest.raises(TooManySteps) as caught:
        d.simulate(stop=1000.0, max_steps=20_000)
    assert caught.value.partial.final("levels") == pytest.approx(20_000, abs=2)
    assert caught.value.time == pytest.approx(20_000 / 31_000, abs=1e-4)
