"""XYScope: what it keeps, and what the plot of a result draws of it."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def circle() -> bd.Diagram:
    d = bd.Diagram("circle")
    scope = d.add("path", bd.XYScope(title="Path", labels=["east", "north"], units=["m", "m"]))
    d.connect(d.add("east", bd.Sine(phase=np.pi / 2)), scope["x"])
    d.connect(d.add("north", bd.Sine()), scope["y"])
    return d


def test_the_plot_draws_y_over_x() -> None:
    r = circle().simulate(stop=4.0, log=[])
    (axes,) = r.plot().axes
    line = max(axes.lines, key=lambda line: len(line.get_xdata()))
    x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    np.testing.assert_allclose(np.hypot(x, y), 1.0, atol=1e-9)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("east (m)", "north (m)")
    assert axes.get_title(loc="left") == "Path"
    assert axes.get_aspect() == 1.0


def test_it_stands_below_scopes_which_keep_their_time_axis() -> None:
    d = circle()
    d.connect("east", d.add("scope", bd.Scope()))
    over_time, curve = d.simulate(stop=4.0).plot().axes
    assert over_time.get_xlabel() == "time (s)"
    assert over_time.get_xlim() == (0.0, 4.0)
    assert curve.get_xlabel() == "east (m)"


def test_vectors_are_a_curve_an_element() -> None:
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("x", bd.Gain([1.0, 2.0])), d.add("xy", bd.XYScope())["x"])
    d.connect(d.add("y", bd.Sine(amplitude=[1.0, 3.0])), "xy.y")
    r = d.simulate(stop=1.0)
    assert r.scopes[0].traces == ("x.y[0]", "x.y[1]", "y.y[0]", "y.y[1]")
    (axes,) = r.plot().axes
    assert sum(len(line.get_xdata()) > 1 for line in axes.lines) == 2


def test_curves_have_their_names(tmp_path) -> None:
    d = bd.Diagram()
    scope = d.add("map", bd.XYScope(labels=["x", "y"], units=["m", "m"], curves=["car", "goal"]))
    d.connect(d.add("x", bd.Sine(amplitude=[1.0, 2.0])), scope["x"])
    d.connect(d.add("y", bd.Sine(phase=[0.0, 1.0])), scope["y"])
    r = d.simulate(stop=4.0)
    assert r.scopes[0].labels == ("x", "y", "car", "goal")
    (axes,) = r.plot().axes
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert sorted(names) == ["car", "end", "goal", "start"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x (m)", "y (m)")
    r.page(tmp_path / "run.html")
    assert '"x car"' in (tmp_path / "run.html").read_text(encoding="utf-8")
    with pytest.raises(bd.DiagramError, match=r"vector 2.*\n.*3 elements, one for each of `curves`"):
        bd.load(bd.dumps(d).replace("[car, goal]", "[car, goal, sun]")).compile()


def test_the_file_of_a_result_keeps_it(tmp_path) -> None:
    r = circle().simulate(stop=1.0)
    r.save(tmp_path / "run.csv")
    assert bd.load_result(tmp_path / "run.csv").scopes == r.scopes


def test_signals_of_different_sizes_and_labels_that_are_not_two() -> None:
    d = bd.Diagram()
    d.connect(d.add("a", bd.Constant([1.0, 2.0])), d.add("xy", bd.XYScope())["x"])
    d.connect(d.add("b", bd.Constant([1.0, 2.0, 3.0])), "xy.y")
    with pytest.raises(bd.DiagramError, match=r"vector 3.*\n.*vector 2, as x is"):
        d.compile()
    with pytest.raises(bd.ParameterError, match="two texts"):
        bd.XYScope(labels=["x"])
