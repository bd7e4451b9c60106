"""Diagrams that are declared wrongly: one typed error each, with place, finding, nearest name and remedy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from blockdyn.base.errors import BlockdynError
from blockdyn.blocks.contract.registry import block_type
from blockdyn.blocks.estimation.extended_kalman_filter import ExtendedKalmanFilter
from blockdyn.blocks.mathematics.expression import Expression
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.mathematics.sum import Sum
from blockdyn.blocks.routing.demux import Demux
from blockdyn.blocks.routing.inport import Inport
from blockdyn.blocks.routing.mux import Mux
from blockdyn.blocks.routing.outport import Outport
from blockdyn.blocks.sources.constant import Constant
from blockdyn.diagrams.model import errors as e
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.flatten import flatten
from blockdyn.diagrams.model.scope import DEEPEST
from blockdyn.diagrams.yaml import loads

from .closed_loop import AT, HERE, inner, loop, require_error


def wire(*ends: Any) -> Callable[[Diagram], None]:
    return lambda d: d.connect(*ends, at=HERE)


def wire_inside(*ends: Any) -> Callable[[Diagram], None]:
    return lambda d: inner(d).connect(*ends, at=HERE)


def add(name: Any, block: Any) -> Callable[[Diagram], object]:
    return lambda d: d.add(name, block, at=HERE)


def add_pair(d: Diagram) -> None:
    d.add("pair", Mux(count=2), at=HERE)
    d.add("parts", Demux(counts=2), at=HERE)
    d.connect("reference", "pair[0]")
    d.connect("reference", "pair[1]")


def ambiguous_input(d: Diagram) -> None:
    d.add("pair", Mux(count=2), at=HERE)
    d.connect("reference", "pair", at=HERE)


def ambiguous_output(d: Diagram) -> None:
    add_pair(d)
    d.connect("pair", "parts")
    d.add("after", Gain())
    d.connect("parts", "after", at=HERE)


def foreign(d: Diagram) -> None:
    d.connect(Diagram("other").add("one", Constant()), "control", at=HERE)


def signal_circle(d: Diagram) -> None:
    d.signal("a", "b", at=HERE)
    d.signal("b", "a", at=HERE)


def wired_to_signal(d: Diagram) -> None:
    d.signal("level", "reference", at=HERE)
    d.connect("reference", "level", at=HERE)


def port_of_signal(d: Diagram) -> None:
    d.signal("level", "reference", at=HERE)
    d.add("after", Gain())
    d.connect("level.y", "after", at=HERE)


def equal_numbers(d: Diagram) -> None:
    inner(d).add("first", Inport(number=0), at=HERE)
    inner(d).add("second", Inport(number=0), at=HERE)


def circle_of_ports(d: Diagram) -> None:
    through = Diagram("through")
    through.connect(through.add("u", Inport()), through.add("y", Outport()), at=HERE)
    one, two = d.add("one", through), d.add("two", through)
    one >> two >> one


def contains_itself(d: Diagram) -> None:
    middle = Diagram("middle")
    inner(d).add("middle", middle, at=HERE)
    middle.add("again", d, at=HERE)


def too_deep(d: Diagram) -> None:
    inside = Diagram()
    for _ in range(DEEPEST + 1):
        outside = Diagram()
        outside.add("s", inside)
        inside = outside
    d.add("deep", inside)


def doubling(d: Diagram) -> None:
    inside = Diagram()
    inside.add("one", Constant())
    for _ in range(60):
        outside = Diagram()
        outside.add("a", inside)
        outside.add("b", inside)
        inside = outside
    d.add("twice", inside)


CASES: dict[str, tuple[Callable[[Diagram], object], type[BlockdynError], list[str]]] = {
    "unknown source": (
        wire("refrence", "control"),
        e.UnknownBlock,
        [AT, "`refrence`", "did you mean `reference`?"],
    ),
    "unknown destination": (
        wire("reference", "contol"),
        e.UnknownBlock,
        [AT, "`contol`", "did you mean `control`?"],
    ),
    "unknown block inside": (
        wire_inside("arn", "error[0]"),
        e.UnknownBlock,
        [AT, "subsystem plant", "did you mean `arm`?"],
    ),
    "unknown input": (wire("reference", "control.v"), e.UnknownPort, [AT, "control.v", "Gain", "u [0]"]),
    "unknown output": (
        wire("reference.yy", "control"),
        e.UnknownPort,
        [AT, "reference.yy", "Constant", "did you mean `y`?"],
    ),
    "index too large": (
        wire_inside("arm", "error[2]"),
        e.UnknownPort,
        [AT, "plant/error[2]", "u0 [0], u1 [1]"],
    ),
    "wire into a source": (
        wire("control", "reference"),
        e.UnknownPort,
        [AT, "reference", "a Constant has no inputs"],
    ),
    "an article before a vowel, and numbers in formulas": (
        lambda d: d.connect("reference", d.add("twice", Expression("pi*2")), at=HERE),
        e.UnknownPort,
        [AT, "twice, an Expression", "an Expression has no inputs", "in which `pi` and `inf` are numbers"],
    ),
    "subsystem port": (
        wire("plant.sped", "control"),
        e.UnknownPort,
        [AT, "plant.sped", "did you mean `speed`?"],
    ),
    "which input": (ambiguous_input, e.DiagramError, [AT, "pair", "2 inputs: u0, u1", "`pair.u0`"]),
    "which output": (ambiguous_output, e.DiagramError, [AT, "parts", "2 outputs", "`parts[0]`"]),
    "doubly driven": (
        wire("plant", "control"),
        e.BadWire,
        [AT, "control.u", "reference.y", "plant.speed", "Sum"],
    ),
    "the same wire twice": (wire("reference", "control"), e.BadWire, [AT, "control.u", "reference.y"]),
    "open input": (add("after", Gain()), e.MissingInput, [AT, "after.u", "connect"]),
    "open subsystem input": (add("second", inner(loop())), e.MissingInput, [AT, "second.force"]),
    "open input inside": (
        lambda d: inner(d).add("b", Sum(), at=HERE),
        e.MissingInput,
        [AT, "plant/b.u0", "plant/b.u1"],
    ),
    "wire into an inport": (wire_inside("arm", "force"), e.BadWire, [AT, "plant/force", "around it"]),
    "duplicate name": (add("control", Gain()), e.DuplicateName, [AT, "`control`", "choose another"]),
    "signal named as a block": (
        lambda d: d.signal("plant", "reference", at=HERE),
        e.DuplicateName,
        [AT, "`plant`"],
    ),
    "two ports of one number": (
        equal_numbers,
        e.DuplicateName,
        [AT, "second.number", "first", "choose another"],
    ),
    "slash in a name": (add("a/b", Gain()), e.BadName, [AT, "'a/b'", "letters, digits"]),
    "empty name": (add("", Gain()), e.BadName, [AT, "letters, digits"]),
    "digit first": (add("2a", Gain()), e.BadName, [AT, "'2a'"]),
    "number as a name": (add(3, Gain()), e.BadName, [AT, "3"]),
    "a class is no block": (add("c", Gain), e.BadWire, [AT, "class Gain", "such as Gain(k=2.0)"]),
    "what is in the diagram already": (
        lambda d: d.add("c", 2.0 * d["plant"], at=HERE),
        e.BadWire,
        [AT, "in a diagram already", "signal('c'"],
    ),
    "a number is no block": (add("c", 2.0), e.BadWire, [AT, "float", "a block"]),
    "unreadable end": (wire("reference", "control[x]"), e.BadWire, [AT, "control[x]", "`block[0]`"]),
    "a star without a pair": (
        wire("plant.*", "control.*_ref"),
        e.BadWire,
        [AT, "`plant.* -> control.*_ref`", "speed", "u"],
    ),
    "a star at one end": (wire("plant.*", "control"), e.UnknownPort, [AT, "plant.*", "speed"]),
    "path as an end": (wire("plant/arm", "control"), e.BadWire, [AT, "plant/arm", "Outport"]),
    "list in the middle": (wire("reference", ["control"], "plant"), e.BadWire, [AT, "list", "end"]),
    "nowhere": (wire("reference"), e.BadWire, [AT, "reference", "destination"]),
    "empty list": (wire("reference", []), e.BadWire, [AT, "[]"]),
    "number at an end": (wire("reference", [2.0]), e.BadWire, [AT, "2.0", "a block"]),
    "another diagram's block": (foreign, e.BadWire, [AT, "other", "Inport and Outport"]),
    "signals in a circle": (signal_circle, e.BadWire, [AT, "cycle", "a -> b"]),
    "wire into a signal": (wired_to_signal, e.BadWire, [AT, "`level`", "block's input"]),
    "port of a signal": (port_of_signal, e.BadWire, [AT, "level.y", "no ports"]),
    "ports in a circle": (
        circle_of_ports,
        e.AlgebraicLoop,
        ["one.y", "two.y", "two/u.y", "put a block with state"],
    ),
    "contains itself": (
        contains_itself,
        e.DiagramError,
        [AT, "loop -> plant -> middle -> again", "take it out"],
    ),
    "itself at once": (lambda d: d.add("me", d, at=HERE), e.DiagramError, [AT, "loop -> me"]),
    "nested too deep": (too_deep, e.DiagramError, ["deep/s/s", "100 levels", "flatten"]),
    "multiplied copies": (doubling, e.DiagramError, ["100000", "multiply"]),
    "unknown log": (
        lambda d: d.log("plant/arn", at=HERE),
        e.UnknownBlock,
        [AT, "`arn`", "plant", "did you mean `arm`?"],
    ),
    "unknown log port": (
        lambda d: d.log("plant/arm.z", at=HERE),
        e.UnknownPort,
        [AT, "plant/arm.z", "y [0]"],
    ),
    "unreadable log": (
        lambda d: d.log("plant//arm", at=HERE),
        e.BadWire,
        [AT, "plant//arm", "subsystem/block.port"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_mistake_has_its_error_with_place_and_remedy(case: str) -> None:
    require_error(*CASES[case])


def test_the_diagram_that_the_mistakes_are_made_in_is_right() -> None:
    assert [block.path for block in flatten(loop()).blocks] == [
        "control",
        "plant/arm",
        "plant/error",
        "reference",
    ]


def test_errors_carry_path_and_port_for_tools() -> None:
    diagram = loop()
    diagram.add("b", Sum(signs="++"))
    with pytest.raises(e.MissingInput) as caught:
        flatten(diagram)
    assert (caught.value.path, caught.value.port, caught.value.also_open) == ("b", "u0", ("b.u1",))


def test_without_a_place_of_its_own_an_error_names_the_callers_line() -> None:
    diagram = loop()
    diagram.connect("plant", "control")
    line = test_without_a_place_of_its_own_an_error_names_the_callers_line.__code__.co_firstlineno + 2
    with pytest.raises(e.BadWire, match=f"test_miswiring.py:{line}"):
        flatten(diagram)


@pytest.mark.parametrize(
    ("kind", "word", "own"), [("BusCreator", "fields", "names"), ("BusSelector", "names", "fields")]
)
def test_the_word_of_the_other_bus_block_suggests_its_own(kind: str, word: str, own: str) -> None:
    with pytest.raises(BlockdynError, match=f"no parameter `{word}`, did you mean `{own}`"):
        block_type(kind)(**{word: ["a"]})
    with pytest.raises(BlockdynError, match=f"no parameter `{word}`, did you mean `{own}`"):
        loads(f"blockdyn: 1\nblocks: {{b: {{type: {kind}, {word}: [a]}}}}\n")


def test_a_port_that_stands_for_the_time_or_needs_an_option_is_explained() -> None:
    kalman = ExtendedKalmanFilter(f=lambda x, u, next_x: None, h=lambda x, u, y: None)
    for block, port, says in (
        (Expression("t**2"), "t", "`t` is the time of the run"), (kalman, "u", "with `inputs_count`")
    ):  # fmt: skip
        d = Diagram("d")
        d.connect(d.add("one", Constant(1.0)), d.add("reads", block)[port])
        with pytest.raises(e.UnknownPort, match=says):
            flatten(d)
