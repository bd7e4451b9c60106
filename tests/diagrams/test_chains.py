"""A port in the middle of a chain is an error: bdsim reads it as a fan-out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import BadWire
from blockdyn.diagrams.yaml import loads

Wiring = Callable[[bd.Diagram, Any, Any, Any], object]


def three() -> tuple[bd.Diagram, Any, Any, Any]:
    d = bd.Diagram()
    return d, d.add("a", bd.Constant(1.0)), d.add("b", bd.Gain(2.0)), d.add("c", bd.Integrator())


WIRINGS: list[tuple[Wiring, str, str]] = [
    (lambda d, a, b, c: d.connect(a, b["u"], c), "connect(a, b, c)", 'connect(a, [b["u"], c])'),
    (lambda d, a, b, c: d.connect(a, b[0], c), "connect(a, b, c)", "connect(a, [b[0], c])"),
    (lambda d, a, b, c: d.connect("a", "b.u", "c"), "connect(a, b, c)", 'connect(a, [b["u"], c])'),
    (
        lambda d, a, b, c: d.connect(a, b["u"], [c, "d"]),
        "connect(a, b, [c, d])",
        'connect(a, [b["u"], c, d])',
    ),
    (lambda d, a, b, c: d.connect(a, b, c[0], b), "connect(b, c, b)", "connect(b, [c[0], b])"),
    (lambda d, a, b, c: a >> b["u"] >> c, "a >> b >> c", 'a >> [b["u"], c]'),
    (lambda d, a, b, c: a >> b[0] >> c, "a >> b >> c", "a >> [b[0], c]"),
    (lambda d, a, b, c: d.connect(a >> b[0], c), "a >> b >> c", "a >> [b[0], c]"),
    (lambda d, a, b, c: 2.0 * (a >> b["u"]), "a >> b >> gain1", 'a >> [b["u"], gain1]'),
    (lambda d, a, b, c: d.signal("s", a >> b["u"]), "a >> b >> ...", 'a >> [b["u"], ...]'),
]


def test_an_error_of_arrows_has_the_names_of_the_blocks() -> None:
    d = bd.Diagram()
    foo, bar = d.add("foo", bd.Constant(1.0)), d.add("bar", bd.Gain(2.0))
    baz, qux = d.add("baz", bd.Sum("++")), d.add("qux", bd.Gain(2.0))
    for end, shown, listed in (
        (baz[0], "baz[0]", "baz[0]"),
        (baz["u1"], 'baz["u1"]', 'baz["u1"]'),
        ([baz[0], qux], "[baz[0], qux]", "baz[0], qux"),
    ):
        with pytest.raises(BadWire) as caught:
            foo >> bar["u"] >> end
        for said in (f"`foo >> bar >> {shown}`", f'`foo >> [bar["u"], {listed}]`', f"`bar >> {shown}`"):
            assert said in str(caught.value)


@pytest.mark.parametrize(("wire", "chain", "fan"), WIRINGS)
def test_the_error_shows_both_ways_of_writing_it(wire: Wiring, chain: str, fan: str) -> None:
    with pytest.raises(BadWire) as caught:
        wire(*three())
    assert f"`{chain}`" in str(caught.value)
    assert f"`{fan}`" in str(caught.value)


@pytest.mark.parametrize(
    ("wire", "chain", "fan"),
    [
        ("a -> b.u -> c", "a -> b -> c", "a -> [b.u, c]"),
        ("a.y -> b[0] -> c", "a.y -> b -> c", "a.y -> [b[0], c]"),
        ("a -> b.u -> [c, d]", "a -> b -> [c, d]", "a -> [b.u, c, d]"),
    ],
)
def test_so_does_that_of_a_file(wire: str, chain: str, fan: str) -> None:
    with pytest.raises(BadWire) as caught:
        loads(f"blockdyn: 1\nblocks: {{a: {{type: Clock}}}}\nwires:\n  - {wire}\n")
    assert (caught.value.line, caught.value.column) == (4, 5)
    assert f"`{chain}`" in str(caught.value)
    assert f"`{fan}`" in str(caught.value)


def test_what_the_error_shows_for_a_chain_is_one_and_for_a_fan_out_is_one() -> None:
    for wire, end in (
        (lambda d, a, b, c: d.connect(a, b, c), 20.0),
        (lambda d, a, b, c: d.connect(a, [b["u"], c]), 10.0),
    ):
        d, a, b, c = three()
        wire(d, a, b, c)
        assert d.simulate(stop=10.0).final("c") == pytest.approx(end)


def test_a_port_at_the_end_of_an_arrow_is_a_wire() -> None:
    d, a, b, c = three()
    a >> b["u"]
    b >> c
    assert d.simulate(stop=10.0).final("c") == pytest.approx(20.0)


@pytest.mark.parametrize(
    ("wire", "told"),
    [
        (lambda a, b, c: a.diagram.connect(a, b["y"], c), '`connect(a, b)` and `connect(b["y"], c)`'),
        (lambda a, b, c: a.diagram.connect("a", "b.y", ["c", "d"]), '`connect(b["y"], [c, d])`'),
        (lambda a, b, c: a >> b["y"] >> c, '`a >> b` and `b["y"] >> c`'),
    ],
)
def test_an_output_in_the_middle_begins_a_wire_of_its_own(wire: Callable[..., object], told: str) -> None:
    """`connect(a, b["y"])` would end at an output: what the error advises can be compiled."""
    _, a, b, c = three()
    with pytest.raises(BadWire, match="names an output") as caught:
        wire(a, b, c)
    assert told in str(caught.value)
    assert 'connect(a, b["y"]' not in str(caught.value)
    d, a, b, c = three()
    d.connect(a, b)
    d.connect(b["y"], c)
    assert d.simulate(stop=1.0).final("c") == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("wire", "says", "told"),
    [
        ("a -> b.y -> c", "names an output", "`a -> b` and `b.y -> c`"),
        ("a -> b.y -> [c, d]", "names an output", "`a -> b` and `b.y -> [c, d]`"),
        ("a -> b -> g.y -> c", "names an output", "`b -> g` and `g.y -> c`"),
        ("a -> [b, c] -> d", "a list in the middle of a chain", "a list at the end of it only"),
        ("a -> [b, ]", "is not an end of a wire", "`block.port`"),
    ],
)
def test_a_file_is_told_what_connect_tells(wire: str, says: str, told: str) -> None:
    blocks = "{a: {type: Clock}, b: {type: Gain}, g: {type: Gain}, c: {type: Gain}, d: {type: Gain}}"
    with pytest.raises(BadWire, match=says) as caught:
        loads(f"blockdyn: 1\nblocks: {blocks}\nwires:\n  - {wire}\n")
    assert (caught.value.line, caught.value.column) == (4, 5)
    assert told in str(caught.value)
    assert "from a to both" not in str(caught.value)
