"""ToFile: its table is what FromFile reads back; where it may write, and where not."""

from __future__ import annotations

import os

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.cli import main
from blockdyn.diagrams.results import ResultError, ResultFileError
from blockdyn.diagrams.yaml import loads

YAML = """
blockdyn: 1
name: recorder
blocks:
  wave: {type: Sine, frequency: 3}
  hold: {type: ZeroOrderHold, sample_time: 0.3}
  jump: {type: Step, time: 0.5}
  file: {type: ToFile, file: NAME, count: 3}
wires:
  - wave -> [hold, file.u0]
  - hold -> file.u1
  - jump -> file.u2
simulate: {stop: 1}
"""


def recorder(name: str) -> bd.Diagram:
    return loads(YAML.replace("NAME", name))


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".parquet"])
def test_what_it_writes_is_what_a_source_reads(suffix: str, tmp_path) -> None:
    r = recorder(f"wave{suffix}").simulate()
    (file,) = r.write_files(tmp_path)
    assert file == tmp_path / f"wave{suffix}"
    for column, how in (("wave.y", "linear"), ("hold.y", "held"), ("jump.y", "held")):
        d = bd.Diagram()
        d.add("again", bd.FromFile(file=str(file), columns=column, interpolation=how))
        times = np.unique(r.trace("wave").time)
        read = d.simulate(times=times).trace("again")
        np.testing.assert_array_equal(read.values, r.trace(column).at(times))


def test_a_netcdf_file_is_a_result_with_these_signals(tmp_path) -> None:
    d = recorder("wave.nc")
    d.add("other", bd.Clock())
    r = d.simulate()
    assert "other.y" in r
    part = bd.load_result(r.write_files(tmp_path)[0])
    assert set(part) == {"wave.y", "hold.y", "jump.y"}
    assert part.trace("wave").identical(r.trace("wave"))


def test_a_run_writes_nothing_by_itself(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    recorder("wave.csv").simulate()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        "/etc/wave.csv", "../wave.csv", "a/wave.csv", "a\\\\wave.csv", "C:wave.csv", ".csv", "..csv", "wave",
        "wave.txt", "nul.csv", "wave.csv\\n", "~/wave.csv", "w" * 130 + ".csv",
    ],
)  # fmt: skip
def test_a_file_names_no_folder(name: str) -> None:
    with pytest.raises(bd.BlockdynError, match="plain name"):
        recorder(f'"{name}"')


def test_what_is_there_stays_unless_asked_for(tmp_path) -> None:
    r = recorder("wave.csv").simulate()
    (tmp_path / "wave.csv").write_text("mine")
    with pytest.raises(ResultFileError, match="it exists already"):
        r.write_files(tmp_path)
    assert (tmp_path / "wave.csv").read_text() == "mine"
    r.write_files(tmp_path, overwrite=True)
    assert (tmp_path / "wave.csv").read_text().startswith("t,wave.y,hold.y,jump.y\n")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_not_followed(tmp_path) -> None:
    elsewhere = tmp_path / "elsewhere.csv"
    elsewhere.write_text("mine")
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "wave.csv").symlink_to(elsewhere)
    with pytest.raises(ResultFileError, match="links are not followed"):
        recorder("wave.csv").simulate().write_files(folder, overwrite=True)
    assert elsewhere.read_text() == "mine"


def test_two_blocks_of_one_file(tmp_path) -> None:
    d = recorder("wave.csv")
    d.connect("wave", d.add("second", bd.ToFile("WAVE.csv")))
    with pytest.raises(ResultError, match=r"two ToFile blocks name the file 'WAVE\.csv'"):
        d.simulate().write_files(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_command_is_told_the_folder(tmp_path, capsys) -> None:
    (tmp_path / "recorder.yaml").write_text(YAML.replace("NAME", "wave.csv"))
    run = ["run", str(tmp_path / "recorder.yaml")]
    assert main(run) == 0
    assert "not written: wave.csv; --files FOLDER writes them" in capsys.readouterr().out
    folder = tmp_path / "files"
    assert main([*run, "--files", str(folder)]) == 0
    assert (folder / "wave.csv").exists()
    capsys.readouterr()
    assert main([*run, "--files", str(folder)]) == 2
    said = capsys.readouterr()
    assert "it exists already" in said.err
    assert said.out == ""  # refused before the run
    assert main([*run, "--files", str(folder), "--overwrite"]) == 0
