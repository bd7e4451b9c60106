"""Events of a run as a table, and as marks that show their kind."""

from __future__ import annotations

import pytest

import blockdyn as bd


@pytest.fixture(scope="module")
def run() -> bd.Result:
    """A square wave, its lag, and the crossings of the lag."""
    d = bd.Diagram("wave")
    d.connect(
        d.add("wave", bd.Square(period=1.0)),
        d.add("lag", bd.TransferFunction([1.0], [0.2, 1.0])),
        d.add("hit", bd.HitCrossing(0.0)),
    )
    return d.simulate(stop=4.2)


def test_time_events_and_zero_crossings_look_different(run: bd.Result) -> None:
    (axes,) = run.plot("lag").axes
    marks = [each for each in axes.collections if each.get_label() == "_event"]
    assert len({tuple(each.get_color()[0]) for each in marks}) == len(marks) == 2
    (axes,) = run.plot("lag", events=False).axes
    assert not axes.collections


def test_a_notebook_shows_events_as_a_table(run: bd.Result) -> None:
    shown = run.events._repr_html_()  # type: ignore[attr-defined]
    assert shown.count("<tr>") == 1 + len(run.events)
    assert "zero crossing" in shown
    assert isinstance(run.events, tuple)


def test_a_distribution_writes_the_quantiles_of_the_summary() -> None:
    d = bd.Diagram("line")
    d.connect(d.add("rate", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    axes = {"rate.value": [1.0, 2.0, 4.0, 8.0]}
    ensemble = bd.Sweep(d, axes=axes, measures={"end": {"final": "x"}}, stop=1.0).run()
    texts = [text.get_text() for text in ensemble.plot.distribution("end").axes[0].texts]
    assert "50 %: 3" in texts
    assert "5 %: 1.15" in texts
