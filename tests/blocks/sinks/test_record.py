"""Record: a signal from anywhere is in the result."""

from __future__ import annotations

import pytest

import blockdyn as bd


def test_its_input_is_in_the_result_under_its_name() -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=[1.0, 2.0]))
    d.add("keep", bd.Record(name="thrust"))
    d.connect("u", "keep")
    assert list(d.simulate(stop=1.0, log=[]).final("thrust")) == [1.0, 2.0]  # type: ignore[arg-type]


def test_a_name_is_text() -> None:
    with pytest.raises(bd.ParameterError, match="name"):
        bd.Record(name=3)  # type: ignore[arg-type]
