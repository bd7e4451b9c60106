"""Blocks put into a subsystem and taken out again give the same results, and the text keeps its comments."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.results.result import Result
from blockdyn.diagrams.yaml.editing import DiagramText
from blockdyn.diagrams.yaml.errors import EditError

LOOP = """\
# a loop, first comment
blockdyn: 1   # version
name: loop
parameters:
  k: 2.0  # gain of the loop

blocks:  # what it consists of
  reference: {type: Constant, value: 1.0}  # set point
  error: {type: Sum, signs: "+-"}
  # the controller
  controller: {type: Gain, k: =k}   # proportional
  plant:
    type: Integrator   # of order 1
    initial: 0.5
wires:
  - reference -> error[0]   # forward
  - error -> controller -> plant  # the chain
  - plant -> error[1]       # feedback
# below the wires
signals: {effort: controller}
simulate: {stop: 1.0}  # s
log: [plant, controller, effort]
view:
  error: [100, 50]
  controller: [200, 50]  # here
"""


def comments(text: str) -> Counter[str]:
    return Counter(line[line.index("#") :] for line in text.splitlines() if "#" in line)


def rows(text: DiagramText, names: list[str]) -> list[bytes]:
    result: Result = text.diagram().simulate()
    return [result[name].values.tobytes() for name in names]


def test_a_subsystem_of_a_selection_and_back_is_the_text_that_it_was() -> None:
    text = DiagramText(LOOP)
    before = rows(text, ["plant", "effort"])
    text.make_subsystem("law", "error", "controller")
    assert rows(text, ["plant", "effort"]) == before
    assert comments(text.text) == comments(LOOP)
    assert text.get("wires") == ["reference -> law.reference", "law -> plant", "plant -> law.plant"]
    assert text.get("log") == ["plant", "law/controller", "effort"]
    assert text.get("signals", "effort") == "law"
    assert text.get("view") == {"law": [150, 50]}
    inner = text.diagram().blocks["law"]
    assert isinstance(inner, bd.Subsystem)
    assert [*inner.diagram.blocks] == ["reference", "plant", "error", "controller", "out"]
    assert inner.diagram.positions == {"error": [100, 50], "controller": [200, 50]}
    text.place("law", 160, 80)  # the blocks inside go along
    text.dissolve_subsystem("law")
    assert text.text == LOOP.replace("[100, 50]", "[110, 80]").replace("[200, 50]", "[210, 80]")


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("position-loop", ["reference", "load"]),
        ("cruise-gears", ["controller", "reference"]),
        ("quadrotor-corke", ["yaw", "attitude", "mixer"]),
    ],
)
def test_results_are_the_same_bit_for_bit(name: str, chosen: list[str]) -> None:
    """Also where a starred wire crosses the border, and where the subsystem has subsystems."""
    text = bd.edit(name)
    wires = {str(wire) for wire in text.diagram().wires}
    blocks = {key: str(block) for key, block in text.diagram().blocks.items()}
    first = text.diagram().simulate()
    remarks = comments(text.text)
    text.make_subsystem("grouped", *chosen)
    assert not remarks - comments(text.text)
    grouped = text.diagram().simulate()
    text.dissolve_subsystem("grouped")
    assert not remarks - comments(text.text)
    assert {key: str(block) for key, block in text.diagram().blocks.items()} == blocks
    assert len(text.diagram().wires) >= len(wires)
    paths = [path for path in first.signals if path in grouped.signals]
    assert paths
    for path in paths:
        assert np.array_equal(first[path].values, grouped[path].values, equal_nan=True), path


def test_parameters_inputs_and_names_find_their_place_outside() -> None:
    """An open input has its default as a Constant, parameters go up, equal names become others."""
    text = DiagramText("""\
blockdyn: 1
parameters: {k: 2.0}
blocks:
  source: {type: Constant, value: 3.0}
  gain: {type: Gain, k: =k}
  inner:
    type: Subsystem
    parameters: {b: =3 * k}
    diagram:
      parameters: {b: 1.0, c: {default: =2 * b, unit: m}}
      blocks:
        u: {type: Inport}
        v: {type: Inport, default: 0.5}
        gain: {type: Gain, k: =b}
        sum: {type: Sum, signs: "++"}
        half: {type: Gain, k: =c}
        w: {type: Outport}   # the sum
        through: {type: Outport}
      wires: [u -> gain -> sum.u0, v -> half -> sum.u1, sum -> w, u -> through]
  last: {type: Gain, k: 1.0}
  other: {type: Gain, k: 1.0}
wires:
  - source -> [gain, inner.u]
  - inner.w -> last
  - inner.through -> other
simulate: {stop: 1.0}
""")
    before = rows(text, ["last", "other", "gain"])
    text.dissolve_subsystem("inner")
    assert rows(text, ["last", "other", "gain"]) == before
    assert [*text.get("blocks")] == [
        "source", "gain", "inner_v", "inner_gain", "sum", "half", "last", "other",
    ]  # fmt: skip
    assert text.get("parameters") == {"k": 2.0, "b": "=3 * k", "c": {"default": "=2 * b", "unit": "m"}}
    assert "# the sum" in text.text


def test_what_cannot_go_is_refused_and_nothing_changes() -> None:
    text = DiagramText(LOOP)
    for call in (
        lambda: text.make_subsystem("plant", "error"),
        lambda: text.make_subsystem("law"),
        lambda: text.make_subsystem("effort", "error"),
        lambda: text.dissolve_subsystem("plant"),
    ):
        with pytest.raises(EditError):
            call()
        assert text.text == LOOP
    switched = DiagramText(
        "blockdyn: 1\nblocks:\n  s:\n    type: Subsystem\n    diagram:\n"
        "      blocks: {e: {type: Enable}, p: {type: Inport}}\n"
    )
    with pytest.raises(EditError, match="e"):
        switched.dissolve_subsystem("s")
    with pytest.raises(EditError, match="Inport"):
        switched.make_subsystem("t", "s/p")


PORT = """
        u: {type: Inport}  # the port
        g: {type: Gain, k: '1 #2'}
      wires: []  # inside
      # last"""
TEXTS = {
    "wires without a reader": (PORT, "wires:\n  - a -> s  # nothing reads it\n  - a -> b  # it does\n"),
    "wires in one line": (PORT, "wires: [a -> s, a -> b]  # in one line\n"),
    "no wires": (PORT, "wires: []  # none\n"),
    "no blocks": (" {}  # empty", "wires: []  # none\n"),
}


@pytest.mark.parametrize(("inside", "wires"), TEXTS.values(), ids=TEXTS)
def test_no_comment_is_lost(inside: str, wires: str) -> None:
    """Also those of wires that go with their port, and of a subsystem without blocks."""
    text = DiagramText(
        f"""\
# first
blockdyn: 1
blocks:
  a: {{type: Constant, value: 1.0}}  # a source
  # the subsystem
  s:  # its line
    type: Subsystem  # its type
    diagram:  # its content
      blocks:{inside}
  b: {{type: Gain}}
{wires}"""
    )
    before = Counter(text.comments())
    assert len(before) > 6
    text.dissolve_subsystem("s")
    assert Counter(text.comments()) == before
    text.make_subsystem("t", "a", "b")
    assert Counter(text.comments()) == before
