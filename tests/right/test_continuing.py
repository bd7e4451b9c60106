"""Initial states given to a run, and a run that goes on where another ended."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import RunArgumentError


def oscillator() -> bd.Diagram:
    """x'' = -x in a subsystem, beside a counter of the ticks 0.05, 0.15, ... ."""
    plant = bd.Diagram("plant")
    plant.add("x", bd.Integrator(initial=[1.0, 0.0]))
    plant.add("A", bd.MatrixGain(K=[[0.0, 1.0], [-1.0, 0.0]]))
    plant.connect("x", "A", "x")
    d = bd.Diagram("both")
    d.add("plant", plant)
    d.add("one", bd.Constant(1.0))
    d.add("count", bd.DiscreteIntegrator(sample_time=0.1, offset=0.05))
    d.connect("one", "count")
    d.log("plant/x", "count")
    return d


def test_a_run_begins_where_it_is_told_to() -> None:
    r = oscillator().simulate(stop=2.0, rtol=1e-10, atol=1e-12, initial={"plant/x.x": [0.0, 3.0]})
    assert r.trace("plant/x.y").final == pytest.approx([3.0 * np.sin(2.0), 3.0 * np.cos(2.0)], rel=1e-8)
    again = oscillator().simulate(stop=2.0, rtol=1e-10, atol=1e-12)
    assert again.trace("plant/x.y").final == pytest.approx([np.cos(2.0), -np.sin(2.0)], rel=1e-8)


def test_two_runs_are_one() -> None:
    d = oscillator()
    whole = d.simulate(stop=3.0, rtol=1e-10, atol=1e-12)
    first = d.simulate(stop=1.7, rtol=1e-10, atol=1e-12)
    ends = first.final_states()
    assert list(ends) == ["count.x", "count.y", "plant/x.x"]
    assert ends["plant/x.x"] == pytest.approx([np.cos(1.7), -np.sin(1.7)], rel=1e-8)
    second = d.simulate(start=1.7, stop=3.0, rtol=1e-10, atol=1e-12, initial=ends)
    assert second.trace("plant/x.y").final == pytest.approx(whole.trace("plant/x.y").final, rel=1e-8)
    assert second.final("count") == pytest.approx(whole.final("count"), rel=1e-12)
    assert second.final_states()["count.x"] == pytest.approx(whole.final_states()["count.x"], rel=1e-12)


def test_ends_are_copies() -> None:
    r = oscillator().simulate(stop=1.0)
    r.final_states()["plant/x.x"][:] = 7.0
    assert r.final_states()["plant/x.x"][0] == pytest.approx(np.cos(1.0), rel=1e-5)


def test_ends_are_in_files(tmp_path) -> None:
    r = oscillator().simulate(stop=1.0)
    for suffix in (".nc", ".parquet", ".csv"):
        r.save(tmp_path / f"run{suffix}")
        again = bd.load_result(tmp_path / f"run{suffix}").final_states()
        kept = {path: value.tolist() for path, value in again.items()}
        assert kept == {path: value.tolist() for path, value in r.final_states().items()}


@pytest.mark.parametrize(
    ("initial", "said"),
    [
        ({"plant/x.x": [1.0]}, r"shape \(2,\)"),
        ({"plant/x.x": [1.0, 2.0, 3.0]}, r"shape \(2,\)"),
        ({"plant/x.x": 1.0}, r"shape \(2,\)"),
        ({"plant/x.x": [1.0, float("nan")]}, "finite"),
        ({"plant/x.x": "here"}, "finite"),
        ({"count.x": [1.0, 2.0]}, "a finite number"),
        ({"plant/x": [1.0, 2.0]}, r"plant/x\.x"),
        ({"plant/y.x": [1.0, 2.0]}, r"plant/x\.x"),
        ([1.0, 2.0], "by path"),
    ],
)
def test_impossible_initial_states(initial: object, said: str) -> None:
    with pytest.raises(RunArgumentError, match=said):
        oscillator().simulate(stop=1.0, initial=initial)  # type: ignore[arg-type]


def test_a_state_that_is_not_logged_is_explained() -> None:
    from blockdyn.diagrams.results import UnknownSignal

    r = oscillator().simulate(stop=1.0)
    with pytest.raises(UnknownSignal, match=r"log an output of count.*final_states"):
        r.trace("count.x")


def test_the_description_is_that_of_the_run() -> None:
    d = oscillator()
    r = d.simulate(stop=1.0)
    d.add("late", bd.Gain(2.0))
    d.blocks["plant"].diagram.add("later", bd.Gain(2.0))  # type: ignore[union-attr]
    text = r.provenance.description
    assert text is not None
    assert "late" not in text
    again = bd.loads(text) if hasattr(bd, "loads") else bd.load(text)
    assert again.simulate(stop=1.0).trace("plant/x.y").identical(r.trace("plant/x.y"))


def test_a_diagram_with_python_functions_has_no_description() -> None:
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("f", bd.Function(lambda u: 2 * u, compiled=False)))
    assert d.simulate(stop=1.0).provenance.description is None
