"""`blockdyn graph` and `blockdyn gallery --picture`: diagrams as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd


def test_a_picture_with_an_open_subsystem(command: Any, folder: Path) -> None:
    assert command("graph", "cruise-gears", "--open", "controller", "--out", "open.svg").returncode == 0
    assert 'data-path="controller/' in (folder / "open.svg").read_text(encoding="utf-8")
    assert command("gallery", "battery", "--picture", "battery.svg").returncode == 0
    assert "<svg" in (folder / "battery.svg").read_text(encoding="utf-8")


def test_a_file_with_errors_is_drawn_as_far_as_it_goes(command: Any, folder: Path) -> None:
    text = """blockdyn: 1
blocks:
  r: {type: Step}
  e: {type: Sum, signs: +-}
  control: {type: Gian, k: 2}
  plant: {type: TransferFunction, num: [1], den: [1, 1]}
wires: ["r -> e[0]", e -> control, control -> plant, "plant -> e[1]"]
"""
    (folder / "wrong.yaml").write_text(text, encoding="utf-8")
    run = command("graph", "wrong.yaml", "--out", "wrong.svg")
    assert run.returncode == 2
    assert "did you mean `Gain`?" in run.stderr
    drawn = (folder / "wrong.svg").read_text(encoding="utf-8")
    assert all(f'data-path="{name}"' in drawn for name in ("r", "e", "control", "plant"))
    assert drawn.count('class="bd-fault"') == 1  # the block that is not read
    assert "there is no block type" in drawn


STEP_AND_SUM = """blockdyn: 1
blocks:
  r: {type: Constant, value: [1, 2]}
  e: {type: Sum, signs: +-}
  k: {type: Gain, k: 2}
"""
FAILS_ITS_CHECK = {
    "loop": 'wires: ["r -> e[0]", e -> k, "k -> e[1]"]',
    "open input": 'wires: ["r -> e[0]", e -> k]',
    "no such port": 'wires: ["r -> e[0]", "r -> e[1]", "e.out -> k"]',
    "two wires": 'wires: ["r -> e[0]", "r -> e[1]", e -> k, r -> k]',
    "log": 'wires: ["r -> e[0]", "r -> e[1]", e -> k]\nlog: [nothing]',
    "sizes": '  s: {type: Constant, value: [1, 2, 3]}\nwires: ["r -> e[0]", "s -> e[1]", e -> k]',
}


@pytest.mark.parametrize("wires", FAILS_ITS_CHECK.values(), ids=FAILS_ITS_CHECK)
def test_what_fails_its_check_is_drawn_and_told_as_check_tells_it(
    command: Any, folder: Path, wires: str
) -> None:
    (folder / "wrong.yaml").write_text(STEP_AND_SUM + wires, encoding="utf-8")
    checked = command("check", "wrong.yaml")
    assert checked.returncode == 2
    run = command("graph", "wrong.yaml", "--out", "wrong.svg")
    assert (run.returncode, run.stderr) == (checked.returncode, checked.stderr)
    assert "written: wrong.svg" in run.stdout
    drawn = (folder / "wrong.svg").read_text(encoding="utf-8")
    assert all(f'data-path="{name}"' in drawn for name in "rek")


def test_blocks_whose_wires_do_not_fit_are_marked_also_in_a_folded_subsystem() -> None:
    inner = bd.Diagram("inner")
    inner.connect(inner.add("u", bd.Inport()), inner.add("sum", bd.Sum("++")))
    inner.add("three", bd.Constant([1.0, 2.0, 3.0]))
    inner.connect("three", "sum[1]")
    inner.connect("sum", inner.add("y", bd.Outport()))
    outer = bd.Diagram("outer")
    outer.connect(outer.add("two", bd.Constant([1.0, 2.0])), outer.add("sub", inner))
    outer.connect("sub", outer.add("k", bd.Gain(2.0)))
    for inside, faulty in ((False, "sub"), (True, "sub/sum")):
        drawing = outer.draw(open=inside)
        assert isinstance(drawing.error, bd.DiagramError)
        marks = {group.path: group.marks for group in drawing.picture.groups if group.path}
        red = {path for path, group in marks.items() if any(getattr(m, "kind", "") == "fault" for m in group)}
        assert red == {faulty}


def test_each_of_several_errors_of_a_check_stands_in_the_picture(command: Any, folder: Path) -> None:
    more = "  s: {type: Constant, value: [1, 2, 3]}\n  f: {type: Sum, signs: ++}\n"
    text = STEP_AND_SUM + more + 'wires: ["r -> k", "r -> e[0]", "s -> e[1]", "r -> f[0]", "s -> f[1]"]'
    (folder / "wrong.yaml").write_text(text, encoding="utf-8")
    assert command("graph", "wrong.yaml", "--out", "wrong.svg").returncode == 2
    drawn = (folder / "wrong.svg").read_text(encoding="utf-8")
    assert "errors:" not in drawn
    assert all(f"the sizes at {name} do not fit" in drawn for name in "ef")


def test_another_kind_of_file_is_refused(command: Any) -> None:
    run = command("graph", "battery", "--out", "battery.gif")
    assert run.returncode == 2
    assert ".svg, .png, .pdf" in run.stderr
