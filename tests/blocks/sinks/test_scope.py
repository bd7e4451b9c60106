"""Scope: its inputs are in the result, under its labels; options that contradict one another."""

from __future__ import annotations

import pytest

import blockdyn as bd


def test_what_it_shows_is_in_the_result() -> None:
    d = bd.Diagram()
    d.add("sine", bd.Sine())
    d.add("clock", bd.Clock())
    d.add("scope", bd.Scope(title="Waves", labels=["wave", "time"], units=["m", "s"]))
    d.connect("sine", "scope[0]")
    d.connect("clock", "scope[1]")
    r = d.simulate(stop=1.0, log=[])
    (shown,) = r.scopes
    assert (shown.path, shown.title, shown.labels) == ("scope", "Waves", ("wave", "time"))
    assert [r.trace(path).path for path in shown.traces] == ["sine.y", "clock.y"]


def test_the_number_of_inputs() -> None:
    assert len(bd.Scope().input_ports()) == 1
    assert len(bd.Scope(count=3).input_ports()) == 3
    assert [port.unit for port in bd.Scope(units=["m", "s"]).input_ports()] == ["m", "s"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"count": 0},
        {"count": 2, "labels": ["a"]},
        {"units": "m"},
        {"title": 3},
        {"labels": ["a"], "units": ["m", "s"]},
    ],
)
def test_options_that_contradict_one_another(wrong: dict[str, object]) -> None:
    with pytest.raises(bd.ParameterError):
        bd.Scope(**wrong)  # type: ignore[arg-type]
