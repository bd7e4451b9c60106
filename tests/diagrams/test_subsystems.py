"""Subsystems: diagrams as blocks, with parameters of their own, to any depth, as often as one likes."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.blocks.continuous.integrator import Integrator
from blockdyn.blocks.contract.parameter_expression import expression
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.mathematics.sum import Sum
from blockdyn.blocks.routing.inport import Inport
from blockdyn.blocks.routing.outport import Outport
from blockdyn.blocks.sources.constant import Constant
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.flatten import FlatDiagram, flatten
from blockdyn.diagrams.model.subsystem import Subsystem


def amplifier() -> Diagram:
    """One input, a gain, one output."""
    diagram = Diagram("amplifier", {"k": 2.0})
    diagram.add("u", Inport(unit="N"))
    diagram.add("gain", Gain(k=expression("k")))
    diagram.add("y", Outport(unit="m"))
    diagram.connect("u", "gain", "y")
    return diagram


def numbers(flat: FlatDiagram, name: str) -> dict[str, float]:
    return {b.path: float(b.block.numbers()[name]) for b in flat.blocks if name in b.block.numbers()}


def test_a_subsystem_leaves_only_its_blocks_and_direct_wires() -> None:
    diagram = Diagram()
    one = diagram.add("one", Constant())
    amp = diagram.add("amp", amplifier())
    after = diagram.add("after", Gain())
    one >> amp >> after
    flat = flatten(diagram)
    assert {b.path: dict(b.sources) for b in flat.blocks} == {
        "one": {},
        "amp/gain": {"u": ("one", "y")},
        "after": {"u": ("amp/gain", "y")},
    }


def test_ports_carry_names_and_units() -> None:
    sub = Subsystem(amplifier())
    assert [(p.name, p.unit) for p in sub.input_ports()] == [("u", "N")]
    assert [(p.name, p.unit) for p in sub.output_ports()] == [("y", "m")]


def test_every_use_has_its_own_parameters() -> None:
    amp = amplifier()
    diagram = Diagram(parameters={"high": 30.0})
    one = diagram.add("one", Constant())
    for name, block in {
        "plain": amp,
        "tenfold": Subsystem(amp, k=10.0),
        "given": Subsystem(amp, k=expression("2 * high")),
        "text": Subsystem(amp, k="=high"),
    }.items():
        one >> diagram.add(name, block)
    found = numbers(flatten(diagram), "k")
    assert found == {"plain/gain": 2.0, "tenfold/gain": 10.0, "given/gain": 60.0, "text/gain": 30.0}
    changed = numbers(
        flatten(diagram, parameters={"high": 1.0}, set={"plain.k": 7.0, "tenfold/gain.k": 8.0}), "k"
    )
    assert changed == {"plain/gain": 7.0, "tenfold/gain": 8.0, "given/gain": 2.0, "text/gain": 1.0}


def test_ports_are_in_the_order_of_their_numbers_then_of_declaration() -> None:
    inner = Diagram()
    for name, number in {"c": None, "b": 1, "d": None, "a": 0}.items():
        inner.add(name, Inport(number=number))
    assert [port.name for port in Subsystem(inner).input_ports()] == ["a", "b", "c", "d"]


def test_nesting_multiplies_gains() -> None:
    inside = amplifier()
    for _ in range(40):
        outer = Diagram("outer", {"k": 2.0})
        outer.add("u", Inport())
        outer.add("sub", Subsystem(inside, k="=k"))
        outer.add("y", Outport())
        outer.connect("u", "sub", "y")
        inside = outer
    diagram = Diagram()
    diagram.connect(diagram.add("one", Constant()), diagram.add("deep", Subsystem(inside, k=3.0)))
    flat = flatten(diagram)
    path = "deep/" + 40 * "sub/" + "gain"
    assert numbers(flat, "k") == {path: 3.0}
    assert {b.path: b.sources for b in flat.blocks}[path] == {"u": ("one", "y")}
    assert flat.aliases["deep.y"] == (path, "y")


def test_a_wire_may_pass_a_subsystem_without_meeting_a_block() -> None:
    through = Diagram()
    through.add("a", Inport())
    through.add("b", Inport())
    through.add("x", Outport())
    through.add("y", Outport())
    through.connect("a", "y")
    through.connect("b", "x")
    diagram = Diagram()
    one, two = diagram.add("one", Constant()), diagram.add("two", Constant())
    cross = diagram.add("cross", through)
    total = diagram.add("total", Sum(signs="+-"))
    one >> cross["a"]
    two >> cross["b"]
    cross["x"] >> total[0]
    cross["y"] >> total[1]
    found = {b.path: b.sources for b in flatten(diagram).blocks}["total"]
    assert found == {"u0": ("two", "y"), "u1": ("one", "y")}


def test_many_subsystems_in_series_are_followed_to_the_first_source() -> None:
    through = Diagram()
    through.connect(through.add("u", Inport()), through.add("y", Outport()))
    diagram = Diagram()
    signal = diagram.add("one", Constant())
    for i in range(3000):
        signal = signal >> diagram.add(f"s{i}", through)
    signal >> diagram.add("end", Gain())
    assert {b.path: b.sources for b in flatten(diagram).blocks}["end"] == {"u": ("one", "y")}


def test_feedback_around_a_subsystem() -> None:
    diagram = Diagram()
    amp = diagram.add("amp", amplifier())
    memory = diagram.add("memory", Integrator())
    amp >> memory >> amp
    found = {b.path: b.sources for b in flatten(diagram).blocks}
    assert found == {"amp/gain": {"u": ("memory", "y")}, "memory": {"u": ("amp/gain", "y")}}


def test_named_signals_are_seen_in_subsystems_and_the_nearest_one_counts() -> None:
    def reader() -> Diagram:
        inner = Diagram()
        inner.add("gain", Gain())
        inner.connect("level", "gain")
        return inner

    shadowing = reader()
    shadowing.signal("level", shadowing.add("own", Constant()))
    diagram = Diagram()
    diagram.signal("level", diagram.add("one", Constant()))
    diagram.add("plain", reader())
    diagram.add("shadowing", shadowing)
    found = {b.path: b.sources for b in flatten(diagram).blocks}
    assert found["plain/gain"] == {"u": ("one", "y")}
    assert found["shadowing/gain"] == {"u": ("shadowing/own", "y")}


def test_results_know_signals_by_the_subsystems_path() -> None:
    diagram = Diagram()
    diagram.connect(diagram.add("one", Constant()), diagram.add("amp", amplifier()))
    flat = flatten(diagram)
    assert {(t.name, t.path, t.port) for t in flat.taps} == {
        ("one.y", "one", "y"),
        ("amp.y", "amp/gain", "y"),
    }
    assert flat.logged == (("amp/gain", "y"), ("one", "y"))
    assert [(t.name, t.path) for t in flat.find("amp/u")] == [("amp/u.y", "one")]
    assert [(t.name, t.path) for t in flat.find("amp/gain.y")] == [("amp/gain.y", "amp/gain")]


def test_an_outport_of_the_outermost_diagram_passes_its_signal_on() -> None:
    diagram = Diagram()
    diagram.connect(diagram.add("one", Constant()), diagram.add("result", Outport()))
    assert ("result", "y") in flatten(diagram).logged


def test_values_of_a_subsystem_may_be_vectors_that_depend_on_one_another() -> None:
    inner = Diagram("inner", {"a": 1.0, "b": "=[a, 2 * a]"})
    inner.add("value", Constant(value=expression("b")))
    diagram = Diagram(parameters={"a": 100.0})
    diagram.add("sub", Subsystem(inner, a=4.0))
    (flat,) = flatten(diagram).blocks
    np.testing.assert_array_equal(flat.block.numbers()["value"], [4.0, 8.0])


@pytest.mark.parametrize("count", [1, 3])
def test_copies_share_nothing_but_the_description(count: int) -> None:
    inner = Diagram()
    inner.add("memory", Integrator())
    inner.add("one", Constant())
    inner.connect("one", "memory")
    diagram = Diagram()
    for i in range(count):
        diagram.add(f"copy{i}", inner)
    assert len(flatten(diagram).blocks) == 2 * count
    inner.add("later", Constant())
    assert len(flatten(diagram).blocks) == 3 * count
