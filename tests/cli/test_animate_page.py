"""`blockdyn animate --out page.html`: what the page's data say, that they are data only, and that it runs."""

from __future__ import annotations

import base64
import json
import math
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import blockdyn as bd
from blockdyn.diagrams.results.errors import ResultFileError
from blockdyn.diagrams.results.provenance import FlightFigure, Provenance
from blockdyn.diagrams.results.trace import Trace
from blockdyn.plots.films.animation import animation
from blockdyn.plots.films.film import film
from blockdyn.plots.films.page import MOST_SAMPLES, Page, page, quaternions, scene
from blockdyn.robots import load, load_vehicle

from .conftest import Command
from .moved import forward, moved

HOSTILE = '</script><script>alert("1")</script><!-- & {{data}}'
FLYING = """\
blockdyn: 1
name: flying
blocks:
  speeds: {type: Constant, value: [900, -900, 900, -900, 900, -900]}
  craft: {type: NRotor, vehicle: neo}
wires: [speeds -> craft.omega]
"""


class Reader(HTMLParser):
    """The texts of a page's scripts by their types, its title, and the addresses in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: dict[str, str] = {}
        self.title = ""
        self.addresses: list[str | None] = []
        self.element = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.element = tag if tag != "script" else str(dict(attrs).get("type"))
        self.addresses += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        if "/" in self.element or self.element == "module":
            self.scripts[self.element] = self.scripts.get(self.element, "") + data
        self.title += data if self.element == "title" else ""
        self.element = self.element if self.element in ("module", "application/json", "title") else ""

    def handle_endtag(self, tag: str) -> None:
        self.element = ""

    @property
    def data(self) -> Any:
        return json.loads(self.scripts["application/json"])


def numbers(text: str, *shape: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(shape)


def flown(name: str = "flying", duration: float = 2.0) -> bd.Result:
    """Along (1, 2, -3) a second, a quarter turn of yaw to the right a second, a track 1 m beside it."""
    time = np.linspace(0.0, duration, 21)
    half = np.pi / 4 * time
    way = np.outer(time, [1.0, 2.0, -3.0])
    turn = np.column_stack([np.cos(half), 0 * time, 0 * time, np.sin(half)])
    values = {"craft.position": way, "craft.quaternion": turn, "way.position": way + np.array([0, 1, 0])}
    signals = {path: Trace(path, time, value) for path, value in values.items()}
    flights = (FlightFigure("craft", "craft.position", "way.position", "craft.quaternion"),)
    return bd.Result(signals, provenance=Provenance(name, FLYING), flights=flights)


def test_the_page_holds_where_everything_is(tmp_path: Path) -> None:
    made = flown().animate(tmp_path / "flight.html", fps=10, speed=2.0)
    assert isinstance(made, Page)
    assert (made.frames, made.duration) == (21, 2.0)
    data = Reader(made.file.read_text(encoding="utf-8")).data
    (craft,) = data["films"]
    times = numbers(data["times"], -1)
    p, q = numbers(craft["p"], 21, 7, 3), numbers(craft["q"], 21, 7, 4)
    np.testing.assert_allclose(p[:, -1], np.outer(times, [1.0, -2.0, 3.0]), atol=1e-6)  # z upwards
    yaw = Rotation.from_quat(q[:, -1]).apply([1.0, 0.0, 0.0])
    turned = np.pi / 2 * times
    np.testing.assert_allclose(yaw, np.column_stack([np.cos(turned), -np.sin(turned), 0 * times]), atol=1e-6)
    track = numbers(craft["reference"], -1, 3)
    np.testing.assert_allclose(track[-1], [2.0, -5.0, 6.0], atol=1e-6)
    assert (data["speed"], data["title"], data["labels"]) == (2.0, "flying: NRotor", ["craft"])
    assert numbers(craft["solids"][0]["corners"], -1, 4, 3).shape[0] == len(
        numbers(craft["solids"][0]["normals"], -1, 3)
    )


def test_rotors_are_drawn_as_the_vehicle_has_them() -> None:
    """The Neo's are canted by 5 degrees, and of a radius of their own."""
    (seen,) = animation(flown()).films(np.array([0.0, 1.0]))
    neo = load_vehicle("neo")
    shafts = seen.motion.R[0, :6, :, 2]  # against the thrusts, in a world with z up
    np.testing.assert_allclose(-shafts, neo.axes * [1, -1, -1], atol=1e-12)
    rims = seen.bones.world(seen.motion, 1)[12:].reshape(6, -1, 3)
    away = np.linalg.norm(rims - seen.motion.p[1, :6, None], axis=2)
    np.testing.assert_allclose(away, neo.numbers("radius").max(), rtol=1e-12)


def test_names_are_data_and_nothing_is_loaded(tmp_path: Path) -> None:
    made = flown(HOSTILE).animate(tmp_path / "flight.html", fps=2)
    read = Reader(made.file.read_text(encoding="utf-8"))
    assert read.data["title"] == read.title == f"{HOSTILE}: NRotor"
    assert set(read.scripts) == {"application/json", "module"}
    assert read.addresses == []
    assert "default-src 'none'" in made.file.read_text(encoding="utf-8")
    shown = made._repr_html_()
    assert shown is not None
    assert shown.count("<") == 2  # the frame and its end; the page is in an attribute


def test_a_sliding_joint_carries_its_limb_to_the_tool() -> None:
    """The Stanford arm: the corners that slide, moved by the stroke as the page does it, reach a frame."""
    robot = load("stanford")
    q = np.random.default_rng(1).uniform(0.2, 0.8, (2, robot.n))
    times = np.arange(2.0)
    data = Reader(page(scene([film(robot, times, q, times, q)], ["arm"], "arm"))).data
    arm = data["films"][0]
    frames = arm["frames"]
    p, turns = numbers(arm["p"], 2, frames, 3), numbers(arm["q"], 2, frames, 4)
    strokes = numbers(arm["strokes"], 2, -1)
    np.testing.assert_allclose(p[:, -1], [forward(robot, row)[:3, 3] for row in q], atol=1e-6)
    (rod,) = [solid for solid in arm["solids"] if "along" in solid]
    corners, along = (numbers(rod[name], -1, 3) for name in ("corners", "along"))
    moved_by = corners + along * strokes[1][rod["joint"]][:, None]
    world = Rotation.from_quat(turns[1, rod["frame"]]).apply(moved_by) + p[1, rod["frame"]]
    joint = next(i for i, kind in enumerate(robot.joints) if kind.kind == "prismatic")
    end = p[1, joint + 1]
    assert np.linalg.norm(world - end, axis=1).min() < 0.05


def test_quaternions_are_those_of_the_matrices() -> None:
    turns = Rotation.random(200, rng=np.random.default_rng(3))
    halves = Rotation.from_rotvec(np.pi * np.eye(3))  # where the scalar part is 0
    for rotation in (turns, halves):
        q = quaternions(rotation.as_matrix())
        np.testing.assert_allclose(Rotation.from_quat(q).as_matrix(), rotation.as_matrix(), atol=1e-14)


def test_a_long_run_is_thinned_and_shown_to_its_end(tmp_path: Path) -> None:
    made = moved("arm.q", duration=5000.0).animate(tmp_path / "arm.html", trail=math.inf)
    assert (made.frames, made.duration) == (MOST_SAMPLES, 5000.0)
    assert made.file.stat().st_size < 1_500_000


def test_what_is_no_movie_is_told_with_what_is_one(tmp_path: Path) -> None:
    with pytest.raises(ResultFileError, match=r"use one of \.gif, \.mp4, \.html"):
        flown().animate(tmp_path / "flight.htm")
    with pytest.raises(ResultFileError, match="nowhere"):
        flown().animate(tmp_path / "nowhere" / "flight.html")


def test_a_map_is_drawn_in_the_words_of_a_diagram(tmp_path: Path, command: Command) -> None:
    file, film = tmp_path / "drive.yaml", tmp_path / "drive.png"
    file.write_text(
        "blockdyn: 1\nname: drive\nblocks: {v: {type: Constant, value: 0.5}, robot: {type: Unicycle}}\n"
        "wires: [v -> robot.v, v -> robot.omega]\nlog: [robot.pose]\nsimulate: {stop: 1.0}\n"
    )
    options = ("--frames", str(film), "--at", "1")
    corners = '{rows: ["#.#", "...", "#.#"], origin: [-1.5, -1.5]}'
    done = command("animate", str(file), "--map", corners, *options)
    assert done.returncode == 0
    assert film.exists()
    wrong = command("animate", str(file), "--map", '{rows: ["#x#"]}', *options)
    assert wrong.returncode == 2
    assert "rows[0]" in wrong.stderr
