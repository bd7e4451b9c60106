"""Algebraic loops without a solution: errors with loop and time; what is wrong elsewhere is told instead."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import LoopNotSolved, NotFinite
from blockdyn.diagrams.model.run_errors import BlockFailed

BOTH = pytest.mark.parametrize("compiled", [True, False])


@BOTH
@pytest.mark.parametrize("formula", ["y_ + 1", "y_ + 0.3", "y_", "y_ ** 2 + y_ + 1", "exp(y_) + y_"])
def test_no_solution_or_any_number_of_them_is_an_error(equation, formula, compiled):
    with pytest.raises(LoopNotSolved) as caught:
        equation(formula).simulate(stop=1, loops="solve", compiled=compiled)
    assert caught.value.ports == ("f.y", "f.y_")
    assert caught.value.time == 0.0
    assert "f.y -> f.y_ -> f.y" in str(caught.value)
    assert caught.value.blocks == ("f",)


@BOTH
def test_the_error_tells_the_last_iterate_and_its_residual_of_the_loop_that_failed_first(feedback, compiled):
    """v = v + 0.3 in two elements has the residual 0.3 everywhere; the loop behind it is not to blame."""
    d = feedback(bd.Constant([0.3, 0.3]), bd.Gain(k=1.0), bd.Gain(k=-1.0))
    d.add("sum", bd.Sum("++"))
    d.connect("sum", d.add("half", bd.Gain(k=0.5)), "sum[0]")
    d.connect("e", "sum[1]")
    with pytest.raises(LoopNotSolved, match=r"\(residual -?0.3\)") as caught:
        d.simulate(stop=1, loops="solve", compiled=compiled)
    assert all(name.startswith(("e.y[", "forward.y[", "back.y[")) for name in caught.value.iterate)
    assert np.abs(list(caught.value.residual.values())) == pytest.approx([0.3, 0.3])


@BOTH
@pytest.mark.parametrize("method", ["dopri5", "radau5", "bdf"])
def test_a_solution_that_ends_is_told_with_the_time(equation, method, compiled):
    """y = (y^2 + 2 + t) / 3 has real solutions until t = 1/4."""
    d = equation("(y_ ** 2 + 2 + u) / 3")
    d.add("x", bd.Integrator())
    d.connect("f", "x")
    with pytest.raises(LoopNotSolved) as caught:
        d.simulate(stop=1, loops="solve", method=method, compiled=compiled)
    assert caught.value.time == pytest.approx(0.25, abs=1e-3)
    partial = caught.value.partial["f"].values
    assert np.all(np.isfinite(partial))
    assert partial[-1] == pytest.approx(1.5, abs=0.05)


@BOTH
def test_a_step_too_long_for_the_loop_is_taken_again(compiled):
    """y = sqrt(x) - 1e-3 y with dx/dt = -x: trial states below 0 shorten the step, no more."""
    d = bd.Diagram()
    d.add("y", bd.Expression("sqrt(x) - 0.001 * v"))
    d.add("x", bd.Integrator(initial=1.0))
    d.add("back", bd.Expression("-(1.001 * v) ** 2"))
    d.connect("y", ["y.v", "back"])
    d.connect("back", "x", "y.x")
    r = d.simulate(stop=5, loops="solve", first_step=5.0, max_step=5.0, compiled=compiled)
    np.testing.assert_allclose(r["x"].values, np.exp(-r["x"].time.values), atol=1e-5)


@BOTH
def test_what_is_wrong_before_the_loop_is_named_instead(feedback, compiled):
    d = feedback(bd.Clock(), bd.Gain(k=1.0), bd.Gain(k=0.5))
    d.add("log", bd.Expression("log(1 - t)"))
    d.add("sum", bd.Sum("++"))
    d.connect("log", "sum[0]")
    d.add("g", bd.Gain(k=0.5))
    d.connect("sum", "g", "sum[1]")
    with pytest.raises(NotFinite) as caught:
        d.simulate(stop=2, loops="solve", compiled=compiled)
    assert caught.value.path == "log"


@BOTH
def test_an_exception_in_the_circle_ends_the_run_at_once(feedback, compiled):
    calls = []

    def fails(y):
        calls.append(y)
        raise ValueError("no")

    d = feedback(bd.Sine(), bd.Gain(k=1.0), bd.Function(fails, compiled=False))
    with pytest.raises(BlockFailed, match="no") as caught:
        d.simulate(stop=1, loops="solve", compiled=compiled)
    assert caught.value.path == "back"
    assert len(calls) <= 2


@BOTH
def test_the_error_names_the_blocks_of_all_circles_that_are_solved_together(compiled):
    """e = u - (e - 1)^2 - (e - 1)^2, u = 1/2, has no real solution; both squares are in the loop."""
    d = bd.Diagram()
    e = d.add("e", bd.Sum("+--"))
    d.connect(d.add("u", bd.Constant(0.5)), e[0])
    for i, name in enumerate(("one", "two")):
        d.connect(e, d.add(name, bd.Expression("(v - 1)**2")), e[1 + i])
    with pytest.raises(LoopNotSolved) as caught:
        d.simulate(stop=1, loops="solve", compiled=compiled)
    assert sorted(caught.value.blocks) == ["e", "one", "two"]
    assert all(name in str(caught.value) for name in ("one", "two"))
