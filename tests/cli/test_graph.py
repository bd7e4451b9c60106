"""`blockdyn graph` and `blockdyn gallery --picture`: diagrams as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_a_picture_with_an_open_subsystem(command: Any, folder: Path) -> None:
    assert command("graph", "cruise-gears", "--open", "controller", "--out", "open.svg").returncode == 0
    assert 'data-path="controller/' in (folder / "open.svg").read_text(encoding="utf-8")
    assert command("gallery", "battery", "--picture", "battery.mmd").returncode == 0
    assert "-->" in (folder / "battery.mmd").read_text(encoding="utf-8")


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
    command("graph", "wrong.yaml", "--out", "wrong.mmd")
    assert (folder / "wrong.mmd").read_text(encoding="utf-8").count("-->") == 4


def test_another_kind_of_file_is_refused(command: Any) -> None:
    run = command("graph", "battery", "--out", "battery.gif")
    assert run.returncode == 2
    assert ".svg, .png, .pdf, .mmd" in run.stderr
