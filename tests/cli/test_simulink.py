"""Commands take models of Simulink."""

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
    listed = command("diff", "a.yaml", "b.yaml", "--json")
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
