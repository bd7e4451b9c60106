"""A file's text is edited in place: each edit says what it should, and changes no line that it need not."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings, strategies as st
from ruamel.yaml import YAML

import blockdyn as bd
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.errors import BadName, DiagramError, UnknownBlock
from blockdyn.diagrams.model.subsystem import Subsystem
from blockdyn.diagrams.yaml import errors as y
from blockdyn.diagrams.yaml.editing import DiagramText
from blockdyn.diagrams.yaml.finding import gallery_files

GALLERY = gallery_files()
files = st.sampled_from([name for name in GALLERY if name != "model-error"])  # whose aliases share blocks
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
        known |= {f"{inside}{name} at": at for name, at in level.view.items()}
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


CASES: list[tuple[str, Any, str]] = [
    ("wires:\n", lambda t: t.connect("a", "b"), "wires:\n  - a -> b\n"),
    ("wires: [] # none\n", lambda t: t.connect("a", "b"), "wires: # none\n  - a -> b\n"),
    ("", lambda t: t.connect("a", "b"), "wires:\n  - a -> b\n"),
    ("wires:\n- a -> b", lambda t: t.connect("a", "b[1]"), "wires:\n- a -> b\n- a -> b[1]"),
    ("wires:\n- a -> b # x\n\n#y\n", lambda t: t.connect("b", "a"), "wires:\n- a -> b # x\n- b -> a\n\n#y\n"),
    ("wires: [a -> b]\n", lambda t: t.connect("b", "a[0]"), 'wires: [a -> b, "b -> a[0]"]\n'),
    ("wires: [a -> b,\n  b -> a] # z\n", lambda t: t.disconnect("a", "b"), "wires: [b -> a] # z\n"),
    ("wires: [a -> b,\n  b -> a] # z\n", lambda t: t.disconnect("b", "a"), "wires: [a -> b] # z\n"),
    ("wires:\n  - a -> b # only\n", lambda t: t.disconnect("a", "b"), "wires: []\n"),
    ("wires:\n  - a -> [b, b[1]]\n", lambda t: t.disconnect("a", "b"), "wires:\n  - a -> b[1]\n"),
    ("wires:\n  - {from: a, to: b}\n", lambda t: t.rename_block("b", "c"), "wires:\n  - {from: a, to: c}\n"),
    ("wires:\n  - from: a\n    to: b\n", lambda t: t.remove("wires", 0, "from"), "wires:\n  - to: b\n"),
    ("log:\n  -\n    a\n  - b\n", lambda t: t.remove("log", 0), "log:\n  - b\n"),
    ("log: [a, # one\n  b] # two\n", lambda t: t.set("log", 1, to="b.y"), "log: [a, # one\n  b.y] # two\n"),
    ("doc: |\n  two\n  lines\n\nlog: [a]\n", lambda t: t.set("doc", to="x"), "doc: x\n\nlog: [a]\n"),
    ("doc: |+\n  two\n\nlog: [a]\n", lambda t: t.set("doc", to="x"), "doc: x\nlog: [a]\n"),
    ("doc: 'it''s'\n", lambda t: t.set("doc", to="it's"), "doc: 'it''s'\n"),
    ("simulate: {}\n", lambda t: t.set("simulate", "stop", to=1.0), "simulate:\n  stop: 1.0\n"),
    ("simulate: {stop: 1e-3 }\n", lambda t: t.set("simulate", "rtol", to=1e-9),
     "simulate: {stop: 1e-3, rtol: 1e-9 }\n"),
    ("simulate: # how\n  stop: 1 # s\n  rtol: 1e-6\n", lambda t: t.remove("simulate", "stop"),
     "simulate: # how\n  rtol: 1e-6\n"),
    ("view:\n  a: {at: [1, 2], flip: true}\n", lambda t: t.place("a", 3, 4),
     "view:\n  a: {at: [3, 4], flip: true}\n"),
    ("", lambda t: t.place("a", 3, 4), "view:\n  a: [3, 4]\n"),
]  # fmt: skip
HEAD = "blockdyn: 1\nblocks:\n  a: {type: Sum, signs: ++}\n  b: {type: Sum, signs: ++}\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "edit", "after"), CASES)
def test_the_layout_of_the_file_is_kept(
    before: str, edit: Any, after: str, newline: str, tmp_path: Path
) -> None:
    path = tmp_path / "d.yaml"
    head = b"\xef\xbb\xbf" + HEAD.replace("\n", newline).encode()
    path.write_bytes(head + before.replace("\n", newline).encode())
    text = bd.edit(path)
    edit(text)
    text.save()
    expected = HEAD + after
    if "rename" in repr(edit.__code__.co_names):
        expected = expected.replace("  b: {", "  c: {")
    assert path.read_bytes() == b"\xef\xbb\xbf" + expected.replace("\n", newline).encode()


REFUSED: list[tuple[Any, type[DiagramError], int | None, str]] = [
    (lambda t: t.connect("a", "x"), UnknownBlock, 3, "`x`"),
    (lambda t: t.set_parameter("aa.signs", "+"), UnknownBlock, 3, "did you mean `a`"),
    (lambda t: t.connect("s/u", "b"), y.EditError, None, "one diagram"),
    (lambda t: t.disconnect("b", "a"), y.EditError, 7, "no wire from `b` to `a`"),
    (lambda t: t.rename_block("a", "b"), y.EditError, 4, "`b` is there already"),
    (lambda t: t.rename_block("a", "b c"), BadName, None, "b c"),
    (lambda t: t.add_block("b", {"type": "Gain"}), y.EditError, 4, "there already"),
    (lambda t: t.add_block("s/x", {"type": "Gain"}), y.EditError, 5, "other.yaml"),
    (lambda t: t.get("simulate", "stpo"), y.EditError, 8, "did you mean `stop`"),
    (lambda t: t.remove("wires", 3), y.EditError, 7, "no `3`"),
    (lambda t: t.set("simulate", "stop", to=object()), y.NotWritable, None, "object"),
    (lambda t: t.set_parameter("c.k", 3), y.EditError, None, "alias"),
    (lambda t: t.remove("blocks", "b"), y.EditError, None, "alias"),
]


@pytest.mark.parametrize(("edit", "kind", "line", "said"), REFUSED)
def test_an_edit_that_cannot_be_made_says_so_and_changes_nothing(
    edit: Any, kind: type[DiagramError], line: int | None, said: str
) -> None:
    whole = (
        "blockdyn: 1\nblocks:\n  a: {type: Sum}\n  b: &b {type: Gain}\n"
        "  s: {type: Subsystem, file: other.yaml}\n  d: *b\nwires: [a -> b]\nsimulate: {stop: 1}\n"
    )
    text = bd.edit(whole.replace("d: *b", "c: *b"))
    before = text.text
    with pytest.raises(kind) as caught:
        edit(text)
    assert said in str(caught.value)
    assert line is None or caught.value.line == line
    assert text.text == before


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


def test_a_file_of_the_gallery_is_not_written_over() -> None:
    text = bd.edit("quadrotor")
    with pytest.raises(y.EditError, match="gallery"):
        text.save()


def test_a_text_that_is_no_yaml_is_refused_with_its_place() -> None:
    with pytest.raises(y.YamlSyntaxError) as caught:
        DiagramText("blockdyn: 1\nblocks: {a: [}\n")
    assert caught.value.line == 2
