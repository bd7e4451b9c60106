"""A file's text is edited in place: each edit says what it should, and changes no line that it need not."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings, strategies as st
from ruamel.yaml import YAML

import blockdyn as bd
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.subsystem import Subsystem
from blockdyn.diagrams.yaml import errors as y
from blockdyn.diagrams.yaml.finding import gallery_files

GALLERY = gallery_files()
# a value, or a subsystem, that stands elsewhere too
ELSEWHERE = re.compile(r"[:\[,-] \*\w|type: \w+/")
files = st.sampled_from([name for name, file in GALLERY.items() if not ELSEWHERE.search(file.read_text())])
quiet = settings(max_examples=15, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@cache
def loaded(name: str) -> Diagram:
    """A diagram of the gallery."""
    return bd.load(name)


def levels(diagram: Diagram, inside: str = "") -> Iterator[tuple[str, Diagram]]:
    """Every diagram that a diagram holds, with the prefix of its paths."""
    yield inside, diagram
    for name, block in diagram.blocks.items():
        if isinstance(block, Subsystem):
            yield from levels(block.diagram, f"{inside}{name}/")


def facts(diagram: Diagram) -> dict[str, Any]:
    """What a diagram is: blocks with their parameters, wires, signals, logs, positions, by path."""
    known: dict[str, Any] = {}
    for inside, level in levels(diagram):
        known |= {f"{inside}={name}": repr(value) for name, value in level.parameters.items()}
        for name, block in level.blocks.items():
            if isinstance(block, Subsystem):
                known[inside + name] = {key: repr(value) for key, value in block.overrides.items()}
            else:
                known[inside + name] = (block.kind(), {k: repr(v) for k, v in block.parameters().items()})
        known |= {f"{inside}{wire.source} -> {inside}{wire.destination}": 1 for wire in level.wires}
        known |= {f"{inside}{name} is": f"{inside}{end}" for name, end in level.signals.items()}
        known |= {f"{inside}{path} logged": 1 for path in level.logged or ()}
        known |= {f"{inside}{name} at": at for name, at in level.positions.items()}
    return known | {"name": diagram.name, "doc": diagram.doc, "simulate": repr(diagram.simulation)}


def changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that are gone, and those that are new."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


def of_block(fact: str, path: str) -> bool:
    """Whether a fact names a block at one of its ends."""
    ends = [end.partition(".")[0].partition("[")[0] for end in fact.split(" -> ")]
    return any(end == path or end.startswith((f"{path}/", f"{path} ")) for end in ends)


@pytest.mark.parametrize("name", GALLERY)
def test_a_file_comes_back_as_it_is(name: str) -> None:
    text = GALLERY[name].read_bytes().decode("utf-8")
    assert bd.edit(name).text == text
    assert bd.dumps(bd.load(name)) == text
    assert facts(bd.edit(name).diagram()) == facts(bd.load(name))


@quiet
@given(files, st.data())
def test_a_parameter_of_a_block_is_one_line(name: str, data: st.DataObject) -> None:
    text = bd.edit(name)
    before, whole = facts(loaded(name)), text.text
    numbers = [k for k, v in before.items() if isinstance(v, tuple) and v[0] in ("Gain", "Constant")]
    assume(numbers)
    path = data.draw(st.sampled_from(numbers))
    key = "k" if before[path][0] == "Gain" else "value"
    text.set_parameter(f"{path}.{key}", 12.5)
    gone, new = changed(whole, text.text)
    assert len(gone) == len(new) == 1
    after = facts(text.diagram())
    assert after.pop(path)[1][key] == "12.5"
    assert {k: v for k, v in before.items() if k != path} == after


@quiet
@given(files, st.data())
def test_a_block_and_its_wire_are_a_line_each_and_go_again(name: str, data: st.DataObject) -> None:
    text = bd.edit(name)
    before, whole = facts(loaded(name)), text.text
    inside, level = data.draw(st.sampled_from([(i, d) for i, d in levels(loaded(name)) if d.wires]))
    source = inside + str(data.draw(st.sampled_from(list(level.wires))).source)
    text.add_block(f"{inside}extra", bd.Gain(k=2.5))
    assert changed(whole, text.text)[0] == []
    assert [line.strip() for line in changed(whole, text.text)[1]] == ["extra: {type: Gain, k: 2.5}"]
    alone = text.text
    text.connect(source, f"{inside}extra")
    assert changed(alone, text.text)[0] == []
    assert len(changed(alone, text.text)[1]) == 1
    wired = text.diagram()
    assert facts(wired).keys() - before.keys() == {f"{inside}extra", f"{source} -> {inside}extra"}
    text.disconnect(source, f"{inside}extra")
    assert text.text == alone
    text.connect(source, f"{inside}extra")
    text.remove_block(f"{inside}extra")
    assert text.text == whole


@quiet
@given(files, st.data())
def test_a_wire_that_is_cut_is_all_that_goes(name: str, data: st.DataObject) -> None:
    text = bd.edit(name)
    before, whole = facts(loaded(name)), text.text
    wire = data.draw(st.sampled_from(sorted(fact for fact in before if " -> " in fact)))
    text.disconnect(*wire.split(" -> "))
    gone, new = changed(whole, text.text)
    assert len(gone) == 1
    assert len(new) <= 2  # a chain that is cut in its middle is two
    assert before.keys() - facts(text.diagram()).keys() == {wire}
    assert facts(text.diagram()).items() <= before.items()


@quiet
@given(files, st.data())
def test_a_wire_that_is_led_elsewhere_is_one_line(name: str, data: st.DataObject) -> None:
    text = bd.edit(name)
    before, whole = facts(loaded(name)), text.text
    source, end = data.draw(st.sampled_from(sorted(fact for fact in before if " -> " in fact))).split(" -> ")
    inside = end.rpartition("/")[0] + "/" if "/" in end else ""
    text.add_block(f"{inside}extra", {"type": "Gain"})
    added = text.text
    text.reconnect(source, end, f"{inside}extra.u")
    assert len(changed(added, text.text)[0]) == 1
    after = facts(text.diagram())
    assert after.keys() - before.keys() == {f"{inside}extra", f"{source} -> {inside}extra.u"}
    assert before.keys() - after.keys() == {f"{source} -> {end}"}
    if len(changed(added, text.text)[1]) == 1:  # otherwise the chain went on behind it
        text.reconnect(source, f"{inside}extra.u", end)
        text.remove_block(f"{inside}extra")
        assert text.text == whole


@quiet
@given(files, st.data())
def test_a_block_goes_with_all_that_names_it(name: str, data: st.DataObject) -> None:
    text, diagram = bd.edit(name), loaded(name)
    before = facts(diagram)
    path = data.draw(st.sampled_from([i + b for i, level in levels(diagram) for b in level.blocks]))
    text.remove_block(path)
    left = facts(text.diagram())
    signals = {k for k, v in before.items() if k.endswith(" is") and of_block(v, path)}
    assert left == {k: v for k, v in before.items() if not of_block(k, path) and k not in signals}
    comments = [line for line in bd.edit(name).text.splitlines() if line.lstrip().startswith("#")]
    assert [line for line in text.text.splitlines() if line.lstrip().startswith("#")] == comments


@quiet
@given(files, st.data())
def test_another_name_changes_the_lines_that_have_it_and_turns_back(name: str, data: st.DataObject) -> None:
    text, diagram = bd.edit(name), loaded(name)
    before, whole = facts(diagram), text.text
    path = data.draw(st.sampled_from([i + b for i, level in levels(diagram) for b in level.blocks]))
    inside, _, old = path.rpartition("/")
    text.rename_block(path, "other_name")
    gone, new = changed(whole, text.text)
    assert [line.replace("other_name", old) for line in new] == gone
    renamed = facts(text.diagram())
    assert len(renamed) == len(before)
    assert not any(of_block(fact, path) for fact in renamed)
    text.rename_block(f"{inside}/other_name" if inside else "other_name", old)
    assert text.text == whole


def steps_of(value: Any, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The steps to everything in plain data."""
    if steps:
        yield steps
    pairs = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    for key, inner in pairs:
        yield from steps_of(inner, (*steps, key))


@settings(max_examples=60, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(files, st.data(), st.sampled_from([1.5, "text", "#: x", [1, "a"], {"k": [2.5]}, None, True]))
def test_any_value_is_set_and_removed_as_another_library_reads_it(
    name: str, data: st.DataObject, value: Any
) -> None:
    def read(text: str) -> Any:
        return YAML(typ="safe", pure=True).load(text)

    text = bd.edit(name)
    expected = read(text.text)
    steps = data.draw(st.sampled_from(list(steps_of(expected))))
    holder = expected
    for step in steps[:-1]:
        holder = holder[step]
    if data.draw(st.booleans()):
        text.set(*steps, to=value)
        holder[steps[-1]] = value
    else:
        text.remove(*steps)
        del holder[steps[-1]]
    assert read(text.text) == expected


def test_what_an_alias_repeats_is_not_changed_and_all_else_is() -> None:
    text = bd.edit("model-error")
    for subsystem in ("first_wrench", "second_wrench"):
        with pytest.raises(y.EditError, match="alias") as caught:
            text.set_parameter(f"{subsystem}/in_tool.value", [0, 0, 0, 0, 0, 1])
        assert caught.value.line
    whole = text.text
    text.rename_block("first_wrench", "wrench")
    assert not any(of_block(fact, "first_wrench") for fact in facts(text.diagram()))
    text.rename_block("wrench", "first_wrench")
    assert text.text == whole
