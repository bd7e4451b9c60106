"""The studio's server edits the text of a diagram: nothing of it is lost, and nothing in it is executed."""

from __future__ import annotations

import http.client
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from ruamel.yaml import YAML
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import blockdyn as bd
from blockdyn.cli.studio import Types, make_draft
from blockdyn.diagrams.results.result import Result
from blockdyn.diagrams.results.trace import Trace
from blockdyn.diagrams.yaml import loads
from blockdyn.pages.studio import Studio
from blockdyn.pages.studio_draft import Draft
from blockdyn.pages.studio_runs import samples_of
from blockdyn.pages.studio_server import StudioServer

WAIT = 60.0  # s, on a machine that has other work and compiles first
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
  - error -> controller -> plant
  - plant -> error[1]       # feedback
# below the wires
simulate: {stop: 1.0}  # s
"""
COMMENTS = [line[line.index("#") :] for line in LOOP.splitlines() if "#" in line]


class Session:
    """A studio without a server: its answers as they come."""

    def __init__(self, file: Path, text: str | None = None, **arguments: Any) -> None:
        if text is not None:
            file.write_text(text, encoding="utf-8", newline="")
        self.studio = Studio(Draft(file), Types(), **arguments)
        self.answers: list[Any] = []
        self.browser = self.studio.join(self.answers.append)

    @property
    def draft(self) -> Draft:
        return self.studio.draft

    def ask(self, about: str, **message: Any) -> Any:
        """The first answer; it is a message of JSON."""
        self.answers.clear()
        self.studio.heard(self.browser, {"type": about, "version": self.draft.version, **message})
        deadline = time.monotonic() + WAIT
        while not self.answers and time.monotonic() < deadline:
            time.sleep(0.005)
        return json.loads(json.dumps(self.answers[0], allow_nan=False))

    def edit(self, *edits: list[Any]) -> Any:
        return self.ask("edit", edits=[*edits])


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path / "loop.yaml", LOOP)


# ---- the text ----


class Model:
    """The same edits on plain data: entries by name, wires as pairs, places."""

    def __init__(self, text: str) -> None:
        data = YAML(typ="safe").load(text)
        self.blocks: dict[str, Any] = data["blocks"]
        self.wires = list(pairs(data["wires"]))
        self.places: dict[str, Any] = {}
        self.count = 0

    def draw(self, random: Random) -> list[Any]:
        """A random edit that can be made, made here."""
        free = [name for name in self.blocks if name.startswith("new")]
        kind = random.choice(
            ["add", "add", "remove", "rename", "copy", "wire", "cut", "turn", "set", "place"]
        )
        if kind == "add" or not free:
            name, self.count = f"new{self.count}", self.count + 1
            entry = random.choice(
                [{"type": "Gain", "k": 3.5}, {"type": "Integrator"}, {"type": "Sum", "signs": "+-+"}]
            )
            self.blocks[name] = dict(entry)
            return ["add_block", name, entry]
        name = random.choice(free)
        if kind == "remove":
            del self.blocks[name]
            self.places.pop(name, None)
            self.wires = [wire for wire in self.wires if name not in map(block_of, wire)]
            return ["remove_block", name]
        if kind == "rename":
            other, self.count = f"new{self.count}", self.count + 1
            self.blocks = {other if key == name else key: entry for key, entry in self.blocks.items()}
            self.places = {other if key == name else key: at for key, at in self.places.items()}
            self.wires = [
                tuple(other + end[len(name) :] if block_of(end) == name else end for end in wire)
                for wire in self.wires
            ]  # type: ignore[misc]
            return ["rename_block", name, other]
        if kind == "copy":
            other, self.count = f"new{self.count}", self.count + 1
            self.blocks[other] = dict(self.blocks[name])
            return ["paste", json.dumps({"blocks": {other: self.blocks[other]}}), 0, 0]
        if kind == "set":
            path, value = ("controller.k", random.choice([1.5, -2.0, "=2 * k"]))
            self.blocks["controller"]["k"] = value
            return ["set_parameter", path, value]
        if kind == "place":
            name = random.choice([*self.blocks])
            self.places[name] = [random.randrange(900), random.randrange(500)]
            return ["place", name, *self.places[name]]
        return self.draw_wire(kind, name, random)

    def draw_wire(self, kind: str, name: str, random: Random) -> list[Any]:
        """A wire more, less, or with another end."""
        ends = [f"{name}[{i}]" for i in range(3)] if self.blocks[name]["type"] == "Sum" else [name]
        open_ends = [end for end in ends if all(wire[1] != end for wire in self.wires)]
        cut = [wire for wire in self.wires if wire[1].startswith("new")]
        if kind == "cut" and cut:
            wire = random.choice(cut)
            self.wires.remove(wire)
            return ["disconnect", *wire]
        if kind == "turn" and cut and open_ends:
            wire = random.choice(cut)
            self.wires[self.wires.index(wire)] = (wire[0], open_ends[0])
            return ["reconnect", *wire, open_ends[0]]
        if not open_ends:
            return self.draw(random)
        wire = (random.choice([*self.blocks]), open_ends[0])
        self.wires.append(wire)
        return ["connect", *wire]


def pairs(wires: list[Any]) -> Iterator[tuple[str, str]]:
    """Each wire of lines such as `a -> b -> [c, d]`."""
    for line in wires:
        ends = [each.strip() for each in line.split("->")] if isinstance(line, str) else line
        for i in range(len(ends) - 1):
            targets = ends[i + 1].strip("[]").split(",") if ends[i + 1].startswith("[") else [ends[i + 1]]
            for target in targets:
                yield ends[i], target.strip()


def block_of(end: str) -> str:
    return end.partition("[")[0].partition(".")[0]


def as_diagram(model: Model) -> bd.Diagram:
    """The model as a diagram made in Python."""
    d = bd.Diagram("loop", parameters={"k": 2.0})
    for name, entry in model.blocks.items():
        values = {key: value for key, value in entry.items() if key != "type"}
        values = {
            key: bd.expression(value[1:]) if isinstance(value, str) and value[0] == "=" else value
            for key, value in values.items()
        }
        d.add(name, getattr(bd, entry["type"])(**values))
    for source, destination in model.wires:
        d.connect(source, destination)
    return d


def test_random_edits_are_those_on_plain_data_and_undo_leads_back_to_the_byte(session: Session) -> None:
    model, random = Model(LOOP), Random(3)
    for _ in range(35):
        edits = [model.draw(random) for _ in range(6)]
        state = session.edit(*edits)
        assert state["type"] == "state", (edits, state)
    text = state["text"]
    data = YAML(typ="safe").load(text)
    assert data["blocks"] == model.blocks
    assert list(data["blocks"]) == list(model.blocks)
    assert sorted(pairs(data["wires"])) == sorted(model.wires)
    assert data["view"] == model.places
    assert [sum(map(str.endswith, text.splitlines(), repeat(each))) for each in COMMENTS] == [1] * 12
    ours, theirs = loads(text), as_diagram(model)
    assert repr(ours.blocks) == repr(theirs.blocks)
    assert sorted(map(str, ours.wires)) == sorted(map(str, theirs.wires))
    shown = {block["name"]: (block["x"], block["y"]) for block in state["scene"]["blocks"]}
    assert list(shown) == list(model.blocks)
    assert {name: list(shown[name]) for name in model.places} == model.places
    while session.draft.can_undo:
        session.draft.undo()
    assert session.ask("save")["saved"]
    assert session.draft.path.read_bytes() == LOOP.encode()
    while session.draft.can_redo:
        session.draft.redo()
    assert session.draft.text == text


def test_several_edits_are_one_step_and_all_or_nothing(session: Session) -> None:
    assert session.edit(["add_block", "b", {"type": "Gain"}], ["connect", "nobody", "b"])["type"] == "error"
    assert session.edit(["_read", "x"])["type"] == "error"
    assert session.edit(["place", "plant", math.inf, 0.0])["type"] == "error"
    assert session.edit(["place", "plant"])["type"] == "error"
    assert (session.draft.text, session.draft.can_undo) == (LOOP, False)
    state = session.edit(["rename_block", "plant", "tank"], ["write", "tank.initial", "1e-3"])
    assert "tank -> error[1]       # feedback" in state["text"]
    assert loads(state["text"]).blocks["tank"].initial == 1e-3
    assert session.ask("undo")["text"] == LOOP


def test_a_byte_order_mark_and_the_ends_of_lines_stay(tmp_path: Path) -> None:
    text = LOOP.replace("\n", "\r\n")
    session = Session(tmp_path / "loop.yaml", "\ufeff" + text)
    assert session.draft.saved
    session.ask("text", text=LOOP.replace("1.0", "2.0"))  # a page shows lines
    session.ask("save")
    assert session.draft.path.read_bytes() == b"\xef\xbb\xbf" + text.replace("1.0", "2.0").encode()


def test_an_edit_that_comes_late_is_made_if_it_still_fits(session: Session) -> None:
    """The other browser's change stays; an edit of a block that is gone is refused in words."""
    session.ask("open")
    first = session.edit(["place", "plant", 10, 20])
    late = session.ask("edit", version=first["version"] - 1, edits=[["set_parameter", "plant.initial", 1.5]])
    assert "plant: [10, 20]" in late["text"]
    assert "initial: 1.5" in late["text"]
    session.edit(["remove_block", "reference"])
    refused = session.ask("edit", version=late["version"], edits=[["place", "reference", 0, 0]])
    assert (refused["type"], "reference" in refused["text"]) == ("error", True)
    assert session.ask("text", version=0, text="")["text"] == session.draft.text != ""
    base = session.draft
    version, text = base.version, base.text
    session.edit(["set_parameter", "plant.initial", 2.5])
    merged = session.ask("text", version=version, text=text.replace("name: loop", "name: mine"))["text"]
    assert "name: mine" in merged
    assert "initial: 2.5" in merged


def test_edits_reach_a_subsystem_and_text_from_anywhere_is_pasted(session: Session) -> None:
    """One step of undo each; a browser at a level that has gone is led to the diagram around it."""
    session.edit(["make_subsystem", "law", "error", "controller"])
    inside = session.ask("enter", level="law")
    assert [block["name"] for block in inside["scene"]["blocks"]] == [
        "reference", "plant", "error", "controller", "out",
    ]  # fmt: skip
    assert all(port["wired"] for block in inside["scene"]["blocks"] for port in block["inputs"])
    made = session.draft.text
    fragment = "controller: {type: Gain, k: 1e-3}  # small\nlast: {type: Gain}\n"
    pasted = session.ask("edit", level="law", edits=[["paste", fragment, 20, 20]])
    assert "controller2: {type: Gain, k: 1e-3}  # small" in pasted["text"]
    assert {block["name"] for block in pasted["scene"]["blocks"]} >= {"controller2", "last"}
    fragment = "blocks: {last: {type: Gain}, b: {type: Gain}}\nwires: [last -> b]\nview: {b: [1, 2]}\n"
    again = session.ask("edit", level="law", edits=[["paste", fragment, 20, 20]])
    assert "last2 -> b" in again["text"]
    assert "b: [21, 22]" in again["text"]
    for _ in range(2):
        session.ask("undo")
    assert session.draft.text == made
    assert session.ask("undo")["level"] == ""
    assert session.draft.text == LOOP


def test_a_text_that_is_no_yaml_stays_with_the_scene_before_it(session: Session) -> None:
    before = session.ask("open")["scene"]
    wrong = LOOP + "log: [plant\n"
    state = session.ask("text", text=wrong)
    assert (state["text"], state["stale"], state["scene"]) == (wrong, True, before)
    assert state["errors"][0]["line"] >= len(LOOP.splitlines())
    assert session.edit(["place", "plant", 0, 0])["type"] == "error"
    fixed = session.ask("fix")
    assert loads(fixed["text"]).name == "loop"
    assert fixed["fixes"]
    assert session.ask("run")["complete"] is False
    assert session.ask("undo")["stale"] is False


def test_a_diagram_with_errors_has_a_scene_with_its_wrong_block_and_wires(session: Session) -> None:
    state = session.ask("text", text=LOOP.replace("type: Gain", "type: Gian"))
    blocks = {block["name"]: block for block in state["scene"]["blocks"]}
    assert [name for name, block in blocks.items() if block["wrong"]] == ["controller"]
    assert len(state["scene"]["wires"]) == 4
    assert state["errors"][0]["line"] == 11
    state = session.ask("text", text=LOOP.replace("  - plant -> error[1]       # feedback\n", ""))
    assert [error["path"] for error in state["errors"]] == ["error"]


# ---- the file ----


def test_unsaved_text_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "loop.yaml"
    file.write_text(LOOP)
    command = [sys.executable, "-m", "blockdyn", "studio", str(file), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        with connect(f"{url.replace('http', 'ws')}socket", origin=url.rsplit("/", 2)[0]) as socket:  # type: ignore[arg-type]
            edits = [["set_parameter", "controller.k", 9.0]]
            socket.send(json.dumps({"type": "edit", "version": 1, "edits": edits}))
            changed = json.loads(socket.recv(timeout=WAIT))
        server.kill()
    assert file.read_text() == LOOP
    session = Session(file)
    state = session.ask("open")
    assert (state["text"], state["recovered"], state["saved"]) == (changed["text"], True, False)
    assert session.ask("undo")["saved"]
    session.ask("redo")
    assert session.ask("save")["saved"]
    assert file.read_text() == changed["text"]
    assert [each.name for each in tmp_path.iterdir()] == ["loop.yaml"]
    session.edit(["remove_block", "plant"])
    os.utime(file, ns=(time.time_ns() + 10**10,) * 2)  # written by others since
    assert not Draft(file).recovered
    assert "plant" not in (tmp_path / ".loop.yaml.studio.old").read_text()


def test_a_side_file_is_taken_up_if_it_may_be_the_newer_one_and_no_old_one_is_overwritten(
    tmp_path: Path,
) -> None:
    """A save and an edit within one tick of the file system's clock have one time."""
    file, side = tmp_path / "loop.yaml", tmp_path / ".loop.yaml.studio"
    file.write_text(LOOP)
    for text, age in (("a: 1\n", -1), ("b: 1\n", -1), ("c: 1\n", 0)):
        side.write_text(text)
        os.utime(side, ns=(file.stat().st_mtime_ns + age,) * 2)
        draft = Draft(file)
        assert (draft.recovered, draft.text) == ((True, text) if age == 0 else (False, LOOP))
    assert (tmp_path / ".loop.yaml.studio.old").read_text() == "a: 1\n"
    assert (tmp_path / ".loop.yaml.studio.old2").read_text() == "b: 1\n"
    side.write_text(LOOP)  # killed between the save and the end of the side file
    assert Draft(file).saved
    assert not side.exists()


def test_a_change_on_disk_is_taken_over_or_a_conflict(session: Session) -> None:
    session.ask("open")
    file, theirs = session.draft.path, LOOP.replace("stop: 1.0", "stop: 12.0")
    file.write_text(theirs)
    session.studio.glance()
    assert (session.draft.text, session.draft.saved) == (theirs, True)
    mine = session.edit(["set_parameter", "controller.k", 9.0])["text"]
    file.write_text(LOOP)
    session.answers.clear()
    session.studio.glance()
    session.studio.glance()
    assert [(each["type"], each["text"]) for each in session.answers] == [("conflict", LOOP)]
    assert session.ask("save") == {"type": "conflict", "text": LOOP}
    assert file.read_text() == LOOP
    state = session.ask("reload")
    assert (state["text"], state["saved"]) == (LOOP, True)
    session.ask("undo")
    assert session.ask("save", overwrite=True)["saved"]
    assert file.read_text() == mine


def test_a_file_that_is_not_there_and_a_diagram_of_the_gallery_are_begun(tmp_path: Path) -> None:
    new = Studio(make_draft(str(tmp_path / "my loop.yaml"), tmp_path), Types())
    assert new.state()["scene"] == {"blocks": [], "wires": []}
    copy = make_draft("two-tanks", tmp_path)
    assert (copy.path, copy.saved) == (tmp_path / "two-tanks.yaml", False)
    copy.save()
    assert make_draft("two-tanks", tmp_path).path.name == "two-tanks-2.yaml"
    assert bd.load(copy.path).name == "two-tanks"
    with pytest.raises(bd.BlockdynError, match="did you mean `two-tanks`"):
        make_draft("two-tank", tmp_path)


def test_nothing_in_a_file_is_executed(tmp_path: Path) -> None:
    (tmp_path / "law.py").write_text("open(__file__ + '.ran', 'w')\ndef f(u): return u\n")
    text = LOOP.replace("{type: Gain, k: =k}", '{type: Function, function: "law.py:f"}')
    session = Session(tmp_path / "loop.yaml", text)
    assert [error["kind"] for error in session.ask("open")["errors"]] == ["NotTrusted"]
    for kind in ("run", "fix"):
        session.ask(kind)
    session.ask("explain", block="controller")
    for words in ("__import__('os').getcwd()", "gain __import__('os')", "1/(s+().__class__)", "law.py:f"):
        session.ask("insert", words=words, at=None, wire=None)
    assert not (tmp_path / "law.py.ran").exists()


# ---- what the page offers ----


@pytest.mark.parametrize(
    ("words", "block"),
    [
        ("gain 3", bd.Gain(3.0)),
        ("Gain k", bd.Gain(bd.expression("k"))),
        ("pid kp=2, ki=0.5", bd.PID(kp=2.0, ki=0.5)),
        ("5", bd.Constant(5.0)),
        ("+-", bd.Sum("+-")),
        ("1/s", bd.Integrator()),
        ("limiter", bd.Saturation()),
        ("1/(s+2)", bd.TransferFunction([1.0], [1.0, 2.0])),
        ("4(s+1)/(2s^2 + 6s + 4)", bd.TransferFunction([2.0, 2.0], [1.0, 3.0, 2.0])),
        ("z/(z-0.5)", bd.DiscreteTransferFunction(0.1, [1.0, 0.0], [1.0, -0.5])),
    ],
)
def test_words_are_a_block(words: str, block: bd.Block) -> None:
    name, entry = Types().entry(words, ["k"])
    d = bd.edit("blockdyn: 1\nparameters: {k: 2.0}\nblocks: {}\n")
    d.add_block(name, entry)
    assert repr(loads(d.text).blocks[name]) == repr(block)


def test_a_block_is_inserted_on_a_wire(session: Session) -> None:
    state = session.ask("insert", words="limiter", at=[40, 60], wire=["error", "controller"])
    assert session.answers[1] == {"type": "inserted", "name": "saturation"}
    assert {(w["source"], w["destination"]) for w in state["scene"]["wires"]} == {
        ("reference", "error[0]"), ("error", "saturation"), ("saturation", "controller"),
        ("controller", "plant"), ("plant", "error[1]"),
    }  # fmt: skip
    assert state["errors"] == []
    assert session.ask("undo")["text"] == LOOP
    refused = session.ask("insert", words="5", at=None, wire=["error", "controller"])
    assert (refused["type"], session.draft.text) == ("error", LOOP)


def test_types_are_listed_found_and_explained(session: Session) -> None:
    families = session.ask("palette")["families"]
    types = [each["type"] for family in families for each in family["types"]]
    assert len(set(types)) == len(types)
    assert {"Gain", "PID", "blockdyn/FlightCascade"} <= set(types)
    assert session.ask("search", words="limiter")["hits"][0]["type"] == "Saturation"
    told = session.ask("explain", block="controller")
    rows = {row["name"]: row for row in told["parameters"]}
    assert (told["kind"], rows["k"]["value"], rows["k"]["default"]) == ("Gain", "=k", "1")
    choices = {row["name"]: row["choices"] for row in session.ask("explain", kind="PID")["parameters"]}
    assert "rising" in choices["reset"]
    assert session.ask("explain", kind="Gian")["type"] == "error"


def test_places_of_a_layout_are_written_and_cover_no_other_block(session: Session) -> None:
    session.ask("insert", words="gain 3", at=None, wire=None)
    state = session.ask("layout", names=None)
    boxes = [[block[key] for key in "xywh"] for block in state["scene"]["blocks"]]
    places = YAML(typ="safe").load(state["text"])["view"]
    assert {name: tuple(at) for name, at in places.items()} == {
        block["name"]: (block["x"], block["y"]) for block in state["scene"]["blocks"]
    }
    for i, (x, y, w, h) in enumerate(boxes):
        for left, top, wide, tall in boxes[i + 1 :]:
            assert x + w <= left or left + wide <= x or y + h <= top or top + tall <= y
    session.edit(["place", "plant", 700, 300])
    moved = session.ask("layout", names=["reference"])["scene"]["blocks"]
    assert [(b["x"], b["y"]) for b in moved if b["name"] == "plant"] == [(700, 300)]


def test_a_run_is_the_closed_form(session: Session) -> None:
    """dx/dt = 2 (1 - x), x(0) = 1/2: x = 1 - exp(-2 t) / 2."""
    answer = session.ask("run", stop=2.0)
    assert (answer["complete"], answer["version"]) == (True, session.draft.version)
    plant = next(each for each in answer["signals"] if each["path"] == "plant.y")
    times = np.array(answer["time"][plant["time"]])
    assert times[-1] == 2.0
    np.testing.assert_allclose(plant["values"], 1.0 - np.exp(-2.0 * times) / 2.0, rtol=1e-5)


def test_many_samples_keep_their_extremes_and_lists_their_elements() -> None:
    times = np.linspace(0.0, 1.0, 100_001)
    values = np.column_stack([np.sin(300.0 * times), times])
    values[4567, 0], values[777, 1] = 9.0, np.nan
    trace = Trace("arm.q", times, values, "rad, m", ("roll", "rise"))
    axes, signals = samples_of(Result({"arm.q": trace}))
    assert [(each["path"], each["unit"]) for each in signals] == [
        ("arm.q[roll]", "rad"),
        ("arm.q[rise]", "m"),
    ]
    assert all(len(axes[each["time"]]) == len(each["values"]) <= 1500 for each in signals)
    assert max(signals[0]["values"]) == 9.0
    assert json.dumps(signals, allow_nan=False)


# ---- the server ----


class Served:
    """A server in a thread."""

    def __init__(self, studio: Studio) -> None:
        ready = threading.Event()
        self.server = StudioServer(studio, opened=lambda _url: ready.set())
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        assert ready.wait(WAIT)
        parts = urlsplit(self.server.url)
        self.host, self.port, self.path = parts.netloc, parts.port, parts.path

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def socket(self, **arguments: Any) -> Any:
        arguments = {"origin": f"http://{self.host}", **arguments}
        return connect(f"ws://{self.host}{self.path}socket", **arguments)


@pytest.fixture
def served(session: Session) -> Iterator[Served]:
    one = Served(session.studio)
    yield one
    one.server.ended = True
    one.thread.join(WAIT)
    assert not one.thread.is_alive()


def test_who_does_not_know_the_address_and_other_pages_are_refused(served: Served) -> None:
    status, body = served.get(served.path)
    assert (status, body[:15]) == (200, b"<!DOCTYPE html>")
    token = served.path.strip("/")
    for wrong in ("/", "/token/", f"/{token[:-1]}/", f"/{token}/more", f"/{token}x/socket"):
        assert served.get(wrong)[0] == 404
    assert served.get(served.path, Host="rebound.example")[0] == 403
    for origin in ("http://rebound.example", f"http://localhost:{served.port}", "null"):
        with pytest.raises(InvalidStatus):
            served.socket(origin=origin)


def test_two_browsers_get_the_same_states_and_a_wrong_message_does_no_harm(served: Served) -> None:
    with served.socket() as one, served.socket() as two:
        for each in (one, two):
            for wrong in ("[" * 100_000, '"open"', '{"type": ["open"]}', '{"type": "edit", "version": 1}'):
                each.send(wrong)
                assert json.loads(each.recv(timeout=WAIT))["type"] == "error"
            each.send('{"type": "open"}')
        assert json.loads(one.recv(timeout=WAIT)) == json.loads(two.recv(timeout=WAIT))
        one.send(json.dumps({"type": "edit", "version": 1, "edits": [["place", "plant", 3, 4]]}))
        first, second = (json.loads(each.recv(timeout=WAIT)) for each in (one, two))
        assert first == second
        assert first["version"] == 2
        two.send(json.dumps({"type": "edit", "version": 1, "edits": [["remove_block", "plant"]]}))
        first, second = (json.loads(each.recv(timeout=WAIT)) for each in (one, two))
        assert first == second
        assert first["version"] == 3
        for _ in range(2):
            two.send('{"type": "undo"}')
            first, second = (json.loads(each.recv(timeout=WAIT)) for each in (one, two))
        assert first == second
        assert first["text"] == LOOP


# ---- help while writing ----


@pytest.mark.parametrize(
    ("text", "includes", "lacks"),
    [
        ("blockdyn: 1\n|", {"blocks", "wires", "simulate"}, {"blockdyn", "type"}),
        ("blocks:\n  a: {type: Inte|}", {"Integrator", "DiscreteIntegrator"}, {"blocks"}),
        ("blocks:\n  a: {type: Integrator, initial: 1, |}", {"lower", "upper"}, {"initial", "type"}),
        ("blocks:\n  a:\n    |\n    type: PID\n  b: {type: Gain}", {"kp", "anti_windup"}, {"k"}),
        ("blocks:\n  a: {type: Integrator, reset: r|}", {"rising", "none"}, {"lower"}),
        ("blocks:\n  a: {type: Gain, k: =|}", {"k", "sin", "pi"}, {"controller"}),
        ("wires:\n  - pl|", {"plant", "error", "reference"}, {"error.u0"}),
        ("wires:\n  - plant -> |", {"plant", "error.u0", "error.u1"}, {"reference"}),
        ("wires: [plant -> [controller, e|]]", {"error.u1", "controller"}, {"reference"}),
        ("wires:\n  - {from: plant, to: |}", {"error.u0"}, {"reference"}),
        ("simulate: {stop: 1, |}", {"method", "rtol"}, {"blocks"}),
        ("sweep:\n  axes:\n    k: {lins|}", {"linspace", "normal"}, {"k"}),
        ("log: [|]", {"plant", "error"}, {"error.u0"}),
        ("blocks:\n  # a: |", set(), {"type", "Gain"}),
    ],
)
def test_what_may_stand_at_the_cursor_follows_from_schema_and_blocks(
    session: Session, text: str, includes: set[str], lacks: set[str]
) -> None:
    session.ask("open")
    before, _, after = text.partition("|")
    answer = session.ask("complete", before=before, after=after)
    labels = {option["label"] for option in answer["options"]}
    assert includes <= labels
    assert not lacks & labels
    assert answer["back"] <= len(before)


def test_a_value_is_checked_without_being_written(session: Session) -> None:
    session.ask("open")
    assert session.ask("check", path="controller.k", text="=2 * k")["problem"] == ""
    for path, text in (("controller.k", "abc"), ("controller.k", "=unknown"), ("plant.initial", "[1,")):
        assert session.ask("check", path=path, text=text)["problem"]
    assert session.draft.text == LOOP


def test_each_error_has_a_fix_of_its_own(session: Session) -> None:
    """Applied alone, a fix mends its error and leaves the other one."""
    broken = LOOP.replace("type: Gain", "type: Gian").replace("-> plant", "-> plnt")
    count = len(session.ask("text", text=broken)["errors"])
    offers = session.ask("remedies")["offers"]
    assert len(offers) == 2
    for offer in offers:
        state = session.ask("text", text=offer["text"])
        messages = [error["message"] for error in state["errors"]]
        assert offer["message"] not in messages
        assert len(messages) < count
        session.ask("text", text=broken)


def test_keys_in_a_row_are_one_step_of_undo(session: Session) -> None:
    for k in range(4):
        session.ask("text", text=LOOP + "#" * k, continues=k > 1)
    assert session.ask("undo")["text"] == LOOP


def test_an_algebraic_loop_names_all_its_blocks(session: Session) -> None:
    state = session.edit(["set", "blocks", "plant", {"type": "Gain"}])
    assert {*state["errors"][0]["blocks"]} == {"error", "controller", "plant"}
    assert {block["name"] for block in state["scene"]["blocks"] if block["wrong"]} == {
        "error", "controller", "plant",
    }  # fmt: skip


# ---- analyses ----


def test_analyses_of_the_open_diagram_are_those_of_its_equation(session: Session) -> None:
    """dx/dt = k (1 - x), x(0) = 1/2: pole -k, at rest in 1, x(1) = 1 - exp(-k) / 2."""
    session.ask("open")
    ends = {"inputs": ["reference"], "outputs": ["plant"]}
    model = session.ask("analyse", number=1, what="linearize", **ends)
    tables = {part["title"]: part["rows"] for part in model["parts"] if "rows" in part}
    assert tables["A"] == [["plant.x", "-2"]]
    assert complex(tables["Poles"][0][0]) == -2.0
    assert "<svg" in model["picture"]
    step = session.ask("analyse", number=2, what="step", **ends)["curves"][0]
    np.testing.assert_allclose(step["values"], 1.0 - np.exp(-2.0 * np.array(step["time"])), atol=1e-9)
    rest = session.ask("analyse", number=3, what="trim")
    assert ["plant.x", "1"] in rest["parts"][1]["rows"]
    sweep = session.ask("analyse", number=4, what="sweep", path="k", values="1, 3", signal="plant")
    last = [float(row[3]) for row in sweep["parts"][0]["rows"]]
    np.testing.assert_allclose(last, [1.0 - math.exp(-1.0) / 2.0, 1.0 - math.exp(-3.0) / 2.0], rtol=1e-5)
    assert "expected" in session.ask("analyse", number=5, what="sweep", path="k", values="x")["problem"]
    assert session.draft.text == LOOP
