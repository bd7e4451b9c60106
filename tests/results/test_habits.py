"""Habits of Python and pandas, tried on a result."""

from __future__ import annotations

import inspect
import pickle
import pydoc

import pytest

import blockdyn as bd


@pytest.fixture(scope="module")
def run() -> bd.Result:
    d = bd.Diagram("decay")
    d.log(d.add("motor", bd.Constant(value=2.0)))
    return d.simulate(stop=1.0)


def test_methods_are_methods_to_python(run):
    assert callable(run.final)
    assert str(inspect.signature(run.final)).startswith("(path")
    assert inspect.getdoc(run.final).startswith("Last value of a signal")
    assert "Last value of a signal" in pydoc.render_doc(run.final)
    assert pickle.loads(pickle.dumps(run.final))("motor") == 2.0
    assert run.final == run.final
    assert inspect.isfunction(bd.Result.final)


def test_the_dense_output_says_what_it_gives(run):
    assert "Signals and states at instants" in pydoc.render_doc(run.resample)


def test_a_result_that_is_cut_short_says_why_in_one_line():
    d = bd.Diagram("pole")
    d.connect(d.add("clock", bd.Clock()), d.add("f", bd.Expression("1 / (1 - u)")))
    d.connect("f", d.add("sum", bd.Integrator()))
    with pytest.raises(bd.RunError) as caught:
        d.simulate(stop=2.0)
    head = repr(caught.value.partial).splitlines()[0]
    assert "INCOMPLETE: " in head
    assert "u000a" not in repr(caught.value.partial)


def test_a_name_that_a_result_finds_is_in_it(run):
    assert "motor" in run
    assert "motor.y" in run
    assert "moter" not in run


def test_figures_show_themselves(run, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    windows = []
    monkeypatch.setattr(
        pyplot, "show", lambda: windows.append([pyplot.figure(n) for n in pyplot.get_fignums()])
    )
    figure = run.plot("motor")
    figure.show()
    figure.show()
    assert windows == [[figure], [figure]]
    pyplot.close("all")
