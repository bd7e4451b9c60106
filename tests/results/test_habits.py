"""Habits of Python, NumPy, xarray and pandas, tried on a result: the error leads to what it has."""

from __future__ import annotations

import inspect
import pickle
import pydoc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import blockdyn as bd


@pytest.fixture(scope="module")
def run() -> bd.Result:
    d = bd.Diagram("decay")
    d.log(d.add("motor", bd.Constant(value=2.0)))
    return d.simulate(stop=1.0)


@pytest.mark.parametrize(
    "use",
    [
        lambda run: run.final["motor"],
        lambda run: run.final.motor,
        lambda run: list(run.final),
        lambda run: "motor" in run.final,
        lambda run: len(run.final),
        lambda run: 2.0 * run.final,
        lambda run: -run.final,
        lambda run: run.final < 3.0,
        lambda run: float(run.final),
        lambda run: np.ones(3) * run.final,
        lambda run: np.asarray(run.final),
    ],
    ids=[
        "index",
        "name",
        "iterate",
        "in",
        "len",
        "product",
        "minus",
        "compare",
        "float",
        "array",
        "as array",
    ],
)
def test_a_method_that_is_not_called_says_so(run, use: Callable[[Any], Any]):
    with pytest.raises(
        bd.BlockdynError, match=r"the method Result\.final, which is not called\n.*final\(path\)"
    ):
        use(run)


def test_a_setting_is_no_attribute_of_the_method():
    with pytest.raises(bd.BlockdynError, match=r"settings\(stop=10"):
        bd.Diagram("empty").settings.stop = 5.0  # type: ignore[attr-defined]


def test_methods_are_methods_to_python(run):
    assert callable(run.final)
    assert str(inspect.signature(run.final)).startswith("(path")
    assert inspect.getdoc(run.final).startswith("Last value of a signal")
    assert "Last value of a signal" in pydoc.render_doc(run.final)
    assert pickle.loads(pickle.dumps(run.final))("motor") == 2.0
    assert run.final == run.final
    assert inspect.isfunction(bd.Result.final)


@pytest.mark.parametrize(
    ("use", "place"),
    [
        (lambda r: r.time(), "this is no function, but an array"),
        (lambda r: r.events(), r"events\[0\]"),
        (lambda r: r.events["motor"], r"events\[0\]"),
        (lambda r: r.events.time, r"events\[0\]"),
        (lambda r: r.statistics.steps, r"here it is \['steps'\]"),
        (lambda r: r.statistics["stepz"], "expected: one of"),
        (lambda r: r.signals.motor, r"here it is \['motor\.y'\]"),
        (lambda r: r(0.5), r"trace\(.block.\)\.at\(times\)"),
        (lambda r: 2 * r, "a Sum in the diagram"),
        (lambda r: r.zyx, "it has signals, states, events"),
        (lambda r: r["motor"].interp(time=0.5, t=1), r"trace\('motor\.y'\)\.at\(times\)"),
        (lambda r: r["motor"].sel(t=0.5), r"its dimension is `time`"),
        (lambda r: r.plot("motor").set_title("a"), r"figure\.axes\[0\]"),
        (lambda r: list(r.plot("motor")), r"`figure\.axes`"),
    ],
)
def test_results_lead_from_habits_of_other_libraries(run, use: Callable[[Any], Any], place: str):
    with pytest.raises(bd.BlockdynError, match=place):
        use(run)


def test_a_vector_is_drawn_as_lines_over_time():
    d = bd.Diagram("two")
    d.connect(d.add("rates", bd.Constant(value=[1.0, 2.0])), d.add("x", bd.Integrator(initial=[0.0, 0.0])))
    first, second = d.simulate(stop=3.0)["x"].plot()
    assert first.get_ydata()[-1] == pytest.approx(3.0)
    assert second.get_ydata()[-1] == pytest.approx(6.0)


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


def test_signals_with_events_say_how_they_are_read_between_their_rows():
    d = bd.Diagram("step")
    early, late = d.add("early", bd.Step(time=0.5)), d.add("late", bd.Step(time=0.7))
    d.connect(early, d.add("lag", bd.TransferFunction([1.0], [1.0, 1.0])))
    d.log(early, late, "lag")
    r = d.simulate(stop=1.0)
    for use in (
        lambda: r["lag"].interp(time=0.6),
        lambda: r["lag"].sel(time=0.6, method="nearest"),
        lambda: r["lag"] - r["late"],
    ):
        with pytest.raises(bd.BlockdynError, match=r"stands twice.*\n.*trace\('lag\.y'\)\.at"):
            use()
    difference = r["lag"] - r["lag"]
    assert not difference.any()
    assert isinstance(pickle.loads(pickle.dumps(r["lag"])), xr.DataArray)
