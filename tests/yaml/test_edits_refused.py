"""Edits that cannot be made are EditErrors, and a saved file keeps who may read it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import (
    BadName,
    BadWire,
    DiagramError,
    UnknownBlock,
    UnknownParameter,
    UnknownPort,
)
from blockdyn.diagrams.yaml import errors as y
from blockdyn.diagrams.yaml.editing import DiagramText


@pytest.mark.parametrize("text", ["- a\n- b\n", "3\n"])
def test_a_text_that_is_no_mapping(text: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(text)
    with pytest.raises(bd.BlockdynError, match=r"odd.yaml:1:1: the text is"):
        bd.edit(file)


@pytest.mark.parametrize(("block", "says"), [(bd.Gain, "the class Gain"), (3, "3")])
def test_what_is_no_block_is_not_added(block: Any, says: str, tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text("name: one\n")
    text = bd.edit(file)
    with pytest.raises(bd.BlockdynError, match=f"block `g` is {says}"):
        text.add_block("g", block)
    assert text.text == "name: one\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_saved_file_is_read_by_those_who_could_read_it(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("name: own\n")
    file.chmod(mode)
    text = bd.edit(file)
    text.add_block("g", bd.Gain(k=2.0))
    text.save()
    assert "Gain" in file.read_text()
    assert os.stat(file).st_mode & 0o777 == mode


REFUSED: list[tuple[Any, type[DiagramError], int | None, str]] = [
    (lambda t: t.connect("a", "x"), UnknownBlock, 3, "`x`"),
    (lambda t: t.set_parameter("aa.signs", "+"), UnknownBlock, 3, "did you mean `a`"),
    (lambda t: t.connect("s/u", "b"), y.EditError, None, "one diagram"),
    (lambda t: t.disconnect("b", "a"), y.EditError, 7, "no wire from `b` to `a`"),
    (lambda t: t.rename_block("a", "b"), y.EditError, 4, "`b` exists already"),
    (lambda t: t.rename_block("a", "b c"), BadName, None, "b c"),
    (lambda t: t.add_block("b", {"type": "Gain"}), y.EditError, 4, "exists already"),
    (lambda t: t.add_block("s/x", {"type": "Gain"}), y.EditError, 5, "other.yaml"),
    (lambda t: t.get("simulate", "stpo"), y.EditError, 8, "did you mean `stop`"),
    (lambda t: t.remove("wires", 3), y.EditError, 7, "no `3`"),
    (lambda t: t.set("simulate", "stop", to=object()), y.NotWritable, None, "object"),
    (lambda t: t.set_parameter("c.k", 3), y.EditError, None, "alias"),
    (lambda t: t.remove("blocks", "b"), y.EditError, None, "alias"),
    (lambda t: t.connect("a"), BadWire, None, "without a destination"),
    (lambda t: t.connect("a", []), BadWire, None, "connect(a, [b, c])"),
    (lambda t: t.connect("a", 3), BadWire, None, "3"),
    (lambda t: t.connect("aa", "b"), UnknownBlock, 3, "did you mean `a`"),
    (lambda t: t.connect("a.z", "b"), UnknownPort, 3, "a.z is not an output"),
    (lambda t: t.connect("a", "b.v"), UnknownPort, 4, "u [0]"),
    (lambda t: t.connect("a", "b[1]", "b"), BadWire, None, "in the middle"),
    (lambda t: t.connect("a", "a b"), BadWire, None, "`a b` is not an end"),
    (lambda t: t.reconnect("a", "b", "b[7]"), UnknownPort, 4, "b[7] is not an input"),
    (lambda t: t.disconnect("a", "b.u"), y.EditError, 7, "did you mean `a -> b`"),
    (lambda t: t.set_parameter("b.kk", 2.0), UnknownParameter, 4, "kk"),
    (lambda t: t.set_parameter(3, 3), y.EditError, None, "`path`: found 3"),
    (lambda t: t.add_block(3, {"type": "Gain"}), y.EditError, None, "`path`: found 3"),
    (lambda t: t.rename_block("a", 3), y.EditError, None, "`name`: found 3"),
    (lambda t: t.place("a", "left", 0), y.EditError, None, "`x`: found 'left'"),
    (lambda t: t.save(3), y.EditError, None, "`path`: found 3"),
    (lambda t: t.remove(), y.EditError, None, "the steps to a value"),
    (lambda t: t.set(to={}), y.EditError, None, "the steps to a value"),
    (lambda t: t.rename(to="x"), y.EditError, None, "the steps to a value"),
    (lambda t: t.rename("wires", 0, to="x"), y.EditError, 7, "a place in a list"),
    (lambda t: t.get(1.5), y.EditError, None, "the step 1.5"),
    (lambda t: t.get("wires", True), y.EditError, None, "the step True"),
    (lambda t: t.insert(value=3), y.EditError, 1, "the name of the new key"),
    (lambda t: t.insert("wires", name="x", value=3), y.EditError, 7, "a mapping"),
    (lambda t: t.insert("simulate", "stop", name="x", value=3), y.EditError, 8, "the number 1"),
    (lambda t: t.insert("simulate", name="stop", value=3), y.EditError, 8, "`stop` exists already"),
    (lambda t: t.insert("simulate", name="x", value=3, after="stpo"), y.EditError, 8, "did you mean `stop`"),
    (lambda t: t.insert("wires", value="a -> b", after=4), y.EditError, 7, "no `4`"),
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


@pytest.mark.parametrize("kind", ["blockdyn/FlightCascade", "motor.yaml"])
def test_what_stands_in_another_file_is_edited_there(kind: str) -> None:
    text = bd.edit(f"blocks:\n  s: {{type: {kind}}}\n")
    with pytest.raises(y.EditError, match=f"edit its file, {kind}"):
        text.add_block("s/x", {"type": "Gain"})


def test_a_file_of_the_gallery_is_not_written_over() -> None:
    text = bd.edit("quadrotor")
    with pytest.raises(y.EditError, match="gallery"):
        text.save()


def test_a_text_that_is_no_yaml_is_refused_with_its_place() -> None:
    with pytest.raises(y.YamlSyntaxError) as caught:
        DiagramText("blockdyn: 1\nblocks: {a: [}\n")
    assert caught.value.line == 2


@pytest.mark.parametrize(("text", "place"), [("a: 1\r# b\rd: [}\r", (3, 5)), ("a:\n\tb: 1\n", (2, 1))])
def test_lines_are_counted_and_tabs_refused_as_yaml_has_them(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(y.YamlError) as caught:
        DiagramText(text)
    assert (caught.value.line, caught.value.column) == place
    assert "\\t" not in str(caught.value)


def test_what_others_wrote_since_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "shared.yaml"
    file.write_text("name: mine\n")
    text = bd.edit(file)
    text.set("name", to="first")
    text.save()
    text.set("name", to="second")
    file.write_text("name: theirs # new\n")
    with pytest.raises(y.FileChanged, match=r"shared.yaml has been changed .*\n.*edit\(path\)") as caught:
        text.save()
    assert "overwrite=True" in str(caught.value)
    assert file.read_text() == "name: theirs # new\n"
    text.save(tmp_path / "other.yaml")
    text.save(overwrite=True)
    text.save()
    assert file.read_text() == (tmp_path / "other.yaml").read_text() == "name: second\n"
    file.unlink()
    text.save()  # nothing is lost by it
    assert file.exists()


def test_signals_and_ports_of_subsystems_are_ends_of_wires() -> None:
    inner = "{blocks: {u: {type: Inport}, y: {type: Outport}, g: {type: Gain}}, wires: []}"
    text = bd.edit(
        "blockdyn: 1\nblocks:\n  a: {type: Constant, value: 1}\n"
        f"  s: {{type: Subsystem, diagram: {inner}}}\nsignals: {{known: a}}\n"
    )
    text.connect("known", "s.u")
    text.connect("s/known", "s/g", "s/y")
    with pytest.raises(UnknownBlock, match=r"did you mean `known`"):
        text.connect("s/knwon", "s/g")
    with pytest.raises(UnknownPort, match=r"u \[0\]"):
        text.connect("a", "s.v")
    assert len(text.diagram().wires) == 1


def test_ports_that_expressions_count_are_ends_of_wires() -> None:
    split = '{type: Demux, counts: "=[n, 2]"}'
    text = bd.edit(
        f"blockdyn: 1\nparameters: {{n: 1, m: =n+1}}\nblocks:\n  d: {split}\n  g: {{type: Gain}}\n"
        "  s: {type: Subsystem, parameters: {n: =m}, diagram: {parameters: {n: 5},"
        f" blocks: {{d: {split}}}}}}}\n"
        "  lost: {type: Demux, counts: =nobody}\n"
    )
    text.connect("d[1]", "g")
    text.connect("lost[7]", "g")  # what cannot be evaluated may have any port
    for end in ("d[2]", "s/d[2]"):
        with pytest.raises(UnknownPort, match=r"one of its outputs: y0 \[0\], y1 \[1\]"):
            text.connect(end, "s/d" if "/" in end else "g")
