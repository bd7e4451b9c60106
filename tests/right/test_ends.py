"""Stop and Assert: where a run ends, and how."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import AssertionFailed

BOTH = pytest.mark.parametrize("compiled", [True, False])


def chain(*blocks: bd.Block) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(*(d.add(f"b{i}", block) for i, block in enumerate(blocks)))
    return d


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
