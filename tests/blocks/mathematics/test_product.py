"""Product: arithmetic, broadcasting, and the division that has no answer."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import NotFinite


def product(signs: str, *values: object) -> bd.Diagram:
    d = bd.Diagram()
    d.add("y", bd.Product(signs=signs))
    for i, value in enumerate(values):
        d.add(f"u{i}", bd.Constant(value=value))
        d.connect(f"u{i}", f"y[{i}]")
    return d


@pytest.mark.parametrize(
    ("signs", "expected"), [("***", 30.0), ("*/*", 2 / 3 * 5), ("/*/", 3 / 2 / 5), ("*", 2.0)]
)
def test_factors_and_divisors(signs: str, expected: float) -> None:
    d = product(signs, *(2.0, 3.0, 5.0)[: len(signs)])
    assert d.simulate(stop=1.0).final("y") == pytest.approx(expected, rel=1e-15)


def test_a_scalar_goes_with_every_element() -> None:
    d = product("**", [[1.0, 2.0], [3.0, 4.0]], 2.0)
    assert np.array_equal(d.simulate(stop=1.0).final("y"), [[2.0, 4.0], [6.0, 8.0]])


def test_division_by_zero_names_block_and_time() -> None:
    d = bd.Diagram()
    d.add("one", bd.Constant())
    d.add("u", bd.PiecewiseConstant(times=[0.25], values=[0.0], initial=2.0))
    d.add("y", bd.Product(signs="*/"))
    d.connect("one", "y[0]")
    d.connect("u", "y[1]")
    with pytest.raises(NotFinite, match=r"y\.y") as error:
        d.simulate(stop=1.0)
    assert error.value.time == 0.25


@pytest.mark.parametrize("signs", ["", "+*", 3])
def test_other_signs_are_refused(signs: object) -> None:
    with pytest.raises(bd.ParameterError, match="signs"):
        bd.Product(signs=signs)  # type: ignore[arg-type]
