"""Sign: a particle pushed back at constant force, whose turning points are known."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def test_constant_force_towards_the_origin() -> None:
    """x'' = -sign(x) from x = 2 at rest: quarter period sqrt(2 * 2), so x(8) = 2 again."""
    d = bd.Diagram()
    d.add("x", bd.Integrator(initial=2.0))
    d.add("v", bd.Integrator())
    d.add("sign", bd.Sign())
    d.add("force", bd.Gain(k=-1.0))
    d.connect("x", "sign", "force", "v", "x")
    r = d.simulate(stop=8.0)
    assert r.final("x") == pytest.approx(2.0, abs=1e-12)
    assert r.final("v") == pytest.approx(0.0, abs=1e-12)
    turns = np.unique([e.time for e in r.events if e.path == "sign"])
    assert turns == pytest.approx([2.0, 6.0], abs=1e-13)


@pytest.mark.parametrize(("u", "y"), [(3.0, 1.0), (0.0, 0.0), (-0.1, -1.0)])
def test_of_constants(u: float, y: float) -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=u))
    d.add("y", bd.Sign())
    d.connect("u", "y")
    assert d.simulate(stop=1.0).final("y") == y


def test_a_signal_that_leaves_zero_is_seen_at_once() -> None:
    d = bd.Diagram()
    d.add("ramp", bd.Ramp(slope=[1.0, -1.0], start=0.5))
    d.add("sign", bd.Sign())
    d.add("x", bd.Integrator())
    d.connect("ramp", "sign", "x")
    assert np.allclose(d.simulate(stop=2.0).final("x"), [1.5, -1.5], atol=1e-13)
