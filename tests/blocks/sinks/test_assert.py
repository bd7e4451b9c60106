"""Assert: the first instant at which a condition is broken, with the message."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import AssertionFailed


def guarded(limit: float) -> bd.Diagram:
    d = bd.Diagram()
    d.add("clock", bd.Clock())
    d.add("below", bd.Compare(operator="<", value=limit))
    d.add("check", bd.Assert(message="too late"))
    d.connect("clock", "below", "check")
    return d


def test_names_block_time_and_message() -> None:
    with pytest.raises(AssertionFailed, match="too late") as error:
        guarded(0.75).simulate(stop=1.0)
    assert error.value.path == "check"
    assert error.value.time == pytest.approx(0.75, abs=1e-15)


def test_a_condition_that_holds_is_silent() -> None:
    assert guarded(2.0).simulate(stop=1.0).complete


def test_false_at_the_start() -> None:
    with pytest.raises(AssertionFailed) as error:
        guarded(-1.0).simulate(stop=1.0)
    assert error.value.time == 0.0


def test_a_message_is_text() -> None:
    with pytest.raises(bd.ParameterError, match="message"):
        bd.Assert(message="")
