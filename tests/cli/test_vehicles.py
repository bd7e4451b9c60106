"""`blockdyn vehicles`: the library listed and searched, one vehicle shown and drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blockdyn.cli import main
from blockdyn.robots import vehicle_catalogue


def test_listed_searched_shown_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vehicles"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert [line.split()[0] for line in lines] == sorted(vehicle_catalogue())
    assert main(["vehicles", "coaxial", "canted", "--json"]) == 0
    assert [entry["name"] for entry in json.loads(capsys.readouterr().out)] == ["coaxial"]
    picture = tmp_path / "neo.png"
    assert main(["vehicles", "neo", "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "counter-clockwise" in out
    assert "hovers with rotors at" in out
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_what_is_no_vehicle_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vehicles", "--plot", "x.png"]) == 2
    assert "no vehicle is named" in capsys.readouterr().err
    assert main(["vehicles", "hummingbrd"]) == 2
    assert "did you mean `hummingbird`" in capsys.readouterr().err
