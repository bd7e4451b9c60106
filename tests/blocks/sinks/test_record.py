"""Record: a signal from anywhere is in the result."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import DuplicateName


def test_its_input_is_in_the_result_under_its_name() -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=[1.0, 2.0]))
    d.add("keep", bd.Record(name="thrust"))
    d.connect("u", "keep")
    assert list(d.simulate(stop=1.0, log=[]).final("thrust")) == [1.0, 2.0]  # type: ignore[arg-type]


def test_without_a_name_it_is_the_blocks() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(value=2.0)), d.add("keep", bd.Record()))
    r = d.simulate(stop=1.0)
    assert r.final("keep") == r.final("u") == 2.0


def test_two_signals_of_one_name_are_refused() -> None:
    d = bd.Diagram()
    for i in range(2):
        d.connect(d.add(f"u{i}", bd.Constant(value=2.0)), d.add(f"keep{i}", bd.Record(name="thrust")))
    with pytest.raises(DuplicateName, match="thrust"):
        d.compile()


def test_a_name_is_text() -> None:
    with pytest.raises(bd.ParameterError, match="name"):
        bd.Record(name=3)  # type: ignore[arg-type]
