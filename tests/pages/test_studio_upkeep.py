"""A studio flips blocks by a line of the file, is alone with its file, and forgets what was long ago."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from blockdyn.base.errors import BlockdynError
from blockdyn.cli.analyses import analyse
from blockdyn.cli.studio import Types
from blockdyn.diagrams.yaml import loads
from blockdyn.drawing.layout import lay_out
from blockdyn.drawing.sketch import sketch
from blockdyn.pages.studio import Studio
from blockdyn.pages.studio_draft import Draft
from blockdyn.pages.studio_server import EditorLock

from .test_studio_server import LOOP, Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path / "loop.yaml", LOOP)


def test_a_flipped_block_has_its_inputs_at_the_right_on_canvas_and_paper(session: Session) -> None:
    """One line of the text says so; flipped again, the text is as if the block had been placed alone."""
    placed = session.edit(["place", "controller", 120, 60])
    flipped = session.edit(["turn", "controller", 0, 0, 2])
    lines = set(flipped["text"].splitlines()) ^ set(placed["text"].splitlines())
    assert lines == {"  controller: [120, 60]", "  controller: {at: [120, 60], flip: true}"}
    block = next(each for each in flipped["scene"]["blocks"] if each["name"] == "controller")
    before = next(each for each in placed["scene"]["blocks"] if each["name"] == "controller")
    assert block["turn"] == 2
    assert before["turn"] == 0
    corner = re.search(r' d="M ?([\d.]+)', block["icon"])
    assert corner is not None
    assert float(corner[1]) == block["w"]  # the flat side of the triangle
    moved = session.edit(["place", "controller", 90, 60])
    assert "controller: {at: [90, 60], flip: true}" in moved["text"]
    assert session.edit(["turn", "controller", 0, 0, 0])["text"] == placed["text"].replace("120", "90")
    copied = session.edit(
        ["paste", "blocks:\n  # twice\n  a: {type: Gain}\nview:\n  a: {at: [0, 0], flip: true}\n", 5, 5]
    )
    assert "  # twice\n  a: {type: Gain}" in copied["text"]
    assert "a: {at: [5, 5], flip: true}" in copied["text"]


def test_a_drawing_has_the_inputs_of_a_flipped_block_at_the_right() -> None:
    text = LOOP + "view:\n  controller: [100, 0]\n  plant: {at: [60, 90], flip: true}\n  error: [0, 0]\n"
    laid = lay_out(sketch(loads(text)))
    for placed in laid.parts:
        for key, (x, _) in placed.pins.items():
            at_right = x > placed.x + placed.width / 2
            if placed.part.name in ("plant", "controller"):
                assert at_right == ((">" in key) != (placed.part.name == "plant"))


def test_a_turned_block_has_its_ports_a_quarter_further_on_canvas_and_paper(session: Session) -> None:
    """Three quarters and one more are none, and so is the size after it is taken away."""
    placed = session.edit(["place", "controller", 120, 60])
    turned = session.edit(["turn", "controller", 0, 0, 1], ["resize", "controller", 120, 60, [80, 70]])
    assert "controller: {at: [120, 60], rotate: 90, size: [80, 70]}" in turned["text"]
    block = next(each for each in turned["scene"]["blocks"] if each["name"] == "controller")
    assert (block["w"], block["h"]) == (80, 70)
    assert [(port["dx"], port["dy"]) for port in block["inputs"] + block["outputs"]] == [(40, 0), (40, 70)]
    laid = lay_out(sketch(loads(turned["text"])))
    paper = next(each for each in laid.parts if each.part.name == "controller")
    ends = {"<" if "<" in key else ">": at for key, at in paper.pins.items()}
    assert (paper.width, paper.height) == (80, 70)
    assert ends["<"] == pytest.approx((paper.x + 40, paper.y))
    assert ends[">"] == pytest.approx((paper.x + 40, paper.y + 70))
    copied = session.edit(["paste", turned["text"].replace("plant:", "other:"), 5, 5])
    assert copied["text"].count("rotate: 90, size: [80, 70]}") == 2
    session.ask("undo")
    session.edit(["turn", "controller", 0, 0, 3])
    back = session.edit(["turn", "controller", 0, 0, 0], ["resize", "controller", 0, 0, None])
    assert back["text"] == placed["text"]


def test_numbers_stand_as_they_were_typed(session: Session) -> None:
    session.edit(["write", "controller.k", "3.0"], ["type", "simulate", "stop", "1.50"])
    text = session.edit(["type", "parameters", "gain", "1e-3"])["text"]
    for line in ("k: 3.0", "stop: 1.50", "gain: 1e-3"):
        assert line in text
    assert session.edit(["write", "controller.k", "3.00"])["text"] == text.replace("k: 3.0", "k: 3.00")


def test_settings_are_added_where_the_text_has_none(session: Session) -> None:
    session.edit(["set", "parameters", "gain", 2.5], ["set", "log", ["plant"]])
    text = session.edit(["set", "simulate", "rtol", 1e-8])["text"]
    diagram = loads(text)
    assert diagram.parameters["gain"] == 2.5
    assert "log: [plant]" in text
    assert "simulate: {stop: 1.0, rtol: " in text


def test_new_blocks_of_all_heights_have_their_ports_on_the_line_of_the_pointer(session: Session) -> None:
    for words in ("pid", "1/(s+2)", "gain 3", "+-"):
        session.ask("insert", words=words, at=[100, 100], wire=None)
    blocks = {each["name"]: each for each in session.ask("open")["scene"]["blocks"]}
    middles = {
        blocks[name]["y"] + blocks[name]["h"] / 2 for name in ("pid", "transfer_function", "gain", "sum")
    }
    assert middles == {120.0}


def test_one_process_edits_a_file_and_others_get_its_address(tmp_path: Path) -> None:
    file = tmp_path / "loop.yaml"
    lock = EditorLock(file)
    lock.announce("http://127.0.0.1:1/secret/")
    with pytest.raises(BlockdynError, match="1:1/secret/"):
        EditorLock(tmp_path / "." / "loop.yaml")
    EditorLock(tmp_path / "other.yaml").release()
    lock.release()
    EditorLock(file).release()
    assert list(tmp_path.iterdir()) == []


def test_closed_subsystems_and_texts_of_before_are_forgotten(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a studio remembers depends on the text it has, not on how long it is used."""
    monkeypatch.setattr("blockdyn.pages.studio.LEVELS", 4)
    studio = session.studio
    for number in range(12):
        name = f"part{number}"
        session.edit(
            ["make_subsystem", name, "controller"], ["set_parameter", f"{name}/controller.k", number]
        )
        session.ask("enter", level=name)
        session.ask("enter", level="")
        session.ask("undo")
    assert set(studio._scenes) == {""}
    assert len(studio._canvases) == 4
    assert session.draft.text == LOOP


def test_a_fit_reads_measurements_next_to_the_diagram_alone(tmp_path: Path) -> None:
    """Exact data of a decay give its rate."""
    text = "blockdyn: 1\nparameters: {rate: 1.0}\nblocks:\n  x: {type: Integrator, initial: 1.0}\n"
    text += "  slope: {type: Gain, k: =-rate}\nwires: [x -> slope -> x]\nlog: [x]\n"
    rows = [f"{0.1 * k},{2.718281828459045 ** (-0.3 * k)}" for k in range(1, 20)]
    (tmp_path / "decay.csv").write_text("\n".join(["time,x", *rows]))
    request = {"what": "fit", "data": "decay.csv", "names": "rate", "folder": str(tmp_path)}
    answer = analyse(loads(text), request)
    assert float(answer["parts"][0]["rows"][0][1]) == pytest.approx(3.0, rel=1e-4)
    assert "<svg" in json.loads(json.dumps(answer))["picture"]
    studio = Studio(Draft(tmp_path / "side" / "decay.yaml", text), Types(), folder=tmp_path)  # of a notebook
    assert studio.source().folder == studio.folder == tmp_path
    with pytest.raises(BlockdynError, match="folder"):
        analyse(loads(text), request | {"folder": str(tmp_path / "inner"), "data": "../decay.csv"})
