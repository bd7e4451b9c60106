"""Power: a solution in closed form, and powers that are no real number."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import NotFinite


def test_growth_with_the_square_follows_a_hyperbola() -> None:
    d = bd.Diagram()
    d.add("x", bd.Integrator(initial=0.5))
    d.add("square", bd.Power())
    d.connect("x", "square", "x")
    r = d.simulate(stop=1.5, rtol=1e-10, atol=1e-12)
    assert r.final("x") == pytest.approx(1 / (1 / 0.5 - 1.5), rel=1e-8)


@pytest.mark.parametrize(
    ("u", "exponent", "value"), [(9.0, 0.5, 3.0), (2.0, -2.0, 0.25), (-2.0, 3.0, -8.0), (0.0, 0.0, 1.0)]
)
def test_powers(u: float, exponent: float, value: float) -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=u))
    d.add("y", bd.Power(exponent=exponent))
    d.connect("u", "y")
    assert d.simulate(stop=1.0).final("y") == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(("u", "exponent"), [(-1.0, 0.5), (0.0, -1.0)])
def test_no_real_number_is_an_error(u: float, exponent: float) -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=u))
    d.add("y", bd.Power(exponent=exponent))
    d.connect("u", "y")
    with pytest.raises(NotFinite, match=r"y\.y"):
        d.simulate(stop=1.0)
