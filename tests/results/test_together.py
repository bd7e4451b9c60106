"""Several signals in one axes: named together, curves of runs and of other signals, points of an XYScope."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.results.errors import ResultError


def circles(radius: float = 1.0) -> bd.Diagram:
    """A point on a circle, its double, and a reference with a response that lags by 1 s."""
    d = bd.Diagram("circles")
    point = d.add("point", bd.Mux(2))
    d.connect(d.add("x", bd.Sine(amplitude=radius, phase=np.pi / 2)), point[0])
    d.connect(d.add("y", bd.Sine(amplitude=radius)), point[1])
    d.connect(point, d.add("double", bd.Gain(2.0)))
    d.connect(d.add("reference", bd.Step()), d.add("speed", bd.TransferFunction([1.0], [1.0, 1.0])))
    return d


@pytest.fixture(scope="module")
def run() -> bd.Result:
    return circles().simulate(stop=6.0)


def test_signals_of_a_list_share_one_axes(run: bd.Result) -> None:
    both, torque = run.plot([["reference", "speed"], "x"]).axes
    assert [line.get_label() for line in both.lines[:2]] == ["reference.y", "speed.y"]
    times, values = np.asarray(both.lines[1].get_data())
    assert values[times > 1.0] == pytest.approx(1.0 - np.exp(1.0 - times[times > 1.0]), abs=1e-5)
    assert torque.lines[0].get_label() == "x.y"


def test_curves_of_another_run_and_of_other_signals_share_one_axes(run: bd.Result) -> None:
    wide = circles(3.0).simulate(stop=6.0)
    (axes,) = run.plot_xy("x", "y", compare={"wide": wide, "double": ("double.y[0]", "double.y[1]")}).axes
    radii = [np.hypot(*np.asarray(line.get_data())).max() for line in axes.lines if len(line.get_xdata()) > 1]
    assert radii == pytest.approx([1.0, 3.0, 2.0], rel=1e-5)
    for wrong in ({"a": "x"}, {"a": ("x", "nothing")}, [wide]):
        with pytest.raises(ResultError):
            run.plot_xy("x", "y", compare=wrong)  # type: ignore[arg-type]


def test_points_of_an_xy_scope_are_vectors_of_two() -> None:
    d = circles()
    both = d.add("path", bd.XYScope(points=2, curves=["near", "far"]))
    d.connect(d["point"], both[0])
    d.connect(d["double"], both[1])
    r = d.simulate(stop=6.0)
    (scope,) = r.scopes
    assert scope.traces == ("point.y[0]", "double.y[0]", "point.y[1]", "double.y[1]")
    (axes,) = r.plot().axes
    radii = [np.hypot(*np.asarray(line.get_data())).max() for line in axes.lines if len(line.get_xdata()) > 1]
    assert radii == pytest.approx([1.0, 2.0], rel=1e-5)
    d.connect(d["x"], d.add("wrong", bd.XYScope(points=1)))
    with pytest.raises(bd.BlockdynError, match="wrong"):
        d.compile()
