"""`blockdyn linearize`: a linear model as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

MOTOR = """
blockdyn: 1
name: motor
blocks:
  u: {type: Inport, default: 0.0}
  motor: {type: TransferFunction, num: [2], den: [0.5, 1]}
  speed: {type: Outport}
wires: [u -> motor -> speed]
"""


def test_a_motor(command: Any, folder: Path) -> None:
    (folder / "motor.yaml").write_text(MOTOR, encoding="utf-8")
    run = command("linearize", "motor.yaml")
    assert run.returncode == 0, run.stderr
    assert "1 state, 1 input, 1 output, in continuous time; stable" in run.stdout
    model = json.loads(command("linearize", "motor.yaml", "--from", "motor.u", "--json").stdout)
    assert model["poles"] == [[-2.0, 0.0]]
    assert model["inputs"] == ["motor.u"]
    assert model["B"][0][0] * model["C"][0][0] == pytest.approx(4.0)


def test_a_name_that_is_none(command: Any, folder: Path) -> None:
    (folder / "motor.yaml").write_text(MOTOR, encoding="utf-8")
    run = command("linearize", "motor.yaml", "--to", "moter")
    assert run.returncode == 2
    assert "did you mean `motor" in run.stderr
