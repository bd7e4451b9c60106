"""A diagram that was read and changed is written with its file's comments; positions change no run."""

from __future__ import annotations

import difflib
from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import DiagramError, UnknownBlock
from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.errors import YamlError
from blockdyn.diagrams.yaml.finding import gallery_files
from blockdyn.sweeps.running import digest

TEXT = """\
# A weight on a spring.
blockdyn: 1
name: spring
doc: A weight swings.   # and does not stop
parameters: {w: 2.0}    # rad/s

blocks:
  force:    {type: Gain, k: "=-w**2"}

  # the weight
  velocity: {type: Integrator, initial: 0}
  place:    {type: Integrator, initial: 1.0e+0}
wires:
  - force -> velocity -> place -> force     # a ring
simulate: {stop: 3, rtol: 1.0e-8}
"""
VIEW = "view: {force: [0, 0], place: {at: [200, 0.5], size: [40, 30], flip: true}}\n"


def lines(before: str, after: str) -> list[str]:
    return [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "-+"]


def test_what_was_changed_is_all_that_changes(tmp_path: Path) -> None:
    diagram = loads(TEXT)
    diagram.parameter("w", 3.0)
    diagram.parameter("gain", [1.0, 2.0])
    diagram.add("shown", bd.Scope())
    diagram.connect("place", "shown")
    diagram.log("place")
    diagram.settings(stop=5.0)
    bd.dump(diagram, tmp_path / "spring.yaml")
    text = (tmp_path / "spring.yaml").read_text(encoding="utf-8")
    assert lines(TEXT, text) == [
        "- parameters: {w: 2.0}    # rad/s",
        "+ parameters: {w: 3.0, gain: [1.0, 2.0]}    # rad/s",
        "+   shown: {type: Scope}",
        "+   - place -> shown",
        "+ log: [place]",
        "- simulate: {stop: 3, rtol: 1.0e-8}",
        "+ simulate: {stop: 5.0, rtol: 1.0e-8}",
    ]
    assert bd.dumps(bd.load(tmp_path / "spring.yaml")) == text
    final = bd.load(tmp_path / "spring.yaml").simulate().final("place")
    assert final == pytest.approx(np.cos(15.0), abs=1e-4)  # x'' = -w2 x from 1 at rest


def test_without_its_sweep_the_rest_is_as_it_was() -> None:
    for name, path in gallery_files().items():
        diagram = bd.load(name)
        if "sweep" in diagram.sections:
            text = path.read_text(encoding="utf-8")
            assert bd.dumps(diagram, sweep=False) == text[: text.index("\nsweep:") + 1]


def test_a_subsystem_is_changed_where_it_stands() -> None:
    diagram = bd.load("quadrotor-corke")
    text = bd.dumps(diagram)
    inner = diagram["velocity"].block.diagram  # type: ignore[union-attr]
    inner.parameter("P", 0.2)
    assert lines(text, bd.dumps(diagram)) == [
        "-       parameters: {P: 0.1, D: 2.0}",
        "+       parameters: {P: 0.2, D: 2.0}",
    ]


def test_a_diagram_of_several_files_is_written_as_one(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text("blockdyn: 1\nblocks: {c: {type: Constant}, y: {type: Outport}}\n")
    (tmp_path / "outer.yaml").write_text("blockdyn: 1\nblocks: {s: {type: Subsystem, file: inner.yaml}}\n")
    text = bd.dumps(bd.load(tmp_path / "outer.yaml"))
    assert "file" not in text
    assert list(loads(text)["s"].block.diagram.blocks) == ["c", "y"]  # type: ignore[union-attr]


def test_positions_and_doc_are_kept_by_what_is_written_anew() -> None:
    diagram = loads(TEXT + VIEW)
    assert diagram.positions["force"] == [0, 0]
    assert diagram.positions["place"] == {"at": [200, 0.5], "size": [40, 30], "flip": True}
    diagram.source = None  # as if Python had made it
    outer = bd.Diagram("outer")
    outer.add("spring", diagram)
    inner = loads(bd.dumps(outer))["spring"].block.diagram  # type: ignore[union-attr]
    assert (inner.positions, inner.doc) == (diagram.positions, "A weight swings.")
    assert bd.dumps(loads(bd.dumps(diagram))) == bd.dumps(diagram)


def test_positions_are_nothing_that_a_run_or_its_digest_looks_at() -> None:
    plain, placed = loads(TEXT), loads(TEXT + VIEW)
    one, other = plain.simulate(), placed.simulate()
    assert one["place"].values.tobytes() == other["place"].values.tobytes()
    assert one.provenance.description == other.provenance.description
    assert digest(plain, plain.compile()) == digest(placed, placed.compile())


@pytest.mark.parametrize(
    ("view", "kind", "column", "said"),
    [
        ("view: [1]", YamlError, 7, "a mapping"),
        ("view: {froce: [0, 0]}", UnknownBlock, 8, "did you mean `force`"),
        ("view: {force: [0]}", YamlError, 15, "2 of them"),
        ("view: {force: [0, 0, 0]}", YamlError, 15, "2 of them"),
        ("view: {force: [0, .inf]}", YamlError, 19, "a finite number"),
        ("view: {force: {att: [0, 0]}}", YamlError, 16, "did you mean `at`"),
        ("view: {force: {at: [0, 0], size: [0, 1]}}", YamlError, 35, "greater than zero"),
        ("view: {force: {at: [0, 0], flip: 1}}", YamlError, 34, "true or false"),
    ],
)
def test_positions_that_cannot_be(view: str, kind: type[DiagramError], column: int, said: str) -> None:
    with pytest.raises(kind) as caught:
        loads(TEXT + view + "\n")
    assert said in str(caught.value)
    assert (caught.value.line, caught.value.column) == (TEXT.count("\n") + 1, column)
