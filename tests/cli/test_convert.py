"""`blockdyn convert`: a .bd file becomes a file that runs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import blockdyn

BLOCKS = [
    {"id": 1, "block_type": "CONSTANT", "title": "u", "inputs": [], "outputs": [{"id": 11, "index": 0}],
     "parameters": [["value", "=k"]], "pos_x": 0.0, "pos_y": 20.0},
    {"id": 2, "block_type": "LTI_SISO", "title": "lag", "inputs": [{"id": 21, "index": 0}],
     "outputs": [{"id": 22, "index": 0}], "parameters": [["N", "1"], ["D", "[1, 1]"]]},
]  # fmt: skip


def test_a_file_of_bdedit_becomes_yaml(command: Any, folder: Path) -> None:
    pytest.importorskip("bdsim", reason='needs bdsim: pip install "blockdyn[bdsim]"')
    wires = [{"start_socket": 11, "end_socket": 21}]
    (folder / "lag.bd").write_text(json.dumps({"blocks": BLOCKS, "wires": wires}))
    done = command("convert", "lag.bd", "--value", "k=2*3", "--stop", "1", "--out", "lag.yaml")
    assert done.returncode == 0, done.stderr
    diagram = blockdyn.load(folder / "lag.yaml")
    assert diagram.positions["u"] == [0.0, 20.0]
    assert abs(diagram.simulate().final("lag") - 6.0 * (1.0 - math.exp(-1.0))) < 1e-5
    printed = command("convert", "lag.bd", "--value", "k=6", "--stop", "1")
    assert printed.stdout == (folder / "lag.yaml").read_text()
    wrong = command("convert", "lag.bd")
    assert wrong.returncode != 0
    assert "block `u`, value: '=k': there is no value for `k`" in wrong.stderr
    assert "expected: NAME=VALUE" in command("convert", "lag.bd", "--value", "k=open('x')").stderr


def test_other_files_are_refused_with_a_way(command: Any, folder: Path) -> None:
    for name in ("motor.fmu", "loop.yaml"):
        (folder / name).touch()
    assert "{type: FMU, file: motor.fmu}" in command("convert", "motor.fmu").stderr
    assert ".slx" in command("convert", "loop.yaml").stderr
