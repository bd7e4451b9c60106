"""RepeatingSequence and RepeatingStair: areas over many periods, corners that do not drift."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])


def run(source: bd.Block, stop: float, **settings: Any) -> bd.Result:
    d = bd.Diagram()
    d.add("s", source)
    d.connect("s", d.add("x", bd.Integrator(np.zeros(np.shape(source.values)[1:]))))
    return d.simulate(stop=stop, **settings)


@BOTH
def test_demand_of_the_velocity_loop(compiled: bool) -> None:
    """The trapezoid of the Robotics Toolbox's vloop_test: 50 rad/s, up and down in 0.2 s each."""
    source = bd.RepeatingSequence([0, 0.1, 0.3, 0.4, 0.6], [0, 0, 50, 50, 0])
    r = run(source, 1.8, compiled=compiled)
    area = 0.5 * 50 * 0.2 + 50 * 0.1 + 0.5 * 50 * 0.2
    assert r.final("x") == pytest.approx(3 * area, rel=1e-12)
    values = run(source, 1.3, times=[0.05, 0.2, 0.35, 0.5, 0.8], compiled=compiled)["s"].values
    assert values.tolist() == pytest.approx([0.0, 25.0, 50.0, 25.0, 25.0], abs=1e-9)


@BOTH
def test_rows_jumps_and_an_offset(compiled: bool) -> None:
    """A sawtooth and a jump within the period; before the offset, the first row."""
    source = bd.RepeatingSequence([0, 1, 1, 2], [[0.0, 5.0], [1.0, 5.0], [1.0, 7.0], [2.0, 7.0]], offset=0.5)
    r = run(source, 5.0, times=[0.25, 1.0, 1.5, 2.25, 2.5, 4.5, 4.75], compiled=compiled)
    np.testing.assert_allclose(
        r["s"].values, [[0, 5], [0.5, 5], [1, 7], [1.75, 7], [0, 5], [0, 5], [0.25, 5]], atol=1e-12
    )
    np.testing.assert_allclose(r.final("x"), [2 + 2 + 0.25**2 / 2, 2.5 + 12 + 12 + 1.25], rtol=1e-12)


def test_corners_stay_where_they_belong() -> None:
    r = run(bd.RepeatingSequence([0, 0.1, 0.3], [0, 1, 0]), 300.0)
    assert r.final("x") == pytest.approx(150.0, rel=1e-12)


@BOTH
def test_stairs_repeat(compiled: bool) -> None:
    """Steering of the Robotics Toolbox's lane change: a second left, a second right."""
    source = bd.RepeatingStair([0, 0, 0, 0.5, 0, -0.5, 0, 0, 0, 0])
    r = run(source, 24.0, times=[3.0, 3.999, 5.5, 13.5, 24.0], compiled=compiled)
    assert r["s"].values.tolist() == [0.5, 0.5, -0.5, 0.5, 0.0]
    assert r["x"].values.tolist() == pytest.approx([0.0, 0.4995, 0.25, 0.25, 0.5], abs=1e-12)
    rows = run(bd.RepeatingStair([[1, 2], [3, 4]], interval=0.25, offset=0.1), 1.0, times=[0.0, 0.4, 0.65])
    assert rows["s"].values.tolist() == [[1, 2], [3, 4], [1, 2]]


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"times": [0.1, 1.0], "values": [0.0, 1.0]}, "times"),
        ({"times": [0.0, 1.0, 0.5], "values": [0.0, 1.0, 2.0]}, "times"),
        ({"times": [0.0, 0.0], "values": [0.0, 1.0]}, "times"),
        ({"times": [0.0, 1.0], "values": [0.0, 1.0, 2.0]}, "values"),
    ],
)
def test_lists_that_do_not_fit(wrong: dict[str, Any], name: str) -> None:
    with pytest.raises(bd.ParameterError) as error:
        bd.RepeatingSequence(**wrong)
    assert error.value.parameter == name
