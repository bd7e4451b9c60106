"""Algebraic loops are errors that name their ports, unless a solution is asked for."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import AlgebraicLoop, RunArgumentError

BOTH = pytest.mark.parametrize("compiled", [True, False])


def inside() -> bd.Diagram:
    inner = bd.Diagram("inner")
    inner.add("u", bd.Inport())
    inner.add("k", bd.Gain(k=0.5))
    inner.add("y", bd.Outport())
    inner.connect("u", "k", "y")
    d = bd.Diagram()
    d.add("one", inner)
    d.add("two", inner)
    d.add("e", bd.Sum("+-"))
    d.add("c", bd.Constant(1.0))
    d.connect("c", "e[0]")
    d.connect("e", "one", "two", "e[1]")
    return d


@BOTH
def test_a_circle_through_subsystems(compiled):
    r = inside().simulate(stop=1, loops="solve", compiled=compiled)
    np.testing.assert_allclose(r["e"].values, 0.8, rtol=1e-15)


def test_without_the_request_a_loop_is_an_error_that_names_its_ports_in_order():
    for run in (inside().compile, inside().check, lambda: inside().simulate(stop=1, loops="error")):
        with pytest.raises(AlgebraicLoop) as caught:
            run()
        cycle = caught.value.cycle
        ring = ("e.y", "one/k.u", "one/k.y", "two/k.u", "two/k.y", "e.u1")
        start = ring.index(cycle[0])
        assert cycle == ring[start:] + ring[:start]
        assert "loops='solve'" in str(caught.value)


def test_the_request_may_stand_in_the_diagram():
    d = inside()
    d.settings(stop=1, loops="solve")
    assert d.simulate()["e"].values[-1] == pytest.approx(0.8)
    again = bd.load(bd.dumps(d))
    assert again.simulate()["e"].values[-1] == pytest.approx(0.8)
    with pytest.raises(AlgebraicLoop):
        again.simulate(loops="error")


def test_only_two_answers_are_known():
    with pytest.raises(RunArgumentError, match="error or solve"):
        inside().simulate(stop=1, loops="newton")


def test_a_program_keeps_what_it_was_compiled_with():
    program = inside().compile(loops="solve")
    assert program.simulate(stop=1, log=["e"])["e"].values[-1] == pytest.approx(0.8)


def test_compiled_and_interpreted_runs_agree(equation):
    d = equation("u * cos(y_) + 0.1 * y_ ** 2")
    d.add("x", bd.Integrator())
    d.connect("f", "x")
    one, two = (d.simulate(stop=3, loops="solve", compiled=c) for c in (True, False))
    np.testing.assert_array_equal(one["x"].time.values, two["x"].time.values)
    np.testing.assert_allclose(one["x"].values, two["x"].values, rtol=1e-12)


def test_runs_repeat_bit_by_bit(equation):
    program = equation("u * cos(y_)").compile(loops="solve")
    one, two = program.simulate(stop=3), program.simulate(stop=3)
    np.testing.assert_array_equal(one["f"].values, two["f"].values)
