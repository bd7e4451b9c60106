"""Commands take models of Simulink, logs, and robots with arguments of xacro."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd

LAG = """
Model {
  InitFcn "K = 4;"
  System {
    Block { BlockType Step  Name "step"  Time "0" Position [5, 5, 9, 9] }
    Block { BlockType Gain  Name "gain"  Gain "K/2" }
    Block { BlockType TransferFcn  Name "lag"  Denominator "[0.5 1]" }
    Block { BlockType Outport  Name "y" }
    Line { SrcBlock "step" SrcPort 1 DstBlock "gain" DstPort 1 }
    Line { SrcBlock "gain" SrcPort 1 DstBlock "lag" DstPort 1 }
    Line { SrcBlock "lag" SrcPort 1 DstBlock "y" DstPort 1 }
  }
}
"""


def test_diff_lists_parameters_without_layout(folder: Path, command: Any) -> None:
    (folder / "a.mdl").write_text(LAG)
    (folder / "b.mdl").write_text(LAG.replace("[5, 5, 9, 9]", "[50, 5, 54, 9]"))
    (folder / "c.mdl").write_text(LAG.replace("K/2", "K/3"))
    same, other = command("diff", "a.mdl", "b.mdl"), command("diff", "a.mdl", "c.mdl")
    assert (same.returncode, other.returncode) == (0, 1)
    assert other.stdout.splitlines() == ["~ gain: Gain: K/2 -> K/3"]


def test_diff_compares_translated_and_written_diagrams(folder: Path, command: Any) -> None:
    (folder / "a.mdl").write_text(LAG)
    assert command("convert", "a.mdl", "--out", "a.yaml").returncode == 0
    text = (folder / "a.yaml").read_text()
    (folder / "b.yaml").write_text(text.replace("k: 2.0", "k: 2.5"))
    assert command("diff", "a.yaml", "a.yaml").returncode == 0
    assert command("diff", "a.mdl", "a.yaml").returncode == 0
    listed = command("diff", "a.mdl", "b.yaml", "--json")
    assert json.loads(listed.stdout)["differences"] == ["~ gain: k: 2.0 -> 2.5"]


def test_a_value_of_the_command_line_reaches_the_model(folder: Path, command: Any) -> None:
    (folder / "lag.mdl").write_text(LAG)
    done = command("convert", "lag.mdl", "--value", "K=2*3", "--out", "lag.yaml")
    assert done.returncode == 0, done.stderr
    r = bd.load(folder / "lag.yaml").simulate(stop=2.0, rtol=1e-10)
    assert r.final("lag") == pytest.approx(3.0 * (1 - math.exp(-4.0)), abs=1e-8)


@pytest.mark.parametrize(
    "line", ["run lag.mdl --stop 1", "check lag.mdl", "bode lag.mdl --from step --to lag"]
)
def test_commands_open_models(folder: Path, command: Any, line: str) -> None:
    (folder / "lag.mdl").write_text(LAG)
    done = command(*line.split())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("line", "expected"),
    [("run lag.mdl --replace gian=law.py:law", "`gain`"), ("run two-tanks --value K=3", "--param"),
     ("run lagg.mdl", "lagg.mdl")],
)  # fmt: skip
def test_nothing_of_the_command_is_lost(folder: Path, command: Any, line: str, expected: str) -> None:
    """A path that no block has, an option of other files and an unknown file are errors."""
    (folder / "lag.mdl").write_text(LAG)
    (folder / "law.py").write_text("def law(u):\n    return u\n")
    done = command(*line.split())
    assert done.returncode != 0
    assert expected in done.stderr


def test_diff_of_simulink_files_takes_no_values(folder: Path, command: Any) -> None:
    (folder / "a.mdl").write_text(LAG)
    assert "does not take it" in command("diff", "a.mdl", "a.mdl", "--value", "K=3").stderr


def test_a_misspelt_value_is_an_error(folder: Path, command: Any) -> None:
    (folder / "lag.mdl").write_text(LAG)
    done = command("check", "lag.mdl", "--value", "KK=3")
    assert done.returncode == 2
    assert "did you mean `K`" in done.stderr


def test_a_log_is_listed(folder: Path, command: Any) -> None:
    (folder / "log.csv").write_text("t [ms],speed,note\n0,1,3\n500,-2,4\n")
    listed = json.loads(command("log", "log.csv", "--json").stdout)
    assert listed["speed"] == {"rows": 2, "from": 0.0, "to": 0.5, "least": -2.0, "largest": 1.0}
    assert "speed" in command("log", "log.csv", "speed").stdout
    assert "expected: columns time, sped" in command("log", "log.csv", "sped").stderr


XACRO = """<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="reach" default=""/>
<link name="base_link"/><link name="arm"/><link name="hand"/>
<joint name="j" type="revolute"><parent link="base_link"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="f" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="$(arg reach) 0 0"/></joint>
</robot>"""


def test_a_robot_that_is_drawn_takes_arguments(folder: Path, command: Any) -> None:
    (folder / "arm.xacro").write_text(XACRO)
    d = bd.Diagram("d")
    d.add("q", bd.Constant([0.5]))
    d.simulate(stop=1.0).save(folder / "q.csv")
    line = ["animate", "q.csv", "--robot", "arm.xacro", "--signal", "q", "--frames", "s.svg"]
    done = command(*line, "--at", "0", "--argument", "reach=0.7")
    assert done.returncode == 0, done.stderr
    assert (folder / "s.svg").exists()
    assert "3 numbers" in command(*line, "--at", "0", "--argument", "reach=").stderr
    assert (
        "--robot FILE.xacro" in command("animate", "q.csv", "--robot", "puma560", "--argument", "a=1").stderr
    )
