"""What other simulators get wrong, one test each; the larger cases have files of their own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammainc

import blockdyn as bd


def test_van_der_pol_reference():
    """x(100) of mu = 1 from (2, 0): 2.00494201, -0.1141921754 (DOP853 at 1e-13)."""
    d = bd.Diagram()
    v, x = d.add("v", bd.Integrator()), d.add("x", bd.Integrator(2.0))
    law = d.add("law", bd.Expression("mu * (1 - x * x) * v - x", coefficients={"mu": 1.0}))
    d.connect(v, x, law["x"])
    d.connect(v, law["v"])
    d.connect(law, v)
    r = d.simulate(stop=100, method="dop853", rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose([r.final("x"), r.final("v")], [2.00494201, -0.1141921754], atol=2e-9)


def test_a_chain_declared_in_reverse_is_no_recursion():
    """1200 gains from last to first: no limit on depth, no RecursionError."""
    d = bd.Diagram()
    for i in reversed(range(1200)):
        d.add(f"k{i}", bd.Gain(1.0))
    for i in reversed(range(1199)):
        d.connect(f"k{i}", f"k{i + 1}")
    d.connect(d.add("one", bd.Constant(1.0)), "k0")
    d.connect("k1199", d.add("x", bd.Integrator()))
    assert d.simulate(stop=1, log=["x"]).final("x") == pytest.approx(1.0, rel=1e-12)


def test_numpy_numbers_in_arithmetic():
    d = bd.Diagram()
    a = d.add("a", bd.Constant(3.0))
    for factor in (2, 2.0, np.int64(2), np.float64(2)):
        d.connect(a * factor, d.add_unnamed("x", bd.Integrator()))
        d.connect(factor * a, d.add_unnamed("x", bd.Integrator()))
    r = d.simulate(stop=1)
    assert all(r.final(f"x{i}") == pytest.approx(6.0) for i in range(1, 9))


def test_the_same_subsystem_twice():
    inner = bd.Diagram("lag")
    inner.connect(
        inner.add("u", bd.Inport()),
        inner.add("g", bd.TransferFunction(num=[1.0], den=[0.1, 1.0])),
        inner.add("y", bd.Outport()),
    )
    d = bd.Diagram()
    d.connect(
        d.add("step", bd.Step(time=0.0)), d.add("a", bd.Subsystem(inner)), d.add("b", bd.Subsystem(inner))
    )
    r = d.simulate(stop=0.5, rtol=1e-9, atol=1e-11)
    assert r.final("b") == pytest.approx(gammainc(2, 5.0), rel=1e-7)


def test_a_subsystem_with_outputs_only():
    inner = bd.Diagram("source")
    inner.connect(inner.add("s", bd.Sine()), inner.add("y", bd.Outport()))
    d = bd.Diagram()
    d.connect(d.add("a", bd.Subsystem(inner)), d.add("x", bd.Integrator()))
    assert d.simulate(stop=1, rtol=1e-9, atol=1e-12).final("x") == pytest.approx(1 - np.cos(1), rel=1e-8)


def test_feedthrough_is_per_port_also_through_a_subsystem():
    """One output of the subsystem needs the input at once, the other does not: no algebraic loop."""
    inner = bd.Diagram("two")
    u = inner.add("u", bd.Inport())
    inner.connect(u, inner.add("x", bd.Integrator(1.0)), inner.add("state", bd.Outport()))
    inner.connect(u, inner.add("now", bd.Outport()))
    d = bd.Diagram()
    s, k = d.add("s", bd.Subsystem(inner)), d.add("k", bd.Gain(-2.0))
    d.connect(s["state"], k, s)
    d.connect(s["now"], d.add("seen", bd.Gain(1.0)))
    r = d.simulate(stop=1, rtol=1e-9, atol=1e-11)
    assert r.final("seen") == pytest.approx(-2 * np.exp(-2), rel=1e-8)


def test_a_system_with_two_outputs_and_a_scalar_matrix():
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(1.0)), d.add("p", bd.StateSpace(A=-2, B=1, C=[[1.0], [3.0]])))
    r = d.simulate(stop=1, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(r.final("p"), np.array([1, 3]) * (1 - np.exp(-2)) / 2, rtol=1e-7)


def test_pid_with_one_gain():
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("c", bd.PID(kp=1)))
    assert d.simulate(stop=2).final("c") == 2.0


def test_the_initial_output_of_a_filtered_derivative():
    """f = kd u0 starts the filter in equilibrium: no kick."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(2.0)), d.add("c", bd.PID(kp=0.0, kd=1.0, n=10.0, filter_initial=2.0)))
    r = d.simulate(stop=1)
    np.testing.assert_allclose(r["c"].values, 0.0, atol=1e-14)


def test_an_open_input_is_an_error_and_not_zero():
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("s", bd.Sum("++"))[0])
    with pytest.raises(bd.DiagramError, match="s"):
        d.simulate(stop=1)


def test_a_cube_does_not_move_its_zero(times_of):
    """(1 - t)^3 falls through zero at 1, however flat it is there."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Expression("(1 - t) ** 3")), d.add("hit", bd.HitCrossing()))
    r = d.simulate(stop=2)
    assert len(times_of(r, "hit")) == 1
    assert times_of(r, "hit")[0] == pytest.approx(1.0, abs=1e-9)


def test_event_times_do_not_pile_up_over_runs(ball):
    program = ball(0.95, 1.0).compile()
    assert [len(program.simulate(stop=10).events) for _ in range(3)] == [16, 16, 16]


def test_a_longest_step_of_the_whole_run(ball):
    """A run whose longest step is as long as the run leaves t = 0."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("k", bd.Gain(-1.0)), x)
    assert d.simulate(stop=10, max_step=10.0, rtol=1e-9).final("x") == pytest.approx(np.exp(-10), abs=1e-8)


def test_a_stateless_diagram_runs():
    d = bd.Diagram()
    d.connect(d.add("s", bd.Sine()), d.add("k", bd.Gain(2.0)))
    assert d.simulate(stop=3).final("k") == pytest.approx(2 * np.sin(3), rel=1e-14)


def test_a_diagram_of_one_block():
    d = bd.Diagram()
    d.add("c", bd.Constant(2.0))
    assert d.simulate(stop=1).final("c") == 2.0


def test_an_empty_diagram_is_told_as_one():
    with pytest.raises(bd.DiagramError, match="has no blocks"):
        bd.Diagram().simulate(stop=1)


def test_a_zero_crossing_is_not_seen_again_from_where_it_was(times_of):
    """Crossings at the start of a step after an event do not fire twice."""
    d = bd.Diagram()
    d.connect(
        d.add("s", bd.Sine()),
        d.add("limit", bd.Saturation(lower=-0.5, upper=0.5)),
        d.add("hit", bd.HitCrossing(level=0.2)),
    )
    r = d.simulate(stop=100, rtol=1e-9)
    exact = np.sort(
        np.concatenate(
            [
                np.arange(0, 17) * 2 * np.pi + np.arcsin(0.2),
                np.arange(0, 17) * 2 * np.pi + np.pi - np.arcsin(0.2),
            ]
        )
    )
    np.testing.assert_allclose(times_of(r, "hit"), exact[exact < 100], rtol=1e-12)


def test_a_guard_that_nothing_ever_changes_stays_silent():
    d = bd.Diagram()
    d.connect(d.add("zero", bd.Constant(0.0)), d.add("hit", bd.HitCrossing()), d.add("x", bd.Integrator()))
    r = d.simulate(stop=10)
    assert (r.final("hit"), len(r.events)) == (0.0, 0)


def test_many_diagrams_leave_nothing_behind():
    """Building, running and dropping diagrams does not grow the process's objects."""
    import gc

    def once() -> None:
        d = bd.Diagram()
        x = d.add("x", bd.Integrator(1.0))
        d.connect(x, d.add("k", bd.Gain(-1.0)), x)
        d.simulate(stop=1)

    def count() -> int:
        while gc.collect():  # what a thread holds is freed in a pass of its own
            pass
        return len(gc.get_objects())

    for _ in range(20):
        once()
    before = count()
    for _ in range(200):
        once()
    assert count() - before < 200
