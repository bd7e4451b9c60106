"""What goes wrong in a run is an error that names the block, the port and the time; never a wrong number."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import (
    NotFinite,
    RunError,
    StepCollapse,
)

BOTH = pytest.mark.parametrize("compiled", [True, False])
METHODS = ("dopri5", "tsit5", "dop853", "bs32", "rodas5p", "radau5", "bdf")


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
