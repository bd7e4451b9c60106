"""`blockdyn sweep` and `run --scenario`: options that contradict are refused before anything runs."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from .conftest import DECAY, Command

SWEEP = """\
sweep:
  number: 4
  seed: 1
  sampling: latin-hypercube
  axes:
    x.initial: [1.0, 2.0]
    rate: {uniform: {low: 0.5, high: 1.5}}
  measures: {last: {final: x}}
"""


@pytest.fixture(autouse=True)
def swept(folder: Path) -> None:
    (folder / "swept.yaml").write_text(DECAY + SWEEP, encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sweep", "decay.yaml"), r"decay\.yaml: decay declares no sweep"),
        (("sweep", "swept.yaml", "--resume"), "--resume without --store"),
        (("sweep", "swept.yaml", "--workers", "0"), "'0' is not a whole number, 1 or greater"),
        (("sweep", "swept.yaml", "--number", "0"), "'0' is not a whole number, 1 or greater"),
        (("sweep", "swept.yaml", "--seed", "-1"), "'-1' is not a whole number, 0 or greater"),
        (("sweep", "swept.yaml", "--dask", "tcp://h:1", "--workers", "2"), "--workers with --dask"),
        (("sweep", "swept.yaml", "--report", "page.txt"), r"ends in \.html"),
        (("sweep", "swept.yaml", "--report", "none/page.html"), "make the folder first"),
        (("sweep", "swept.yaml", "--table", "none/table.csv"), "make the folder first"),
        (("sweep", "swept.yaml", "--table", "table.xls"), r"\.parquet or \.csv"),
        (("run", "swept.yaml", "--number", "3"), "--number without a scenario"),
    ],
)
def test_is_refused_before_a_scenario_runs(command: Command, arguments: tuple[str, ...], said: str) -> None:
    ended = command(*arguments)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert re.search(said, ended.stderr)
    assert "Traceback" not in ended.stderr


def test_a_scenario_tells_its_values_and_is_what_they_make(command: Command) -> None:
    told = json.loads(command("run", "swept.yaml", "--scenario", "6", "--log", "x", "--json").stdout)
    assert told["values"]["x.initial"] == 2.0
    assert told["final"]["x.y"] == pytest.approx(2.0 * math.exp(-2.0 * told["values"]["rate"]), rel=1e-8)
    assert re.search(
        r"scenario 6 .*\n +x\.initial +2\n +rate ", command("run", "swept.yaml", "--scenario", "6").stdout
    )


def test_the_report_names_the_command_that_runs_the_scenario_it_shows(command: Command, folder: Path) -> None:
    assert (
        command("sweep", "swept.yaml", "--number", "3", "--seed", "9", "--report", "page.html").returncode
        == 0
    )
    page = (folder / "page.html").read_text(encoding="utf-8")
    shown = re.search(
        r"<td class='number'[^>]*>(\d+)</td><td class='number'[^>]*>([\d.]+)</td>.*?<code>(.*?)</code>", page
    )
    assert shown is not None
    assert shown[3] == f"blockdyn run swept.yaml --scenario {shown[1]} --number 3 --seed 9"
    told = json.loads(command(*shown[3].split()[1:], "--log", "x", "--json").stdout)
    assert f"{told['final']['x.y']:.5g}" == shown[2]


def test_scenarios_end_when_the_command_says_and_so_does_one_that_is_run_again(
    command: Command, folder: Path
) -> None:
    swept = DECAY.replace("simulate: {stop: 2", "simulate: {start: 0") + SWEEP  # as `dump` writes it
    (folder / "open.yaml").write_text(swept, encoding="utf-8")
    assert "--stop 10" in command("sweep", "open.yaml").stderr
    run = command("sweep", "open.yaml", "--stop", "0.5", "--report", "page.html", "--json")
    assert run.returncode == 0, run.stderr
    page = (folder / "page.html").read_text(encoding="utf-8")
    again = re.search(r"<code>(blockdyn run open.yaml --scenario \d+ --stop 0.5)</code>", page)
    assert again is not None
    told = json.loads(command(*again[1].split()[1:], "--log", "x", "--json").stdout)
    expected = told["values"]["x.initial"] * math.exp(-0.5 * told["values"]["rate"])
    assert told["final"]["x.y"] == pytest.approx(expected, rel=1e-8)


def test_a_diagram_of_the_gallery_is_run_again_by_its_name(command: Command, folder: Path) -> None:
    assert command("sweep", "sampled-joint", "--report", "page.html").returncode == 0
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert re.search(r"<code>blockdyn run sampled-joint --scenario \d+</code>", page)
