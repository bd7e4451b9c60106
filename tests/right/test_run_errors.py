"""What goes wrong in a run is an error that names the block, the port and the time; never a wrong number."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.errors import AlgebraicLoop
from blockdyn.diagrams.run_errors import (
    AssertionFailed,
    Chattering,
    NotFinite,
    RunError,
    StepCollapse,
    Unsettled,
)

BOTH = pytest.mark.parametrize("compiled", [True, False])
METHODS = ("dopri5", "tsit5", "dop853", "bs32", "Radau", "BDF", "LSODA")


def chain(*blocks: bd.Block) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(*(d.add(f"b{i}", block) for i, block in enumerate(blocks)))
    return d


# ---- numbers that are not finite ----


@BOTH
@pytest.mark.parametrize("method", METHODS)
def test_a_pole_is_not_integrated_through(method, compiled):
    """1/(t - 1) into an integrator until 2 s."""
    with pytest.raises(RunError) as caught:
        chain(bd.Expression("1 / (t - 1)"), bd.Integrator()).simulate(
            stop=2, method=method, compiled=compiled
        )
    assert caught.value.time == pytest.approx(1.0, abs=1e-3)


@BOTH
@pytest.mark.parametrize("step", [0.25, 0.001])
def test_fixed_steps_that_hit_a_pole_name_its_block(step, compiled):
    with pytest.raises(NotFinite) as caught:
        chain(bd.Expression("1 / (t - 1)"), bd.Integrator()).simulate(
            stop=2, method="rk4", step=step, compiled=compiled
        )
    assert (caught.value.path, caught.value.port) == ("b0", "y")
    assert caught.value.time == pytest.approx(1.0, abs=step)
    assert "b0.y" in str(caught.value)


@BOTH
@pytest.mark.parametrize(
    ("block", "time"),
    [
        (bd.Expression("log(1 - t)"), 1.0),
        (bd.Expression("sqrt(1 - t)"), 1.0),
        (bd.Expression("asin(t)"), 1.0),
        (bd.Expression("(1 - t) ** 0.5"), 1.0),
    ],
)
def test_functions_beyond_their_domain(block, time, compiled):
    with pytest.raises(NotFinite) as caught:
        chain(block, bd.Integrator()).simulate(stop=3, compiled=compiled, max_step=0.05)
    assert (caught.value.path, caught.value.port) == ("b0", "y")
    assert time - 0.06 < caught.value.time < time + 0.06


@BOTH
def test_a_division_by_zero_at_the_start(compiled):
    d = bd.Diagram()
    q = d.add("quotient", bd.Product("*/"))
    d.connect(d.add("one", bd.Constant(1.0)), q[0])
    d.connect(d.add("nothing", bd.Constant(0.0)), q[1])
    with pytest.raises(NotFinite) as caught:
        d.simulate(stop=1, compiled=compiled)
    assert (caught.value.path, caught.value.port, caught.value.time) == ("quotient", "y", 0.0)


@BOTH
def test_nothing_divided_by_nothing_at_a_tick(compiled):
    """The quotient of two sampled signals turns 0/0 at the tick at 0.5 s."""
    d = bd.Diagram()
    h, q = d.add("h", bd.ZeroOrderHold(0.5)), d.add("q", bd.Product("*/"))
    d.connect(d.add("u", bd.Expression("0.5 - t")), h, [q[0], q[1]])
    with pytest.raises(NotFinite) as caught:
        d.simulate(stop=1, compiled=compiled)
    assert (caught.value.path, caught.value.time) == ("q", 0.5)
    assert np.isnan(caught.value.value)


@BOTH
def test_the_first_bad_block_is_named_and_not_its_readers(compiled):
    d = chain(bd.Constant(-4.0), bd.Power(0.5), bd.Gain(2.0), bd.Gain(3.0), bd.Integrator())
    with pytest.raises(NotFinite) as caught:
        d.simulate(stop=1, compiled=compiled)
    assert caught.value.path == "b1"


@BOTH
def test_inside_a_subsystem_the_whole_path_is_named(compiled):
    inner = bd.Diagram("inner")
    inner.connect(inner.add("u", bd.Inport()), inner.add("root", bd.Power(0.5)), inner.add("y", bd.Outport()))
    d = bd.Diagram()
    d.connect(
        d.add("ramp", bd.Ramp(slope=-1.0, initial=1.0)),
        d.add("plant", bd.Subsystem(inner)),
        d.add("x", bd.Integrator()),
    )
    with pytest.raises(NotFinite) as caught:
        d.simulate(stop=3, compiled=compiled)
    assert caught.value.path == "plant/root"


@BOTH
def test_a_signal_that_nobody_integrates_is_watched_too(compiled):
    with pytest.raises(NotFinite) as caught:
        chain(bd.Clock(), bd.Expression("1 / max(0.5 - a, 0)")).simulate(stop=2, compiled=compiled)
    assert caught.value.path == "b1"
    assert caught.value.time >= 0.5


@BOTH
def test_an_unstable_recursion_overflows_and_says_so(compiled):
    d = bd.Diagram()
    z, k = d.add("z", bd.UnitDelay(0.01, initial=1.0)), d.add("k", bd.Gain(1e10))
    d.connect(z, k, z)
    with pytest.raises(NotFinite) as caught:
        d.simulate(stop=10, compiled=compiled)
    assert caught.value.path in ("z", "k")
    assert caught.value.time == pytest.approx(0.3, abs=0.011)


@BOTH
def test_an_exponential_beyond_the_largest_double(compiled):
    """e^(1000 t) passes it at t = 0.7098; its integral 1000 times smaller, 0.7167."""
    with pytest.raises(RunError) as caught:
        chain(bd.Expression("exp(1000 * t)"), bd.Integrator()).simulate(stop=3, compiled=compiled)
    assert caught.value.path in ("b0", "b1")
    assert 0.6 < caught.value.time < 0.72


@BOTH
def test_an_unstable_loop_overflows_and_says_so(compiled):
    d = bd.Diagram()
    x, k = d.add("x", bd.Integrator(1.0)), d.add("k", bd.Gain(100.0))
    d.connect(x, k, x)
    with pytest.raises(RunError) as caught:
        d.simulate(stop=20, compiled=compiled)
    assert 6.5 < caught.value.time < 7.2
    assert caught.value.path in ("x", "k")


def test_an_error_keeps_what_was_computed():
    with pytest.raises(NotFinite) as caught:
        chain(bd.Expression("sqrt(1 - t)"), bd.Integrator()).simulate(stop=3)
    partial = caught.value.partial
    assert not partial.complete
    assert 0.5 < partial["b1"].time.values[-1] <= 1.0


# ---- steps that collapse ----


@pytest.mark.parametrize("method", METHODS)
def test_a_solution_that_blows_up(method):
    """dx/dt = x^2 from 1: x = 1/(1 - t)."""
    d = bd.Diagram()
    x, s = d.add("plant", bd.Integrator(1.0)), d.add("square", bd.Power(2.0))
    d.connect(x, s, x)
    with pytest.raises((StepCollapse, NotFinite)) as caught:
        d.simulate(stop=2, method=method)
    assert caught.value.time == pytest.approx(1.0, abs=1e-3)
    assert "plant" in str(caught.value) or "square" in str(caught.value)


@BOTH
def test_a_collapse_names_the_state_and_the_time(compiled):
    d = bd.Diagram()
    x, s = d.add("plant", bd.Integrator(1.0)), d.add("square", bd.Power(2.0))
    d.connect(x, s, x)
    d.connect(d.add("c", bd.Sine()), d.add("calm", bd.Integrator()))
    with pytest.raises(StepCollapse) as caught:
        d.simulate(stop=2, compiled=compiled)
    assert caught.value.states == ("plant.x",)
    assert caught.value.path == "plant"
    assert caught.value.time == pytest.approx(1.0, abs=1e-3)


# ---- modes that do not hold ----


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


# ---- ends ----


@BOTH
def test_stop_at_the_closed_form(compiled):
    d = chain(bd.Expression("t * t"), bd.Compare(operator=">=", value=2.0), bd.Stop())
    d.connect("b0", d.add("x", bd.Integrator()))
    r = d.simulate(stop=5, compiled=compiled)
    assert r.complete
    assert r.time[-1] == pytest.approx(np.sqrt(2), rel=1e-14)
    assert r.final("x") == pytest.approx(2**1.5 / 3, rel=1e-9)


@BOTH
@pytest.mark.parametrize("plant", [bd.Integrator(), bd.ZeroOrderHold(0.1), bd.Gain()])
def test_stop_that_is_true_at_the_start_stops_there(plant, compiled):
    d = chain(bd.Constant(1.0), bd.Stop())
    d.connect("b0", d.add("plant", plant))
    r = d.simulate(stop=10, compiled=compiled)
    assert r.time[-1] == 0.0
    assert r.complete


def test_stop_at_the_start_whatever_is_drawn():
    ends = []
    for scope in (False, True):
        d = chain(bd.Constant(1.0), bd.Stop())
        d.connect("b0", d.add("x", bd.Integrator()))
        if scope:
            d.connect("x", d.add("scope", bd.Scope()))
        r = d.simulate(stop=10)
        if scope:
            r.plot(show=False)
        ends.append(float(r.time[-1]))
    assert ends == [0.0, 0.0]


def test_a_scope_does_not_change_the_run():
    plain, drawn = chain(bd.Sine(), bd.Integrator()), chain(bd.Sine(), bd.Integrator())
    drawn.connect("b1", drawn.add("scope", bd.Scope()))
    a, b = plain.simulate(stop=5), drawn.simulate(stop=5)
    assert a.trace("b1.y").identical(b.trace("b1.y"))


@BOTH
def test_stop_at_a_tick(compiled):
    d = chain(bd.Clock(), bd.ZeroOrderHold(0.3), bd.Compare(operator=">", value=0.8), bd.Stop())
    r = d.simulate(stop=5, compiled=compiled)
    assert r.time[-1] == pytest.approx(0.9, rel=1e-15)


@BOTH
def test_assert_names_itself_and_its_message(compiled):
    d = chain(
        bd.Ramp(slope=-1.0, initial=2.0), bd.Compare(operator=">", value=0.5), bd.Assert(message="too low")
    )
    with pytest.raises(AssertionFailed) as caught:
        d.simulate(stop=5, compiled=compiled)
    assert caught.value.path == "b2"
    assert caught.value.time == pytest.approx(1.5, rel=1e-14)
    assert "too low" in str(caught.value)


@BOTH
def test_assert_that_fails_at_the_start(compiled):
    with pytest.raises(AssertionFailed) as caught:
        chain(bd.Constant(0.0), bd.Assert()).simulate(stop=5, compiled=compiled)
    assert caught.value.time == 0.0
