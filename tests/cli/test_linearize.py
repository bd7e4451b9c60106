"""`blockdyn linearize`: a linear model as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
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


def test_a_diagram_without_inports_names_the_options(command: Any, folder: Path) -> None:
    text = MOTOR.replace("Inport, default: 0.0", "Constant").replace("Outport", "Terminator")
    (folder / "motor.yaml").write_text(text, encoding="utf-8")
    for call in ("linearize", "bode"):
        run = command(call, "motor.yaml")
        assert run.returncode == 0, run.stderr
        assert "no Inports: select an input with --from PATH" in run.stdout
        assert "no Outports: select an output with --to PATH" in run.stdout
        run = command(call, "motor.yaml", "--from", "motor.u", "--to", "motor")
        assert "--from" not in run.stdout


PENDULUM = """
blockdyn: 1
name: pendulum
blocks:
  torque: {type: Inport, default: 0.0}
  sum: {type: Sum, signs: "+-"}
  w: {type: Integrator}
  angle: {type: Integrator, initial: 0.1}
  gravity: {type: Expression, formula: 9.81 * sin(u)}
  y: {type: Outport}
wires:
  - torque -> sum[0]
  - sum -> w -> angle -> [gravity, y]
  - gravity -> sum[1]
"""


@pytest.mark.parametrize("name", ["y", "angle", "angle.x", "angle.y"])
def test_at_an_operating_point(command: Any, folder: Path, name: str) -> None:
    """x'' = u - 9.81 sin x at rest at x = 0.785: the slope -9.81 cos x, under a torque of 9.81 sin x."""
    (folder / "pendulum.yaml").write_text(PENDULUM, encoding="utf-8")
    model = json.loads(command("linearize", "pendulum.yaml", "--trim", f"{name}=0.785", "--json").stdout)
    assert model["A"][1][0] == pytest.approx(-9.81 * np.cos(0.785), rel=1e-12)
    assert f"torque = {9.81 * np.sin(0.785):.8g}" in model["point"]
    bode = json.loads(command("bode", "pendulum.yaml", "--trim", f"{name}=0.785", "--json").stdout)
    assert bode["gain"][0][0][0] == pytest.approx(-20 * np.log10(9.81 * np.cos(0.785)), abs=0.1)


def test_the_point_of_a_model_is_printed(command: Any, folder: Path) -> None:
    (folder / "pendulum.yaml").write_text(PENDULUM, encoding="utf-8")
    for call in ("linearize", "bode"):
        assert "start of the run, t = 0 s" in command(call, "pendulum.yaml").stdout
        assert "at 0.5 s of a run" in command(call, "pendulum.yaml", "--at", "0.5").stdout
        assert "torque = 1," in command(call, "pendulum.yaml", "--trim", "torque=1").stdout
    assert "expected: NAME=VALUE" in command("linearize", "pendulum.yaml", "--trim", "angle").stderr
