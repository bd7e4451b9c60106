"""Wires that a program writes: one mistake among many right ones is found and named."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.sources.constant import Constant
from blockdyn.diagrams.model import errors as e
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.flatten import flatten


def test_division_by_the_number_zero() -> None:
    one = Diagram().add("one", Constant())
    with pytest.raises(e.BadWire, match="divided by zero"):
        one / 0.0


def chain(count: int, *, without: int = -1, again: int = -1, misspelt: int = -1) -> Diagram:
    """A constant through gains, with one wire left out, doubled, or from a name that does not exist."""
    diagram = Diagram()
    diagram.add("b0", Constant())
    for i in range(1, count + 1):
        diagram.add(f"b{i}", Gain())
        if i != without:
            diagram.connect("no_such_block" if i == misspelt else f"b{i - 1}", f"b{i}")
        if i == again:
            diagram.connect("b0", f"b{i}")
    return diagram


@settings(max_examples=60)
@given(st.integers(1, 30), st.data())
def test_a_spoilt_wire_is_named_wherever_it_is(count: int, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, count))
    assert len(flatten(chain(count)).blocks) == count + 1
    with pytest.raises(e.MissingInput) as missing:
        flatten(chain(count, without=at))
    assert (missing.value.path, missing.value.port) == (f"b{at}", "u")
    with pytest.raises(e.BadWire, match="two wires drive") as doubly:
        flatten(chain(count, again=at))
    assert (doubly.value.path, doubly.value.port, len(doubly.value.sources)) == (f"b{at}", "u", 2)
    with pytest.raises(e.UnknownBlock) as unknown:
        flatten(chain(count, misspelt=at))
    assert unknown.value.name == "no_such_block"
