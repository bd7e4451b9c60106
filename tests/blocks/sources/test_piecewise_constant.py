"""PiecewiseConstant: pulses that no step size can miss, rows, and lists that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("time", [0.5, 3.3, 7.123])
def test_a_pulse_of_10_ms_and_100_has_the_area_1(time: float) -> None:
    d = bd.Diagram()
    d.add("pulse", bd.PiecewiseConstant(times=[time, time + 0.01], values=[100.0, 0.0]))
    d.add("area", bd.Integrator())
    d.connect("pulse", "area")
    assert d.simulate(stop=10.0).final("area") == pytest.approx(1.0, abs=1e-11)


def test_rows_follow_one_another() -> None:
    d = bd.Diagram()
    d.add(
        "stairs",
        bd.PiecewiseConstant(times=[1.0, 2.0], values=[[1.0, 10.0], [2.0, 20.0]], initial=[0.5, 5.0]),
    )
    d.add("area", bd.Integrator())
    d.connect("stairs", "area")
    r = d.simulate(stop=4.0)
    assert np.allclose(r.final("area"), [0.5 + 1.0 + 4.0, 5.0 + 10.0 + 40.0], atol=1e-13)
    assert r.trace("stairs").values.shape[1:] == (2,)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"times": [1.0, 1.0], "values": [1.0, 2.0]}, "times"),
        ({"times": [1.0, 2.0], "values": [1.0]}, "values"),
        ({"times": [1.0], "values": [[1.0, 2.0]], "initial": [1.0, 2.0, 3.0]}, "initial"),
    ],
)
def test_lists_that_do_not_fit(wrong: dict[str, Any], name: str) -> None:
    with pytest.raises(bd.ParameterError) as error:
        bd.PiecewiseConstant(**wrong)
    assert error.value.parameter == name
