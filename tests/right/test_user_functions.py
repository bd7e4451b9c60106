"""A user's own functions: right results, and their exceptions carried out with the block's path."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import BlockFailed

BOTH = pytest.mark.parametrize("compiled", [True, False])


def cube(u):
    return u * u * u


def fails(u):
    if u > 0.5:
        raise ValueError("more than a half")
    return u


def vector(u, w):
    return np.array([u[0] * w, u[1] - w])


def not_compilable(u):
    return 2.0 * float(f"{u:.17g}")


def diagram(function, *sources: bd.Block, kind=bd.Function, **more) -> bd.Diagram:
    d = bd.Diagram()
    f = d.add("mine", kind(function, **more))
    for i, source in enumerate(sources):
        d.connect(d.add(f"s{i}", source), f[i])
    d.connect(f, d.add("x", bd.Integrator(np.zeros(2) if function is vector else 0.0)))
    return d


@BOTH
def test_a_compiled_function(compiled):
    r = diagram(cube, bd.Clock()).simulate(stop=2, compiled=compiled)
    assert r.final("x") == pytest.approx(4.0, rel=1e-9)


@BOTH
def test_a_function_of_vectors(compiled):
    r = diagram(vector, bd.Constant([1.0, 2.0]), bd.Clock()).simulate(stop=2, compiled=compiled)
    np.testing.assert_allclose(r.final("x"), [2.0, 2.0], rtol=1e-12)


@BOTH
def test_a_function_that_stays_python(compiled):
    d = diagram(cube, bd.Clock(), compiled=False)
    r = d.simulate(stop=2, compiled=compiled)
    assert r.final("x") == pytest.approx(4.0, rel=1e-9)


def test_a_function_that_cannot_be_compiled_still_runs_and_is_named():
    r = diagram(not_compilable, bd.Clock()).simulate(stop=2)
    assert r.final("x") == pytest.approx(4.0, rel=1e-9)
    assert any("mine" in key for key in r.statistics)


class Doubled(bd.Block):
    """y = 2 u, written for scalars in a way that numba does not take."""

    inputs: ClassVar = (bd.Port("u"),)
    outputs: ClassVar = (bd.Port("y"),)
    elementwise: ClassVar = True
    output = staticmethod(not_compilable)


@pytest.mark.parametrize("count", [1, 3, 16, 17, 100])
def test_a_function_of_scalars_that_cannot_be_compiled_takes_vectors_of_any_length(count):
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Constant(np.arange(float(count)))), d.add("mine", Doubled()), d.add("y", bd.Gain())
    )
    r = d.simulate(stop=1)
    np.testing.assert_array_equal(r.final("y"), 2.0 * np.arange(count))


@BOTH
def test_a_sampled_function_is_called_once_a_tick(compiled):
    calls = []

    def count(u):
        calls.append(u)
        return 2 * u

    r = diagram(count, bd.Clock(), kind=bd.SampledFunction, sample_time=0.5, compiled=False).simulate(
        stop=2.2, compiled=compiled
    )
    assert calls == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert r.final("mine") == 4.0


@BOTH
@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.parametrize("kind", [bd.Function, bd.SampledFunction])
def test_its_exception_is_the_cause(kind, stays, compiled):
    more = {"sample_time": 0.1} if kind is bd.SampledFunction else {}
    d = diagram(fails, bd.Clock(), kind=kind, compiled=not stays, **more)
    with pytest.raises(BlockFailed) as caught:
        d.simulate(stop=2, compiled=compiled, max_step=0.05)
    assert caught.value.path == "mine"
    assert isinstance(caught.value.__cause__, ValueError)
    assert "more than a half" in str(caught.value)
    assert 0.4 < caught.value.time < 0.65


def test_a_type_error_in_it_is_not_taken_for_wrong_arguments():
    def wrong(u):
        return u + "text"

    with pytest.raises(bd.BlockdynError) as caught:
        diagram(wrong, bd.Clock(), compiled=False).simulate(stop=1)
    assert isinstance(caught.value.__cause__, TypeError)
    assert "mine" in str(caught.value)


@pytest.mark.parametrize("value", [None, "text", [1.0, 2.0, 3.0], float("nan")])
def test_what_it_must_not_return(value):
    with pytest.raises(bd.BlockdynError) as caught:
        diagram(lambda u: value, bd.Clock(), compiled=False).simulate(stop=1)
    assert "mine" in str(caught.value)


def test_it_cannot_change_its_inputs():
    """A function that writes into its argument does not change the signal that others read."""

    def greedy(u):
        u[0] = 99.0
        return u

    d = bd.Diagram()
    c, f = d.add("c", bd.Constant([1.0, 2.0])), d.add("a", bd.Function(greedy, compiled=False))
    d.connect(c, [f, d.add("b", bd.Gain(1.0))])
    d.connect(f, d.add("x", bd.Integrator([0.0, 0.0])))
    r = d.simulate(stop=1)
    np.testing.assert_array_equal(r.final("b"), [1.0, 2.0])
    np.testing.assert_array_equal(d.blocks["c"].value, [1.0, 2.0])


def test_ctrl_c_in_a_function_keeps_what_there_is():
    def impatient(u):
        if u > 0.5:
            raise KeyboardInterrupt
        return u

    r = diagram(impatient, bd.Clock(), compiled=False).simulate(stop=2, max_step=0.05)
    assert not r.complete
    assert 0.3 < r.time[-1] <= 0.6
