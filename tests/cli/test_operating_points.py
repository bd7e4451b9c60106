"""`blockdyn trim` and `blockdyn bode`: an operating point, a response and margins, as text and JSON."""

from __future__ import annotations

import json
from math import degrees, sqrt
from pathlib import Path
from typing import Any

import pytest

LOOP = """
blockdyn: 1
name: speed
blocks:
  r: {type: Inport, default: 0.0}
  error: {type: Sum, signs: +-}
  gain: {type: Gain, k: 4.0}
  motor: {type: TransferFunction, num: [2], den: [0.5, 1]}
  y: {type: Outport}
wires:
  - r -> error[0]
  - error -> gain -> motor -> y
  - motor -> error[1]
"""


@pytest.fixture
def speed(folder: Path) -> Path:
    (folder / "speed.yaml").write_text(LOOP, encoding="utf-8")
    return folder


def test_a_speed_that_is_held(command: Any, speed: Path) -> None:
    """r = y (1 + 1/8)."""
    point = json.loads(command("trim", "speed.yaml", "--output", "y=3", "--json").stdout)
    assert point["inputs"]["r"] == pytest.approx(3.0 * 9.0 / 8.0, rel=1e-14)
    assert point["residual"] <= 1e-12
    assert ["r", "3.375"] in map(
        str.split, command("trim", "speed.yaml", "--output", "y=3").stdout.splitlines()
    )
    run = command("trim", "speed.yaml", "--output", "y=3", "--bound", "r=[0, 1]")
    assert run.returncode == 2
    assert "no operating point was found" in run.stderr
    assert "such as --state arm.q[0]=1.5" in command("trim", "speed.yaml", "--state", "motor").stderr


def test_a_loop_and_its_margins(command: Any, speed: Path) -> None:
    """L = 16 / (s + 2): |L| = 1 at sqrt(252) rad/s, where the phase is -atan(sqrt(252) / 2)."""
    run = command("bode", "speed.yaml", "--loop", "gain", "--plot", "loop.png", "--json")
    margins = json.loads(run.stdout)["margins"]
    assert margins["phase"] == pytest.approx(97.18, abs=0.01)
    assert margins["phase_frequency"] == pytest.approx(sqrt(252.0), rel=1e-9)
    assert (speed / "loop.png").stat().st_size > 1000
    assert "Margins" in command("bode", "speed.yaml", "--loop", "gain").stdout
    response = json.loads(command("bode", "speed.yaml", "--json").stdout)
    assert response["gain"][0][0][0] == pytest.approx(-1.023, abs=1e-2)  # 8 / 9 at rest
    swept = json.loads(command("bode", "speed.yaml", "--loop", "gain", "--sine", "0.1", "--json").stdout)[
        "sines"
    ]
    assert swept["amplitude"] == 0.1
    assert max(level for (level,) in swept["distortion"]) < 1e-4
    assert "distortion" in command("bode", "speed.yaml", "--sine", "0.1", "--plot", "sines.svg").stdout
    assert "above 0" in command("bode", "speed.yaml", "--sine", "-1").stderr
    at_y = json.loads(command("bode", "speed.yaml", "--loop", "y", "--json").stdout)
    assert at_y["margins"] == pytest.approx(margins)  # the Outport's signal is one of the loop
    assert "`r` is not part of a loop" in command("bode", "speed.yaml", "--loop", "r").stderr
    assert margins["stable"] is True
    wrong = ("--set", "gain.k=-4.0")  # closed at -2 + 16
    unstable = json.loads(command("bode", "speed.yaml", "--loop", "gain", *wrong, "--json").stdout)["margins"]
    assert (unstable["stable"], unstable["delay"]) == (False, "nan")
    assert "closed loop is unstable" in command("bode", "speed.yaml", "--loop", "gain", *wrong).stdout
    assert "--loop PATH alone" in command("bode", "speed.yaml", "--loop", "gain", "--from", "r").stderr


def test_a_loop_with_dead_time(command: Any, speed: Path) -> None:
    """The same loop 16 exp(-0.05 s) / (s + 2): its phase margin is less by 0.05 s times the crossover."""
    late = LOOP.replace("motor -> error[1]", "motor -> late -> error[1]")
    late = late.replace("blocks:", "blocks:\n  late: {type: TransportDelay, delay: 0.05}")
    (speed / "late.yaml").write_text(late)
    margins = json.loads(command("bode", "late.yaml", "--loop", "gain", "--json").stdout)["margins"]
    assert margins["phase"] == pytest.approx(97.18 - degrees(0.05 * sqrt(252.0)), abs=0.01)
    sines = command("bode", "late.yaml", "--loop", "gain", "--sine", "0.1", "--plot", "loop.png").stdout
    rows = [row.split() for row in sines.splitlines() if row.strip()[:1].isdigit()]
    line, points = ([float(row[2]) for row in rows if len(row) == count] for count in (3, 4))
    assert line == pytest.approx(points, abs=0.2)
    assert line[-1] < -400.0
    assert ["late", "0.05"] in map(str.split, command("linearize", "late.yaml").stdout.splitlines())
    plain = json.loads(command("linearize", "late.yaml", "--json").stdout)
    assert (plain["delays"]["names"], plain["delays"]["times"]) == (["late"], [0.05])
    held = json.loads(command("trim", "late.yaml", "--output", "y=2", "--json").stdout)["held"]
    assert held["late.before"] == pytest.approx([2.0])


def test_a_gait_and_its_multipliers(command: Any, folder: Path) -> None:
    """The simplest walker at a slope of 0.009, with published speeds: see tests/gradients/test_orbit.py."""
    run = command("orbit", "passive-walker", "--at", "30", "--plot", "gait.png", "--json")
    gait = json.loads(run.stdout)
    assert gait["kind"] == "stable"
    assert gait["multipliers"][0] == pytest.approx([1.0, 0.0], abs=1e-9)
    assert (folder / "gait.png").stat().st_size > 1000
    text = command("orbit", "passive-walker", "--at", "30", "--period", "3.9").stdout
    assert "stable, with a period of 3.88246375" in text
    run = command("orbit", "passive-walker", "--period", "3", "--near", "theta.x=0")
    assert run.returncode == 2
    assert "no orbit" in run.stderr
    assert "such as --advance wheel.x=6.28" in command("orbit", "passive-walker", "--advance", "x").stderr
