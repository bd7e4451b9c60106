"""PiecewiseLinear: areas of trapezia, rows, and lists that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_areas_of_trapezia(compiled: bool) -> None:
    times, values = [0.5, 1.2, 1.3, 3.0], [[1.0, 0.0], [2.0, 5.0], [-1.0, 5.0], [0.5, 1.0]]
    d = bd.Diagram()
    d.connect(d.add("table", bd.PiecewiseLinear(times, values)), d.add("x", bd.Integrator([0.0, 0.0])))
    at = [0.0, 0.85, 1.25, 4.0]
    r = d.simulate(stop=4.0, times=at, compiled=compiled)
    for i, column in enumerate(np.transpose(values)):
        np.testing.assert_allclose(r["table"].values[:, i], np.interp(at, times, column), atol=1e-13)
        area = np.trapezoid([column[0], *column, column[-1]], [0.0, *times, 4.0])
        assert r.final("x")[i] == pytest.approx(area, abs=1e-13)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"times": [1.0, 1.0], "values": [1.0, 2.0]}, "times"),
        ({"times": [1.0, 2.0], "values": [1.0, 2.0, 3.0]}, "values"),
    ],
)
def test_lists_that_do_not_fit(wrong: dict[str, Any], name: str) -> None:
    with pytest.raises(bd.ParameterError) as error:
        bd.PiecewiseLinear(**wrong)
    assert error.value.parameter == name
