"""Inputs of a diagram: what its file gives, and what whoever runs it gives instead."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.cli import main
from blockdyn.diagrams.model.errors import RunArgumentError

FILE = """\
blockdyn: 1
blocks:
  u: {type: Inport}
  x: {type: TransferFunction, num: [1], den: [0.5, 1]}
  y: {type: Outport}
wires: [u -> x -> y]
simulate: {stop: 60, inputs: {u: 1.5}}
"""


def test_a_file_gives_its_inputs_and_whoever_runs_it_others(tmp_path: Path) -> None:
    path = tmp_path / "lag.yaml"
    path.write_text(FILE, encoding="utf-8")
    diagram = bd.load(path)
    final = pytest.approx
    assert diagram.simulate().final("y") == final(1.5, rel=1e-5)
    assert diagram.simulate(inputs={"u": 4.0}).final("y") == final(4.0, rel=1e-5)
    assert diagram.simulate(set={"u": -2.0}).final("y") == final(-2.0, rel=1e-5)
    assert diagram.compile(inputs={"u": 3.0}).simulate().final("y") == final(3.0, rel=1e-5)
    swept = bd.Sweep(diagram, {"u": [7.0]}, {"last": {"final": "y"}}).run()
    assert swept.dataset["last"][0] == final(7.0, rel=1e-5)
    assert diagram.simulate().provenance.solver["inputs"] == {"u": 1.5}
    again = tmp_path / "again.yaml"
    bd.dump(diagram, again)
    assert bd.load(again).simulation == diagram.simulation
    with pytest.raises(RunArgumentError, match="not both"):
        diagram.simulate(set={"u": 1.0}, inputs={"u": 1.0})


def test_a_file_gives_samples(tmp_path: Path) -> None:
    """Held at 0 and then at 2 for 30 s."""
    path = tmp_path / "lag.yaml"
    held = "{times: [0, 30], values: [0, 2], hold: true}"
    path.write_text(FILE.replace("u: 1.5", f"u: {held}"), encoding="utf-8")
    result = bd.load(path).simulate(times=[30.0, 60.0])
    assert result["y"].values == pytest.approx([0.0, 2.0], abs=1e-5)


@pytest.mark.parametrize("wrong", ["{v: 1.0}", "{u: fast}", "3", "{u: {times: [0]}}"])
def test_what_a_file_gives_wrongly_is_refused(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "lag.yaml"
    path.write_text(FILE.replace("{u: 1.5}", wrong), encoding="utf-8")
    with pytest.raises(bd.BlockdynError, match=r"expected") as caught:
        bd.load(path).simulate()
    assert wrong == "{v: 1.0}" or "lag.yaml:7" in str(caught.value)


def test_the_command_line_gives_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "lag.yaml", tmp_path / "lag.csv"
    path.write_text(FILE, encoding="utf-8")
    assert main(["run", str(path), "--input", "u=2.5", "--out", str(out)]) == 0
    assert bd.load_result(out).final("y") == pytest.approx(2.5, rel=1e-5)
    assert main(["run", str(path), "--set", "u=-1", "--out", str(out)]) == 0
    assert bd.load_result(out).final("y") == pytest.approx(-1.0, rel=1e-5)
    assert main(["run", str(path), "--input", "u"]) == 2
    assert "NAME=VALUE" in capsys.readouterr().err
