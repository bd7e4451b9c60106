"""`blockdyn graph` and `blockdyn gallery --picture`: diagrams as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_a_picture_with_an_open_subsystem(command: Any, folder: Path) -> None:
    assert command("graph", "cruise-gears", "--open", "controller", "--out", "open.svg").returncode == 0
    assert 'data-path="controller/' in (folder / "open.svg").read_text(encoding="utf-8")
    assert command("gallery", "battery", "--picture", "battery.mmd").returncode == 0
    assert "-->" in (folder / "battery.mmd").read_text(encoding="utf-8")


def test_another_kind_of_file_is_refused(command: Any) -> None:
    run = command("graph", "battery", "--out", "battery.gif")
    assert run.returncode == 2
    assert ".svg, .png, .pdf, .mmd" in run.stderr
