"""Diagrams as they are declared: chains, ports, named signals, arithmetic; and what flattening leaves."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from blockdyn.base.errors import BlockdynError
from blockdyn.blocks.continuous.integrator import Integrator
from blockdyn.blocks.contract.equations import arguments
from blockdyn.blocks.contract.internal_names import MODE
from blockdyn.blocks.contract.parameter_expression import expression
from blockdyn.blocks.contract.port import Size
from blockdyn.blocks.contract.wiring import Wiring
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.mathematics.sum import Sum
from blockdyn.blocks.routing.mux import Mux
from blockdyn.blocks.sources.constant import Constant
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.flatten import FlatDiagram, flatten
from blockdyn.diagrams.model.handle import Handle


def value(flat: FlatDiagram, path: str) -> Any:
    """What a block without states puts out, from its sources on."""
    found = next(item for item in flat.blocks if item.path == path)
    given = {port: value(flat, source[0]) for port, source in found.sources.items() if source}
    if isinstance(found.block, Wiring):
        elements = found.block.gather({port: Size(np.shape(u)) for port, u in given.items()})["y"]
        return np.array([np.ravel(given[port])[i] for port, i in elements])
    function = found.block.functions()["output"]
    names = {**found.block.numbers(), **given, MODE: 0}
    return function(*(names[name] for name in arguments(function)))


def sources(flat: FlatDiagram) -> dict[str, dict[str, tuple[str, str] | None]]:
    return {item.path: dict(item.sources) for item in flat.blocks}


def loop() -> Diagram:
    diagram = Diagram("loop", {"k": 4.0})
    diagram.add("reference", Constant(value=2.0))
    diagram.add("error", Sum(signs="+-"))
    diagram.add("control", Gain(k=expression("k / 2")))
    diagram.add("plant", Integrator())
    diagram.connect("reference", "error[0]")
    diagram.connect("plant", "error[1]")
    diagram.connect("error", "control", "plant")
    return diagram


LOOP = {
    "reference": {},
    "error": {"u0": ("reference", "y"), "u1": ("plant", "y")},
    "control": {"u": ("error", "y")},
    "plant": {"u": ("control", "y")},
}


def test_every_way_of_wiring_gives_the_same_wires() -> None:
    assert sources(flatten(loop())) == LOOP
    diagram = Diagram()
    reference = diagram.add("reference", Constant())
    error = diagram.add("error", Sum(signs="+-"))
    control = diagram.add("control", Gain())
    plant = diagram.add("plant", Integrator())
    reference["y"] >> error["u0"]
    error >> control >> plant["u"]
    plant[0] >> error[1]
    assert sources(flatten(diagram)) == LOOP


def test_a_list_fans_out() -> None:
    diagram = Diagram()
    one = diagram.add("one", Constant())
    pair = diagram.add("pair", Mux(count=2))
    gain = diagram.add("gain", Gain())
    one >> [pair[0], gain]
    diagram.connect(one, pair[1])
    diagram.connect(pair, "after")
    diagram.add("after", Gain())
    found = sources(flatten(diagram))
    assert found["pair"] == {"u0": ("one", "y"), "u1": ("one", "y")}
    assert found["gain"] == {"u": ("one", "y")}
    assert found["after"] == {"u": ("pair", "y")}


def test_the_order_of_declaration_does_not_matter() -> None:
    blocks = {"a": Constant(value=3.0), "b": Gain(k=2.0), "c": Gain(k=5.0)}
    wires = [("a", "b"), ("b", "c")]
    found = set()
    for order in itertools.permutations(blocks):
        for wiring in itertools.permutations(wires):
            diagram = Diagram()
            for name in order:
                diagram.add(name, blocks[name])
            for source, destination in wiring:
                diagram.connect(source, destination)
            flat = flatten(diagram)
            found.add((tuple((b.path, b.block, tuple(b.sources.items())) for b in flat.blocks), flat.logged))
    assert len(found) == 1


def test_flattening_is_a_snapshot_and_leaves_the_diagram_usable() -> None:
    diagram = loop()
    before = flatten(diagram)
    diagram.add("after", Gain())
    diagram.connect("plant", "after")
    diagram.parameter("k", 6.0)
    assert {item.path for item in before.blocks} == set(LOOP)
    assert before.parameters == {"k": 4.0}
    after = flatten(diagram)
    assert {item.path for item in after.blocks} == {*LOOP, "after"}
    assert [item.block.numbers()["k"] for item in after.blocks if item.path == "control"] == [3.0]


def test_blocks_without_expressions_are_not_copied() -> None:
    flat = {item.path: item.block for item in flatten(loop()).blocks}
    diagram = loop()
    gain = Gain(k=3.0)
    diagram.add("kept", gain)
    diagram.connect("plant", "kept")
    assert {item.path: item.block for item in flatten(diagram).blocks}["kept"] is gain
    assert flat["control"].numbers()["k"] == 2.0


def test_parameters_are_evaluated_in_the_order_of_their_use() -> None:
    diagram = Diagram(parameters={"omega": "=2 * pi * f", "f": "=1 / period", "period": 0.5, "v": [1.0, 2.0]})
    numbers = flatten(diagram).parameters
    assert numbers["f"] == 2.0
    assert numbers["omega"] == 4.0 * np.pi
    np.testing.assert_array_equal(numbers["v"], [1.0, 2.0])
    assert flatten(diagram, parameters={"period": 1.0}).parameters["omega"] == 2.0 * np.pi
    assert flatten(diagram, parameters={"f": "=3 * period"}).parameters["f"] == 1.5


def test_single_blocks_take_other_values_by_path() -> None:
    diagram = loop()
    found = {
        b.path: b.block for b in flatten(diagram, set={"plant.initial": 7.0, "control.k": "=k + 1"}).blocks
    }
    assert found["plant"].numbers()["initial"] == 7.0
    assert found["control"].numbers()["k"] == 5.0


def test_expressions_give_whole_numbers_to_options() -> None:
    diagram = Diagram(parameters={"n": 1.0})
    one = diagram.add("one", Constant())
    pair = diagram.add("pair", Mux(count=expression("n + 1")))
    one >> [pair[0], pair[1]]
    assert set(sources(flatten(diagram))["pair"]) == {"u0", "u1"}


def test_a_named_signal_is_a_source_anywhere_in_its_diagram() -> None:
    diagram = Diagram()
    one = diagram.add("one", Constant())
    diagram.add("gain", Gain())
    diagram.connect("level", "gain")
    assert diagram.signal("level", one).name == "level"
    flat = flatten(diagram)
    assert sources(flat)["gain"] == {"u": ("one", "y")}
    assert flat.aliases["level"] == ("one", "y")


def test_an_open_input_with_a_default_stays_open() -> None:
    diagram = Diagram()
    one = diagram.add("one", Constant())
    memory = diagram.add("memory", Integrator(reset="rising"))
    one >> [memory["u"], memory["trigger"]]
    assert sources(flatten(diagram))["memory"] == {"u": ("one", "y"), "trigger": ("one", "y"), "value": None}


def test_the_log_holds_every_output_of_the_diagrams_own_blocks_by_default() -> None:
    diagram = loop()
    outputs = (("control", "y"), ("error", "y"), ("plant", "y"), ("reference", "y"))
    assert flatten(diagram).logged == outputs
    assert flatten(diagram, log=["plant[0]", "plant"]).logged == (("plant", "y"),)
    diagram.log(diagram["error"], "plant.y")
    assert flatten(diagram).logged == (("error", "y"), ("plant", "y"))
    diagram.log("control")
    assert [tap.name for tap in flatten(diagram).taps] == ["error.y", "plant.y", "control.y"]
    silent = loop()
    silent.log()
    assert flatten(silent).logged == ()


def test_wires_know_the_line_that_declared_them() -> None:
    diagram = Diagram()
    one = diagram.add("one", Constant())
    gain = diagram.add("gain", Gain())
    one >> gain
    line = test_wires_know_the_line_that_declared_them.__code__.co_firstlineno
    (wire,) = diagram.wires
    assert wire.location is not None
    assert (wire.location.file, wire.location.line) == (__file__, line + 4)
    found = {item.path: item for item in flatten(diagram).blocks}["gain"]
    assert found.wire_locations["u"] == wire.location
    assert found.location is not None
    assert found.location.line == line + 3


def test_a_handle_is_not_a_sequence() -> None:
    handle = Diagram().add("one", Constant())
    with pytest.raises(TypeError):
        list(handle)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        1 in handle  # type: ignore[operator]  # noqa: B015


A, B = 3.0, 0.75
ARITHMETIC = {
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "a * b": lambda a, b: a * b,
    "a / b": lambda a, b: a / b,
    "a ** b": lambda a, b: a**b,
    "a + 1": lambda a, b: a + 1,
    "1 + a": lambda a, b: 1 + a,
    "1 - a": lambda a, b: 1 - a,
    "a - 1": lambda a, b: a - 1,
    "2 * a": lambda a, b: 2 * a,
    "a * 2": lambda a, b: a * 2,
    "a / 2": lambda a, b: a / 2,
    "2 / a": lambda a, b: 2 / a,
    "a ** 2": lambda a, b: a**2,
    "2 ** a": lambda a, b: 2**a,
    "-a": lambda a, b: -a,
    "abs(b - a)": lambda a, b: abs(b - a),
    "vector * a": lambda a, b: np.array([1.0, 2.0]) * a,
    "a - vector": lambda a, b: a - np.array([1.0, 2.0]),
    "number * a": lambda a, b: np.float64(0.5) * a,
    "several": lambda a, b: (2 * a - b) / (a + b) - 1,
    "sum()": lambda a, b: sum([a, b, a]),
}


@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic_on_blocks_is_arithmetic_on_their_signals(name: str) -> None:
    diagram = Diagram()
    a = diagram.add("a", Constant(value=A))
    b = diagram.add("b", Constant(value=B))
    for left, right in ((a, b), (a["y"], b[0])):
        result: Any = ARITHMETIC[name](left, right)
        assert isinstance(result, Handle)
        expected: Any = ARITHMETIC[name](A, B)
        np.testing.assert_allclose(value(flatten(diagram), result.name), expected, rtol=4e-16)


def test_arithmetic_with_expressions_follows_the_parameters() -> None:
    diagram = Diagram(parameters={"k": 5.0})
    a = diagram.add("a", Constant(value=A))
    scaled = expression("k") * a
    divided = a / expression("k - 1")
    flat = flatten(diagram)
    assert value(flat, scaled.name) == 15.0
    assert value(flat, divided.name) == 0.75


def test_elements_of_a_vector_signal() -> None:
    diagram = Diagram()
    vector = diagram.add("vector", Constant(value=[5.0, 6.0, 7.0]))
    picked = vector.element(2, 0)
    np.testing.assert_array_equal(value(flatten(diagram), picked.name), [7.0, 5.0])


def test_added_blocks_have_readable_names_of_their_own() -> None:
    diagram = Diagram()
    a = diagram.add("a", Constant())
    diagram.add("gain2", Gain())
    a >> diagram["gain2"]
    assert [(2 * a).name, (3 * a).name, (a + a).name] == ["gain1", "gain3", "sum1"]


def test_a_thousand_additions_take_one_name_each() -> None:
    diagram = Diagram()
    signal = diagram.add("start", Constant())
    for _ in range(1000):
        signal = signal + 1
    assert value_of_chain(flatten(diagram)) == 1001.0


def value_of_chain(flat: FlatDiagram) -> float:
    """The sum at the end of sum1 ... sumN, without recursion."""
    blocks = {item.path: item for item in flat.blocks}
    total = float(blocks["start"].block.numbers()["value"])
    for i in range(1, 1001):
        total += float(blocks[f"constant{i}"].block.numbers()["value"])
        assert blocks[f"sum{i}"].sources["u0"] == (("start" if i == 1 else f"sum{i - 1}"), "y")
    return total


def test_a_named_signal_is_wired_computed_with_logged_and_found() -> None:
    d = Diagram("d")
    a, b, twice = d.add("a", Constant(5.0)), d.add("b", Constant(2.0)), d.add("twice", Gain(2.0))
    error = d.signal("error", a - b)
    d.connect(d["error"], twice)
    d.log(error, twice, d.signal("more", error + 1))
    r = d.simulate(stop=1.0)
    assert list(r) == ["error", "twice.y", "more"]
    assert (r.final(error), r.final(twice), r.final(d["more"])) == (3.0, 6.0, 4.0)
    assert error in r
    assert isinstance(error.block, Sum)
    with pytest.raises(BlockdynError, match=r"a signal has no ports"):
        error[0]


def test_arrays_to_the_left_of_a_signal_are_blocks() -> None:
    d = Diagram("d")
    u = d.add("u", Constant([1.0, 2.0]))
    a, b = np.array([3.0, 5.0]), np.array([1.0, 2.0])
    for name, made in {"sum": a + u, "less": a - u, "times": a * u, "over": a / u, "power": a**u}.items():
        d.signal(name, made)
    d.log("sum", "less", "times", "over", "power")
    r = d.simulate(stop=0.0)
    for name, value in {"sum": a + b, "less": a - b, "times": a * b}.items():
        np.testing.assert_array_equal(r.final(name), value)
    np.testing.assert_allclose(r.final("over"), [3.0, 2.5], rtol=1e-15)
    np.testing.assert_allclose(r.final("power"), [3.0, 25.0], rtol=1e-15)


def test_an_element_of_a_vector_is_no_port() -> None:
    d = Diagram("d")
    pair, gain = d.add("pair", Constant([1.0, 2.0])), d.add("gain", Gain(2.0))
    d.connect(pair[1], gain)
    with pytest.raises(
        BlockdynError, match=r"a Selector gives an element of a vector signal, in Python pair\.element\(1\)"
    ):
        d.compile()
